import sql from 'sql-template-tag'
import type { GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { findRow } from '../../resource/store.ts'
import type { Change, Place, Tx } from '../../resource/transactions.ts'
import {
  eventOfTicket,
  type StationSettings,
  stationSettings,
  taskOf,
} from '../../services/devices/station-settings.ts'
import { eventById } from '../../services/events/events.ts'
import {
  type GuestTicket,
  guestTicket,
  lockTicketOrder,
  loggedPrint,
} from '../../services/printing/guest-prints.ts'
import { livePrintJob, printJob } from '../../services/printing/print-jobs.ts'
import { ticketDocuments } from '../../services/printing/ticket-documents.ts'
import { isPrintable, storeJob, type WantedPrint } from './job-storing.ts'

/** Milliseconds after which a receipt that comes is not one of just now, but was reported late or loaded anew. */
const isLateAfter = 5 * 60_000

/** Whether a change may be one that something is printed for by itself. */
export const isPrinted = (resource: string): boolean =>
  resource === receipt.name || resource === closing.name || resource === checkin.name

/** Has what this station has just written printed; whether there is any. */
export async function storeNew(tx: Tx, written: readonly Change[]): Promise<boolean> {
  const settings = await stationSettings(tx)
  if (!settings || (settings.printers ?? []).length === 0) return false
  let isAny = false
  for (const { resource, row } of written)
    for (const wanted of await wantedBy(tx, settings, resource, row)) {
      if (!isPrintable(settings, wanted)) continue
      await storeJob(tx, settings, wanted)
      isAny = true
    }
  return isAny
}

/** What is printed for a row by itself. */
async function wantedBy(
  tx: Tx,
  settings: StationSettings,
  resource: string,
  row: number,
): Promise<WantedPrint[]> {
  if (resource === checkin.name) return wantedAtEntry(tx, settings, row)
  if (resource === closing.name)
    return (await isNewClosing(tx, settings, row))
      ? [{ id: `closing-${row}`, document: 'closing', subject: row }]
      : []
  if (!(await isNewReceipt(tx, settings, row))) return []
  return [
    { id: `receipt-${row}`, document: 'receipt', subject: row },
    ...(await wantedAtSale(tx, settings, row)),
  ]
}

/** What comes with a ticket that was just admitted here. */
async function wantedAtEntry(tx: Tx, settings: StationSettings, id: number): Promise<WantedPrint[]> {
  const { organizer, device, printing } = settings
  // A kiosk asks for it by itself, since its guests may correct their name before.
  if (!printing || printing.at_entry.length === 0 || taskOf(settings) === 'kiosk') return []
  const of = await tx.get<{ event: number }>(
    sql`SELECT event FROM checkin WHERE organizer = ${organizer} AND id = ${id}`,
  )
  const event = of?.event ?? settings.event
  const row = await findRow(tx, checkin, { organizer, event }, { id, device })
  if (!row || row.position === null || !row.successful || row.type !== 'entry' || isLate(tx, row.created))
    return []
  return wantedFor(tx, { organizer, event }, [row.position], { documents: printing.at_entry, because: id })
}

/** What comes with the tickets of an order that was just paid here. */
async function wantedAtSale(tx: Tx, settings: StationSettings, id: number): Promise<WantedPrint[]> {
  const { organizer, event, printing } = settings
  if (!printing || printing.at_sale.length === 0) return []
  const rows = await tx.all<{ id: number }>(
    sql`SELECT p.id FROM receipt r JOIN orders o ON o.organizer = r.organizer AND o.event = r.event AND o.code = r."order"
        JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
        WHERE r.organizer = ${organizer} AND r.event = ${event} AND r.id = ${id} AND o.status = 'p'
        ORDER BY p.positionid`,
  )
  return wantedFor(
    tx,
    settings,
    rows.map((row) => row.id),
    { documents: printing.at_sale, because: id },
  )
}

async function wantedFor(
  tx: Tx,
  place: Place,
  positions: readonly number[],
  { documents, because }: { readonly documents: readonly GuestDocument[]; readonly because: number },
): Promise<WantedPrint[]> {
  const { organizer, event } = place
  const wanted: WantedPrint[] = []
  const facts = await eventById(tx, organizer, event)
  if (!facts) return []
  const at = { organizer, event: facts }
  const kinds = []
  for (const document of documents) kinds.push({ document, of: await ticketDocuments(tx, at, document) })
  for (const subject of positions) {
    const ticket = await guestTicket(tx, place, subject)
    if (!ticket || ticket.isVoid) continue
    await lockTicketOrder(tx, place, ticket)
    for (const { document, of } of kinds)
      if (of(ticket.cells).comes && !(await wasPrinted(tx, organizer, ticket, document)))
        wanted.push({ id: `${document}-${subject}-${because}`, document, subject })
  }
  return wanted
}

/** Something that comes with the ticket of a guest at a kiosk: the job that prints it, or null where it was printed before. */
export interface VisitPrint {
  readonly document: GuestDocument
  readonly job: string | null
}

/** Stores what comes with a ticket that a guest was let in with at a kiosk; the same jobs for the same visit. */
export async function storeForVisit(
  tx: Tx,
  settings: StationSettings,
  { position: subject, visit }: { readonly position: number; readonly visit: string },
): Promise<readonly VisitPrint[]> {
  const { organizer, printing } = settings
  const event = await eventOfTicket(tx, settings, subject)
  const place = { organizer, event }
  const ticket = await guestTicket(tx, place, subject)
  if (!ticket || ticket.isVoid) return []
  const facts = await eventById(tx, organizer, event)
  if (!facts) return []
  await lockTicketOrder(tx, place, ticket)
  const prints: VisitPrint[] = []
  for (const document of printing?.at_entry ?? []) {
    const wanted: WantedPrint = { id: `${document}-${subject}-${visit}`, document, subject }
    const documentOf = await ticketDocuments(tx, { organizer, event: facts }, document)
    if (!isPrintable(settings, wanted) || !documentOf(ticket.cells).comes) continue
    const isNew =
      (await printJob(tx, { organizer, id: wanted.id })) !== undefined ||
      !(await wasPrinted(tx, organizer, ticket, document))
    prints.push({ document, job: isNew ? (await storeJob(tx, settings, wanted)).id : null })
  }
  return prints
}

const wasPrinted = async (
  tx: Tx,
  organizer: number,
  { id: subject }: GuestTicket,
  document: GuestDocument,
): Promise<boolean> =>
  (await livePrintJob(tx, { organizer, document, subject })) !== undefined ||
  (await loggedPrint(tx, organizer, subject, document)) !== null

const isLate = (tx: Tx, when: string): boolean => Date.parse(when) < Date.parse(tx.now) - isLateAfter

/** Whether a receipt is of just now and of this till, and was not given out; what closes a drawer is on its closing. */
async function isNewReceipt(tx: Tx, { organizer, event, device: till }: StationSettings, id: number) {
  const place = { organizer, event }
  const row = await findRow(tx, receipt, place, { id, till })
  if (!row || isLate(tx, row.ended) || row.lines.some(({ kind }) => kind === 'difference')) return false
  return (await findRow(tx, receiptPrint, place, { receipt: id })) === undefined
}

async function isNewClosing(tx: Tx, { organizer, event, device: till }: StationSettings, id: number) {
  const row = await findRow(tx, closing, { organizer, event }, { id, till })
  return row !== undefined && !isLate(tx, row.closed)
}
