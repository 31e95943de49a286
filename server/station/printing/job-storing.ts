import sql from 'sql-template-tag'
import type { XStatic } from 'typebox/schema'
import type { GuestDocument, printJobBody } from '../../../schema/bodies/print-jobs.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { impossible, notFound, Refusal } from '../../errors.ts'
import { findRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { requireAtEntrance } from '../../services/accounts/entrance-rights.ts'
import { requireRight } from '../../services/accounts/staff-sign-in.ts'
import { printersFor } from '../../services/devices/printer-places.ts'
import {
  actorOf,
  eventOfTicket,
  type StationSettings,
  taskOf,
} from '../../services/devices/station-settings.ts'
import { printReceipt } from '../../services/drawer/receipt-prints.ts'
import { eventById } from '../../services/events/events.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { guestTicket, lockTicketOrder, loggedPrint } from '../../services/printing/guest-prints.ts'
import {
  livePrintJob,
  printJob,
  type QueuedPrint,
  storePrintJob,
} from '../../services/printing/print-jobs.ts'
import { ticketDocuments } from '../../services/printing/ticket-documents.ts'
import { guestDocument } from './job-notes.ts'

/** What is to be printed; see printJobBody. */
export type WantedPrint = XStatic<typeof printJobBody>

/** Whether a printer of the station prints a document. */
export const isPrintable = (
  { printers = [] }: StationSettings,
  { document }: Pick<WantedPrint, 'document'>,
): boolean => (document === 'test' ? printers.length > 0 : printersFor(printers, document).length > 0)

/** What stands on paper, and whether the drawer opens with it. */
type Printed = Pick<QueuedPrint, 'subject' | 'note' | 'copy' | 'title' | 'pulse'>

/** Refuses what no printer here prints. */
export function requirePrinter(settings: StationSettings, wanted: WantedPrint): void {
  const { printers = [] } = settings
  if (printers.length === 0)
    throw new Refusal(409, { detail: 'No printer is set. Enter its address in the settings.' })
  if (!isPrintable(settings, wanted))
    throw new Refusal(409, {
      detail: 'No printer of this station prints this. Choose one for it in the settings.',
    })
  if (wanted.printer !== undefined && !printers.some(({ address }) => address === wanted.printer))
    throw new Refusal(409, { detail: 'This printer is not saved yet. Save the settings first.' })
}

/** Stores what is to be printed; asked again, or for what is just being printed, the job that there is. */
export async function storeJob(
  tx: Tx,
  settings: StationSettings,
  wanted: WantedPrint,
  token = '',
): Promise<QueuedPrint> {
  const { organizer } = settings
  const key = { organizer, id: wanted.id }
  const before = await printJob(tx, key)
  if (before) return before
  const isForGuest = guestDocument(wanted.document) !== null
  const eventId = isForGuest ? await eventOfTicket(tx, settings, wanted.subject ?? 0) : settings.event
  const event = await eventById(tx, organizer, eventId)
  if (!event) throw new Refusal(409, { detail: 'The event of this station is gone. Choose another one.' })
  const at: OrderScope = { actor: actorOf(settings), place: { organizer, event: eventId }, event }
  const document = guestDocument(wanted.document)
  const printed = document
    ? await printedForGuest(tx, at, settings, { wanted, document, token })
    : await printedBy(tx, at, settings, wanted)
  if ('job' in printed) return printed.job
  await storePrintJob(tx, {
    ...{ ...key, event: eventId, document: wanted.document, state: 'waiting' },
    ...{ locale: wanted.locale ?? settings.locale, printer: wanted.printer ?? null, ...printed },
  })
  const job = await printJob(tx, key)
  if (!job) throw new Error('What was to be printed is gone.')
  return job
}

/** What is wanted for a ticket, and the word of whoever stands in for those who may not. */
interface WantedForGuest {
  readonly wanted: WantedPrint
  readonly document: GuestDocument
  readonly token: string
}

/** Said where the product of a ticket is to have no such document. */
const missing = {
  ticket: 'There are no tickets for this product, as its settings say.',
  badge: 'This product is to have no badge, as the layouts of badges say.',
} as const

/** What comes with a ticket, once; the job that prints it at this moment, if there is one. */
async function printedForGuest(
  tx: Tx,
  { actor, place, event }: OrderScope,
  settings: StationSettings,
  { wanted, document, token }: WantedForGuest,
): Promise<Printed | { readonly job: QueuedPrint }> {
  const { organizer } = place
  const ticket = await guestTicket(tx, place, wanted.subject ?? 0)
  if (!ticket) throw notFound()
  if (ticket.isVoid)
    throw new Refusal(409, {
      ...{ detail: 'This ticket is canceled or blocked: nothing is printed for it.', reason: 'canceled' },
    })
  const { look } = (await ticketDocuments(tx, { organizer, event }, document))(ticket.cells)
  if (look === null)
    throw new Refusal(409, { detail: missing[document === 'ticket' ? 'ticket' : 'badge'], reason: 'none' })
  await lockTicketOrder(tx, place, ticket)
  const live = await livePrintJob(tx, { organizer, document, subject: ticket.id })
  if (live?.state === 'waiting' || live?.state === 'sending') return { job: live }
  const logged = await loggedPrint(tx, organizer, ticket.id, document)
  const earlier = logged ?? (live && { datetime: live.created, device: settings.name, count: 1 })
  if (earlier && !wanted.again)
    throw new Refusal(409, {
      ...{ detail: 'This was printed already.', reason: 'already_printed' },
      printed: { datetime: earlier.datetime, device: earlier.device },
    })
  if (earlier) await requireReprint(tx, settings, actor, token)
  const { attendee_name, order_code, positionid } = ticket.cells
  const name = attendee_name || `${order_code}-${positionid}`
  return { subject: ticket.id, note: null, copy: earlier?.count ?? 0, title: name, pulse: 'none' }
}

/** Refuses to print again where only some staff may. */
async function requireReprint(
  tx: Tx,
  settings: StationSettings,
  actor: OrderScope['actor'],
  token: string,
): Promise<void> {
  const place = { organizer: settings.organizer, event: 0 }
  if (taskOf(settings) === 'box-office') await requireRight(tx, { actor, place }, 'reprint', token)
  else await requireAtEntrance(tx, { actor }, 'reprint', token)
}

async function printedBy(
  tx: Tx,
  at: OrderScope,
  { device }: StationSettings,
  wanted: WantedPrint,
): Promise<Printed> {
  if (wanted.document === 'test') return { subject: null, note: null, copy: 0, title: '', pulse: 'none' }
  if (wanted.document === 'closing') {
    const row = await findRow(tx, closing, at.place, { id: wanted.subject ?? 0 })
    if (!row) throw notFound()
    return { subject: row.id, note: null, copy: 0, title: `${row.site}-${row.number}`, pulse: 'none' }
  }
  const id = wanted.subject ?? (await newestReceipt(tx, at, device, wanted.order))
  const row = await findRow(tx, receipt, at.place, { id })
  if (!row) throw notFound()
  const note = await printReceipt(tx, at, row.id, { way: 'paper', email: '', locale: '' })
  const copy = (await findRow(tx, receiptPrint, at.place, { id: note }))?.copy ?? 0
  const isCash = row.payments.some(({ provider }) => provider === 'boxoffice')
  return {
    ...{ subject: row.id, note, copy, title: `${row.site}-${row.number}` },
    pulse: copy === 0 && isCash ? 'wanted' : 'none',
  }
}

async function newestReceipt(
  tx: Tx,
  { place }: OrderScope,
  device: number,
  order: string | undefined,
): Promise<number> {
  if (order === undefined) throw impossible('Say which receipt is to be printed.')
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM receipt WHERE organizer = ${place.organizer} AND event = ${place.event} AND till = ${device}
          AND "order" = ${order} ORDER BY ended DESC, id DESC LIMIT 1`,
  )
  if (!row)
    throw new Refusal(409, {
      detail: 'The receipt of this order is not at this station yet. Try again in a moment.',
    })
  return row.id
}
