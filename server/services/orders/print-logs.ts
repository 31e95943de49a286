import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import { decodeRow } from '../../resource/codec.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

type PrintCells = Cells & { readonly position: number }

/** What was printed for some positions, the oldest first, as the API shows it, by their ids. */
export async function printsOf(
  db: Queryable,
  organizer: number,
  positions: readonly number[],
): Promise<ReadonlyMap<number, JsonObject[]>> {
  const prints = new Map<number, JsonObject[]>()
  if (positions.length === 0) return prints
  const found = await db.all<PrintCells>(
    sql`SELECT print.*, device.device_id FROM print_log print
        LEFT JOIN device ON device.organizer = print.organizer AND device.id = print.device
        WHERE print.organizer = ${organizer} AND print."position" IN (${join([...positions])}) ORDER BY print.id + 0`,
  )
  for (const { position, device_id, ...cells } of found) {
    const shown = { ...decodeRow(printLog.fields, cells), device_id }
    prints.set(position, [...(prints.get(position) ?? []), shown])
  }
  return prints
}
