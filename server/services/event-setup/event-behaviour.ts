import sql, { join, type Sql } from 'sql-template-tag'
import { type StoredRow, tableOf } from '../../../schema/resource.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { resources } from '../../../schema/resources/index.ts'
import { isTimeZone } from '../../domain/text/zones.ts'
import { contradictory, denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { flagParameter, instantParameter, type Query, single } from '../../resource/query.ts'
import { named } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { followItemMeta, itemMetaNameErrors } from '../catalogue/item-meta-properties.ts'
import { forgetEventPictures } from '../catalogue/item-pictures.ts'
import { checkSeating, followSeating } from '../catalogue/seating-behaviour.ts'
import { validKeys } from '../codes/event-keys.ts'
import { forgetEvent, letCreatorIn } from '../events/event-limits.ts'
import { settingDefaults } from '../events/events.ts'
import { eventCopied, missingMetaData, sentMetaData, usualValue } from '../events/meta-properties.ts'
import { soldThrough, withChannels, withSentChannels } from '../events/sales-channels.ts'
import { metaConditions, saidIn } from '../input/json-filters.ts'
import { timeConditions } from '../input/time-bounds.ts'
import { timeProblems } from '../input/time-order.ts'

/** What an event must keep to, who sees it, and what goes with it. */
export const eventBehaviour: Behaviour<typeof event> = {
  enters: true,
  prepare: prepareEvent,
  conditions: eventConditions,
  async present(db, scope, rows) {
    const whole = await withChannels(db, scope.place.organizer, rows)
    if (!scope.event) return whole
    const valid_keys = await validKeys(db, scope.place)
    return whole.map((row) => ({ ...row, valid_keys }))
  },
  async afterWrite(tx, scope, { next: row, before }) {
    const { actor, organizer } = scope
    const slug = row.slug
    const own = { organizer: organizer.id, event: row.id }
    await followSeating(tx, own, null, { next: row, before })
    if (JSON.stringify(row.item_meta_properties) !== JSON.stringify(before?.item_meta_properties ?? {}))
      await followItemMeta(tx, own, row.item_meta_properties)
    if (!before) await letCreatorIn(tx, organizer.id, actor, slug)
    for (const name of ['live', 'testmode'] as const) {
      if (!before || row[name] === before[name]) continue
      const action = `ticketsvc.event.${name}.${row[name] ? 'activated' : 'deactivated'}`
      tx.audit(scope.place, actor, { action, resource: event.name, row: row.id })
    }
  },
  beforeDelete: emptyEvent,
}

/** Checks an event that is about to be stored and fills in what follows from its organizer. */
export async function prepareEvent(
  tx: Tx,
  scope: Scope,
  { next: given, before, body }: RowChange<typeof event>,
): Promise<StoredRow<typeof event>> {
  const sold = await withSentChannels(tx, scope.place, { next: given, before, body })
  const said = await sentMetaData(tx, scope, given, before ?? (await eventCopied(tx, scope)))
  const next = { ...sold.row, meta_data: said.meta_data }
  if (!Object.hasOwn(body, 'timezone') && (!before || given.timezone !== before.timezone))
    next.timezone = await usualTimezone(tx, scope.organizer.id)
  if (before && !Object.hasOwn(body, 'has_subevents')) next.has_subevents = before.has_subevents
  const errors: FieldErrors = {
    ...sold.errors,
    ...(before ? changeErrors(next, before) : creationErrors(next)),
    ...said.errors,
    ...itemMetaNameErrors(next.item_meta_properties),
  }
  if (!isTimeZone(next.timezone)) errors.timezone = ['This is not the name of a time zone.']
  if (next.has_subevents && next.seating_plan !== null)
    errors.seating_plan = ['In an event series, every date has a seating plan of its own.']
  else if (!errors.seat_category_mapping) {
    const answer = await checkSeating(tx, scope.place, next, before)
    if ('errors' in answer) Object.assign(errors, answer.errors)
    else next.seat_category_mapping = answer.mapping
  }
  if (before && next.live && !before.live) {
    const missing = await missingMetaData(tx, scope, next)
    if (!(await hasQuota(tx, scope))) missing.unshift('The event has no quota yet, so nothing could be sold.')
    if (missing.length > 0) errors.live = missing
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const problems = timeProblems(next)
  if (problems.length > 0) throw contradictory(...problems)
  return next
}

function creationErrors(next: StoredRow<typeof event>): FieldErrors {
  return {
    ...(next.live ? { live: ['An event cannot be live before it is set up.'] } : {}),
    ...(Object.keys(next.seat_category_mapping).length === 0
      ? {}
      : { seat_category_mapping: ['A new event has no items yet that seats could be mapped to.'] }),
  }
}

function changeErrors(next: StoredRow<typeof event>, before: StoredRow<typeof event>): FieldErrors {
  return {
    ...(next.slug === before.slug ? {} : { slug: ['The slug of an event cannot be changed.'] }),
    ...(next.has_subevents === before.has_subevents
      ? {}
      : { has_subevents: ['A single event cannot become a series, nor a series a single event.'] }),
  }
}

async function usualTimezone(tx: Tx, organizer: number): Promise<string> {
  const row = await tx.get<{ settings: string }>(sql`SELECT settings FROM organizer WHERE id = ${organizer}`)
  return { ...settingDefaults, ...JSON.parse(row?.settings ?? '{}') }.timezone
}

const hasQuota = async (tx: Tx, scope: Scope): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM quota WHERE organizer = ${scope.place.organizer} AND event = ${scope.place.event} LIMIT 1`,
  )) !== undefined

/** A condition that a single event, not a series, ends at a moment or later. */
const endsAfter = (moment: string): Sql =>
  sql`(has_subevents = 0 AND coalesce(date_to, date_from) >= ${moment})`

const endsBefore = (moment: string): Sql =>
  sql`(has_subevents = 0 AND coalesce(date_to, date_from) < ${moment})`

/** Events of the caller that meet the query; a series has no time of its own. */
function eventConditions(scope: Scope, query: Query, now: string): Sql[] {
  const { allEvents, events } = scope.actor
  const isFuture = flagParameter(query, 'is_future')
  const isPast = flagParameter(query, 'is_past')
  const after = instantParameter(query, 'ends_after')
  const channel = single(query, 'sales_channel')
  const words = single(query, 'search')
  const negated = (wanted: boolean | undefined, condition: Sql): Sql[] =>
    wanted === undefined ? [] : wanted ? [condition] : [sql`NOT ${condition}`]
  return [
    ...(allEvents ? [] : [events.size > 0 ? sql`id IN (${join([...events])})` : sql`1 = 0`]),
    ...negated(isFuture, endsAfter(now)),
    ...negated(isPast, endsBefore(now)),
    ...(after ? [endsAfter(after)] : []),
    ...(channel ? [soldThrough(channel)] : []),
    ...(words ? [saidIn({ words, texts: [sql`name`, sql`location`], plain: [sql`slug`] })] : []),
    ...timeConditions(query),
    ...metaConditions(query, sql`meta_data`, { usual: (key) => usualValue(sql`event.organizer`, key) }),
  ]
}

/** Deletes all that an event holds; refused once somebody has ordered, for what was sold must stay on record. */
async function emptyEvent(tx: Tx, scope: Scope, row: StoredRow<typeof event>): Promise<void> {
  const here = sql`organizer = ${scope.place.organizer} AND event = ${scope.place.event}`
  if (await tx.get(sql`SELECT id FROM orders WHERE ${here} LIMIT 1`))
    throw denied('The event has orders, so it cannot be deleted. Take it offline with live=false instead.')
  await forgetEventPictures(tx, scope.place)
  for (const resource of resources.toReversed())
    if (resource.scope === 'event') await tx.run(sql`DELETE FROM ${named(tableOf(resource))} WHERE ${here}`)
  await tx.run(sql`DELETE FROM change WHERE ${here}`)
  await tx.run(sql`DELETE FROM feed WHERE ${here}`)
  await forgetEvent(tx, scope.place.organizer, row.slug)
}
