import type { Where } from '../../../schema/actions/action.ts'
import { syncChanges, syncJoin, syncLive, syncPing, syncSnapshot } from '../../../schema/actions/sync-down.ts'
import { type Joined, oldestProtocol, type Ping, protocol } from '../../../schema/sync.ts'
import { type Env, instantOf } from '../../env.ts'
import type { Live } from '../../http/live.ts'
import type { Metrics } from '../../http/monitoring/metrics.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, admitting, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import type { Query } from '../../resource/query.ts'
import { giveSite } from '../../services/devices/sites.ts'
import { organizerBySlug, requireHere } from '../../services/events/events.ts'
import { epochOf } from '../../services/operations/restored-database.ts'
import type { Database } from '../../storage/database.ts'
import { Followers } from '../../sync/feed/followers.ts'
import { createPages, type PageSent } from '../../sync/feed/pages.ts'
import { createSnapshotAdmissions } from '../../sync/feed/snapshot-admission.ts'
import { feedViewOf, gone, isSameView } from '../../sync/feed/view.ts'
import { type FeedWatch, watchFeeds } from '../../sync/feed/watch.ts'
import { admittingDevices, checkProtocol, numberBetween, textIn, withOrders } from './access.ts'
import { serveFindGuest } from './guests.ts'
import { createOpenStreams, openFeedStream } from './live.ts'
import { sendSnapshot } from './snapshot.ts'

/** What nodes below this one are served with. */
export interface SyncDownParts {
  readonly env: Env
  readonly live: Live
  readonly metrics?: Metrics
  /** The time as this node knows it, corrected where there is an upstream server; else the machine's. */
  readonly instant?: () => string
  /** Whether this node itself reaches the top; else it is the top if it made its data, and offline if not. */
  readonly reach?: () => Ping['upstream']
  /** Whether this node has held everything that the top has, since it started; see Ping. */
  readonly complete?: () => boolean | null
  /** Aborted when this copy of the data is about to be closed: all who wait are let go. */
  readonly stopping?: AbortSignal
}

/** How many snapshots are given at a time. */
const snapshotsAtOnce = 2
const rowsAtMost = 2000
const rowsUsually = 1000
const longestWait = 25

/** Answers with the time and how far this node reaches: what each node below asks for every few seconds. */
export function servePing(
  router: ApiRouter,
  { env, instant, reach, complete }: Pick<SyncDownParts, 'env' | 'instant' | 'reach' | 'complete'>,
): void {
  const { database, site } = router.api.transactions
  const now = instant ?? (() => instantOf(env.now()))
  const reached = reach ?? (() => (site === 0 ? 'top' : 'alone'))
  // On PostgreSQL several programs may serve the same data, and none of their starts says anything about it.
  const boot = database.engine === 'sqlite' ? env.uuid() : null
  const { admit } = admittingDevices(router)
  // The time is noted before anything else is looked at.
  const timed = admitting<Record<Where, { readonly received: string; readonly organizer: number }>>(
    router,
    async (ctx, where, needs) => {
      const received = now()
      await admit(ctx, where, needs)
      const organizer = await organizerBySlug(database, String(ctx.params.organizer))
      return { received, organizer: organizer?.id ?? 0 }
    },
  )
  serveRead(timed, syncPing, async ({ received, organizer }, db) => {
    const epoch = await epochOf(db, organizer)
    const whole = complete?.()
    return {
      protocol,
      oldest_protocol: oldestProtocol,
      epoch,
      received,
      sent: now(),
      upstream: reached(),
      ...(boot === null ? {} : { boot }),
      ...(typeof whole === 'boolean' ? { complete: whole } : {}),
    } satisfies Ping
  })
}

/** Serves what nodes below this one follow it by: joining, the time, changes, a first copy, and a sign of news. */
export function serveSyncDown(router: ApiRouter, parts: SyncDownParts): void {
  const { env, live } = parts
  const { database } = router.api.transactions
  const now = parts.instant ?? (() => instantOf(env.now()))
  const watch = watchFeeds(router.api.transactions, env)
  live.onClose(() => watch.stop())
  parts.stopping?.addEventListener('abort', () => watch.stop(), { once: true })
  const followers = new Followers(env)
  const nextPage = pageReader({ database, env, watch })
  const admissions = createSnapshotAdmissions(env, snapshotsAtOnce)
  const streams = createOpenStreams()
  parts.metrics?.lookUp('station_streams', () => streams.count)
  parts.metrics?.lookUp('stations_current', () => followers.count(false))
  parts.metrics?.lookUp('stations_behind', () => followers.count(true))
  const devices = admittingDevices(router)

  serveAction(
    devices,
    syncJoin,
    async ({ actor, organizer, body }, tx) => {
      const version = checkProtocol(body.protocols)
      return { version, given: await giveSite(tx, actor, organizer.id, body) }
    },
    async ({ actor, organizer }, { version, given }, db) =>
      ({
        protocol: version,
        organizer,
        device: { id: actor.id, device_id: given.row.device_id, name: given.row.name },
        security_profile: given.row.security_profile,
        site: given.site,
        site_end: given.site_end,
        epoch: await epochOf(db, organizer.id),
        now: now(),
      }) satisfies Joined,
  )

  servePing(router, parts)
  serveFindGuest(devices)

  serveRaw(devices, syncChanges, async (request, ctx) => {
    const left = new AbortController()
    ctx.res.once('close', () => left.abort())
    ctx.type = 'application/json'
    const page = await nextPage(request, left.signal)
    followers.note(request.actor.id, page.hasMore)
    return page.text
  })

  serveRaw(devices, syncSnapshot, async ({ actor, organizer, query }, ctx) => {
    const epoch = await epochOf(database, organizer.id)
    refuseOtherEpoch(query, epoch)
    const view = await feedViewOf(database, organizer.id, actor.id, withOrders(query))
    await sendSnapshot(ctx, { db: database, env, watch, admissions, view, epoch })
  })

  serveRaw(devices, syncLive, async ({ actor, organizer, query }, ctx) => {
    const orders = withOrders(query)
    const view = async () => {
      await requireHere(database, organizer.id)
      return feedViewOf(database, organizer.id, actor.id, orders)
    }
    await openFeedStream(ctx, { db: database, env, watch, device: actor.id, streams, view })
  })
}

/** Reads the next page for a device, waiting as long as it asks for news. */
function pageReader({ database, env, watch }: { database: Database; env: Env; watch: FeedWatch }) {
  const pages = createPages()
  return async (
    { actor, organizer: { id: organizer }, query }: Scope & { readonly query: Query },
    left: AbortSignal,
  ): Promise<PageSent> => {
    const device = actor.id
    const orders = withOrders(query)
    const asked = {
      after: textIn(query, 'after') ?? '',
      limit: numberBetween(query, 'limit', { least: 1, most: rowsAtMost, usual: rowsUsually }),
    }
    const until =
      env.elapsed() + 1000 * numberBetween(query, 'wait', { least: 0, most: longestWait, usual: 0 })
    for (;;) {
      await requireHere(database, organizer)
      const view = await feedViewOf(database, organizer, device, orders)
      const watching = watch.watchFor(
        (touched) =>
          touched.has(organizer, 0) || [...view.events.keys()].some((event) => touched.has(organizer, event)),
      )
      try {
        const epoch = await epochOf(database, organizer)
        refuseOtherEpoch(query, epoch)
        const page = await pages.read(database, view, epoch, asked)
        // Rights may have been taken away while it was read: nothing from after that is sent.
        if (!page.isEmpty && !isSameView(view, await feedViewOf(database, organizer, device, orders)))
          continue
        const rest = until - env.elapsed()
        if (!page.isEmpty || rest <= 0 || !(await watching.within(rest, left))) return page
      } finally {
        watching.end()
      }
    }
  }
}

function refuseOtherEpoch(query: Query, epoch: string): void {
  const known = textIn(query, 'epoch')
  if (known !== undefined && known !== epoch)
    throw gone(
      'epoch',
      'The data of this server was restored from a backup or replaced. The device needs to be loaded anew.',
    )
}
