import sql from 'sql-template-tag'
import type { ScanOutcome } from '../../../schema/bodies/scan-result.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { EventTimes, ListFacts } from '../../domain/rules/facts.ts'
import type { EventFacts } from '../../resource/api.ts'
import { rowOf } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { datedEvent } from '../events/events.ts'

/** A check-in list with what a decision on it needs of its event. */
export interface ListAt {
  readonly facts: ListFacts
  readonly name: string
  /** How many guests may be inside at once; null where that is not counted. */
  readonly capacity: number | null
  readonly event: EventFacts
  readonly times: EventTimes
}

interface EventDates {
  readonly date_from: string
  readonly date_to: string | null
  readonly date_admission: string | null
}

function factsOf(cells: Cells, timezone: string): ListFacts & Pick<ListAt, 'name' | 'capacity'> {
  const row = rowOf(checkinList, cells)
  const { id, name, capacity, all_products, limit_products, subevent, include_pending } = row
  const { allow_multiple_entries, allow_entry_after_exit, rules, addon_match } = row
  return {
    id,
    name,
    capacity,
    event: Number(cells.event),
    all_products,
    limit_products,
    subevent,
    include_pending,
    allow_multiple_entries,
    allow_entry_after_exit,
    rules,
    addon_match,
    exits: {
      done: row.exit_all_done,
      next: row.exit_all_at,
      local: row.exit_all_local,
      timezone,
    },
  }
}

async function listWith(db: Queryable, organizer: number, id: number): Promise<ListAt | undefined> {
  const cells = await db.get(sql`SELECT * FROM checkin_list WHERE organizer = ${organizer} AND id = ${id}`)
  const at = cells && (await datedEvent(db, organizer, Number(cells.event)))
  if (!at) return undefined
  const { name, capacity, ...facts } = factsOf(cells, at.event.timezone)
  return { facts, name, capacity, ...at }
}

/** The lists with these ids in an organizer, in the order of the ids; unknown ones are left out. */
export async function listsById(db: Queryable, organizer: number, ids: readonly number[]): Promise<ListAt[]> {
  const lists: ListAt[] = []
  for (const id of new Set(ids)) {
    const list = await db.remembered(`list ${organizer} ${id}`, () => listWith(db, organizer, id))
    if (list) lists.push(list)
  }
  return lists
}

/** The times that rules see for a position: those of its date, where it has one. */
export async function timesFor(
  db: Queryable,
  organizer: number,
  list: ListAt,
  subevent: number | null,
): Promise<EventTimes> {
  if (subevent === null) return list.times
  const dates = await db.get<EventDates>(
    sql`SELECT date_from, date_to, date_admission FROM subevent WHERE organizer = ${organizer} AND id = ${subevent}`,
  )
  return dates ? { timezone: list.event.timezone, ...dates } : list.times
}

/** A list as redeeming answers show it. */
export const presentList = (list: ListAt): ScanOutcome['list'] => ({
  id: list.facts.id,
  name: list.name,
  event: list.event.slug,
  subevent: list.facts.subevent,
  include_pending: list.facts.include_pending,
})
