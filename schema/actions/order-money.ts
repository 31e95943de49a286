import {
  confirmationInput,
  paymentInput,
  paymentRefundInput,
  refundInput,
  refundProcessInput,
} from '../bodies/order-payments.ts'
import { busyOrPoor } from '../described/shapes.ts'
import { bodyOf, pageOf, the } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { type Action, ev, hidden, refusedOrHidden } from './action.ts'

const order = `${ev}/orders/:code`
const write: Requirement = 'can_change_orders'
const payment = `${order}/payments/:id`
const refund = `${order}/refunds/:id`

/** What can be asked about the payments and refunds of an order. */
export const orderMoneyActions: readonly Action[] = [
  ...(['payments', 'refunds'] as const).flatMap((kind): Action[] => {
    const one = kind.slice(0, -1)
    const shows = the(kind === 'payments' ? 'OrderPayment' : 'OrderRefund')
    return [
      {
        name: `order_${one}_list`,
        tag: `order_${one}`,
        method: 'get',
        path: `${order}/${kind}/`,
        summary: `The ${kind} of an order.`,
        needs: 'can_view_orders',
        query: ['page', 'page_size'],
        shows: pageOf(shows),
        answers: { '200': `One page of ${kind}.`, ...hidden },
      },
      {
        name: `order_${one}_retrieve`,
        tag: `order_${one}`,
        method: 'get',
        path: `${order}/${kind}/:id/`,
        summary: `A ${one} by its number in the order.`,
        needs: 'can_view_orders',
        shows,
        answers: { '200': `The ${one}.`, ...hidden },
      },
      {
        name: `order_${one}_create`,
        tag: `order_${one}`,
        method: 'post',
        path: `${order}/${kind}/`,
        summary:
          kind === 'payments'
            ? 'Enters a payment; one that is confirmed pays the order when it is enough.'
            : 'Enters a refund.',
        needs: write,
        body: bodyOf(kind === 'payments' ? paymentInput : refundInput),
        shows,
        refusals: { '409': busyOrPoor },
        answers: { '201': `The ${one}.`, ...refusedOrHidden, '409': '' },
      },
    ]
  }),
  ...(
    [
      [payment, 'confirm', 'order_payment', 'Enters that a payment has arrived.', confirmationInput],
      [payment, 'cancel', 'order_payment', 'Gives up a payment that has not arrived.', {}],
      [
        payment,
        'refund',
        'order_payment',
        'Gives a payment back; answers with the refund.',
        paymentRefundInput,
      ],
      [refund, 'done', 'order_refund', 'Enters that the money was given back.', {}],
      [refund, 'process', 'order_refund', 'Takes over a refund that was made elsewhere.', refundProcessInput],
      [refund, 'cancel', 'order_refund', 'Gives up a refund.', {}],
    ] as const
  ).map(
    ([path, name, tag, summary, fields]): Action => ({
      name: `${tag}_${name}`,
      tag,
      method: 'post',
      path: `${path}/${name}/`,
      summary,
      needs: write,
      ...(Object.keys(fields).length > 0 ? { body: bodyOf(fields) } : {}),
      refusals: { '409': busyOrPoor },
      shows: the(tag === 'order_payment' && name !== 'refund' ? 'OrderPayment' : 'OrderRefund'),
      answers: { '200': 'The payment or refund.', ...refusedOrHidden, '409': '' },
    }),
  ),
]
