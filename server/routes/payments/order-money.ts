import type { Endpoint, ev } from '../../../schema/actions/action.ts'
import {
  orderPaymentCancel,
  orderPaymentConfirm,
  orderPaymentCreate,
  orderPaymentList,
  orderPaymentRefund,
  orderPaymentRetrieve,
  orderRefundCancel,
  orderRefundCreate,
  orderRefundDone,
  orderRefundList,
  orderRefundProcess,
  orderRefundRetrieve,
} from '../../../schema/actions/order-money.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { notFound } from '../../errors.ts'
import type { EndpointAnswer } from '../../resource/asked.ts'
import { type ActionRequest, type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
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
  confirmOrderPayment,
  enterPayment,
  readPayment,
} from '../../services/order-actions/payment-actions.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import { type OrderCells, presentPayments, presentRefunds } from '../../services/orders/order-present.ts'
import { orderByCode } from '../../services/orders/order-query.ts'
import { readPaymentRefund, readRefund } from '../../services/payments/refund-input.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import type { Queryable } from '../../storage/database.ts'

type OrderPath = `${typeof ev}/orders/:code/${string}`
type OnePath = `${OrderPath}/:id/${string}`

/** What is done with an order's money in a transaction; the number of what it has made. */
type Work<T> = (tx: Tx, at: OrderScope, order: OrderCells) => Promise<T>

type Shown = (db: Queryable, order: OrderCells, organizer: number) => Promise<JsonObject[]>

/** Serves the payments and the refunds of an order. */
export function serveOrderMoney(router: ApiRouter): void {
  servePayments(router)
  serveRefunds(router)
}

function servePayments(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRead(router, orderPaymentList, async (request, db) =>
    request.partOf(await rowsOf(db, request, presentPayments)),
  )
  serveRead(router, orderPaymentRetrieve, (request, db) =>
    rowOf(db, request, presentPayments, idIn(request.params.id)),
  )

  serveEntry(router, orderPaymentCreate, presentPayments, (request) => {
    const wanted = readPayment(request.body, request)
    return async (tx, at, order) => {
      const localId = await enterPayment(tx, at, order, wanted)
      await mailIfPaid(tx, at, order, wanted.sendEmail)
      return localId
    }
  })
  serveChange(router, orderPaymentConfirm, presentPayments, ({ body }, localId) => async (tx, at, order) => {
    await confirmOrderPayment(tx, at, order, { localId, force: body.force })
    await mailIfPaid(tx, at, order, body.send_email)
  })
  serveChange(
    router,
    orderPaymentCancel,
    presentPayments,
    (_, localId) => (tx, at, order) => cancelPayment(tx, at, order, localId),
  )
  serveRaw(router, orderPaymentRefund, async (request) => {
    const localId = idIn(request.params.id)
    await rowOf(database, request, presentPayments, localId)
    const wanted = readPaymentRefund(request.body, request)
    return carryOut(
      request,
      (tx, at, order) => refundPayment(tx, at, order, { ...wanted, payment: localId }),
      (given, db) => rowOf(db, request, presentRefunds, given),
    )
  })
}

function serveRefunds(router: ApiRouter): void {
  serveRead(router, orderRefundList, async (request, db) =>
    request.partOf(await rowsOf(db, request, presentRefunds)),
  )
  serveRead(router, orderRefundRetrieve, (request, db) =>
    rowOf(db, request, presentRefunds, idIn(request.params.id)),
  )

  serveEntry(router, orderRefundCreate, presentRefunds, (request) => {
    const wanted = readRefund(request.body, request)
    return (tx, at, order) => enterRefund(tx, at, order, wanted)
  })
  serveChange(
    router,
    orderRefundDone,
    presentRefunds,
    (_, localId) => (tx, at, order) => finishRefund(tx, at, order, localId),
  )
  serveChange(
    router,
    orderRefundProcess,
    presentRefunds,
    ({ body }, localId) =>
      (tx, at, order) =>
        takeOverRefund(tx, at, order, { localId, cancels: body.mark_canceled }),
  )
  serveChange(
    router,
    orderRefundCancel,
    presentRefunds,
    (_, localId) => (tx, at, order) => cancelRefund(tx, at, order, localId),
  )
}

/** `read` says what is to be entered; the answer is that. */
function serveEntry<B>(
  router: ApiRouter,
  action: Endpoint<OrderPath, B>,
  shown: Shown,
  read: (request: ActionRequest<OrderPath, B>) => Work<number>,
): void {
  const { database } = router.api.transactions
  serveRaw(router, action, async (request) => {
    await rowsOf(database, request, shown)
    return carryOut(request, read(request), (made, db) => rowOf(db, request, shown, made))
  })
}

/** `read` says what is to be done with the payment or refund of a number; the answer is that. */
function serveChange<B>(
  router: ApiRouter,
  action: Endpoint<OnePath, B>,
  shown: Shown,
  read: (request: ActionRequest<OnePath, B>, localId: number) => Work<void>,
): void {
  const { database } = router.api.transactions
  serveRaw(router, action, async (request) => {
    const localId = idIn(request.params.id)
    await rowOf(database, request, shown, localId)
    return carryOut(request, read(request, localId), (_, db) => rowOf(db, request, shown, localId))
  })
}

async function rowsOf(
  db: Queryable,
  { place, params }: ActionRequest<OrderPath>,
  shown: Shown,
): Promise<JsonObject[]> {
  const order = await orderByCode(db, place, params.code)
  if (!order) throw notFound()
  return shown(db, order, place.organizer)
}

async function rowOf(
  db: Queryable,
  request: ActionRequest<OrderPath>,
  shown: Shown,
  localId: number,
): Promise<JsonObject> {
  const row = (await rowsOf(db, request, shown)).find(({ local_id }) => local_id === localId)
  if (!row) throw notFound()
  return row
}

/** Does it in one transaction, with the order locked. */
function carryOut<T>(
  request: ActionRequest<OrderPath>,
  work: Work<T>,
  show: (result: T, db: Queryable) => unknown,
): Promise<EndpointAnswer> {
  const { place, params } = request
  return request.carryOut(async (tx) => work(tx, request, await lockOrder(tx, place, params.code)), show)
}
