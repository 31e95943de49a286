import type Router from '@koa/router'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { printsOf } from '../../services/orders/print-logs.ts'
import { readPrint, recordPrint } from '../../services/orders/print-record.ts'

/** Serves what was printed for the positions of orders, below their path. */
export function servePositionPrints(router: Router, { admit, transactions }: Api, single: string): void {
  const { database } = transactions
  const path = `${single}printlog/`

  async function shownPrints(ctx: Context, id: number): Promise<readonly RowData[]> {
    const { organizer } = (ctx.state.scope as Scope).place
    return (await printsOf(database, organizer, [id])).get(id) ?? []
  }

  router.get(path, admit('event', 'can_view_orders'), async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const id = idIn(ctx.params.id)
    const own = await database.get(
      sql`SELECT id FROM order_position WHERE organizer = ${place.organizer} AND event = ${place.event} AND id = ${id}`,
    )
    if (!own) throw notFound()
    const rows = await shownPrints(ctx, id)
    const part = rows.slice(page.offset, page.offset + page.size)
    ctx.body = pageBody(addressOf(ctx), page, rows.length, part)
  })

  router.post(path, admit('event', ['can_change_orders', 'can_checkin_orders']), async (ctx) => {
    const { actor, place }: Scope = ctx.state.scope
    const id = idIn(ctx.params.id)
    const made = await transactions.write(async (tx) => {
      const found = await lockPosition(tx, place, id)
      return recordPrint(tx, { actor, place }, found, readPrint(bodyOf(ctx)))
    })
    ctx.status = 201
    ctx.body = (await shownPrints(ctx, id)).find((row) => row.id === made)
  })

  router.all(path, admit('event', null), (ctx) => refuseMethod(ctx))
}
