import sql from 'sql-template-tag'
import { chainBeginning, chainHash, hashVersion } from '../../domain/drawer/receipt-chain.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** What a till counts: its receipts, their signatures and its closings have numbers and chains of their own. */
export type TillCounts = 'receipt' | 'signature' | 'closing'

/** The end of a chain. */
interface CountedUpTo {
  readonly number: number
  readonly hash: string
}

/** A link that is added to a chain. */
interface NextLink {
  readonly number: number
  readonly previous_hash: string
  readonly hash: string
  readonly hash_version: number
}

/**
 * Gives the next number of a till at this node, and the hash of what has that number; nobody else is given one until the
 * commit, and what is taken back is given again.
 */
export async function nextLink(
  tx: Tx,
  { organizer }: Pick<Place, 'organizer'>,
  { till, kind }: { readonly till: number; readonly kind: TillCounts },
  contentAt: (number: number) => object,
): Promise<NextLink> {
  const which = sql`organizer = ${organizer} AND till = ${till} AND site = ${tx.site} AND kind = ${kind}`
  await tx.run(
    sql`INSERT INTO till_count (organizer, till, site, kind, number, hash)
        VALUES (${organizer}, ${till}, ${tx.site}, ${kind}, 0, ${chainBeginning}) ON CONFLICT DO NOTHING`,
  )
  const before = await tx.get<CountedUpTo>(
    sql`SELECT number, hash FROM till_count WHERE ${which}${tx.forUpdate}`,
  )
  if (!before) throw new Error('The count of a till is gone.')
  const number = before.number + 1
  const hash = chainHash(hashVersion, before.hash, contentAt(number))
  if (hash === null) throw new Error('This program does not know its own hashes.')
  await tx.run(sql`UPDATE till_count SET number = ${number}, hash = ${hash} WHERE ${which}`)
  return { number, previous_hash: before.hash, hash, hash_version: hashVersion }
}
