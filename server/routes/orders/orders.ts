import type Router from '@koa/router'
import type { Context } from 'koa'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf, originOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { flagParameter } from '../../resource/query.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { mailNewOrder } from '../../services/notifications/order-mails.ts'
import { createOrder } from '../../services/order-actions/order-create.ts'
import { previewOrder } from '../../services/order-actions/order-preview.ts'
import { deleteOrder, readOrderUpdate, updateOrder } from '../../services/order-actions/order-update.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import { type OrderCells, type OrderView, presentOrders } from '../../services/orders/order-present.ts'
import { findOrders, orderByCode } from '../../services/orders/order-query.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { readOrder } from '../../services/pricing/order-input.ts'
import { LeasesUsedUp } from '../../services/quotas/lease-sales.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventAt } from '../events/event-at.ts'
import { chosenFields } from '../input/chosen-fields.ts'
import { expandRows } from '../input/expand.ts'
import { serveOrderMoney } from '../payments/order-money.ts'
import { serveOrderActions } from './order-actions.ts'
import { serveOrderChange } from './order-change.ts'
import { serveTicketDownloads } from './ticket-downloads.ts'

/** Serves orders: those of an event, and the list of all that a caller may see in an organizer. */
export function serveOrders(router: Router, api: Api): void {
  const { transactions } = api
  const everywhere = '/api/v1/organizers/:organizer/orders/'
  const collection = '/api/v1/organizers/:organizer/events/:event/orders/'
  const single = `${collection}:code/`
  const read = api.admit('event', 'can_view_orders')
  const write = api.admit('event', 'can_change_orders')

  async function list(ctx: Context, pdfData: boolean): Promise<void> {
    const scope: Scope = ctx.state.scope
    const generated = transactions.horizon()
    const page = pageOf(ctx.query)
    const range = { organizer: scope.organizer.id, events: eventsOf(scope) }
    const found = await findOrders(transactions.database, range, ctx.query, page)
    const plain = await presentOrders(transactions.database, { ...viewOf(ctx), pdfData }, found.orders)
    const rows = await expandRows(transactions.database, ctx, plain)
    ctx.set('X-Page-Generated', generated)
    ctx.body = pageBody(addressOf(ctx), page, found.count, chosenFields(ctx.query, rows))
  }

  router.get(everywhere, api.admit('organizer', 'can_view_orders'), (ctx) => list(ctx, false))
  router.get(collection, read, (ctx) => list(ctx, wantsPdfData(ctx)))

  router.post(collection, write, async (ctx) => {
    const at = eventAt(ctx)
    const input = readOrder(bodyOf(ctx), at)
    ctx.status = 201
    if (input.simulate) {
      ctx.body = await previewOrder(transactions, at, viewOf(ctx), input)
      return
    }
    const { code } = await askingForMore(api, at, () =>
      transactions.write(async (tx) => {
        const created = await createOrder(tx, at, input)
        await mailNewOrder(tx, at, created.id, input.facts.send_email ?? null)
        return created
      }),
    )
    ctx.body = await shownOrder(transactions.database, ctx, code)
  })

  router.get(single, read, async (ctx) => {
    const row = await shownOrder(transactions.database, ctx, String(ctx.params.code))
    const rows = await expandRows(transactions.database, ctx, [row])
    ctx.body = chosenFields(ctx.query, rows)[0]
  })

  router.patch(single, write, async (ctx) => {
    const at = eventAt(ctx)
    const code = String(ctx.params.code)
    if (!(await orderByCode(transactions.database, at.place, code))) throw notFound()
    const sent = readOrderUpdate(bodyOf(ctx), at)
    await transactions.write(async (tx) => updateOrder(tx, at, await lockOrder(tx, at.place, code), sent))
    ctx.body = await shownOrder(transactions.database, ctx, code)
  })

  router.delete(single, write, async (ctx) => {
    const at = eventAt(ctx)
    const code = String(ctx.params.code)
    await transactions.write(async (tx) => deleteOrder(tx, at, await lockOrder(tx, at.place, code)))
    ctx.status = 204
  })

  serveOrderActions(router, api, single, shownOrder)
  serveOrderChange(router, api, single, shownOrder)
  serveOrderMoney(router, api, single)
  serveTicketDownloads(router, api)
  router.all(everywhere, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
  for (const path of [collection, single])
    router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
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

/** The events whose orders a request is about; null for all of its organizer's. */
function eventsOf({ event, actor }: Scope): readonly number[] | null {
  if (event) return [event.id]
  return actor.allEvents ? null : [...actor.events]
}

/** How a request wants to see orders. */
function viewOf(ctx: Context): OrderView {
  const { organizer }: Scope = ctx.state.scope
  return {
    organizer,
    origin: originOf(ctx),
    canceledPositions: flagParameter(ctx.query, 'include_canceled_positions') === true,
    canceledFees: flagParameter(ctx.query, 'include_canceled_fees') === true,
  }
}

/** Whether a request asks for what can be printed of positions. */
const wantsPdfData = (ctx: Context): boolean => flagParameter(ctx.query, 'pdf_data') === true

/** An order of the request's event as the API shows it; 404 when there is none with the code. */
async function shownOrder(db: Queryable, ctx: Context, code: string): Promise<RowData> {
  const { place }: Scope = ctx.state.scope
  const order: OrderCells | undefined = await orderByCode(db, place, code)
  const [row] = order ? await presentOrders(db, { ...viewOf(ctx), pdfData: wantsPdfData(ctx) }, [order]) : []
  if (!row) throw notFound()
  return row
}
