import { ev, operationOf } from '../../../schema/actions/action.ts'
import { orderChange, organizerOrderList, organizerOrderRetrieve } from '../../../schema/actions/orders.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { impossible, notFound } from '../../errors.ts'
import { visibleEvents } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import {
  type ActionRequest,
  type ApiRouter,
  serveAction,
  serveRaw,
  serveRead,
} from '../../resource/endpoints.ts'
import { audienceOf } from '../../resource/mask.ts'
import type { PageBody } from '../../resource/pages.ts'
import { flagParameter } from '../../resource/query.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { mailNewOrder, mailOrder } from '../../services/notifications/order-mails.ts'
import { readOrderChange } from '../../services/order-actions/order-change-input.ts'
import { createOrder } from '../../services/order-actions/order-create.ts'
import { exchangeInOrder } from '../../services/order-actions/order-exchange.ts'
import { previewOrder, takenBack } from '../../services/order-actions/order-preview.ts'
import { deleteOrder, readOrderUpdate, updateOrder } from '../../services/order-actions/order-update.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import { presentOrders } from '../../services/orders/order-present.ts'
import { findOrders, orderByCode, orderInRange } from '../../services/orders/order-query.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { readOrder } from '../../services/pricing/order-input.ts'
import { LeasesUsedUp } from '../../services/quotas/lease-sales.ts'
import { chosenFields } from '../input/chosen-fields.ts'
import { expandRows } from '../input/expand.ts'
import { inListTurn, inSlices } from '../input/heavy-lists.ts'
import { inOrderTurn } from '../input/heavy-orders.ts'
import { serveOrderMoney } from '../payments/order-money.ts'
import { serveOrderActions } from './order-actions.ts'
import { shownOrder, viewOf, wantsPrints } from './order-view.ts'
import { serveTicketDownloads } from './ticket-downloads.ts'

const collection = `${ev}/orders/` as const
const single = `${collection}:code/` as const

/** How many orders of a list are shown with their prints without a pause. */
const shownAtOnce = 5

/** Serves orders: those of an event, and the list of all that a caller may see in an organizer. */
export function serveOrders(router: ApiRouter): void {
  const { api } = router
  const { transactions } = api
  const { database } = transactions

  const list = (request: Scope & ActionRequest<string>, pdfData: boolean): Promise<PageBody<JsonObject>> =>
    inListTurn(request, () => pageOfOrders(transactions, request, pdfData))

  serveRead(router, organizerOrderList, (request) => list(request, false))
  serveRead(router, organizerOrderRetrieve, async (request, db) => {
    const found = await orderInRange(db, rangeOf(request), request.params.code)
    if (!found) throw notFound()
    const rows = await expandRows(db, request, await presentOrders(db, viewOf(request), [found]))
    return chosenFields(request.query, rows)[0]
  })
  serveRead(router, operationOf(order, 'list', collection), (request) => list(request, wantsPrints(request)))

  serveRaw(router, operationOf(order, 'create', collection), (request) =>
    inOrderTurn(request, request.body, async (pause) => {
      const input = readOrder(request.body, request)
      await pause()
      if (input.simulate)
        return askingForMore(api, request, () => previewOrder(transactions, request, viewOf(request), input))
      const answer = await askingForMore(api, request, () =>
        request.carryOut(
          async (tx) => {
            const created = await createOrder(tx, request, input)
            await mailNewOrder(tx, request, created.id, input.facts.send_email ?? null)
            return created
          },
          async ({ code }, db) => {
            // Where the answer is stored with the order, its transaction is not left for others.
            if (db === database) await pause()
            return shownOrder(db, request, code)
          },
        ),
      )
      await pause()
      return answer
    }),
  )

  serveRead(router, operationOf(order, 'retrieve', single), async (request, db) => {
    const row = await shownOrder(db, request, request.params.code)
    const rows = await expandRows(db, request, [row])
    return chosenFields(request.query, rows)[0]
  })

  serveRaw(router, operationOf(order, 'update', single), async (request) => {
    const { code } = request.params
    if (!(await orderByCode(database, request.place, code))) throw notFound()
    const sent = readOrderUpdate(request.body, request)
    return request.carryOut(
      async (tx) => updateOrder(tx, request, await lockOrder(tx, request.place, code), sent),
      (_, db) => shownOrder(db, request, code),
    )
  })

  serveAction(router, operationOf(order, 'delete', single), async (request, tx) =>
    deleteOrder(tx, request, await lockOrder(tx, request.place, request.params.code)),
  )

  serveOrderActions(router)
  serveOrderChange(router)
  serveOrderMoney(router)
  serveTicketDownloads(router)
}

/** The page of orders that a request asks for. */
async function pageOfOrders(
  transactions: Transactions,
  request: Scope & ActionRequest<string>,
  pdfData: boolean,
): Promise<PageBody<JsonObject>> {
  const { database } = transactions
  const generated = transactions.horizon()
  const { query, page } = request
  const found = await findOrders(database, rangeOf(request), query, page)
  const view = { ...viewOf(request), pdfData }
  const show = (some: typeof found.orders) => presentOrders(database, view, some)
  const plain = await (pdfData ? inSlices(found.orders, shownAtOnce, show) : show(found.orders))
  const rows = await expandRows(database, request, plain)
  request.set('X-Page-Generated', generated)
  return request.pageOf(found.count, chosenFields(query, rows))
}

/** Sells; where this node may not sell that many without asking, it asks for more and tries once again. */
async function askingForMore<T>(api: Api, { place }: OrderScope, sell: () => Promise<T>): Promise<T> {
  try {
    return await sell()
  } catch (cause) {
    if (!(cause instanceof LeasesUsedUp) || !(await api.askForLeases?.(place, cause.needs))) throw cause
    return sell()
  }
}

/** The orders that a request is about: those of its event, or of all that the caller may see. */
const rangeOf = ({ organizer, event, actor }: Scope) => ({
  organizer: organizer.id,
  events: event ? [event.id] : visibleEvents(actor),
  audience: audienceOf(actor),
})

/**
 * Serves the change of an order in many ways at once, or with `simulate=true` what it would come to. Quotas are looked at
 * unless a request says otherwise.
 */
function serveOrderChange(router: ApiRouter): void {
  const { transactions } = router.api
  const { database } = transactions
  serveRaw(router, orderChange, async (request) => {
    const { place, query } = request
    const { code } = request.params
    const checkQuotas = flagParameter(query, 'check_quotas') !== false
    await shownOrder(database, request, code)
    const change = readOrderChange(request.body, request)
    if (change.refund_by.length > 0 !== (flagParameter(query, 'refund') === true))
      throw impossible('Money goes back by `refund_by` with `refund=true`, and never by one of them alone.')
    const exchange = async (tx: Tx) =>
      exchangeInOrder(tx, request, await lockOrder(tx, place, code), { change, checkQuotas })
    if (flagParameter(query, 'simulate') === true)
      return takenBack(transactions, async (tx) => {
        await exchange(tx)
        return shownOrder(tx, request, code)
      })
    const alter = async (tx: Tx): Promise<void> => {
      await exchange(tx)
      const order = await lockOrder(tx, place, code)
      await mailOrder(tx, request, order.id, { template: 'order_changed', wanted: change.send_email })
    }
    return request.carryOut(alter, (_, db) => shownOrder(db, request, code))
  })
}
