import sql, { join, type Sql } from 'sql-template-tag'
import { ev, operationOf } from '../../../schema/actions/action.ts'
import {
  dateSeatBulkBlock,
  dateSeatBulkUnblock,
  dateSeatList,
  dateSeatRetrieve,
  dateSeatUpdate,
  eventSeatBulkBlock,
  eventSeatBulkUnblock,
} from '../../../schema/actions/customers.ts'
import { seatChange, type seatChoice } from '../../../schema/bodies/seats.ts'
import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { notFound } from '../../errors.ts'
import type { Api, ScopeInEvent } from '../../resource/api.ts'
import { type ActionRequest, type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { filterConditions, flagParameter, orderBy, type Query } from '../../resource/query.ts'
import { idIn, shown } from '../../resource/routes.ts'
import { countRows, findRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { blockSeats } from '../../services/catalogue/seat-blocking.ts'
import { heldSeats, isFreeAt, seatsOf } from '../../services/catalogue/seats.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandHolders } from './seat-holders.ts'

/** A request for seats of an event, or of one of its dates. */
type Asked<B = unknown> = ScopeInEvent & ActionRequest<string, B>

const single = `${ev}/seats/:id/` as const

/** Serves the seats of events and, in a series, of its dates. */
export function serveSeats(router: ApiRouter): void {
  const { list, retrieve, change, show, block, unblock } = answersOf(router.api)
  serveRead(router, operationOf(seat, 'list', `${ev}/seats/`), list)
  serveRead(router, operationOf(seat, 'retrieve', single), retrieve)
  serveAction(router, operationOf(seat, 'update', single), change, show)
  serveAction(router, eventSeatBulkBlock, block)
  serveAction(router, eventSeatBulkUnblock, unblock)
  serveRead(router, dateSeatList, list)
  serveRead(router, dateSeatRetrieve, retrieve)
  serveAction(router, dateSeatUpdate, change, show)
  serveAction(router, dateSeatBulkBlock, block)
  serveAction(router, dateSeatBulkUnblock, unblock)
}

/** The date that the path is about, null for an event that is no series; 404 where the other path is meant. */
async function dateOf(db: Queryable, { event, place, params }: Asked): Promise<number | null> {
  const { subevent: date }: Readonly<Record<string, string>> = params
  if (event.hasSubevents !== (date !== undefined)) throw notFound()
  if (date === undefined) return null
  const id = idIn(date)
  if (!(await findRow(db, subevent, place, { id }))) throw notFound()
  return id
}

const answersOf = ({ transactions }: Api) => {
  const { database } = transactions

  /** The seat that the path names, with whoever holds it. */
  async function one(db: Queryable, { place, params }: Asked, date: number | null): Promise<JsonObject> {
    const { id }: Readonly<Record<string, string>> = params
    const where = sql`${seatsOf(place, date)} AND seat.id = ${idIn(id)}`
    const [row] = await heldSeats(db, transactions.horizon(), { where })
    if (!row) throw notFound()
    return row
  }

  const display = (db: Queryable, request: Asked, rows: readonly JsonObject[]): Promise<JsonObject[]> =>
    expandHolders(
      db,
      request,
      request.query,
      rows.map((row) => shown(seat, row)),
    )

  const setBlocked = (blocked: boolean) => async (request: Asked<RowOf<typeof seatChoice>>, tx: Tx) => {
    const date = await dateOf(tx, request)
    await blockSeats(tx, request.actor, request.place, { date, seats: request.body, blocked })
    return {}
  }

  return {
    async list(request: Asked) {
      const { place, query, page } = request
      const now = transactions.horizon()
      const date = await dateOf(database, request)
      const conditions = [...filterConditions(seat, query), ...freeConditions(query, now)]
      const where = join([seatsOf(place, date), ...conditions], ' AND ')
      const order = orderBy(seat, query, database.engine)
      const count = await countRows(database, seat, place, where)
      const rows = await heldSeats(database, now, { where, order, page })
      return request.pageOf(count, await display(database, request, rows))
    },
    async retrieve(request: Asked) {
      const row = await one(database, request, await dateOf(database, request))
      return (await display(database, request, [row]))[0]
    },
    async change(request: Asked, tx: Tx) {
      const { actor, place } = request
      const date = await dateOf(tx, request)
      const { id, blocked: before } = await one(tx, request, date)
      const { blocked = before } = readBody(seatChange, request.body, { partial: true, locale: 'en' })
      const chosen = { ids: [Number(id)], seat_guids: [] }
      await blockSeats(tx, actor, place, { date, seats: chosen, blocked: blocked === true })
      return date
    },
    show: async (request: Asked, date: number | null, db: Queryable) =>
      (await display(db, request, [await one(db, request, date)]))[0],
    block: setBlocked(true),
    unblock: setBlocked(false),
  }
}

/** The condition of the `is_available` parameter. */
function freeConditions(query: Query, now: string): Sql[] {
  const wanted = flagParameter(query, 'is_available')
  if (wanted === undefined) return []
  return [wanted ? isFreeAt(now) : sql`NOT ${isFreeAt(now)}`]
}
