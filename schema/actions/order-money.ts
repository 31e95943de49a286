import {
  confirmationInput,
  paymentInput,
  paymentRefundInput,
  refundInput,
  refundProcessInput,
} from '../bodies/order-payments.ts'
import { busyOrPoor } from '../described/shapes.ts'
import { bodySchema, pageSchema, the } from '../json-schema.ts'
import { orderTransaction } from '../resources/orders/order-transaction.ts'
import {
  type Action,
  bodyLike,
  bodyWith,
  defineAction,
  ev,
  org,
  refusedOrHidden,
  showsOne,
  showsPage,
} from './action.ts'

const payments = `${ev}/orders/:code/payments` as const
const refunds = `${ev}/orders/:code/refunds` as const
const write = 'can_change_orders'

export const orderPaymentList = defineAction({
  name: 'order_payment_list',
  tag: 'order_payment',
  ...showsPage('OrderPayment', 'One page of payments.'),
  path: `${payments}/`,
  summary: 'The payments of an order.',
  needs: 'can_view_orders',
})

export const orderPaymentRetrieve = defineAction({
  name: 'order_payment_retrieve',
  tag: 'order_payment',
  ...showsOne('OrderPayment', 'The payment.'),
  path: `${payments}/:id/`,
  summary: 'A payment by its number in the order.',
  needs: 'can_view_orders',
})

export const orderPaymentCreate = defineAction({
  name: 'order_payment_create',
  tag: 'order_payment',
  method: 'post',
  path: `${payments}/`,
  summary: 'Enters a payment; one that is confirmed pays the order when it is enough.',
  needs: write,
  body: bodyLike(bodySchema(paymentInput)),
  shows: the('OrderPayment'),
  refusals: { '409': busyOrPoor },
  answers: { '201': 'The payment.', ...refusedOrHidden, '409': '' },
})

export const orderRefundList = defineAction({
  name: 'order_refund_list',
  tag: 'order_refund',
  ...showsPage('OrderRefund', 'One page of refunds.'),
  path: `${refunds}/`,
  summary: 'The refunds of an order.',
  needs: 'can_view_orders',
})

export const orderRefundRetrieve = defineAction({
  name: 'order_refund_retrieve',
  tag: 'order_refund',
  ...showsOne('OrderRefund', 'The refund.'),
  path: `${refunds}/:id/`,
  summary: 'A refund by its number in the order.',
  needs: 'can_view_orders',
})

export const orderRefundCreate = defineAction({
  name: 'order_refund_create',
  tag: 'order_refund',
  method: 'post',
  path: `${refunds}/`,
  summary: 'Enters a refund.',
  needs: write,
  body: bodyLike(bodySchema(refundInput)),
  shows: the('OrderRefund'),
  refusals: { '409': busyOrPoor },
  answers: { '201': 'The refund.', ...refusedOrHidden, '409': '' },
})

const moneyAction = {
  method: 'post',
  needs: write,
  refusals: { '409': busyOrPoor },
  answers: { '200': 'The payment or refund.', ...refusedOrHidden, '409': '' },
} as const

export const orderPaymentConfirm = defineAction({
  name: 'order_payment_confirm',
  tag: 'order_payment',
  ...moneyAction,
  path: `${payments}/:id/confirm/`,
  summary: 'Enters that a payment has arrived.',
  body: bodyWith(confirmationInput),
  shows: the('OrderPayment'),
})

export const orderPaymentCancel = defineAction({
  name: 'order_payment_cancel',
  tag: 'order_payment',
  ...moneyAction,
  path: `${payments}/:id/cancel/`,
  summary: 'Gives up a payment that has not arrived.',
  shows: the('OrderPayment'),
})

export const orderPaymentRefund = defineAction({
  name: 'order_payment_refund',
  tag: 'order_payment',
  ...moneyAction,
  path: `${payments}/:id/refund/`,
  summary: 'Gives a payment back; answers with the refund.',
  body: bodyLike(bodySchema(paymentRefundInput)),
  shows: the('OrderRefund'),
})

export const orderRefundDone = defineAction({
  name: 'order_refund_done',
  tag: 'order_refund',
  ...moneyAction,
  path: `${refunds}/:id/done/`,
  summary: 'Enters that the money was given back.',
  shows: the('OrderRefund'),
})

export const orderRefundProcess = defineAction({
  name: 'order_refund_process',
  tag: 'order_refund',
  ...moneyAction,
  path: `${refunds}/:id/process/`,
  summary: 'Takes over a refund that was made elsewhere.',
  body: bodyWith(refundProcessInput),
  shows: the('OrderRefund'),
})

export const orderRefundCancel = defineAction({
  name: 'order_refund_cancel',
  tag: 'order_refund',
  ...moneyAction,
  path: `${refunds}/:id/cancel/`,
  summary: 'Gives up a refund.',
  shows: the('OrderRefund'),
})

export const organizerTransactionList = defineAction({
  name: 'organizer_transaction_list',
  tag: 'order_transaction',
  method: 'get',
  path: `${org}/transactions/`,
  summary: 'The changes of what was sold, of all events that the caller may see.',
  needs: orderTransaction.permission.read,
  query: [
    'page',
    'page_size',
    'ordering',
    ...Object.keys(orderTransaction.filters ?? {}),
    ...['order', 'event'],
  ],
  shows: pageSchema(the('OrderTransaction')),
  answers: { '200': 'One page of transactions.', '400': '', '401': '', '403': '' },
})

export const organizerTransactionRetrieve = defineAction({
  name: 'organizer_transaction_retrieve',
  tag: 'order_transaction',
  path: `${org}/transactions/:id/`,
  summary: 'One change of what was sold, of any event.',
  needs: orderTransaction.permission.read,
  ...showsOne('OrderTransaction', 'The transaction.'),
})

/** What can be asked about the payments and refunds of an order, and about what was sold. */
export const orderMoneyActions: readonly Action[] = [
  orderPaymentList,
  orderPaymentRetrieve,
  orderPaymentCreate,
  orderRefundList,
  orderRefundRetrieve,
  orderRefundCreate,
  orderPaymentConfirm,
  orderPaymentCancel,
  orderPaymentRefund,
  orderRefundDone,
  orderRefundProcess,
  orderRefundCancel,
  organizerTransactionList,
  organizerTransactionRetrieve,
]
