import type { Requirement } from '../permissions.ts'
import { type Action, ev, hidden, org, refusedOrHidden } from './action.ts'

const order = `${ev}/orders/:code`
const position = `${ev}/orderpositions/:id`
const write: Requirement = 'can_change_orders'

/** What can be done with an order, and what it means. */
const transitions: readonly (readonly [name: string, summary: string])[] = [
  ['mark_paid', 'Marks a pending or expired order as paid.'],
  ['mark_pending', 'Marks a paid order as pending.'],
  ['mark_expired', 'Marks a pending order as expired.'],
  ['mark_canceled', 'Cancels an order, keeping a fee if one is given.'],
  ['mark_refunded', 'Cancels a paid order whose money was given back.'],
  ['reactivate', 'Takes back a cancellation.'],
  ['extend', 'Gives more time to pay; reactivates an expired order.'],
  ['approve', 'Approves an order that awaits approval.'],
  ['deny', 'Denies an order that awaits approval.'],
  ['regenerate_secrets', 'Gives the order and all its tickets new codes and revokes the old ones.'],
]

const payment = `${order}/payments/:id`
const refund = `${order}/refunds/:id`

const money: readonly Action[] = [
  ...(['payments', 'refunds'] as const).flatMap((kind): Action[] => {
    const one = kind.slice(0, -1)
    return [
      {
        name: `order_${one}_list`,
        tag: `order_${one}`,
        method: 'get',
        path: `${order}/${kind}/`,
        summary: `The ${kind} of an order.`,
        needs: 'can_view_orders',
        query: ['page', 'page_size'],
        answers: { '200': `One page of ${kind}.`, ...hidden },
      },
      {
        name: `order_${one}_retrieve`,
        tag: `order_${one}`,
        method: 'get',
        path: `${order}/${kind}/:id/`,
        summary: `A ${one} by its number in the order.`,
        needs: 'can_view_orders',
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
        answers: { '201': `The ${one}.`, ...refusedOrHidden, '409': '' },
      },
    ]
  }),
  ...(
    [
      [payment, 'confirm', 'order_payment', 'Enters that a payment has arrived.'],
      [payment, 'cancel', 'order_payment', 'Gives up a payment that has not arrived.'],
      [payment, 'refund', 'order_payment', 'Gives a payment back; answers with the refund.'],
      [refund, 'done', 'order_refund', 'Enters that the money was given back.'],
      [refund, 'process', 'order_refund', 'Takes over a refund that was made elsewhere.'],
      [refund, 'cancel', 'order_refund', 'Gives up a refund.'],
    ] as const
  ).map(
    ([path, name, tag, summary]): Action => ({
      name: `${tag}_${name}`,
      tag,
      method: 'post',
      path: `${path}/${name}/`,
      summary,
      needs: write,
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
    query: ['page', 'page_size', 'ordering', 'modified_since'],
    answers: { '200': 'One page of orders.', '400': '', '401': '', '403': '' },
  },
  ...transitions.map(
    ([name, summary]): Action => ({
      name: `order_${name}`,
      tag: 'order',
      method: 'post',
      path: `${order}/${name}/`,
      summary,
      needs: write,
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
      answers: { '200': 'The file.', ...hidden },
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
    query: ['check_quotas'],
    answers: { '200': 'The order.', ...refusedOrHidden, '409': '' },
  },
]
