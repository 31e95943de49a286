import type Router from '@koa/router'
import sql, { join, type Sql } from 'sql-template-tag'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { filterConditions, flagParameter, orderBy, type Query, single } from '../../resource/query.ts'
import { refuseMethod, shown } from '../../resource/routes.ts'
import { rowOf } from '../../resource/store.ts'
import { subeventConditions } from '../../services/event-setup/subevent-behaviour.ts'
import { listHolds } from '../../services/input/json-filters.ts'
import type { Cells } from '../../storage/database.ts'

/** Serves the dates of all series of an organizer that the caller may enter. */
export function serveOrganizerSubevents(router: Router, api: Api): void {
  const { database } = api.transactions
  const path = '/api/v1/organizers/:organizer/subevents/'

  router.get(path, api.admit('organizer', null), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const started = api.transactions.horizon()
    const page = pageOf(ctx.query)
    const where = join(
      [
        sql`subevent.organizer = ${scope.organizer.id} AND ${ofEvents(scope, ctx.query)}`,
        ...filterConditions(subevent, ctx.query),
        ...subeventConditions(ctx.query, started),
      ],
      ' AND ',
    )
    const total = await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM subevent WHERE ${where}`,
    )
    const found = await database.all<Cells>(
      sql`SELECT subevent.*, (SELECT slug FROM event WHERE event.organizer = subevent.organizer AND event.id = subevent.event) AS slug
          FROM subevent WHERE ${where} ORDER BY ${orderBy(subevent, ctx.query, database.engine)}
          LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    const rows = found.map((cells) => shown(subevent, { ...rowOf(subevent, cells), event: cells.slug }))
    ctx.set('X-Page-Generated', started)
    ctx.body = pageBody(addressOf(ctx), page, Number(total?.count ?? 0), rows)
  })
  router.all(path, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}

/** The condition that a date's event is one of the caller's, and what the query asks of the event. */
function ofEvents(scope: Scope, query: Query): Sql {
  const { allEvents, events } = scope.actor
  const live = flagParameter(query, 'event__live')
  const channel = single(query, 'sales_channel')
  const conditions = [
    sql`event.organizer = subevent.organizer AND event.id = subevent.event`,
    ...(allEvents ? [] : [events.size > 0 ? sql`event.id IN (${join([...events])})` : sql`1 = 0`]),
    ...(live === undefined ? [] : [sql`event.live = ${live ? 1 : 0}`]),
    ...(channel ? [listHolds(sql`event.sales_channels`, channel)] : []),
  ]
  return sql`EXISTS (SELECT 1 FROM event WHERE ${join(conditions, ' AND ')})`
}
