import sql from 'sql-template-tag'
import type { Counts, Scanner, Settings, StationState } from '../../schema/bodies/station-state.ts'
import type { Multilingual } from '../../schema/multilingual.ts'
import type { Env } from '../env.ts'
import type { Live } from '../http/live.ts'
import type { Change, Transactions } from '../resource/transactions.ts'
import { checkinCount, insideCount, positionCount } from '../services/checkin/checkin-counts.ts'
import { type ListAt, listsById } from '../services/checkin/checkin-lists.ts'
import { maySell, stationSettings, taskOf } from '../services/devices/station-settings.ts'
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

/** The list that a station is set up for. */
export async function listOfStation(db: Queryable): Promise<ListAt | undefined> {
  const settings = await stationSettings(db)
  const [list] = settings ? await listsById(db, settings.organizer, [settings.list]) : []
  return list
}

async function settingsShown(db: Queryable, list: ListAt): Promise<Settings | null> {
  const settings = await stationSettings(db)
  if (!settings) return null
  const names = await db.get<{ organizer: string; event_name: string; gate_name: string | null }>(
    sql`SELECT organizer.slug AS organizer, event.name AS event_name, gate.name AS gate_name FROM event
        JOIN organizer ON organizer.id = event.organizer
        LEFT JOIN gate ON gate.organizer = event.organizer AND gate.id = ${settings.gate}
        WHERE event.organizer = ${settings.organizer} AND event.id = ${settings.event}`,
  )
  if (!names) return null
  const text: Multilingual = JSON.parse(names.event_name)
  return {
    ...settings,
    organizer: names.organizer,
    event: list.event.slug,
    event_name: text[settings.locale] ?? text[list.event.locale] ?? Object.values(text)[0] ?? list.event.slug,
    list_name: list.name,
    gate_name: names.gate_name,
    timezone: list.event.timezone,
    sells: maySell(settings),
    task: taskOf(settings),
    asks_staff: list.event.settings.entrance_staff_asked,
    profile: settings.profile ?? 'full',
    country: settings.country ?? null,
    terminal: settings.terminal ? { host: settings.terminal.host, port: settings.terminal.port } : null,
  }
}

/** Watches what a station shows, and sends its screens the counts when they change. */
export function createStationState({ transactions, env, live, shellState }: StationStateParts): ShownState {
  const { database } = transactions
  let knownPositions: { list: number; count: number } | null = null
  let countsDue = false

  async function counts(): Promise<Counts | null> {
    const settings = await stationSettings(database)
    const list = await listOfStation(database)
    if (!settings || !list) return null
    const { facts } = list
    if (knownPositions?.list !== facts.id)
      knownPositions = { list: facts.id, count: await positionCount(database, settings.organizer, facts) }
    return {
      checkin_count: await checkinCount(database, settings.organizer, facts),
      position_count: knownPositions.count,
      inside_count: await insideCount(database, settings.organizer, facts),
    }
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
    if (touched.has('checkin') || knownPositions === null) sendCountsSoon()
  })

  return {
    async show() {
      const list = await listOfStation(database)
      const settings = await stationSettings(database)
      return {
        ready: list !== undefined,
        is_kiosk: settings !== undefined && taskOf(settings) === 'kiosk',
        version,
        settings: list ? await settingsShown(database, list) : null,
        counts: await counts(),
        scanners: shellState.get('scanners') ?? [],
      }
    },
    forget() {
      knownPositions = null
    },
  }
}
