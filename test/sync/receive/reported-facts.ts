import sql from 'sql-template-tag'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { Queryable } from '../../../server/storage/database.ts'
import type { SenderClock } from '../../../server/sync/clock/corrected-time.ts'
import { type appliers, receiveFacts } from '../../../server/sync/receive/receive.ts'
import { devicesById, type KnownDevice } from '../../../server/sync/receive/senders.ts'
import type { ReportingDevice, UpstreamNode } from './upstream-node.ts'

/** Clocks that are right, of another start of the program than the facts' own. */
export const clockNow = (upstream: UpstreamNode): SenderClock => ({
  boot: 'another',
  mono: 0,
  device_time: new Date(upstream.env.now()).toISOString().replace('Z', '000Z'),
  clock_offset: 0,
})

/** A device as the server knows it now. */
async function deviceAt(upstream: UpstreamNode, { device }: ReportingDevice): Promise<KnownDevice> {
  const found = (await devicesById(upstream.database, upstream.place.organizer, [device])).get(device)
  if (!found) throw new Error('The device is not there.')
  return found
}

/** How a telling differs from the usual one: live, by right clocks, not vouched for. */
interface Different {
  readonly clock?: SenderClock
  readonly live?: boolean
  readonly isVouchedFor?: boolean
  readonly appliers?: typeof appliers
}

/** Tells a server of facts as a station does; what is answered. */
export async function reportUpstream(
  upstream: UpstreamNode,
  station: ReportingDevice,
  facts: readonly unknown[],
  { clock = clockNow(upstream), live = true, isVouchedFor = false, ...rest }: Different = {},
): Promise<FactResult[]> {
  const device = await deviceAt(upstream, station)
  const parts = {
    transactions: upstream.transactions,
    env: { ...upstream.env, after: realEnv.after },
    log: silentLog,
    ...rest,
  }
  const sender = { organizer: upstream.place.organizer, device, isVouchedFor }
  return receiveFacts(parts, sender, { clock, live, facts })
}

let scans = 0

/** The fact of a scan by a station at 10:00, each a new one. */
export function scanOf(
  upstream: UpstreamNode,
  station: ReportingDevice,
  change: Partial<SentFact> = {},
): SentFact {
  scans += 1
  const nonce = `scan ${scans}`
  const { fact } = upstream.scanned({
    station: { ...station, site: change.site ?? station.site },
    position: null,
    secret: `code ${scans}`,
    clock: '10:00',
    nonce,
  })
  const row = { ...(fact.payload as { row: object }).row, successful: false, error_reason: 'invalid' }
  return { ...fact, payload: { row, secret: null }, ...change }
}

/** Some of them. */
export const scansOf = (upstream: UpstreamNode, station: ReportingDevice, count: number): SentFact[] =>
  Array.from({ length: count }, () => scanOf(upstream, station))

/** How many rows a table has. */
export async function rowsIn(
  db: Queryable,
  table: 'checkin' | 'outbox' | 'seen_fact' | 'quarantine' | 'audit',
) {
  const counts = {
    checkin: sql`SELECT count(*) AS count FROM checkin`,
    outbox: sql`SELECT count(*) AS count FROM outbox`,
    seen_fact: sql`SELECT count(*) AS count FROM seen_fact`,
    quarantine: sql`SELECT count(*) AS count FROM quarantine`,
    audit: sql`SELECT count(*) AS count FROM audit`,
  }
  const row = await db.get<{ count: number }>(counts[table])
  return Number(row?.count)
}

/** Each result in short: its status, and its reason if it has one. */
export const inShort = (results: readonly FactResult[]): string[] =>
  results.map(({ status, reason }) => (reason === undefined ? status : `${status} ${reason}`))
