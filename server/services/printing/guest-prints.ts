import sql from 'sql-template-tag'
import type { EarlierPrint, GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import { shownInstant } from '../../../schema/instants.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { selectPositions } from '../orders/positions.ts'

/** A ticket that something is printed for. */
export interface GuestTicket {
  readonly cells: PositionCells
  readonly id: number
  readonly order: number
  readonly isCanceled: boolean
  /** Whether it lets nobody in: canceled, with or without its order, or blocked. */
  readonly isVoid: boolean
}

/** The ticket with an id. */
export async function guestTicket(
  db: Queryable,
  { organizer, event }: Place,
  id: number,
): Promise<GuestTicket | undefined> {
  const here = sql`p.organizer = ${organizer} AND p.event = ${event} AND p.id = ${id}`
  const [cells] = await selectPositions(db, here, sql`p.id`)
  if (!cells) return undefined
  const isCanceled = cells.canceled === 1
  const isBlocked = cells.blocked !== null && cells.blocked !== '[]'
  const isVoid = isCanceled || isBlocked || !['n', 'p'].includes(cells.order_status)
  return { cells, id, order: cells.order_id, isCanceled, isVoid }
}

/** What a document is in the log of prints, which knows no wristbands. */
const logged = { ticket: 'ticket', badge: 'badge', wristband: 'other' } as const

/** What is kept of a print of a ticket for good. */
export const printedFor = (document: GuestDocument, successful: boolean, { id, printer }: PrintedBy) => ({
  ...{ source: 'gatehouse', type: logged[document], successful, datetime: null },
  info: { document, job: id, ...(printer === null ? {} : { printer }) },
})

/** The job that something was printed by. */
interface PrintedBy {
  readonly id: string
  readonly printer: string | null
}

/** Whether an entry in the log of prints is about a document; other programs that print log no wristbands. */
const isAbout = (document: GuestDocument, info: string): boolean =>
  document !== 'wristband' || (JSON.parse(info) as { document?: unknown }).document === 'wristband'

/** When and where a document was printed for a ticket last, by any device that has reported it; null for never. */
export async function loggedPrint(
  db: Queryable,
  organizer: number,
  position: number,
  document: GuestDocument,
): Promise<(EarlierPrint & { readonly count: number }) | null> {
  const rows = await db.all<{ datetime: string; info: string; device: string | null }>(
    sql`SELECT print.datetime, print.info, device.name AS device FROM print_log print
        LEFT JOIN device ON device.organizer = print.organizer AND device.id = print.device
        WHERE print.organizer = ${organizer} AND print."position" = ${position}
          AND print."type" = ${logged[document]} AND print.successful = 1 ORDER BY print.datetime, print.id`,
  )
  const found = rows.filter(({ info }) => isAbout(document, info))
  const last = found.at(-1)
  return last ? { datetime: shownInstant(last.datetime), device: last.device, count: found.length } : null
}

/** Keeps others from asking whether something was printed for a ticket until the transaction ends. */
export const lockTicketOrder = (tx: Tx, { organizer }: Place, { order }: GuestTicket) =>
  tx.get(sql`SELECT id FROM orders WHERE organizer = ${organizer} AND id = ${order}${tx.forUpdate}`)
