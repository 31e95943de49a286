import sql, { type Sql } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import type { subevent } from '../../../schema/resources/events/subevent.ts'
import { contradictory, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { flagParameter, instantParameter, type Query, single } from '../../resource/query.ts'
import type { Tx } from '../../resource/transactions.ts'
import { checkSeating, followSeating } from '../catalogue/seating-behaviour.ts'
import { sentMetaData, usualValue } from '../events/meta-properties.ts'
import { soldThrough } from '../events/sales-channels.ts'
import { metaConditions, saidIn } from '../input/json-filters.ts'
import { timeConditions } from '../input/time-bounds.ts'
import { timeProblems } from '../input/time-order.ts'
import { readOverrides } from './subevent-overrides.ts'

/** What dates of a series must keep to, and how they are chosen by time. */
export const subeventBehaviour: Behaviour<typeof subevent> = {
  prepare: prepareSubevent,
  async afterWrite(tx, scope, { next: row, before }) {
    await followSeating(tx, scope.place, row.id, { next: row, before })
  },
  conditions: (_scope, query, now) => [...subeventConditions(query, now), ...eventSays(query)],
  async present(_db, scope, rows) {
    return rows.map((row) => ({ ...row, event: scope.event?.slug }))
  },
  action: (done) => `ticketsvc.subevent.${done}`,
}

async function prepareSubevent(
  tx: Tx,
  scope: Scope,
  { next: given, before, body }: RowChange<typeof subevent>,
): Promise<StoredRow<typeof subevent>> {
  if (!scope.event?.hasSubevents)
    throw contradictory('This event is not a series, so it has no dates of its own.')
  const seating = await checkSeating(tx, scope.place, given, before)
  const said = await sentMetaData(tx, scope, given, before)
  const errors: FieldErrors = {
    ...said.errors,
    ...('errors' in seating ? seating.errors : {}),
  }
  if ('errors' in seating || Object.keys(errors).length > 0) throw invalid(errors)
  const problems = timeProblems(given)
  if (problems.length > 0) throw contradictory(...problems)
  const next = {
    ...given,
    meta_data: said.meta_data,
    seat_category_mapping: seating.mapping,
    ...(await readOverrides(tx, scope, body)),
  }
  const isChanged = !before || JSON.stringify(next) !== JSON.stringify(before)
  return isChanged ? { ...next, last_modified: tx.now } : next
}

const ends = sql`coalesce(date_to, date_from)`

/** The conditions by which dates are chosen from the table of dates, at a moment that counts as now. */
export function subeventConditions(query: Query, now: string): Sql[] {
  const isFuture = flagParameter(query, 'is_future')
  const isPast = flagParameter(query, 'is_past')
  const after = instantParameter(query, 'ends_after')
  return [
    ...(isFuture === undefined ? [] : [isFuture ? sql`${ends} >= ${now}` : sql`${ends} < ${now}`]),
    ...(isPast === undefined ? [] : [isPast ? sql`${ends} < ${now}` : sql`${ends} >= ${now}`]),
    ...(after ? [sql`${ends} >= ${after}`] : []),
    ...timeConditions(query),
    ...metaConditions(query, sql`subevent.meta_data`, {
      event: ofEvent,
      usual: (key) => usualValue(sql`subevent.organizer`, key),
    }),
  ]
}

/** What a query of the dates of one event asks of them and of it beyond their times. */
function eventSays(query: Query): Sql[] {
  const words = single(query, 'search')
  return [
    ...(words ? [saidIn({ words, texts: dateTexts })] : []),
    ...eventConditions(query).map(
      (condition) =>
        sql`EXISTS (SELECT 1 FROM event WHERE event.organizer = subevent.organizer AND event.id = subevent.event AND ${condition})`,
    ),
  ]
}

/** The texts by which dates are found. */
export const dateTexts: readonly Sql[] = [sql`subevent.name`, sql`subevent.location`]

/** What a query of dates asks of their events. */
export function eventConditions(query: Query): Sql[] {
  const live = flagParameter(query, 'event__live')
  const channel = single(query, 'sales_channel')
  return [
    ...(live === undefined ? [] : [sql`event.live = ${live ? 1 : 0}`]),
    ...(channel ? [soldThrough(channel, sql`event.`)] : []),
  ]
}

/** The meta data of the event that a date belongs to. */
const ofEvent = sql`(SELECT event.meta_data FROM event WHERE event.organizer = subevent.organizer AND event.id = subevent.event)`
