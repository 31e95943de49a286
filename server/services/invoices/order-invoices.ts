import sql from 'sql-template-tag'
import type { Invoice } from '../../../schema/resources/orders/invoice.ts'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import {
  type InvoicedOrder,
  type InvoiceSteps,
  type IssuedInvoices,
  isInvoicedAtOnce,
  makesInvoices,
  mayHaveInvoice,
  stepsAfterChange,
  stepsAfterMove,
} from '../../domain/orders/invoices.ts'
import { impossible } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { checkInPaid } from '../orders/automatic-checkins.ts'
import { saveOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import type { OrderRow } from '../orders/order-rows.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { type InvoicedCells, invoiceContent } from './invoice-content.ts'
import { cancelInvoice, invoicesOf, invoiceTotal, issueInvoice } from './invoices.ts'

/** Sets the state of an order and what goes with it; its invoices and automatic check-ins follow. */
export async function saveOrderState(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  changes: Partial<OrderRow>,
): Promise<void> {
  await saveOrder(tx, at.place, order.id, changes)
  if (changes.status === 'p' && order.status !== 'p' && !changes.cancellation_date)
    await checkInPaid(tx, at, order)
  const { settings } = at.event
  if (tx.site !== 0) return
  const issued = await issuedSoFar(tx, at.place, order.id)
  if (issued.issued === 0 && !makesInvoices(settings)) return
  const after = await orderNow(tx, at.place, order.id)
  const keepsFee = Boolean(changes.cancellation_date) && after.status !== 'c'
  const steps = stepsAfterMove(factsOf(order), { ...factsOf(after), keepsFee }, issued, settings)
  await take(tx, at, after, { ...issued, ...steps })
}

/** Makes the invoice of a new order, where it has one from the beginning. */
export async function invoiceNewOrder(tx: Tx, at: OrderScope, orderId: number): Promise<void> {
  if (tx.site !== 0 || !makesInvoices(at.event.settings)) return
  const order = await orderNow(tx, at.place, orderId)
  if (isInvoicedAtOnce(factsOf(order), at.event.settings)) await issueInvoice(tx, at, order)
}

/** Makes new invoices where those of an order do not say any more what was bought. */
export async function invoiceChangedOrder(tx: Tx, at: OrderScope, orderId: number): Promise<void> {
  if (tx.site !== 0) return
  const order = await orderNow(tx, at.place, orderId)
  const issued = await issuedSoFar(tx, at.place, orderId)
  if (issued.live && (await saysTheSame(tx, at, order, issued.live))) return
  const steps = stepsAfterChange(factsOf(order), issued, at.event.settings)
  await take(tx, at, order, { ...issued, ...steps })
}

/** Makes the invoice of an order that was split off one that has invoices. */
export async function invoiceSplitOrder(
  tx: Tx,
  at: OrderScope,
  from: number,
  orderId: number,
): Promise<void> {
  if (tx.site !== 0 || (await invoicesOf(tx, at.place, from)).length === 0) return
  const order = await orderNow(tx, at.place, orderId)
  if (order.total !== 0) await issueInvoice(tx, at, order)
}

/** Makes the invoice of an order because somebody asks for it; 400 where it cannot have one, or has one. */
export async function invoiceByHand(tx: Tx, at: OrderScope, { id }: OrderCells): Promise<Invoice> {
  const order = await orderNow(tx, at.place, id)
  const { settings } = at.event
  if (settings.invoice_generate === 'False' || !mayHaveInvoice(factsOf(order), settings))
    throw impossible('You cannot generate an invoice for this order.')
  const { issued, canceled } = await issuedSoFar(tx, at.place, id)
  if (issued > canceled) throw impossible('An invoice for this order already exists.')
  return issueInvoice(tx, at, order)
}

/** Cancels an invoice and makes a new one where its order may have one. */
export async function reissueInvoice(tx: Tx, at: OrderScope, row: Invoice): Promise<void> {
  const order = await orderNow(tx, at.place, row.order_id)
  const issue = mayHaveInvoice(factsOf(order), at.event.settings)
  await take(tx, at, order, { live: { row }, cancel: true, issue })
}

/** An order as it is stored now. */
export async function orderNow(tx: Tx, { organizer }: Place, id: number): Promise<InvoicedCells> {
  const row = await tx.get<InvoicedCells>(
    sql`SELECT * FROM orders WHERE organizer = ${organizer} AND id = ${id}`,
  )
  if (!row) throw new Error('The order of an invoice is gone.')
  return row
}

function factsOf({
  status,
  require_approval,
  total,
  sales_channel,
  invoice_address,
}: OrderCells): InvoicedOrder {
  const address: InvoiceAddress | null = JSON.parse(invoice_address ?? 'null')
  return {
    ...{ status, total, sales_channel },
    require_approval: require_approval === 1,
    is_business: address?.is_business ?? false,
  }
}

interface Issued extends IssuedInvoices {
  readonly live: { readonly row: Invoice; readonly total: number } | null
}

async function issuedSoFar(tx: Tx, place: Place, orderId: number): Promise<Issued> {
  const rows = await invoicesOf(tx, place, orderId)
  const [cancellations = [], issued = []] = [true, false].map((one) =>
    rows.filter(({ is_cancellation }) => is_cancellation === one),
  )
  const last = issued.at(-1)
  const isLive = last && !cancellations.some(({ refers_id }) => refers_id === last.id)
  return {
    issued: issued.length,
    canceled: cancellations.length,
    live: isLive ? { row: last, total: invoiceTotal(last) } : null,
  }
}

async function take(
  tx: Tx,
  at: OrderScope,
  order: InvoicedCells,
  { live, cancel, issue }: InvoiceSteps & { readonly live: { readonly row: Invoice } | null },
): Promise<void> {
  if (cancel && live) await cancelInvoice(tx, at, order, live.row)
  if (issue) await issueInvoice(tx, at, order)
}

/** What a line says of time, which may be that of its invoice. */
const times: ReadonlySet<string> = new Set(
  'position period_start period_end event_date_from event_date_to'.split(' '),
)

/** Whether an invoice lists what its order has now. */
async function saysTheSame(
  tx: Tx,
  at: OrderScope,
  order: InvoicedCells,
  { row }: { readonly row: Invoice },
): Promise<boolean> {
  const { lines } = await invoiceContent(tx, at, order)
  const said = (all: Invoice['lines']): string =>
    JSON.stringify(all, (name, value) => (times.has(name) ? undefined : value))
  return said(lines) === said(row.lines)
}
