import sql from 'sql-template-tag'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import { type ChainFault, type ChainLink, verifyChain } from '../../domain/drawer/receipt-chain.ts'
import { rowOf } from '../../resource/store.ts'
import type { Queryable } from '../../storage/database.ts'
import { closingContent } from './drawer-closing.ts'
import { linkOf } from './receipt-rows.ts'
import { signatureContent } from './receipt-signatures.ts'
import type { TillCounts } from './till-count.ts'

/** Something in the chain of a till that is not as it was written. */
export interface TillProblem extends ChainFault {
  readonly organizer: number
  readonly kind: TillCounts
  readonly till: number
  readonly site: number
}

/** What became of looking at all receipts and closings. */
interface TillFindings {
  readonly receipts: number
  readonly signatures: number
  readonly closings: number
  readonly problems: readonly TillProblem[]
}

interface Chain {
  readonly organizer: number
  readonly till: number
  readonly site: number
}

const tables = { receipt: sql`receipt`, signature: sql`receipt_signature`, closing: sql`closing` } as const

async function chainOf(db: Queryable, kind: TillCounts, chain: Chain): Promise<ChainLink<object>[]> {
  const { organizer, till, site } = chain
  const which = sql`organizer = ${organizer} AND "till" = ${till} AND site = ${site} ORDER BY number, id`
  if (kind === 'receipt')
    return (await db.all(sql`SELECT * FROM receipt WHERE ${which}`)).map((cells) =>
      linkOf(rowOf(receipt, cells)),
    )
  if (kind === 'signature')
    return (await db.all(sql`SELECT * FROM receipt_signature WHERE ${which}`)).map((cells) => {
      const row = rowOf(receiptSignature, cells)
      return { ...row, content: signatureContent(row) }
    })
  return (await db.all(sql`SELECT * FROM closing WHERE ${which}`)).map((cells) => {
    const row = rowOf(closing, cells)
    return { ...row, content: closingContent(row) }
  })
}

/** Looks whether receipts, signatures and closings are what they were when they were written, and whether none is missing. */
export async function verifyTills(db: Queryable): Promise<TillFindings> {
  const counts = { receipt: 0, signature: 0, closing: 0 }
  const problems: TillProblem[] = []
  for (const kind of ['receipt', 'signature', 'closing'] as const) {
    const chains = await db.all<Chain & { readonly [name: string]: number }>(
      sql`SELECT DISTINCT organizer, "till" AS till, site FROM ${tables[kind]} ORDER BY organizer, till, site`,
    )
    for (const { organizer, till, site } of chains) {
      const links = await chainOf(db, kind, { organizer, till, site })
      counts[kind] += links.length
      problems.push(...verifyChain(links).map((fault) => ({ ...fault, organizer, kind, till, site })))
    }
  }
  return {
    receipts: counts.receipt,
    signatures: counts.signature,
    closings: counts.closing,
    problems: problems.slice(0, 100),
  }
}
