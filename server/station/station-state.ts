import sql, { join } from 'sql-template-tag'
import type {
  Counts,
  ListCapacity,
  Scanner,
  Settings,
  StationState,
} from '../../schema/bodies/station-state.ts'
import type { Multilingual } from '../../schema/multilingual.ts'
import type { Env } from '../env.ts'
import type { Live } from '../http/live.ts'
import type { Change, Transactions } from '../resource/transactions.ts'
import { checkinCount, insideCount, positionCount } from '../services/checkin/checkin-counts.ts'
import { type ListAt, listsById } from '../services/checkin/checkin-lists.ts'
import { capacityOf } from '../services/checkin/list-status.ts'
import {
  chosenLists,
  maySell,
  type StationSettings,
  stationSettings,
  taskOf,
} from '../services/devices/station-settings.ts'
import type { Queryable } from '../storage/database.ts'
import { version } from '../version.ts'

/** What the shell has announced, by name, which outlives a copy of the data. */
export type ShellState = Map<'scanners', readonly Scanner[]>

/** What a station's state is made from. */
interface StationStateParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly live: Live
  /** What the shell has announced, by name. */
  readonly shellState: ShellState
}

/** What the screens of a station show of it. */
interface ShownState {
  show(): Promise<StationState>
  /** Has positions counted anew: another list may be meant. */
  forget(): void
}

/** How often counts are sent at most. */
const countsEvery = 1000

/** The lists that a station is set up for, as far as they are still there. */
export async function listsOfStation(db: Queryable): Promise<readonly ListAt[]> {
  const settings = await stationSettings(db)
  return settings ? listsById(db, settings.organizer, chosenLists(settings)) : []
}

async function settingsShown(db: Queryable, lists: readonly [ListAt, ...ListAt[]]): Promise<Settings | null> {
  const [list] = lists
  const settings = await stationSettings(db)
  if (!settings) return null
  const names = await db.get<{ organizer: string; gate_name: string | null }>(
    sql`SELECT organizer.slug AS organizer, gate.name AS gate_name FROM event
        JOIN organizer ON organizer.id = event.organizer
        LEFT JOIN gate ON gate.organizer = event.organizer AND gate.id = ${settings.gate}
        WHERE event.organizer = ${settings.organizer} AND event.id = ${list.facts.event}`,
  )
  if (!names) return null
  const shown = await listsShown(db, settings, lists)
  return {
    ...settings,
    organizer: names.organizer,
    event: list.event.slug,
    event_name: shown[0]?.event_name ?? list.event.slug,
    list: list.facts.id,
    list_name: list.name,
    lists: shown,
    missing_lists: (settings.lists ?? [])
      .filter(({ id }) => !lists.some(({ facts }) => facts.id === id))
      .map(({ name }) => name),
    gate_name: names.gate_name,
    timezone: list.event.timezone,
    sells: maySell(settings),
    task: taskOf(settings),
    asks_staff: lists.some(({ event }) => event.settings.entrance_staff_asked),
    profile: settings.profile ?? 'full',
    country: settings.country ?? null,
    terminal: settings.terminal ? { host: settings.terminal.host, port: settings.terminal.port } : null,
  }
}

/** The lists of a station with the names of their events. */
async function listsShown(
  db: Queryable,
  { organizer, locale }: StationSettings,
  lists: readonly ListAt[],
): Promise<Settings['lists']> {
  const events = await db.all<{ id: number; name: string }>(
    sql`SELECT id, name FROM event WHERE organizer = ${organizer} AND id IN (${join(lists.map(({ facts }) => facts.event))})`,
  )
  return lists.map(({ facts, name, event }) => {
    const text: Multilingual = JSON.parse(events.find(({ id }) => id === facts.event)?.name ?? '{}')
    const event_name = text[locale] ?? text[event.locale] ?? Object.values(text)[0] ?? event.slug
    return { id: facts.id, name, event: event.slug, event_name }
  })
}

/** Watches what a station shows, and sends its screens the counts when they change. */
export function createStationState({ transactions, env, live, shellState }: StationStateParts): ShownState {
  const { database } = transactions
  let knownPositions: { lists: string; count: number } | null = null
  let countsDue = false

  async function counts(): Promise<Counts | null> {
    const settings = await stationSettings(database)
    const lists = await listsOfStation(database)
    if (!settings || lists.length === 0) return null
    const { organizer } = settings
    const ids = lists.map(({ facts }) => facts.id).join()
    if (knownPositions?.lists !== ids) {
      let count = 0
      for (const { facts } of lists) count += await positionCount(database, organizer, facts)
      knownPositions = { lists: ids, count }
    }
    const sums = { checkin_count: 0, position_count: knownPositions.count, inside_count: 0 }
    const capacities: ListCapacity[] = []
    for (const list of lists) {
      const inside = await insideCount(database, organizer, list.facts)
      const capacity = await capacityOf(database, organizer, list, inside)
      if (capacity) capacities.push(capacity)
      sums.checkin_count += await checkinCount(database, organizer, list.facts)
      sums.inside_count += inside
    }
    return { ...sums, ...(capacities.length > 0 ? { capacities } : {}) }
  }

  function sendCountsSoon(): void {
    if (countsDue) return
    countsDue = true
    env.after(countsEvery, () => {
      countsDue = false
      if (live.listeners > 0)
        void counts().then(
          (numbers) => numbers && live.publish('counts', numbers),
          // The next change asks again.
          () => undefined,
        )
    })
  }

  transactions.onCommit((changes: readonly Change[]) => {
    const touched = new Set(changes.map((change) => change.resource))
    if (touched.has('order') || touched.has('order_position') || touched.has('checkin_list'))
      knownPositions = null
    if (touched.has('checkin') || touched.has('event') || knownPositions === null) sendCountsSoon()
  })

  return {
    async show() {
      const [list, ...others] = await listsOfStation(database)
      const settings = await stationSettings(database)
      return {
        ready: list !== undefined,
        is_kiosk: settings !== undefined && taskOf(settings) === 'kiosk',
        version,
        settings: list ? await settingsShown(database, [list, ...others]) : null,
        counts: await counts(),
        scanners: shellState.get('scanners') ?? [],
      }
    },
    forget() {
      knownPositions = null
    },
  }
}
