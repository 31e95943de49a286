import { cancellationInput, extensionInput, mailInput } from '../bodies/order-actions.ts'
import { listBody } from '../body-limits.ts'
import { orderChangeBody } from '../described/bodies.ts'
import { furtherParameters } from '../described/parameters.ts'
import { bodySchema, pageSchema, the } from '../json-schema.ts'
import { order as resource } from '../resources/orders/order.ts'
import {
  type Action,
  bodyLike,
  bodyWith,
  defineAction,
  ev,
  org,
  refusedOrHidden,
  showsOne,
} from './action.ts'
import { orderMoneyActions } from './order-money.ts'
import { orderPositionActions, ticketFile } from './order-positions.ts'

const order = `${ev}/orders/:code` as const
const write = 'can_change_orders'

/** What is said to the buyer with an order that is paid or approved; the comment is not promised. */
const mailed = { ...mailInput, comment: cancellationInput.comment }

const transition = {
  tag: 'order',
  method: 'post',
  needs: write,
  query: furtherParameters.order?.write ?? [],
  shows: the('Order'),
  answers: { '200': 'The order.', ...refusedOrHidden, '409': '' },
} as const

export const organizerOrderList = defineAction({
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
  shows: pageSchema(the('Order')),
  answers: { '200': 'One page of orders.', '400': '', '401': '', '403': '' },
})

export const organizerOrderRetrieve = defineAction({
  name: 'organizer_order_retrieve',
  tag: 'order',
  ...showsOne('Order', 'The order.'),
  path: `${org}/orders/:code/`,
  summary: 'One order of any event.',
  needs: 'can_view_orders',
  query: furtherParameters.order?.one?.filter((name) => name !== 'pdf_data') ?? [],
})

export const orderMarkPaid = defineAction({
  name: 'order_mark_paid',
  ...transition,
  path: `${order}/mark_paid/`,
  summary: 'Marks a pending or expired order as paid.',
  body: { ...bodyWith(mailed), description: bodySchema(mailInput) },
})

export const orderMarkPending = defineAction({
  name: 'order_mark_pending',
  ...transition,
  path: `${order}/mark_pending/`,
  summary: 'Marks a paid order as pending.',
})

export const orderMarkExpired = defineAction({
  name: 'order_mark_expired',
  ...transition,
  path: `${order}/mark_expired/`,
  summary: 'Marks a pending order as expired.',
})

export const orderMarkCanceled = defineAction({
  name: 'order_mark_canceled',
  ...transition,
  path: `${order}/mark_canceled/`,
  summary: 'Cancels an order, keeping a fee if one is given.',
  body: bodyWith(cancellationInput),
})

export const orderMarkRefunded = defineAction({
  name: 'order_mark_refunded',
  ...transition,
  path: `${order}/mark_refunded/`,
  summary: 'Cancels a paid order whose money was given back.',
})

export const orderReactivate = defineAction({
  name: 'order_reactivate',
  ...transition,
  path: `${order}/reactivate/`,
  summary: 'Takes back a cancellation.',
})

export const orderExtend = defineAction({
  name: 'order_extend',
  ...transition,
  path: `${order}/extend/`,
  summary: 'Gives more time to pay; reactivates an expired order.',
  body: bodyWith(extensionInput),
})

export const orderApprove = defineAction({
  name: 'order_approve',
  ...transition,
  path: `${order}/approve/`,
  summary: 'Approves an order that awaits approval.',
  body: { ...bodyWith(mailed), description: bodySchema(mailInput) },
})

export const orderDeny = defineAction({
  name: 'order_deny',
  ...transition,
  path: `${order}/deny/`,
  summary: 'Denies an order that awaits approval.',
  body: bodyWith(cancellationInput),
})

export const orderRegenerateSecrets = defineAction({
  name: 'order_regenerate_secrets',
  ...transition,
  path: `${order}/regenerate_secrets/`,
  summary: 'Gives the order and all its tickets new codes and revokes the old ones.',
})

export const orderResendLink = defineAction({
  name: 'order_resend_link',
  tag: 'order',
  method: 'post',
  path: `${order}/resend_link/`,
  summary: 'Mails an order to its buyer once more.',
  needs: write,
  shows: null,
  answers: { '204': 'The mail is on its way.', ...refusedOrHidden, '409': '' },
})

export const orderCreateInvoice = defineAction({
  name: 'order_create_invoice',
  tag: 'order',
  method: 'post',
  path: `${order}/create_invoice/`,
  summary: 'Makes an invoice for an order that has none, or none that is not canceled.',
  needs: write,
  shows: the('Invoice'),
  answers: { '201': 'The invoice.', ...refusedOrHidden, '409': '' },
})

export const orderDownload = defineAction({
  name: 'order_download',
  tag: 'order',
  method: 'get',
  path: `${order}/download/:output/`,
  needs: 'can_view_orders',
  ...ticketFile,
  summary: 'All tickets of an order as a file: pdf for pages, roll for printers with a roll of paper.',
})

export const orderChange = defineAction({
  name: 'order_change',
  tag: 'order',
  method: 'post',
  path: `${order}/change/`,
  summary:
    'Cancels, changes, splits off and adds positions and fees at once, all or nothing; works out taxes anew.',
  needs: write,
  query: ['check_quotas', 'simulate', 'refund', ...(furtherParameters.order?.write ?? [])],
  body: bodyLike(orderChangeBody),
  bodyLimit: listBody,
  shows: the('Order'),
  answers: { '200': 'The order.', ...refusedOrHidden, '409': '' },
})

/** Endpoints of orders and their positions beyond the standard ones. */
export const orderActions: readonly Action[] = [
  organizerOrderList,
  organizerOrderRetrieve,
  orderMarkPaid,
  orderMarkPending,
  orderMarkExpired,
  orderMarkCanceled,
  orderMarkRefunded,
  orderReactivate,
  orderExtend,
  orderApprove,
  orderDeny,
  orderRegenerateSecrets,
  orderResendLink,
  orderCreateInvoice,
  ...orderPositionActions,
  ...orderMoneyActions,
  orderDownload,
  orderChange,
]
