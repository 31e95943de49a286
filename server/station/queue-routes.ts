import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import {
  stationQuarantineApply,
  stationQuarantineList,
  stationQueueExport,
  stationQueueImport,
  stationQueueList,
  stationQueueRetry,
} from '../../schema/actions/station.ts'
import type { QueueState } from '../../schema/station-link.ts'
import { type Env, instantOf } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Actor } from '../resource/actor.ts'
import { serveRaw, serveRead, wantedOf } from '../resource/endpoints.ts'
import type { Transactions } from '../resource/transactions.ts'
import { stationActor } from '../services/devices/station-settings.ts'
import type { Queryable } from '../storage/database.ts'
import { importTransfer } from '../sync/node/import-transfer.ts'
import type { Sync } from '../sync/node/sync.ts'
import { retryNow } from '../sync/outbox/outbox.ts'
import { shownFacts } from '../sync/outbox/parked.ts'
import { transferLines } from '../sync/outbox/transfer-file.ts'
import { transferHead } from '../sync/outbox/transfer-head.ts'
import { decideQuarantine } from '../sync/receive/decide-quarantine.ts'
import { quarantined } from '../sync/receive/quarantine.ts'
import type { StationRouter } from './station-router.ts'

/** What the station's own view of what it tells needs. */
interface StationQueueParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** What this machine has to do with its upstream server; missing where only the routes are looked at. */
  readonly sync?: Sync
}

/** The organizer that a station works for, and whether others tell it what happens. */
interface Here {
  readonly id: number
  readonly slug: string
  readonly role: 'station' | 'hub' | 'top'
}

const states: readonly QueueState[] = ['waiting', 'parked', 'done']

/**
 * Serves what this machine has not reported yet: the list, reporting it again, taking it along in a file and bringing
 * one.
 */
export function serveStationQueue(router: StationRouter, parts: StationQueueParts): void {
  const { transactions, env, sync } = parts
  const { database, site } = transactions

  serveRead(router, stationQueueList, async (request, db) => {
    const { page, query } = request
    const state = states.find((one) => one === query.state) ?? null
    const { count, results } = await shownFacts(db, state, page)
    return request.pageOf(count, results)
  })

  serveRaw(router, stationQueueRetry, async ({ body: { nonces = null } }) => {
    const count = await database.transaction((tx) => retryNow(tx, nonces))
    sync?.pushNow()
    return { count }
  })

  serveRaw(router, stationQueueExport, async ({ query }, ctx) => {
    const exported = instantOf(env.now())
    const clocks = sync?.clock.stamp() ?? { deviceTime: exported, mono: 0, boot: '', clockOffset: null }
    const head = await transferHead(database, site, exported, clocks)
    const name = `gatehouse-${head.organizer}-${site}-${exported.slice(0, 19).replaceAll(/[^0-9]/g, '')}.ndjson`
    ctx.set('Content-Type', 'application/x-ndjson')
    ctx.set('Content-Disposition', `attachment; filename="${name}"`)
    return Readable.from(transferLines(database, head, query.all === 'true'))
  })

  serveRaw(router, stationQueueImport, async (_, ctx) => {
    const here = await receiver(database)
    const bytes = await router.api.bodies.unpacked(ctx, wantedOf(router, stationQueueImport))
    const imported = await importTransfer(parts, here, await actorAt(database, here), bytes)
    sync?.pushNow()
    return imported
  })

  serveRead(router, stationQuarantineList, async (request, db) => {
    const here = await receiver(db)
    const { count, facts } = await quarantined(db, here.id, 'waiting', request.page)
    return request.pageOf(count, facts)
  })

  serveRaw(router, stationQuarantineApply, async ({ body: { action, nonces = null } }) => {
    const here = await receiver(database)
    return decideQuarantine(parts, here.id, await actorAt(database, here), { action, nonces })
  })
}

/** This machine as one that others report to; 409 where nobody does. */
async function receiver(db: Queryable): Promise<Here> {
  const upstream = await db.get<Here>(sql`SELECT organizer AS id, slug, role FROM upstream WHERE id = 1`)
  const here = upstream ?? (await top(db))
  if (here?.role === 'hub' || here?.role === 'top') return here
  throw new Refusal(409, {
    detail: 'Only a hub or the central server can take this in. Bring the file there.',
  })
}

async function top(db: Queryable): Promise<Here | undefined> {
  const settings = await stationActor(db)
  if (!settings) return undefined
  return db.get<Here>(
    sql`SELECT id, slug, 'top' AS role FROM organizer WHERE id = ${Number(settings.organizer)}`,
  )
}

/** The screens of this machine, also before it was set up to scan. */
const actorAt = async (db: Queryable, here: Here): Promise<Actor> =>
  (await stationActor(db)) ?? {
    kind: 'station',
    id: 0,
    name: 'This machine',
    organizer: here.id,
    permissions: new Set(),
    allEvents: true,
    events: new Set(),
    device: null,
  }
