import sql from 'sql-template-tag'
import { type Invoice, invoice } from '../../../schema/resources/orders/invoice.ts'
import { localDate } from '../../domain/text/time.ts'
import { denied, invalid, notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { countRows, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { eventById } from '../events/events.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import {
  type MailedOrder,
  mailedOrder,
  occasionValues,
  orderValues,
  ownWords,
} from '../notifications/order-mails.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { invoiceByNumber } from './invoice-list.ts'
import { rewriteInvoice } from './invoices.ts'
import { orderNow, reissueInvoice } from './order-invoices.ts'

/** An invoice that is worked on, its order kept from others. */
interface Opened {
  readonly at: OrderScope
  readonly row: Invoice
}

/** The invoice that a request names, of its event or of any that the caller may change; 404 without. */
async function openInvoice(tx: Tx, scope: Scope, number: string): Promise<Opened> {
  const named = await invoiceByNumber(tx, scope, number)
  const event = named && (scope.event ?? (await eventById(tx, scope.organizer.id, named.event)))
  if (!event) throw notFound()
  const place = { organizer: scope.organizer.id, event: event.id }
  await tx.get(
    sql`SELECT id FROM orders WHERE organizer = ${place.organizer} AND id = ${named.row.order_id}${tx.forUpdate}`,
  )
  return { at: { actor: scope.actor, place, event }, row: named.row }
}

const gone = 'The invoice file is no longer stored on the server.'

async function refuseCanceled(tx: Tx, { at, row }: Opened): Promise<void> {
  if ((await countRows(tx, invoice, at.place, sql`refers_id = ${row.id}`)) > 0)
    throw invalid(['The invoice has already been canceled.'])
}

/** Writes an invoice anew where that is still allowed. */
export async function regenerateInvoice(tx: Tx, scope: Scope, number: string): Promise<void> {
  const opened = await openInvoice(tx, scope, number)
  const { at, row } = opened
  await refuseCanceled(tx, opened)
  if (!at.event.settings.invoice_regenerate_allowed || row.transmission_status === 'completed')
    throw denied('Invoice may not be regenerated.')
  if (row.shredded) throw denied(gone)
  if (row.sent_to_organizer) throw denied('The invoice file has already been exported.')
  const age = Date.parse(localDate(tx.now, at.event.timezone)) - Date.parse(row.date)
  if (age > 86_400_000) throw denied('The invoice file is too old to be regenerated.')
  await rewriteInvoice(tx, at, await orderNow(tx, at.place, row.order_id), row)
}

/** Cancels an invoice and makes a new one. */
export async function replaceInvoice(tx: Tx, scope: Scope, number: string): Promise<void> {
  const opened = await openInvoice(tx, scope, number)
  await refuseCanceled(tx, opened)
  if (opened.row.shredded) throw denied(gone)
  await reissueInvoice(tx, opened.at, opened.row)
  const data = { invoice: opened.row.id }
  recordOrder(tx, opened.at, { order: opened.row.order_id, action: 'invoice.reissued', data })
}

/** Mails an invoice to the buyer; `again` also where that was done before. */
export async function transmitInvoice(tx: Tx, scope: Scope, number: string, again: boolean): Promise<void> {
  const { at, row } = await openInvoice(tx, scope, number)
  if (row.shredded) throw denied(gone)
  if (!again && row.transmission_status !== 'pending') throw denied('The invoice is not in pending state.')
  const { place, event } = at
  const order = await tx.get<MailedOrder>(
    sql`SELECT ${mailedOrder} FROM orders o WHERE o.organizer = ${place.organizer} AND o.id = ${row.order_id}`,
  )
  const data = { invoice: row.id, full_invoice_no: row.number }
  if (again) recordOrder(tx, at, { order: row.order_id, action: 'invoice.retransmitted', data })
  if (!order?.email) {
    const failed = { transmission_status: 'failed', transmission_date: tx.now } as const
    await updateRow(tx, invoice, place, { id: row.id, ...failed })
    return recordOrder(tx, at, { order: row.order_id, action: 'invoice.sending_failed', data })
  }
  await updateRow(tx, invoice, place, {
    id: row.id,
    transmission_status: 'pending',
    transmission_date: tx.now,
  })
  const { locale } = order
  const occasion = await occasionValues(tx, place, event, { locale })
  await queueMail(tx, place, {
    ...{ to: order.email, template: 'order_invoice', locale },
    values: { comment: '', ...occasion, ...orderValues(order, event), invoice: row.number },
    words: ownWords(event, 'order_invoice'),
    about: { order: order.id, tickets: false, invoices: [row.id] },
  })
}
