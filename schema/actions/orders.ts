import {
  blockInput,
  cancellationInput,
  extensionInput,
  mailInput,
  printInput,
} from '../bodies/order-actions.ts'
import { orderChangeBody } from '../described/bodies.ts'
import { furtherParameters } from '../described/parameters.ts'
import { bodyOf, type Json, pageOf, the } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { order as resource } from '../resources/orders/order.ts'
import { type Action, ev, hidden, org, refusedOrHidden } from './action.ts'
import { orderMoneyActions } from './order-money.ts'

const order = `${ev}/orders/:code`
const position = `${ev}/orderpositions/:id`
const write: Requirement = 'can_change_orders'

/** What can be done with an order, and what it means. */
const transitions: readonly (readonly [name: string, summary: string, body?: Json])[] = [
  ['mark_paid', 'Marks a pending or expired order as paid.', bodyOf(mailInput)],
  ['mark_pending', 'Marks a paid order as pending.'],
  ['mark_expired', 'Marks a pending order as expired.'],
  ['mark_canceled', 'Cancels an order, keeping a fee if one is given.', bodyOf(cancellationInput)],
  ['mark_refunded', 'Cancels a paid order whose money was given back.'],
  ['reactivate', 'Takes back a cancellation.'],
  ['extend', 'Gives more time to pay; reactivates an expired order.', bodyOf(extensionInput)],
  ['approve', 'Approves an order that awaits approval.', bodyOf(mailInput)],
  ['deny', 'Denies an order that awaits approval.', bodyOf(cancellationInput)],
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
  {
    name: 'order_resend_link',
    tag: 'order',
    method: 'post',
    path: `${order}/resend_link/`,
    summary: 'Mails an order to its buyer once more.',
    needs: write,
    shows: null,
    answers: { '204': 'The mail is on its way.', ...refusedOrHidden, '409': '' },
  },
  {
    name: 'order_create_invoice',
    tag: 'order',
    method: 'post',
    path: `${order}/create_invoice/`,
    summary: 'Would make an invoice; there are none, so that this is always refused.',
    needs: write,
    shows: null,
    answers: { ...refusedOrHidden, '409': '' },
  },
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
  {
    name: 'order_position_answer',
    tag: 'order_position',
    method: 'get',
    path: `${position}/answer/:question/`,
    summary: 'The file that is the answer to a question.',
    needs: 'can_view_orders',
    shows: { type: 'string', format: 'binary' },
    type: '*/*',
    answers: { '200': 'The file.', ...hidden },
  },
  {
    name: 'order_position_picture',
    tag: 'order_position',
    method: 'get',
    path: `${position}/pdf_image/:key/`,
    summary: 'A picture that `pdf_data` names under `images`.',
    needs: 'can_view_orders',
    shows: { type: 'string', format: 'binary' },
    type: '*/*',
    answers: { '200': 'The picture.', ...hidden },
  },
  {
    name: 'order_position_prints',
    tag: 'order_position',
    method: 'get',
    path: `${position}/printlog/`,
    summary: 'What was printed for a position.',
    needs: 'can_view_orders',
    query: ['page', 'page_size'],
    shows: pageOf(the('PrintLog')),
    answers: { '200': 'One page of prints.', ...hidden },
  },
  {
    name: 'order_position_printed',
    tag: 'order_position',
    method: 'post',
    path: `${position}/printlog/`,
    summary: 'Keeps that something was printed for a position.',
    needs: ['can_change_orders', 'can_checkin_orders'],
    body: bodyOf(printInput),
    shows: the('PrintLog'),
    answers: { '201': 'The print.', ...refusedOrHidden },
  },
  ...orderMoneyActions,
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
