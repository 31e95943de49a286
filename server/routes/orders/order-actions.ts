import type Router from '@koa/router'
import type { Context } from 'koa'
import { cancellationInput, extensionInput, mailInput } from '../../../schema/bodies/order-actions.ts'
import { readInstant } from '../../../schema/instants.ts'
import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { endOfDay } from '../../domain/orders/order-terms.ts'
import { impossible } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { hundredths, type RowData } from '../../resource/codec.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { refuseMethod } from '../../resource/routes.ts'
import type { Tx } from '../../resource/transactions.ts'
import { mailIfPaid, mailOrder } from '../../services/notifications/order-mails.ts'
import { regenerateOrderSecrets } from '../../services/order-actions/order-secrets.ts'
import {
  approve,
  deny,
  extend,
  markCanceled,
  markExpired,
  markPaid,
  markPending,
  markRefunded,
  reactivate,
  refuseInvoice,
  resendOrder,
} from '../../services/order-actions/order-state.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import type { OrderCells } from '../../services/orders/order-present.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventAt } from '../events/event-at.ts'

/** What is done with an order in a transaction. */
type Action = (tx: Tx, at: OrderScope, order: OrderCells) => Promise<void>

const whole = { partial: false, locale: 'en' } as const

function cancel(body: unknown): Action {
  const { comment, cancellation_fee: fee } = readBody(cancellationInput, body, whole)
  const cancellation = {
    comment: comment as string | null,
    fee: fee === null ? null : hundredths(String(fee)),
  }
  return (tx, at, order) => markCanceled(tx, at, order, cancellation)
}

function prolong(body: unknown, { event }: OrderScope): Action {
  const { expires, force } = readBody(extensionInput, body, whole)
  if (typeof expires !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(expires) || !readInstant(expires))
    throw impossible('Say in `expires` until which day the order may be paid, as YYYY-MM-DD.')
  const end = readInstant(endOfDay(expires, event.timezone))
  if (!end) throw impossible('This day is too far away.')
  return (tx, at, order) => extend(tx, at, order, { expires: end, force: force === true })
}

function turnDown(body: unknown): Action {
  const { comment } = readBody(cancellationInput, body, whole)
  return (tx, at, order) => deny(tx, at, order, comment as string | null)
}

/** Every action by its name in the path; what a body says is read before the transaction. */
const actions: Readonly<Record<string, (body: unknown, at: OrderScope) => Action>> = {
  mark_paid: () => markPaid,
  mark_pending: () => markPending,
  mark_expired: () => markExpired,
  mark_canceled: cancel,
  mark_refunded: () => markRefunded,
  reactivate: () => reactivate,
  extend: prolong,
  approve: () => approve,
  deny: turnDown,
  regenerate_secrets: () => (tx, at, order) => regenerateOrderSecrets(tx, at, order.id),
}

/** What the buyer is mailed about after an action, unless the request says that they are not. */
const mailed: Readonly<Record<string, MailTemplate>> = {
  mark_paid: 'order_paid',
  mark_canceled: 'order_canceled',
  approve: 'order_approved',
  deny: 'order_denied',
}

async function mailAbout(
  tx: Tx,
  at: OrderScope,
  before: OrderCells,
  name: string,
  body: unknown,
): Promise<void> {
  const template = mailed[name]
  if (!template) return
  const { send_email, comment } = readBody({ ...mailInput, comment: cancellationInput.comment }, body, whole)
  if (name === 'approve' && before.total === 0) await mailIfPaid(tx, at, before, send_email === true)
  else
    await mailOrder(tx, at, before.id, {
      template: template,
      wanted: send_email === true,
      more: { comment: String(comment ?? '') },
    })
}

/** Actions that answer with nothing. */
const further: Readonly<Record<string, Action>> = {
  resend_link: resendOrder,
  create_invoice: async () => refuseInvoice(),
}

/** Serves the actions on an order below its path; each answers with the whole order, or 400 with a detail. */
export function serveOrderActions(
  router: Router,
  { admit, transactions }: Api,
  single: string,
  shownOrder: (db: Queryable, ctx: Context, code: string) => Promise<RowData>,
): void {
  for (const [name, actionOf] of Object.entries(actions)) {
    router.post(`${single}${name}/`, admit('event', 'can_change_orders'), async (ctx) => {
      const { place }: Scope = ctx.state.scope
      const at = eventAt(ctx)
      const code = String(ctx.params.code)
      const action = actionOf(bodyOf(ctx), at)
      await transactions.write(async (tx) => {
        const order = await lockOrder(tx, place, code)
        await action(tx, at, order)
        await mailAbout(tx, at, order, name, bodyOf(ctx))
      })
      ctx.body = await shownOrder(transactions.database, ctx, code)
    })
    router.all(`${single}${name}/`, admit('event', null), (ctx) => refuseMethod(ctx))
  }
  for (const [name, act] of Object.entries(further)) {
    router.post(`${single}${name}/`, admit('event', 'can_change_orders'), async (ctx) => {
      const { place }: Scope = ctx.state.scope
      const at = eventAt(ctx)
      const code = String(ctx.params.code)
      await transactions.write(async (tx) => act(tx, at, await lockOrder(tx, place, code)))
      ctx.status = 204
    })
    router.all(`${single}${name}/`, admit('event', null), (ctx) => refuseMethod(ctx))
  }
}
