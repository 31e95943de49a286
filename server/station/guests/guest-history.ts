import sql, { join, type Sql } from 'sql-template-tag'
import type { GuestPrint, GuestScan } from '../../../schema/bodies/guests.ts'
import { shownInstant } from '../../../schema/instants.ts'
import { sameScanKey } from '../../domain/checkin/conflicts.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import type { Queryable } from '../../storage/database.ts'

interface ScanCells {
  readonly id: number
  /** Null for a scan that was made before its ticket was known. */
  readonly position: number | null
  readonly list: number
  readonly list_name: string
  readonly datetime: string
  readonly type: GuestScan['type']
  readonly gate: string | null
  readonly device: string | null
  readonly device_id: number | null
  readonly successful: number
  readonly error_reason: GuestScan['reason'] | 'annulled'
  readonly error_explanation: string | null
  readonly forced: number
  readonly auto_checked_in: number
  readonly nonce: string | null
  readonly raw_barcode: string | null
}

/** A scan, with what it takes to undo it: who made it and its nonce. */
export interface KnownScan extends GuestScan {
  readonly madeBy: number | null
  readonly nonce: string | null
  /** When it was, as it is stored. */
  readonly at: string
}

const scansWhere = (db: Queryable, organizer: number, condition: Sql): Promise<ScanCells[]> =>
  db.all<ScanCells>(
    sql`SELECT c.id, c."position" AS position, c.list, list.name AS list_name, c.datetime, c."type" AS type,
          gate.name AS gate, device.name AS device, c.device AS device_id, c.successful, c.error_reason,
          c.error_explanation, c.forced, c.auto_checked_in, c.nonce, c.raw_barcode
        FROM checkin c
        JOIN checkin_list list ON list.organizer = c.organizer AND list.id = c.list
        LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
        LEFT JOIN device ON device.organizer = c.organizer AND device.id = c.device
        WHERE c.organizer = ${organizer} AND ${condition}`,
  )

const latestFirst = (a: { at: string; id: number }, b: { at: string; id: number }): number =>
  a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1

function shownScan(cells: ScanCells): KnownScan {
  const { error_reason: reason } = cells
  const isUndone = reason === 'annulled'
  return {
    id: cells.id,
    list: cells.list,
    list_name: cells.list_name,
    datetime: shownInstant(cells.datetime),
    type: cells.type,
    gate: cells.gate,
    device: cells.device,
    outcome: cells.successful === 1 ? 'admitted' : isUndone ? 'undone' : 'refused',
    reason: isUndone ? null : reason,
    reason_explanation: isUndone ? null : cells.error_explanation,
    forced: cells.forced === 1,
    auto_checked_in: cells.auto_checked_in === 1,
    madeBy: cells.device_id,
    nonce: cells.nonce,
    at: cells.datetime,
  }
}

/** All scans of some tickets on all lists, by the tickets' ids, newest first. */
export async function scansOf(
  db: Queryable,
  organizer: number,
  tickets: readonly PositionCells[],
): Promise<ReadonlyMap<number, readonly KnownScan[]>> {
  const byCode = new Map(tickets.map(({ secret, id }) => [secret, id]))
  const known = await scansWhere(db, organizer, sql`c."position" IN (${join(tickets.map(({ id }) => id))})`)
  const early = await scansWhere(
    db,
    organizer,
    sql`c.raw_barcode IN (${join([...byCode.keys()])}) AND c."position" IS NULL`,
  )
  // A scan that is known here by itself and from the server upstream is one.
  const once = new Map(
    [...early, ...known].map((one) => {
      const position = one.position ?? byCode.get(one.raw_barcode ?? '') ?? 0
      const key = `${position} ${one.successful} ${sameScanKey({ ...one, device: one.device_id })}`
      return [key, { position, scan: shownScan(one) }]
    }),
  )
  const all = [...once.values()].toSorted((a, b) => latestFirst(a.scan, b.scan))
  const grouped = Map.groupBy(all, ({ position }) => position)
  return new Map([...grouped].map(([position, ones]) => [position, ones.map(({ scan }) => scan)]))
}

interface PrintCells {
  readonly id: number
  readonly position: number
  readonly datetime: string
  readonly type: Exclude<GuestPrint['document'], 'wristband'>
  readonly info: string
  readonly successful: number
  readonly device: string | null
}

function shownPrint({ id, datetime, type, info, successful, device }: PrintCells): GuestPrint {
  // The log of prints has no word for wristbands.
  const { document }: { document?: unknown } = JSON.parse(info)
  return {
    ...{ id, device, datetime: shownInstant(datetime) },
    document: document === 'wristband' ? document : type,
    successful: successful === 1,
  }
}

/** What was printed for some tickets, by their ids, newest first. */
export async function printsFor(
  db: Queryable,
  organizer: number,
  tickets: readonly PositionCells[],
): Promise<ReadonlyMap<number, readonly GuestPrint[]>> {
  const rows = await db.all<PrintCells>(
    sql`SELECT print.id, print."position" AS position, print.datetime, print."type" AS type, print.info, print.successful,
          device.name AS device
        FROM print_log print LEFT JOIN device ON device.organizer = print.organizer AND device.id = print.device
        WHERE print.organizer = ${organizer} AND print."position" IN (${join(tickets.map(({ id }) => id))})
        ORDER BY print.datetime DESC, print.id DESC`,
  )
  const grouped = Map.groupBy(rows, ({ position }) => position)
  return new Map([...grouped].map(([position, prints]) => [position, prints.map(shownPrint)]))
}
