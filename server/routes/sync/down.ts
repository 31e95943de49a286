import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { joinBody } from '../../../schema/bodies/sync.ts'
import { type Join, type Joined, oldestProtocol, type Ping, protocol } from '../../../schema/sync.ts'
import { type Env, instantOf } from '../../env.ts'
import type { Live } from '../../http/live.ts'
import type { Api } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { check } from '../../resource/input.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { giveSite } from '../../services/devices/sites.ts'
import { createPages, type PageSent } from '../../sync/feed/pages.ts'
import { createSnapshotAdmissions } from '../../sync/feed/snapshot-admission.ts'
import { gone, isSameView, viewOf } from '../../sync/feed/view.ts'
import { watchFeeds } from '../../sync/feed/watch.ts'
import {
  askerOf,
  checkProtocol,
  devicesOnly,
  epochOf,
  markAnswers,
  numberBetween,
  textIn,
  withOrders,
} from './access.ts'
import { openFeedStream } from './live.ts'
import { sendSnapshot } from './snapshot.ts'

/** What nodes below this one are served with. */
export interface SyncDownParts {
  readonly env: Env
  readonly live: Live
  /** The time as this node knows it, corrected where there is a server above; else the machine's. */
  readonly instant?: () => string
  /** Whether this node itself reaches the top; else it is the top if it made its data, and alone if not. */
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

const base = '/api/v1/organizers/:organizer/sync/'

const guards = (api: Api) => [markAnswers(), api.admit('organizer', null), devicesOnly()] as const

/** Answers with the time and how far this node reaches: what each node below asks for every few seconds. */
export function servePing(
  router: Router,
  api: Api,
  { env, instant, reach, complete }: Pick<SyncDownParts, 'env' | 'instant' | 'reach' | 'complete'>,
): void {
  const { database, site } = api.transactions
  const now = instant ?? (() => instantOf(env.now()))
  const reached = reach ?? (() => (site === 0 ? 'top' : 'alone'))
  // On PostgreSQL several programs may serve the same data, and none of their starts says anything about it.
  const boot = database.engine === 'sqlite' ? env.uuid() : null
  const noteTime: Middleware = (ctx, next) => {
    ctx.state.received = now()
    return next()
  }
  router.get(`${base}ping/`, noteTime, ...guards(api), async (ctx) => {
    const epoch = await epochOf(database)
    const whole = complete?.()
    ctx.body = {
      protocol,
      oldest_protocol: oldestProtocol,
      epoch,
      received: ctx.state.received,
      sent: now(),
      upstream: reached(),
      ...(boot === null ? {} : { boot }),
      ...(typeof whole === 'boolean' ? { complete: whole } : {}),
    } satisfies Ping
  })
}

/** Serves what nodes below this one follow it by: joining, the time, changes, a first copy, and a sign of news. */
export function serveSyncDown(router: Router, api: Api, parts: SyncDownParts): void {
  const { env, live } = parts
  const { database } = api.transactions
  const now = parts.instant ?? (() => instantOf(env.now()))
  const watch = watchFeeds(api.transactions, env)
  live.onClose(() => watch.stop())
  parts.stopping?.addEventListener('abort', () => watch.stop(), { once: true })
  const pages = createPages()
  const admissions = createSnapshotAdmissions(env, snapshotsAtOnce)
  const own = guards(api)

  router.post(`${base}join/`, ...own, async (ctx) => {
    const { organizer, actor } = askerOf(ctx)
    const body = bodyOf(ctx)
    check(joinBody, body)
    const joining = body as Join
    const version = checkProtocol(joining.protocols)
    const given = await api.transactions.write((tx) => giveSite(tx, actor, organizer, joining))
    const { row } = given
    ctx.body = {
      protocol: version,
      organizer: ctx.state.scope.organizer,
      device: { id: actor.id, device_id: Number(row.device_id), name: String(row.name) },
      security_profile: String(row.security_profile),
      site: given.site,
      site_end: given.site_end,
      epoch: await epochOf(database),
      now: now(),
    } satisfies Joined
  })

  servePing(router, api, parts)

  router.get(`${base}changes/`, ...own, async (ctx) => {
    ctx.type = 'application/json'
    ctx.body = (await nextPage(ctx)).text
  })

  /** The next page for a device, waited for as long as it asks. */
  async function nextPage(ctx: Context): Promise<PageSent> {
    const { organizer, device } = askerOf(ctx)
    const orders = withOrders(ctx)
    const asked = {
      after: textIn(ctx, 'after') ?? '',
      limit: numberBetween(ctx, 'limit', 1, rowsAtMost, rowsUsually),
    }
    const until = env.elapsed() + 1000 * numberBetween(ctx, 'wait', 0, longestWait, 0)
    const left = new AbortController()
    ctx.res.once('close', () => left.abort())
    for (;;) {
      const view = await viewOf(database, organizer, device, orders)
      const watching = watch.watchFor(
        (touched) =>
          touched.has(organizer, 0) || [...view.events.keys()].some((event) => touched.has(organizer, event)),
      )
      try {
        const epoch = await epochOf(database)
        refuseOtherEpoch(ctx, epoch)
        const page = await pages.read(database, view, epoch, asked)
        // Rights may have been taken away while it was read: nothing from after that is sent.
        if (!page.isEmpty && !isSameView(view, await viewOf(database, organizer, device, orders))) continue
        const rest = until - env.elapsed()
        if (!page.isEmpty || rest <= 0 || !(await watching.within(rest, left.signal))) return page
      } finally {
        watching.end()
      }
    }
  }

  router.get(`${base}snapshot/`, ...own, async (ctx) => {
    const { organizer, device } = askerOf(ctx)
    const epoch = await epochOf(database)
    refuseOtherEpoch(ctx, epoch)
    const view = await viewOf(database, organizer, device, withOrders(ctx))
    await sendSnapshot(ctx, { db: database, env, watch, admissions, view, epoch })
  })

  router.get(`${base}live/`, ...own, async (ctx) => {
    const { organizer, device } = askerOf(ctx)
    const orders = withOrders(ctx)
    await openFeedStream(ctx, {
      db: database,
      env,
      watch,
      view: () => viewOf(database, organizer, device, orders),
    })
  })

  for (const path of ['join/', 'ping/', 'changes/', 'snapshot/', 'live/'])
    router.all(base + path, ...own, (ctx) => refuseMethod(ctx))
}

function refuseOtherEpoch(ctx: Context, epoch: string): void {
  const known = textIn(ctx, 'epoch')
  if (known !== undefined && known !== epoch)
    throw gone(
      'epoch',
      'The data of this server was restored from a backup or replaced. The device needs to be loaded anew.',
    )
}
