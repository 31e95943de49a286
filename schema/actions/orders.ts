import { blockInput, cancellationInput, extensionInput } from '../bodies/order-actions.ts'
import {
  confirmationInput,
  paymentInput,
  paymentRefundInput,
  refundInput,
  refundProcessInput,
} from '../bodies/order-payments.ts'
import { orderChangeBody } from '../described/bodies.ts'
import { furtherParameters } from '../described/parameters.ts'
import { busyOrPoor } from '../described/shapes.ts'
import { bodyOf, type Json, pageOf, the } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { order as resource } from '../resources/order.ts'
import { type Action, ev, hidden, org, refusedOrHidden } from './action.ts'

const order = `${ev}/orders/:code`
const position = `${ev}/orderpositions/:id`
const write: Requirement = 'can_change_orders'

/** What can be done with an order, and what it means. */
const transitions: readonly (readonly [name: string, summary: string, body?: Json])[] = [
  ['mark_paid', 'Marks a pending or expired order as paid.'],
  ['mark_pending', 'Marks a paid order as pending.'],
  ['mark_expired', 'Marks a pending order as expired.'],
  ['mark_canceled', 'Cancels an order, keeping a fee if one is given.', bodyOf(cancellationInput)],
  ['mark_refunded', 'Cancels a paid order whose money was given back.'],
  ['reactivate', 'Takes back a cancellation.'],
  ['extend', 'Gives more time to pay; reactivates an expired order.', bodyOf(extensionInput)],
  ['approve', 'Approves an order that awaits approval.'],
  ['deny', 'Denies an order that awaits approval.', bodyOf(cancellationInput)],
  ['regenerate_secrets', 'Gives the order and all its tickets new codes and revokes the old ones.'],
]

const payment = `${order}/payments/:id`
const refund = `${order}/refunds/:id`

const money: readonly Action[] = [
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

/** Endpoints of orders and their positions beyond the standard ones. */
export const orderActions: readonly Action[] = [
  {
    name: 'organizer_order_list',
    tag: 'order',
    method: 'get',
    path: `${org}/orders/`,
    summary: 'The orders of all events that the caller may see.',
    needs: 'can_view_orders',
    query: [
      'page',
      'page_size',
      'ordering',
      ...Object.keys(resource.filters ?? {}),
      ...(furtherParameters.order?.list.filter((name) => name !== 'pdf_data') ?? []),
    ],
    shows: pageOf(the('Order')),
    answers: { '200': 'One page of orders.', '400': '', '401': '', '403': '' },
  },
  ...transitions.map(
    ([name, summary, body]): Action => ({
      name: `order_${name}`,
      tag: 'order',
      method: 'post',
      path: `${order}/${name}/`,
      summary,
      needs: write,
      query: furtherParameters.order?.write ?? [],
      ...(body ? { body } : {}),
      shows: the('Order'),
      answers: { '200': 'The order.', ...refusedOrHidden, '409': '' },
    }),
  ),
  ...['regenerate_secrets', 'add_block', 'remove_block'].map(
    (name): Action => ({
      name: `order_position_${name}`,
      tag: 'order_position',
      method: 'post',
      path: `${position}/${name}/`,
      summary:
        name === 'regenerate_secrets'
          ? 'Gives a ticket a new code and revokes the old one.'
          : 'Sets or takes away a reason why a ticket must not be used.',
      needs: write,
      query: ['pdf_data'],
      ...(name === 'regenerate_secrets' ? {} : { body: bodyOf(blockInput) }),
      shows: the('OrderPosition'),
      answers: { '200': 'The position.', ...refusedOrHidden },
    }),
  ),
  ...money,
  ...(
    [
      ['order', order, 'All tickets of an order'],
      ['order_position', position, 'The ticket of a position'],
    ] as const
  ).map(
    ([tag, path, what]): Action => ({
      name: `${tag}_download`,
      tag,
      method: 'get',
      path: `${path}/download/:output/`,
      summary: `${what} as a file: pdf for pages, roll for printers with a roll of paper.`,
      needs: 'can_view_orders',
      shows: { type: 'string', format: 'binary' },
      type: 'application/pdf',
      answers: { '200': 'The file.', ...refusedOrHidden, '409': '' },
    }),
  ),
  {
    name: 'order_change',
    tag: 'order',
    method: 'post',
    path: `${order}/change/`,
    summary:
      'Cancels, changes, splits off and adds positions and fees at once, all or nothing; works out taxes anew.',
    needs: write,
    query: ['check_quotas', ...(furtherParameters.order?.write ?? [])],
    body: orderChangeBody,
    shows: the('Order'),
    answers: { '200': 'The order.', ...refusedOrHidden, '409': '' },
  },
]
