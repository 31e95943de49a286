import sql from 'sql-template-tag'
import type { FactKind, SentFact } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { instantOf } from '../../../server/env.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { type Clock, createClock } from '../../../server/sync/clock/clock.ts'
import type { Applied, ApplyContext } from '../../../server/sync/receive/applier.ts'
import { appliers } from '../../../server/sync/receive/receive.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import { addDevice, addGate, addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'

/** A station below the server under test. */
export interface ReportingDevice {
  readonly device: number
  readonly site: number
}

/** What a test says of a scan that a station has made. */
export interface ReportedScan {
  readonly station: ReportingDevice
  readonly position: number | null
  readonly secret: string | null
  /** `HH:MM` or `HH:MM:SS` of the day. */
  readonly clock: string
  readonly nonce: string
  readonly row?: RowData
  readonly context?: Partial<ApplyContext>
  readonly payload?: RowData
}

/** A server with an event, to which two stations tell what happened there. */
export interface UpstreamNode {
  readonly transactions: Transactions
  readonly database: Database
  readonly env: HandEnv
  readonly clock: Clock
  readonly place: Place
  readonly item: number
  readonly list: number
  readonly gate: number
  readonly north: ReportingDevice
  readonly south: ReportingDevice
  sell(secret: string, position?: RowData, order?: RowData): Promise<{ id: number; order: number }>
  /** The fact of a scan; each has its own id in the range of its station. */
  scanned(scan: ReportedScan): { fact: SentFact; context: Partial<ApplyContext> }
  /** Applies a fact as if it had just been told. */
  apply(fact: SentFact, context?: Partial<ApplyContext>): Promise<Applied>
  tell(scan: ReportedScan): Promise<Applied>
  /** A fact of another kind. */
  fact(kind: FactKind, station: ReportingDevice, payload: RowData): SentFact
  /** The contradictions that are kept, in short. */
  conflicts(): Promise<string[]>
  close(): Promise<void>
}

export const dayAt = (clock: string): string => `2030-06-01T${clock.padEnd(8, ':00')}.000000Z`

const siteSpan = 2 ** 32

/** Opens such a server on a database, its clock at 10:00 of the day of the event. */
export async function openUpstreamNode(database: Database, site = 0): Promise<UpstreamNode> {
  const env = makeHandEnv()
  if (site > 0) {
    const before = await openData(database, env)
    await before.database.run(sql`UPDATE node SET site = ${site} WHERE id = 1`)
  }
  const clock = createClock(env, 'boot of the node')
  const transactions = await openData(database, env, clock)
  const write: Transactions['write'] = (work) => transactions.write(work)
  const made = await write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
    return {
      place,
      item: await addItem(tx, place, 'Day ticket'),
      list: await addList(tx, place, 'Main'),
      gate: await addGate(tx, organizer, 'North gate'),
      north: { device: await addDevice(tx, organizer, 1, 'North', { site: 101, site_end: 102 }), site: 101 },
      south: { device: await addDevice(tx, organizer, 2, 'South', { site: 102, site_end: 103 }), site: 102 },
    }
  })
  const { place } = made
  let counted = 0

  const actorOf = (device: number): Actor => ({
    kind: 'device',
    id: device,
    name: String(device),
    organizer: place.organizer,
    permissions: new Set(),
    allEvents: true,
    events: new Set(),
    device: { id: device, gate: null, profile: 'full' },
  })

  const fact = (kind: FactKind, station: ReportingDevice, payload: RowData): SentFact => {
    counted += 1
    return {
      nonce: `fact ${counted}`,
      kind,
      event: kind === 'device' ? 0 : place.event,
      site: station.site,
      site_seq: counted,
      device: station.device,
      device_time: instantOf(env.now()),
      mono: 0,
      boot: 'boot',
      clock_offset: 0,
      payload,
    }
  }

  const scanned: UpstreamNode['scanned'] = (scan) => {
    const { station } = scan
    const at = dayAt(scan.clock)
    const reported = fact('checkin', station, {})
    const row = {
      id: station.site * siteSpan + reported.site_seq,
      successful: true,
      error_reason: null,
      position: scan.position,
      list: made.list,
      datetime: at,
      created: at,
      type: 'entry',
      gate: null,
      device: station.device,
      nonce: scan.nonce,
      raw_barcode: scan.secret,
      raw_source_type: 'barcode',
      ordinal: reported.site_seq,
      site: station.site,
      ...scan.row,
    }
    const payload = { row, secret: scan.secret, ...scan.payload }
    return { fact: { ...reported, payload }, context: { at, ...scan.context } }
  }

  const apply: UpstreamNode['apply'] = (one, context = {}) =>
    write(async (tx) => {
      const whole: ApplyContext = {
        at: tx.now,
        uncertain: false,
        skew: null,
        actor: actorOf(one.device ?? 0),
        place: { organizer: place.organizer, event: one.event },
        sender: { device: one.device ?? 0, site: one.site },
        upstream: site > 0,
        ...context,
      }
      const applier = appliers[one.kind]
      if (!applier) throw new Error(`Nobody applies ${one.kind}.`)
      return applier(tx, whole, one)
    })

  return {
    transactions,
    database,
    env,
    clock,
    ...made,
    sell: (secret, position = {}, order = {}) =>
      write(async (tx) => {
        const sold = await addOrder(tx, place, [{ item: made.item, secret, ...position }], order)
        return { id: Number(sold.positions[0]), order: sold.id }
      }),
    scanned,
    apply,
    tell(scan) {
      const reported = scanned(scan)
      return apply(reported.fact, reported.context)
    },
    fact,
    async conflicts() {
      const rows = await database.all<{ kind: string; lost: string | null; won: string | null }>(
        sql`SELECT conflict.kind AS kind, lost.nonce AS lost, won.nonce AS won FROM conflict
            LEFT JOIN checkin lost ON lost.organizer = conflict.organizer AND lost.id = conflict.checkin
            LEFT JOIN checkin won ON won.organizer = conflict.organizer AND won.id = conflict.other_checkin`,
      )
      return rows
        .map(({ kind, lost, won }) => [kind, lost, won].filter((word) => word !== null).join(' '))
        .sort()
    },
    close: () => database.close(),
  }
}
