import type { Endpoint, ev } from '../../../schema/actions/action.ts'
import {
  orderApprove,
  orderCreateInvoice,
  orderDeny,
  orderExtend,
  orderMarkCanceled,
  orderMarkExpired,
  orderMarkPaid,
  orderMarkPending,
  orderMarkRefunded,
  orderReactivate,
  orderRegenerateSecrets,
  orderResendLink,
} from '../../../schema/actions/orders.ts'
import type { cancellationInput, extensionInput } from '../../../schema/bodies/order-actions.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { endOfDay } from '../../domain/orders/order-moves.ts'
import { impossible } from '../../errors.ts'
import { hundredths } from '../../resource/codec.ts'
import { type ActionRequest, type ApiRouter, serveAction } from '../../resource/endpoints.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shownInvoices } from '../../services/invoices/invoice-list.ts'
import { invoiceByHand } from '../../services/invoices/order-invoices.ts'
import { mailIfPaid, mailOrder } from '../../services/notifications/order-mails.ts'
import { regenerateOrderSecrets } from '../../services/order-actions/order-secrets.ts'
import {
  approve,
  checkCancelable,
  deny,
  extend,
  markCanceled,
  markExpired,
  markPaid,
  markPending,
  markRefunded,
  reactivate,
  resendOrder,
} from '../../services/order-actions/order-state.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import type { OrderCells } from '../../services/orders/order-present.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { shownOrder } from './order-view.ts'

type OrderPath = `${typeof ev}/orders/:code/${string}`

/** What is done with an order in a transaction. */
type Work = (tx: Tx, at: OrderScope, order: OrderCells) => Promise<void>

/** What somebody may say to the buyer of what was done. */
interface Message {
  readonly send_email: boolean
  readonly comment: string | null
}

type Mailing<B> = (tx: Tx, order: OrderCells, request: ActionRequest<OrderPath, B>) => Promise<unknown>

const cancel = ({ body }: ActionRequest<OrderPath, RowOf<typeof cancellationInput>>): Work => {
  const { comment, cancellation_fee: fee } = body
  const cancellation = { comment, fee: fee === null ? null : hundredths(fee) }
  return async (tx, at, order) => {
    await checkCancelable(tx, at, order)
    await markCanceled(tx, at, order, cancellation)
  }
}

const prolong = ({ body, event }: ActionRequest<OrderPath, RowOf<typeof extensionInput>>): Work => {
  const { expires, force } = body
  if (typeof expires !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(expires) || !readInstant(expires))
    throw impossible('Say in `expires` until which day the order may be paid, as YYYY-MM-DD.')
  const end = readInstant(endOfDay(expires, event.timezone))
  if (!end) throw impossible('This day is too far away.')
  return (tx, at, order) => extend(tx, at, order, { expires: end, force })
}

const turnDown = ({ body }: ActionRequest<OrderPath, RowOf<typeof cancellationInput>>): Work => {
  const { comment } = body
  return (tx, at, order) => deny(tx, at, order, comment)
}

/** Mails the buyer about an action, unless the request says not to. */
const mailed =
  (template: MailTemplate): Mailing<Message> =>
  (tx, order, request) => {
    const { send_email, comment } = request.body
    return mailOrder(tx, request, order.id, {
      template,
      wanted: send_email,
      more: { comment: comment ?? '' },
    })
  }

const mailedApproval: Mailing<Message> = (tx, order, request) =>
  order.total === 0
    ? mailIfPaid(tx, request, order, request.body.send_email)
    : mailed('order_approved')(tx, order, request)

/** Serves the actions on an order; each answers with the whole order, or 400 with a detail. */
export function serveOrderActions(router: ApiRouter): void {
  /** `read` says what to do before the order is looked for. */
  const serve = <B>(
    action: Endpoint<OrderPath, B>,
    read: (request: ActionRequest<OrderPath, B>) => Work,
    mail?: Mailing<B>,
  ): void =>
    serveAction(
      router,
      action,
      async (request, tx) => {
        const work = read(request)
        const order = await lockOrder(tx, request.place, request.params.code)
        await work(tx, request, order)
        await mail?.(tx, order, request)
      },
      (request, _, db) => shownOrder(db, request, request.params.code),
    )

  serve(orderMarkPaid, () => markPaid, mailed('order_paid'))
  serve(orderMarkPending, () => markPending)
  serve(orderMarkExpired, () => markExpired)
  serve(orderMarkCanceled, cancel, mailed('order_canceled'))
  serve(orderMarkRefunded, () => markRefunded)
  serve(orderReactivate, () => reactivate)
  serve(orderExtend, prolong)
  serve(orderApprove, () => approve, mailedApproval)
  serve(orderDeny, turnDown, mailed('order_denied'))
  serve(orderRegenerateSecrets, () => (tx, at, order) => regenerateOrderSecrets(tx, at, order.id))
  serveAction(router, orderResendLink, async (request, tx) =>
    resendOrder(tx, request, await lockOrder(tx, request.place, request.params.code)),
  )
  serveAction(
    router,
    orderCreateInvoice,
    async (request, tx) =>
      invoiceByHand(tx, request, await lockOrder(tx, request.place, request.params.code)),
    async (request, row, db) => (await shownInvoices(db, request.organizer.id, [row]))[0],
  )
}
