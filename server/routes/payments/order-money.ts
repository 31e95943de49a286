import type Router from '@koa/router'
import type { Context } from 'koa'
import { confirmationInput, refundProcessInput } from '../../../schema/bodies/order-payments.ts'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import type { Tx } from '../../resource/transactions.ts'
import { mailIfPaid } from '../../services/notifications/order-mails.ts'
import {
  cancelRefund,
  enterRefund,
  finishRefund,
  refundPayment,
  takeOverRefund,
} from '../../services/order-actions/order-refunds.ts'
import {
  cancelPayment,
  confirmPayment,
  enterPayment,
  readPayment,
} from '../../services/order-actions/payment-actions.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import { type OrderCells, presentPayments, presentRefunds } from '../../services/orders/order-present.ts'
import { orderByCode } from '../../services/orders/order-query.ts'
import { readPaymentRefund, readRefund } from '../../services/payments/refund-input.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventAt } from '../events/event-at.ts'

/** What is done with an order's money in a transaction. */
type Action<T> = (tx: Tx, at: OrderScope, order: OrderCells) => Promise<T>

type Shown = (db: Queryable, order: OrderCells, organizer: number) => Promise<RowData[]>

/** How an action is read of a body, for the payment or refund with a number. */
type Read<T> = (body: unknown, at: OrderScope, localId: number) => Action<T>

const whole = { partial: false, locale: 'en' } as const

const confirm: Read<void> = (body, _, localId) => {
  const { force, send_email } = readBody(confirmationInput, body, whole)
  return async (tx, at, order) => {
    await confirmPayment(tx, at, order, { localId, force: force === true })
    await mailIfPaid(tx, at, order, send_email === true)
  }
}

const refund: Read<number> = (body, event, localId) => {
  const wanted = readPaymentRefund(body, event)
  return (tx, at, order) => refundPayment(tx, at, order, { ...wanted, payment: localId })
}

const takeOver: Read<void> = (body, _, localId) => {
  const { mark_canceled } = readBody(refundProcessInput, body, whole)
  return (tx, at, order) => takeOverRefund(tx, at, order, { localId, cancels: mark_canceled === true })
}

const onPayments: Readonly<Record<string, Read<void>>> = {
  confirm,
  cancel: (_, __, localId) => (tx, at, order) => cancelPayment(tx, at, order, localId),
}

const onRefunds: Readonly<Record<string, Read<void>>> = {
  done: (_, __, localId) => (tx, at, order) => finishRefund(tx, at, order, localId),
  process: takeOver,
  cancel: (_, __, localId) => (tx, at, order) => cancelRefund(tx, at, order, localId),
}

/** Serves the payments and the refunds of an order below its path. */
export function serveOrderMoney(router: Router, api: Api, single: string): void {
  const { admit, transactions } = api
  const { database } = transactions
  const read = admit('event', 'can_view_orders')
  const write = admit('event', 'can_change_orders')

  async function rowsOf(ctx: Context, shown: Shown): Promise<RowData[]> {
    const { place }: Scope = ctx.state.scope
    const order = await orderByCode(database, place, String(ctx.params.code))
    if (!order) throw notFound()
    return shown(database, order, place.organizer)
  }

  async function rowOf(ctx: Context, shown: Shown, localId: number): Promise<RowData> {
    const row = (await rowsOf(ctx, shown)).find(({ local_id }) => local_id === localId)
    if (!row) throw notFound()
    return row
  }

  const carryOut = <T>(ctx: Context, action: Action<T>): Promise<T> => {
    const { place }: Scope = ctx.state.scope
    return transactions.write(async (tx) =>
      action(tx, eventAt(ctx), await lockOrder(tx, place, String(ctx.params.code))),
    )
  }

  function serveKind(name: 'payments' | 'refunds', shown: Shown, enter: Read<number>): void {
    const collection = `${single}${name}/`
    router.get(collection, read, async (ctx) => {
      const page = pageOf(ctx.query)
      const rows = await rowsOf(ctx, shown)
      const part = rows.slice(page.offset, page.offset + page.size)
      ctx.body = pageBody(addressOf(ctx), page, rows.length, part)
    })
    router.get(`${collection}:id/`, read, async (ctx) => {
      ctx.body = await rowOf(ctx, shown, idIn(ctx.params.id))
    })
    router.post(collection, write, async (ctx) => {
      await rowsOf(ctx, shown)
      const localId = await carryOut(ctx, enter(bodyOf(ctx), eventAt(ctx), 0))
      ctx.status = 201
      ctx.body = await rowOf(ctx, shown, localId)
    })
    for (const [action, readAction] of Object.entries(name === 'payments' ? onPayments : onRefunds))
      router.post(`${collection}:id/${action}/`, write, async (ctx) => {
        const localId = idIn(ctx.params.id)
        await rowOf(ctx, shown, localId)
        await carryOut(ctx, readAction(bodyOf(ctx), eventAt(ctx), localId))
        ctx.body = await rowOf(ctx, shown, localId)
      })
  }

  serveKind('payments', presentPayments, (body, event) => {
    const request = readPayment(body, event)
    return async (tx, at, order) => {
      const localId = await enterPayment(tx, at, order, request)
      await mailIfPaid(tx, at, order, request.sendEmail)
      return localId
    }
  })
  serveKind('refunds', presentRefunds, (body, event) => {
    const request = readRefund(body, event)
    return (tx, at, order) => enterRefund(tx, at, order, request)
  })
  router.post(`${single}payments/:id/refund/`, write, async (ctx) => {
    const localId = idIn(ctx.params.id)
    await rowOf(ctx, presentPayments, localId)
    const given = await carryOut(ctx, refund(bodyOf(ctx), eventAt(ctx), localId))
    ctx.body = await rowOf(ctx, presentRefunds, given)
  })

  const below = ['payments/', 'payments/:id/', 'refunds/', 'refunds/:id/']
  const actions = ['confirm', 'cancel', 'refund'].map((name) => `payments/:id/${name}/`)
  const others = Object.keys(onRefunds).map((name) => `refunds/:id/${name}/`)
  for (const path of [...below, ...actions, ...others])
    router.all(`${single}${path}`, admit('event', null), (ctx) => refuseMethod(ctx))
}
