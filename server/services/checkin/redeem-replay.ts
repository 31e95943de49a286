import sql from 'sql-template-tag'
import type { ScanType } from '../../domain/rules/facts.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { selectPositions } from '../orders/positions.ts'
import { outcomeOf, type RedeemOutcome, type RedeemRequest } from './redeem-input.ts'
import { findSigned } from './signed-acceptance.ts'

interface KnownScan {
  readonly id: number
  /** Null where a signature was all that was known. */
  readonly position: number | null
  readonly list: number
  readonly type: ScanType
  readonly raw_barcode: string | null
  readonly successful: number
  readonly error_reason: string | null
}

const scansWith = shaped(
  (organizer: number, nonce: string) =>
    sql`SELECT id, "position" AS position, list, "type" AS type, raw_barcode, successful, error_reason FROM checkin
        WHERE organizer = ${organizer} AND nonce = ${nonce}`,
)

/** The same scan, sent again because its answer was lost: it is answered as the first time, also after an undo. */
export async function findReplay(
  tx: Tx,
  { organizer, lists, input }: RedeemRequest,
): Promise<RedeemOutcome | undefined> {
  if (input.nonce === null) return undefined
  // Only the nonce chooses in the statement: by the list, SQLite would look through everything that was scanned there.
  const found = await tx.all<KnownScan>(scansWith(organizer, input.nonce))
  const [known] = found
    .filter((one) => one.raw_barcode === input.code && one.type === input.type)
    .filter((one) => one.successful === 1 || one.error_reason === 'annulled')
    .filter((one) => lists.some((list) => list.facts.id === one.list))
    .toSorted((a, b) => a.id - b.id)
  const list = known && lists.find((one) => one.facts.id === known.list)
  if (!known || !list) return undefined
  const [position] = await selectPositions(
    tx,
    sql`p.organizer = ${organizer} AND p.id = ${known.position}`,
    sql`p.id`,
  )
  const signed = position ? undefined : await findSigned(tx, organizer, [list], input.code)
  return outcomeOf({
    status: 'ok',
    list,
    position: position ?? null,
    signed: signed && { code: input.code, ticket: signed.ticket },
    checkin: known.id,
  })
}
