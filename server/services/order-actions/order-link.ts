import { impossible } from '../../errors.ts'
import type { Tx } from '../../resource/transactions.ts'
import { mailOrder } from '../notifications/order-mails.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import type { EventScope } from '../pricing/order-draft.ts'

/** Mails an order to its buyer once more; 400 where there is no address. */
export async function resendOrder(tx: Tx, at: EventScope, order: OrderCells): Promise<void> {
  if (!(await mailOrder(tx, at, order.id, { template: 'order_tickets' })))
    throw impossible('This order has no e-mail address.')
  recordOrder(tx, at, { order: order.id, action: 'email.resend' })
}

/** Refuses to make an invoice: events here have none. */
export function refuseInvoice(): never {
  throw impossible('Invoices are not made for this event.')
}
