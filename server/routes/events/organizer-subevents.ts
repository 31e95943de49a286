import sql, { join, type Sql } from 'sql-template-tag'
import { organizerSubeventList } from '../../../schema/actions/catalogue.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { audienceOf, maskedRow } from '../../resource/mask.ts'
import { filterConditions, orderBy, type Query, single } from '../../resource/query.ts'
import { shown } from '../../resource/routes.ts'
import { rowOf } from '../../resource/store.ts'
import {
  dateTexts,
  eventConditions,
  subeventConditions,
} from '../../services/event-setup/subevent-behaviour.ts'
import { saidIn } from '../../services/input/json-filters.ts'
import type { Cells } from '../../storage/database.ts'

/** Serves the dates of all series of an organizer that the caller may enter. */
export function serveOrganizerSubevents(router: ApiRouter): void {
  serveRead(router, organizerSubeventList, async (request, db) => {
    const { organizer, query, page } = request
    const started = router.api.transactions.horizon()
    const where = join(
      [
        sql`subevent.organizer = ${organizer.id} AND ${ofEvents(request, query)}`,
        ...filterConditions(subevent, query),
        ...subeventConditions(query, started),
      ],
      ' AND ',
    )
    const total = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM subevent WHERE ${where}`)
    const found = await db.all<Cells>(
      sql`SELECT subevent.*, (SELECT slug FROM event WHERE event.organizer = subevent.organizer AND event.id = subevent.event) AS slug
          FROM subevent WHERE ${where} ORDER BY ${orderBy(subevent, query, db.engine)}
          LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    const audience = audienceOf(request.actor)
    const rows = found.map((cells) =>
      maskedRow(subevent, audience, shown(subevent, { ...rowOf(subevent, cells), event: cells.slug })),
    )
    request.set('X-Page-Generated', started)
    return request.pageOf(total?.count ?? 0, rows)
  })
}

/** The condition that a date's event is one of the caller's, and what the query asks of the event. */
function ofEvents(scope: Scope, query: Query): Sql {
  const { allEvents, events } = scope.actor
  const words = single(query, 'search')
  const conditions = [
    sql`event.organizer = subevent.organizer AND event.id = subevent.event`,
    ...(allEvents ? [] : [events.size > 0 ? sql`event.id IN (${join([...events])})` : sql`1 = 0`]),
    ...(words ? [saidIn({ words, texts: dateTexts, plain: [sql`event.slug`] })] : []),
    ...eventConditions(query),
  ]
  return sql`EXISTS (SELECT 1 FROM event WHERE ${join(conditions, ' AND ')})`
}
