import { Readable } from 'node:stream'
import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import sql from 'sql-template-tag'
import { quarantineDecisionBody, queueRetryBody } from '../../schema/bodies/facts.ts'
import type { QueueState } from '../../schema/station-link.ts'
import { type Env, instantOf } from '../env.ts'
import { Refusal } from '../errors.ts'
import { readLargeBody } from '../http/large-body.ts'
import type { Log } from '../log.ts'
import type { Actor } from '../resource/actor.ts'
import { addressOf, bodyOf } from '../resource/endpoints.ts'
import { check } from '../resource/input.ts'
import { pageBody, pageOf } from '../resource/pages.ts'
import { refuseMethod } from '../resource/routes.ts'
import type { Transactions } from '../resource/transactions.ts'
import { stationActor } from '../services/devices/station-settings.ts'
import type { Sync } from '../sync/node/sync.ts'
import { retryNow } from '../sync/outbox/outbox.ts'
import { shownFacts } from '../sync/outbox/parked.ts'
import { largestTransfer, transferLines } from '../sync/outbox/transfer-file.ts'
import { transferHead } from '../sync/outbox/transfer-head.ts'
import { decideQuarantine, type QuarantineDecision } from '../sync/receive/decide-quarantine.ts'
import { importTransfer } from '../sync/receive/import-transfer.ts'
import { quarantined, quarantineShown } from '../sync/receive/quarantine.ts'

/** What the station's own view of what it tells needs. */
export interface StationQueueParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** What this machine has to do with the server above it; missing where only the routes are looked at. */
  readonly sync?: Sync
}

/** The organizer that a station works for, and whether others tell it what happens. */
interface Here {
  readonly id: number
  readonly slug: string
  readonly role: 'station' | 'hub' | 'top'
}

const states: readonly QueueState[] = ['waiting', 'parked', 'done']

/** Serves what this machine has not told yet: the list, telling it again, taking it along in a file and bringing one. */
export function serveStationQueue(
  router: Router,
  base: string,
  own: Middleware,
  parts: StationQueueParts,
): void {
  const { transactions, env, sync } = parts
  const { database, site } = transactions

  router.get(base, own, async (ctx) => {
    const page = pageOf(ctx.query)
    const state = states.find((one) => one === ctx.query.state) ?? null
    const { count, results } = await shownFacts(database, state, page)
    ctx.body = pageBody(addressOf(ctx), page, count, results)
  })

  router.post(`${base}retry/`, own, async (ctx) => {
    check(queueRetryBody, bodyOf(ctx))
    const { nonces } = bodyOf(ctx) as { nonces?: readonly string[] | null }
    const count = await database.transaction((tx) => retryNow(tx, nonces ?? null))
    sync?.pushNow()
    ctx.body = { count }
  })

  router.get(`${base}export/`, own, async (ctx) => {
    const exported = instantOf(env.now())
    const clocks = sync?.clock.stamp() ?? { deviceTime: exported, mono: 0, boot: '', clockOffset: null }
    const head = await transferHead(database, site, exported, clocks)
    const name = `gatehouse-${head.organizer}-${site}-${exported.slice(0, 19).replaceAll(/[^0-9]/g, '')}.ndjson`
    ctx.set('Content-Type', 'application/x-ndjson')
    ctx.set('Content-Disposition', `attachment; filename="${name}"`)
    ctx.body = Readable.from(transferLines(database, head, ctx.query.all === 'true'))
  })

  router.post(`${base}import/`, own, async (ctx) => {
    const here = await receiver()
    ctx.body = await importTransfer(parts, here, await actor(here), await readLargeBody(ctx, largestTransfer))
    sync?.pushNow()
  })

  router.get(`${base}quarantine/`, own, async (ctx) => {
    const here = await receiver()
    const page = pageOf(ctx.query)
    const { count, facts } = await quarantined(database, here.id, 'waiting', page)
    ctx.body = pageBody(addressOf(ctx), page, count, facts.map(quarantineShown))
  })

  router.post(`${base}quarantine/apply/`, own, async (ctx) => {
    const body = bodyOf(ctx)
    check(quarantineDecisionBody, body)
    const here = await receiver()
    const { action, nonces } = body as { action: QuarantineDecision['action']; nonces?: string[] | null }
    const decision = { action, nonces: nonces ?? null }
    ctx.body = await decideQuarantine(parts, here.id, await actor(here), decision)
  })

  /** This machine as one that others tell things; 409 where nobody does. */
  async function receiver(): Promise<Here> {
    const above = await database.get<Here>(sql`SELECT organizer AS id, slug, role FROM upstream WHERE id = 1`)
    const here = above ?? (await top())
    if (here?.role === 'hub' || here?.role === 'top') return here
    throw new Refusal(409, {
      detail: 'Only a hub or the central server can take this in. Bring the file there.',
    })
  }

  async function top(): Promise<Here | undefined> {
    const settings = await stationActor(database)
    if (!settings) return undefined
    return database.get<Here>(
      sql`SELECT id, slug, 'top' AS role FROM organizer WHERE id = ${Number(settings.organizer)}`,
    )
  }

  /** The screens of this machine, also before it was set up to scan. */
  const actor = async (here: Here): Promise<Actor> =>
    (await stationActor(database)) ?? {
      kind: 'station',
      id: 0,
      name: 'This machine',
      organizer: here.id,
      permissions: new Set(),
      allEvents: true,
      events: new Set(),
      device: null,
    }

  for (const path of ['', 'retry/', 'export/', 'import/', 'quarantine/', 'quarantine/apply/'])
    router.all(base + path, own, (ctx: Context) => refuseMethod(ctx))
}
