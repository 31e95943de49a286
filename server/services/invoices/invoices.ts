import sql from 'sql-template-tag'
import { type Invoice, type InvoiceLine, invoice } from '../../../schema/resources/orders/invoice.ts'
import { localDate } from '../../domain/text/time.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { findRows, insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { occasionValues } from '../notifications/order-mails.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { type InvoicedCells, invoiceContent, senderFields } from './invoice-content.ts'
import { nextInvoiceNumber } from './invoice-number.ts'

/** The invoices of an order, the oldest first. */
export const invoicesOf = (tx: Tx, place: Place, orderId: number): Promise<Invoice[]> =>
  findRows(tx, invoice, place, { where: sql`order_id = ${orderId}` })

/** What an invoice comes to, in hundredths. */
export const invoiceTotal = ({ lines }: Pick<Invoice, 'lines'>): number =>
  lines.reduce((sum, { gross_value }) => sum + hundredths(gross_value), 0)

/** Issues an invoice for an order as it is now. */
export async function issueInvoice(tx: Tx, at: OrderScope, order: InvoicedCells): Promise<Invoice> {
  const content = await invoiceContent(tx, at, order)
  const row = await numbered(tx, at, order, { ...content, is_cancellation: false, refers_id: null })
  await store(tx, at, order, row)
  recordOrder(tx, at, { order: order.id, action: 'invoice.generated', data: about(row) })
  return row
}

/** Cancels an invoice by another one with the opposite amounts. */
export async function cancelInvoice(
  tx: Tx,
  at: OrderScope,
  order: InvoicedCells,
  canceled: Invoice,
): Promise<Invoice> {
  const row = await numbered(tx, at, order, {
    ...canceled,
    ...senderFields(at.event),
    ...{ payment_provider_text: '', payment_provider_stamp: '' },
    ...{ transmission_provider: null, transmission_status: 'pending', transmission_date: null },
    lines: canceled.lines.map(opposite),
    printed: { ...canceled.printed, paid: null },
    is_cancellation: true,
    refers_id: canceled.id,
    sent_to_organizer: false,
  })
  await store(tx, at, order, row)
  recordOrder(tx, at, { order: order.id, action: 'invoice.canceled', data: about(row) })
  return row
}

/** Writes an invoice anew under its number, from its order or from what it cancels. */
export async function rewriteInvoice(
  tx: Tx,
  at: OrderScope,
  order: InvoicedCells,
  row: Invoice,
): Promise<void> {
  const { id, refers_id } = row
  const [canceled] =
    refers_id === null ? [] : await findRows(tx, invoice, at.place, { where: sql`id = ${refers_id}` })
  const fresh = canceled ? { lines: canceled.lines.map(opposite) } : await invoiceContent(tx, at, order)
  await updateRow(tx, invoice, at.place, { ...fresh, id, sent_to_organizer: row.sent_to_organizer })
  recordOrder(tx, at, { order: order.id, action: 'invoice.regenerated', data: about(row) })
}

const about = ({ id, number }: Invoice) => ({ invoice: id, full_invoice_no: number })

const negative = (amount: string): string => amountOf(-hundredths(amount))

const opposite = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  gross_value: negative(line.gross_value),
  tax_value: negative(line.tax_value),
})

/** An invoice with its number, as it is issued now. */
async function numbered(
  tx: Tx,
  at: OrderScope,
  order: InvoicedCells,
  content: Omit<Invoice, 'id' | 'order_id' | 'number' | 'prefix' | 'date' | 'created'>,
): Promise<Invoice> {
  // The id comes first: when a block of ids is used up, the transaction begins again.
  const id = tx.nextId()
  const date = localDate(tx.now, at.event.timezone)
  const { is_cancellation: isCancellation } = content
  const named = await nextInvoiceNumber(tx, at, { order, date, isCancellation })
  return { ...content, ...named, id, order_id: order.id, date, created: tx.now }
}

/** Stores an invoice, and sends a copy of it to the organizer who wants one. */
async function store(tx: Tx, at: OrderScope, order: InvoicedCells, row: Invoice): Promise<void> {
  const { place, event } = at
  const recipients = event.settings.invoice_email_organizer.split(',').filter((one) => one.trim() !== '')
  await insertRow(tx, invoice, place, { ...row, sent_to_organizer: recipients.length > 0 })
  const { locale } = event
  const occasion = recipients.length > 0 ? await occasionValues(tx, place, event, { locale }) : {}
  for (const to of recipients)
    await queueMail(tx, place, {
      ...{ to, template: 'invoice_copy', locale },
      values: { ...occasion, invoice: row.number, code: order.code },
      about: { order: order.id, tickets: false, invoices: [row.id] },
    })
}
