import sql, { join, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { namedInRules, validateRules } from '../../domain/rules/rules.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { instantParameter, orderBy, type Query, repeated } from '../../resource/query.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { channelErrors } from '../events/sales-channels.ts'
import { countsOfLists } from './checkin-counts.ts'

/** What check-in lists must keep to, and what is counted on them. */
export const checkinListBehaviour: Behaviour<typeof checkinList> = {
  async prepare(tx, scope, { next, before }) {
    const errors: FieldErrors = await channelErrors(
      tx,
      scope.place,
      'auto_checkin_sales_channels',
      next.auto_checkin_sales_channels,
    )
    const isChanged = JSON.stringify(next.rules) !== JSON.stringify(before?.rules)
    const broken = [
      ...validateRules(next.rules),
      ...(isChanged ? await foreignIn(tx, scope.place, next.rules) : []),
    ]
    if (broken.length > 0) errors.rules = broken
    if (next.subevent !== null && !scope.event?.hasSubevents)
      errors.subevent = ['Only lists of an event series can belong to a date.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    // The clock time of a daily exit that was put off by daylight saving ends with the time it was set for.
    return next.exit_all_at === (before?.exit_all_at ?? null) ? next : { ...next, exit_all_local: null }
  },
  conditions: (_scope, query) => {
    const after = instantParameter(query, 'ends_after')
    return after ? [sql`(subevent IS NULL OR ${dateEnd} >= ${after})`] : []
  },
  order: (query, engine) =>
    orderBy(checkinList, query, engine, { subevent__date_from: ofDate(sql`date_from`) }),
  present: presentLists,
}

/** What rules name that is of another event or organizer, or of none, one message for each. */
async function foreignIn(tx: Tx, { organizer, event }: Place, rules: unknown): Promise<string[]> {
  const named = namedInRules(rules)
  if (named.length === 0) return []
  const idsOf = async (statement: Sql): Promise<ReadonlySet<number>> =>
    new Set((await tx.all<{ id: number }>(statement)).map(({ id }) => id))
  const own = new Map([
    ['product', await idsOf(sql`SELECT id FROM item WHERE organizer = ${organizer} AND event = ${event}`)],
    [
      'variation',
      await idsOf(sql`SELECT id FROM variation WHERE organizer = ${organizer} AND event = ${event}`),
    ],
    ['gate', await idsOf(sql`SELECT id FROM gate WHERE organizer = ${organizer}`)],
  ])
  const foreign = named.filter(([kind, id]) => own.get(kind)?.has(id) === false)
  return [...new Set(foreign.map(([kind, id]) => `There is no ${kind} ${id} here.`))]
}

/** A value of the date that a list belongs to. */
const ofDate = (value: Sql): Sql =>
  sql`(SELECT ${value} FROM subevent WHERE subevent.organizer = checkin_list.organizer AND subevent.id = checkin_list.subevent)`

const dateEnd = ofDate(sql`coalesce(date_to, date_from)`)

type ListRow = StoredRow<typeof checkinList>

async function presentLists(
  db: Queryable,
  scope: Scope,
  rows: readonly ListRow[],
  query: Query,
): Promise<JsonObject[]> {
  const excluded = new Set(repeated(query, 'exclude'))
  const isCounted = !(excluded.has('position_count') && excluded.has('checkin_count'))
  const ids = isCounted ? rows.map((row) => row.id) : []
  const counts = await countsOfLists(db, scope.place.organizer, ids)
  const dates = repeated(query, 'expand').includes('subevent') ? await datesOf(db, scope, rows) : undefined
  return rows.map((row) => {
    const { position_count = 0, checkin_count = 0 } = counts.get(row.id) ?? {}
    const date = dates && row.subevent !== null ? { subevent: dates.get(row.subevent) } : {}
    const presented = { ...row, position_count, checkin_count, ...date }
    return Object.fromEntries(Object.entries(presented).filter(([name]) => !excluded.has(name)))
  })
}

async function datesOf(
  db: Queryable,
  scope: Scope,
  rows: readonly ListRow[],
): Promise<ReadonlyMap<number, JsonObject>> {
  const ids = [...new Set(rows.flatMap(({ subevent: id }) => (id === null ? [] : [id])))]
  const found =
    ids.length === 0 ? [] : await findRows(db, subevent, scope.place, { where: sql`id IN (${join(ids)})` })
  return new Map(found.map((row) => [row.id, { ...row, event: scope.event?.slug }]))
}
