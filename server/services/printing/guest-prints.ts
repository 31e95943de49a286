import sql from 'sql-template-tag'
import type { EarlierPrint, GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import { shownInstant } from '../../../schema/instants.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A ticket that something is printed for. */
export interface GuestTicket {
  readonly id: number
  readonly item: number
  readonly secret: string
  readonly order: number
  readonly code: string
  readonly positionid: number
  readonly attendee_name: string | null
  readonly sales_channel: string
  readonly isCanceled: boolean
  /** Whether it lets nobody in: canceled, with or without its order, or blocked. */
  readonly isVoid: boolean
}

interface TicketCells extends Omit<GuestTicket, 'isVoid' | 'isCanceled'> {
  readonly canceled: number
  readonly blocked: string | null
  readonly status: string
}

/** The ticket with an id. */
export async function guestTicket(
  db: Queryable,
  { organizer, event }: Place,
  id: number,
): Promise<GuestTicket | undefined> {
  const row = await db.get<TicketCells>(
    sql`SELECT p.id, p.item, p.secret, o.id AS "order", o.code, p.positionid, p.attendee_name, o.sales_channel,
          p.canceled, p.blocked, o.status
        FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        WHERE p.organizer = ${organizer} AND p.event = ${event} AND p.id = ${id}`,
  )
  if (!row) return undefined
  const { canceled, blocked, status, ...ticket } = row
  const isCanceled = canceled === 1
  const isBlocked = blocked !== null && blocked !== '[]'
  return { ...ticket, isCanceled, isVoid: isCanceled || isBlocked || !['n', 'p'].includes(status) }
}

/** Whether the layouts of an event say that a document comes with a ticket; where nobody has drawn any badge, the usual one does. */
export async function comesWith(
  db: Queryable,
  place: Place,
  { item, sales_channel }: Pick<GuestTicket, 'item' | 'sales_channel'>,
  document: GuestDocument,
): Promise<boolean> {
  if (document !== 'ticket') {
    const own = await findRow(db, badgeItem, place, { item })
    if (own) return own.layout !== null
    const drawn = await findRows(db, badgeLayout, place)
    return drawn.length === 0 || drawn.some((layout) => layout.default)
  }
  return (
    (await findRow(db, ticketLayoutItem, place, { item, sales_channel })) !== undefined ||
    (await findRow(db, ticketLayout, place, { default: true })) !== undefined
  )
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
