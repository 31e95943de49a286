import type { Requirement } from '../permissions.ts'
import { type Action, ev, org, refusedOrHidden } from './action.ts'

const order = `${ev}/orders/:code`
const position = `${ev}/orderpositions/:id`
const write: Requirement = 'can_change_orders'

/** What can be done with an order, and what it means. */
const transitions: readonly (readonly [name: string, summary: string])[] = [
  ['mark_paid', 'Marks a pending or expired order as paid.'],
  ['mark_pending', 'Marks a paid order as pending.'],
  ['mark_expired', 'Marks a pending order as expired.'],
  ['mark_canceled', 'Cancels an order, keeping a fee if one is given.'],
  ['reactivate', 'Takes back a cancellation.'],
  ['extend', 'Gives more time to pay; reactivates an expired order.'],
  ['approve', 'Approves an order that awaits approval.'],
  ['deny', 'Denies an order that awaits approval.'],
  ['regenerate_secrets', 'Gives the order and all its tickets new codes and revokes the old ones.'],
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
]
