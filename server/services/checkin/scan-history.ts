import sql from 'sql-template-tag'
import type { ScanType } from '../../domain/rules/facts.ts'
import { looksSigned } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { type PassCells, passColumns, passTables } from '../orders/positions.ts'
import { upstreamCheckins } from './upstream-checkins.ts'

/** A scan that was recorded before, successful or not. */
export interface ScanCells extends PassCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: number
  readonly ordinal: number | null
}

const scansOfPosition = shaped(
  (organizer: number, position: number, list: number) =>
    sql`SELECT ${passColumns}, c.nonce, c.successful, c.ordinal FROM ${passTables}
        WHERE c.organizer = ${organizer} AND c."position" = ${position} AND c.list = ${list}`,
)

const scansOfCode = shaped(
  (organizer: number, code: string, list: number) =>
    sql`SELECT ${passColumns}, c.nonce, c.successful, c.ordinal FROM ${passTables}
        WHERE c.organizer = ${organizer} AND c.raw_barcode = ${code} AND c."position" IS NULL AND c.list = ${list}`,
)

/**
 * The scans of a code on a list that were decided by its signature alone. They stay when they have been reported
 * upstream, and count when the order becomes known later.
 */
export const codeHistory = (tx: Tx, organizer: number, code: string, list: number): Promise<ScanCells[]> =>
  tx.all<ScanCells>(scansOfCode(organizer, code, list))

/** All scans of a position on a list: its own, those by its signature alone, and those that only upstream had. */
export async function positionHistory(
  tx: Tx,
  organizer: number,
  { id, secret }: { readonly id: number; readonly secret: string },
  list: number,
): Promise<readonly ScanCells[]> {
  const own = await tx.all<ScanCells>(scansOfPosition(organizer, id, list))
  const known = looksSigned(secret) ? [...own, ...(await codeHistory(tx, organizer, secret, list))] : own
  return [...known, ...(await upstreamCheckins(tx, { organizer, position: id, list }, known))]
}

/** The number of the next scan of the same ticket on the same list. */
export const nextOrdinal = (history: readonly ScanCells[]): number =>
  history.reduce((highest, one) => Math.max(highest, one.ordinal ?? 0), 0) + 1
