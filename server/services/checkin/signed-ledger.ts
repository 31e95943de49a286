import sql from 'sql-template-tag'
import type { ScanType } from '../../domain/checkin/checkin.ts'
import type { Queryable } from '../../storage/database.ts'
import { shaped } from '../../storage/shaped.ts'
import { type PassCells, passColumns, passTables } from '../orders/positions.ts'

/** A scan of a ticket that was judged by its signature alone. */
export interface LedgerCells extends PassCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: number
  readonly ordinal: number | null
}

const scansOf = shaped(
  (organizer: number, code: string, list: number) =>
    sql`SELECT ${passColumns}, c.nonce, c.successful, c.ordinal FROM ${passTables}
        WHERE c.organizer = ${organizer} AND c.raw_barcode = ${code} AND c."position" IS NULL AND c.list = ${list}`,
)

/**
 * The scans of a code on a list that were judged by its signature alone. They stay when they have been told to the
 * server above, and count when the order becomes known later.
 */
export const ledgerOf = (
  db: Queryable,
  organizer: number,
  code: string,
  list: number,
): Promise<LedgerCells[]> => db.all<LedgerCells>(scansOf(organizer, code, list))
