import { statfs } from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { LinkStatus, Readiness } from '../../../schema/station-link.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Clock } from '../clock/clock.ts'
import { queueCounts } from '../outbox/outbox.ts'

/** What is counted in the copy for the screens. */
interface Counts {
  readonly waiting: number
  readonly parked: number
  /** Open contradictions of the event that the station is set up for, or of all. */
  readonly conflicts: number
}

/** Counts what waits and what contradicts. */
export async function countAll(db: Queryable): Promise<Counts> {
  const { waiting, parked } = await queueCounts(db)
  const station = await db.get<{ settings: string }>(sql`SELECT settings FROM station WHERE id = 1`)
  const event: unknown = station && JSON.parse(station.settings).event
  const which = typeof event === 'number' ? sql`event = ${event}` : sql`1 = 1`
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM conflict WHERE state = 'open' AND ${which}`,
  )
  return { waiting, parked, conflicts: row?.count ?? 0 }
}

/** How many tickets and keys for signed tickets the copy holds. */
export async function countHeld(db: Queryable): Promise<{ tickets: number; keys: number }> {
  const row = await db.get<{ tickets: number; keys: number }>(
    sql`SELECT (SELECT count(*) FROM order_position) AS tickets, (SELECT count(*) FROM event_key) AS keys`,
  )
  return { tickets: row?.tickets ?? 0, keys: row?.keys ?? 0 }
}

/** Bytes that the disk of a folder has left, or null where that cannot be found out. */
export const diskFree = (folder: string | null): Promise<number | null> =>
  folder === null
    ? Promise.resolve(null)
    : statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => null,
      )

/** What is looked at to say whether a station can go to work. */
interface Circumstances {
  readonly status: Pick<
    LinkStatus,
    'role' | 'state' | 'data_age' | 'queue' | 'parked' | 'revoked' | 'loading'
  >
  readonly clock: Clock
  readonly held: { readonly tickets: number; readonly keys: number }
  readonly free: number | null
  readonly why: string | null
}

const leastFree = 500 * 2 ** 20
const longestAge = 15 * 60

const duration = (seconds: number): string =>
  seconds < 90
    ? `${Math.round(seconds)} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`

/** One line for each thing that has to be right. */
export function readinessOf({ status, clock, held, free, why }: Circumstances): Readiness[] {
  const { role, state, data_age: age, queue, parked, revoked, loading } = status
  const isOffline = role === 'alone_by_choice'
  const upstream = revoked
    ? { ok: false, text: 'The access of this machine was revoked.' }
    : isOffline
      ? { ok: true, text: 'This machine works by itself.' }
      : state === 'online'
        ? { ok: true, text: 'The server answers.' }
        : state === 'hub only'
          ? { ok: false, text: 'The hub answers, but does not reach the server itself.' }
          : { ok: false, text: why ?? 'The server does not answer.' }
  const offset = Math.round(Math.abs(clock.offset ?? 0) / 1000)
  return [
    {
      name: 'data',
      value: held.tickets,
      ok: loading === null && (isOffline || (age !== null && age < longestAge)),
      text: loading
        ? `${loading.rows} of ${loading.total} rows are loaded.`
        : isOffline
          ? `${held.tickets} tickets.`
          : age === null
            ? 'Nothing was loaded yet.'
            : `${held.tickets} tickets, as of ${duration(age)} ago.`,
    },
    {
      name: 'clock',
      value: clock.offset,
      ok: !clock.skewed && (isOffline || clock.offset !== null),
      text: clock.skewed
        ? `The clock of this machine is ${duration(offset)} wrong. That is corrected, but set it anyway.`
        : isOffline || clock.offset !== null
          ? 'The clock is right.'
          : 'Nobody has told this machine the time since it was started.',
    },
    {
      name: 'disk',
      value: free,
      ok: free === null || free >= leastFree,
      text: free === null ? 'The disk was not looked at.' : `${(free / 2 ** 30).toFixed(1)} GB are free.`,
    },
    {
      name: 'keys',
      value: held.keys,
      ok: true,
      text: held.keys === 0 ? 'No event here signs its tickets.' : `${held.keys} keys for signed tickets.`,
    },
    { name: 'upstream', value: null, ...upstream },
    {
      name: 'queue',
      value: parked > 0 ? parked : queue,
      ok: parked === 0 && (queue === 0 || state !== 'online' || queue < 500),
      text:
        parked > 0
          ? `${parked} were refused by the server and wait for somebody to look at them.`
          : queue > 0
            ? `${queue} wait to be sent.`
            : 'Everything was sent.',
    },
  ]
}
