import sql from 'sql-template-tag'
import type { Resource } from '../../../schema/resource.ts'
import { invalid } from '../../errors.ts'
import { countRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { alphabets, randomWord } from './secrets.ts'

const length = 8

/** Whether another row of a place has an identifier; small and capital letters are the same. */
export const isIdentifierTaken = async (
  tx: Tx,
  resource: Resource,
  place: Place,
  { identifier, except }: { readonly identifier: string; readonly except: number },
): Promise<boolean> =>
  (await countRows(
    tx,
    resource,
    place,
    sql`lower(identifier) = ${identifier.toLowerCase()} AND id <> ${except}`,
  )) > 0

interface Identified {
  readonly id: number
  readonly identifier: string | null
}

/**
 * The identifier of a row about to be stored: the one asked for, which must be free, else the one it has, else a new
 * one. Throws 400 when it is taken.
 */
export async function identifierFor(
  tx: Tx,
  resource: Resource,
  place: Place,
  { next, before }: { readonly next: Identified; readonly before: Identified | undefined },
): Promise<string> {
  const wanted = next.identifier
  if (typeof wanted !== 'string' || wanted === '')
    return typeof before?.identifier === 'string' ? before.identifier : freshIdentifier(tx)
  if (
    wanted !== before?.identifier &&
    (await isIdentifierTaken(tx, resource, place, { identifier: wanted, except: before?.id ?? 0 }))
  )
    throw invalid({ identifier: ['This identifier is already in use.'] })
  return wanted
}

/** A new identifier; two of the same are made about once in four hundred thousand million. */
export const freshIdentifier = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.orderCode, length)
