import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { flagParameter } from '../../resource/query.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { mailOrder } from '../../services/notifications/order-mails.ts'
import { changeOrder } from '../../services/order-actions/order-change.ts'
import { readOrderChange } from '../../services/order-actions/order-change-input.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventAt } from '../events/event-at.ts'

/** Serves the change of an order in many ways at once. Quotas are looked at unless a request says otherwise. */
export function serveOrderChange(
  router: Router,
  { admit, transactions }: Api,
  single: string,
  shownOrder: (db: Queryable, ctx: Context, code: string) => Promise<RowData>,
): void {
  router.post(`${single}change/`, admit('event', 'can_change_orders'), async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const at = eventAt(ctx)
    const code = String(ctx.params.code)
    const checkQuotas = flagParameter(ctx.query, 'check_quotas') !== false
    await shownOrder(transactions.database, ctx, code)
    const change = readOrderChange(bodyOf(ctx), at)
    await transactions.write(async (tx) => {
      const order = await lockOrder(tx, place, code)
      await changeOrder(tx, at, order, { change, checkQuotas })
      await mailOrder(tx, at, order.id, { template: 'order_changed', wanted: change.send_email })
    })
    ctx.body = await shownOrder(transactions.database, ctx, code)
  })
  router.all(`${single}change/`, admit('event', null), (ctx) => refuseMethod(ctx))
}
