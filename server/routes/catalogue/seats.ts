import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { join, type Sql } from 'sql-template-tag'
import { seatChange, seatChoice } from '../../../schema/bodies/seats.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { filterConditions, flagParameter, orderBy } from '../../resource/query.ts'
import { idIn, refuseMethod, shown } from '../../resource/routes.ts'
import { countRows, findRow } from '../../resource/store.ts'
import { blockSeats } from '../../services/catalogue/seat-blocking.ts'
import { heldSeats, isFreeAt, seatsOf } from '../../services/catalogue/seats.ts'
import { expandHolders } from './seat-holders.ts'

const ofEvent = '/api/v1/organizers/:organizer/events/:event/seats/'
const ofDate = '/api/v1/organizers/:organizer/events/:event/subevents/:subevent/seats/'

/** Serves the seats of events and, in a series, of its dates. */
export function serveSeats(router: Router, api: Api): void {
  serveSeatsAt(router, api, ofEvent)
  serveSeatsAt(router, api, ofDate)
}

function serveSeatsAt(router: Router, api: Api, collection: string): void {
  const { database } = api.transactions
  const read = api.admit('event', seat.permission.read)
  const write = api.admit('event', seat.permission.write)

  /** The date that the path is about, null for an event that is no series; 404 where the other path is meant. */
  async function dateOf(ctx: Context): Promise<number | null> {
    const { event, place }: Scope = ctx.state.scope
    const isSeries = event?.hasSubevents === true
    if (isSeries !== (collection === ofDate)) throw notFound()
    if (!isSeries) return null
    const date = idIn(ctx.params.subevent)
    if (!(await findRow(database, subevent, place, 'id', date))) throw notFound()
    return date
  }

  /** The seat that the path names, with whoever holds it. */
  async function one(ctx: Context, date: number | null): Promise<RowData> {
    const { place }: Scope = ctx.state.scope
    const which = sql`${seatsOf(place, date)} AND seat.id = ${idIn(ctx.params.id)}`
    const [row] = await heldSeats(database, api.transactions.horizon(), which)
    if (!row) throw notFound()
    return row
  }

  const display = (ctx: Context, rows: readonly RowData[]): Promise<RowData[]> =>
    expandHolders(
      database,
      ctx.state.scope,
      ctx.query,
      rows.map((row) => shown(seat, row)),
    )

  router.get(collection, read, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const now = api.transactions.horizon()
    const page = pageOf(ctx.query)
    const where = join(
      [seatsOf(place, await dateOf(ctx)), ...filterConditions(seat, ctx.query), ...freeConditions(ctx, now)],
      ' AND ',
    )
    const order = sql`${orderBy(seat, ctx.query, database.engine)} LIMIT ${page.size} OFFSET ${page.offset}`
    const count = await countRows(database, seat, place, where)
    const rows = await heldSeats(database, now, where, order)
    ctx.body = pageBody(addressOf(ctx), page, count, await display(ctx, rows))
  })

  const single = `${collection}:id/`
  router.get(single, read, async (ctx) => {
    ctx.body = (await display(ctx, [await one(ctx, await dateOf(ctx))]))[0]
  })
  router.patch(single, write, async (ctx) => {
    const { actor, place }: Scope = ctx.state.scope
    const date = await dateOf(ctx)
    const { id, blocked: before } = await one(ctx, date)
    const { blocked = before } = readBody(seatChange, bodyOf(ctx), { partial: true, locale: 'en' })
    const chosen = { ids: [Number(id)], seat_guids: [] }
    await api.transactions.write((tx) =>
      blockSeats(tx, actor, place, { date, seats: chosen, blocked: blocked === true }),
    )
    ctx.body = (await display(ctx, [await one(ctx, date)]))[0]
  })

  for (const [name, blocked] of [
    ['bulk_block', true],
    ['bulk_unblock', false],
  ] as const) {
    const path = `${collection}${name}/`
    router.post(path, write, async (ctx) => {
      const { actor, place }: Scope = ctx.state.scope
      const date = await dateOf(ctx)
      const chosen = readBody(seatChoice, bodyOf(ctx), { partial: false, locale: 'en' })
      await api.transactions.write((tx) => blockSeats(tx, actor, place, { date, seats: chosen, blocked }))
      ctx.body = {}
    })
    router.all(path, read, (ctx) => refuseMethod(ctx))
  }

  for (const path of [collection, single]) router.all(path, read, (ctx) => refuseMethod(ctx))
}

/** The condition of the `is_available` parameter. */
function freeConditions(ctx: Context, now: string): Sql[] {
  const wanted = flagParameter(ctx.query, 'is_available')
  if (wanted === undefined) return []
  return [wanted ? isFreeAt(now) : sql`NOT ${isFreeAt(now)}`]
}
