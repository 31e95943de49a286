import Router from '@koa/router'
import Koa from 'koa'
import { resourceByName } from '../schema/resources/index.ts'
import { type Env, instantOf } from './env.ts'
import { answerDocs } from './http/api-docs.ts'
import { admissionsTo } from './http/authorize.ts'
import { checkAddress, noteStrangeAddress } from './http/body.ts'
import { type AnswerBounds, boundAnswers } from './http/connections.ts'
import { forwardUp } from './http/forward.ts'
import { keepToOwnOrigin, setHeaders } from './http/headers.ts'
import { answerOnce, type IdempotencyParts } from './http/idempotency.ts'
import { addLastSlash } from './http/last-slash.ts'
import type { Live } from './http/live.ts'
import { answerHealth, createTroubles, type HealthParts } from './http/monitoring/health.ts'
import { logScans } from './http/monitoring/scans.ts'
import { followTrace } from './http/monitoring/traces.ts'
import { limitRates } from './http/rate-limits.ts'
import { createBodyReader } from './http/receive-body.ts'
import { answerRefusals } from './http/refusals.ts'
import { serveScreens } from './http/static-files.ts'
import { endUnreadBodies } from './http/unread-bodies.ts'
import type { PageParts } from './http/visits.ts'
import type { BankImportRunner } from './jobs/bank-imports.ts'
import type { ExportRunner } from './jobs/run-exports.ts'
import type { ShreddingRunner } from './jobs/shredding.ts'
import type { Log } from './log.ts'
import type { Api, BodyReader } from './resource/api.ts'
import { type ApiRouter, answerEndpoints, createApiRouter } from './resource/endpoints.ts'
import type { Transactions } from './resource/transactions.ts'
import { serveTokens } from './routes/accounts/oauth-tokens.ts'
import { answerUserPages, redirectToUpstream } from './routes/accounts/user-pages.ts'
import { serveCheckinLists } from './routes/checkin/checkin-lists.ts'
import { serveCheckinRpc } from './routes/checkin/checkin-rpc.ts'
import { serveCheckins } from './routes/checkin/checkins.ts'
import { serveExporters } from './routes/operations/exporters.ts'
import { serveIdempotencyKeys } from './routes/operations/server-info.ts'
import { serveShredders } from './routes/operations/shredders.ts'
import { serveBankImports } from './routes/payments/bank-imports.ts'
import { serveResources } from './routes/registry.ts'
import { type SyncDownParts, servePing, serveSyncDown } from './routes/sync/down.ts'
import { serveSyncUp } from './routes/sync/up.ts'
import { serveUpdates } from './routes/sync/updates.ts'
import { OpenAttempts } from './services/operations/idempotency-keys.ts'
import { exchangeRates } from './services/operations/rate-use.ts'
import { requireStaffRights } from './station/staff-acts.ts'
import { serveStation } from './station/station-routes.ts'
import type { ShellState } from './station/station-state.ts'
import type { Sync } from './sync/node/sync.ts'
import type { ReleaseShelf } from './sync/updates/release-shelf.ts'
import type { Updater } from './sync/updates/updater.ts'

/** What the HTTP interface is made of. */
interface AppParts
  extends Pick<SyncDownParts, 'instant' | 'reach' | 'complete' | 'stopping'>,
    Pick<HealthParts, 'metrics' | 'metricsToken'> {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** The secret of this machine's own screens, or null where there are none. */
  readonly stationKey: string | null
  readonly live: Live
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
  /** What this server has to do with its upstream server; missing where only the routes are looked at. */
  readonly sync?: Sync
  /** What the shell has announced to the station, by name, which outlives a copy of the data. */
  readonly shellState?: ShellState
  /** See Config. */
  readonly rateLimit?: number
  /** See Config. */
  readonly behindProxy?: boolean
  /** See Config. */
  readonly publicUrl?: string
  /** See Config. */
  readonly answers?: AnswerBounds
  /** The updates that this server knows of, and its own; see startUpdates. */
  readonly shelf?: ReleaseShelf | null
  readonly updater?: Updater | null
  /** Carries out exports; missing where only the routes are looked at. */
  readonly exports?: ExportRunner
  /** Deletes personal data; missing where only the routes are looked at. */
  readonly shredding?: ShreddingRunner
  /** Carries out imports of bank statements; missing where only the routes are looked at. */
  readonly bankImports?: BankImportRunner
  /** See Api; on a node below another one. */
  readonly askForLeases?: Api['askForLeases']
  /** See Api. */
  readonly receiptSettled?: Api['receiptSettled']
  /** See Api. */
  readonly webhookNetworks?: Api['webhookNetworks']
}

/** With what the whole application has one of: what receives bodies, and what knows which attempts are under way. */
type ServedParts = AppParts & { readonly bodies: BodyReader; readonly openAttempts: OpenAttempts }

const servedOf = (parts: AppParts): ServedParts => ({
  ...parts,
  bodies: createBodyReader(parts.env),
  openAttempts: new OpenAttempts(parts.env.uuid()),
})

const apiOf = ({
  transactions,
  bodies,
  stationKey,
  askForLeases,
  receiptSettled,
  webhookNetworks,
  publicUrl,
  instant,
  env,
}: ServedParts): Api => ({
  ...(publicUrl === undefined ? {} : { publicUrl }),
  ...(askForLeases ? { askForLeases } : {}),
  ...(receiptSettled ? { receiptSettled } : {}),
  ...(webhookNetworks ? { webhookNetworks } : {}),
  transactions,
  bodies,
  catalogue: resourceByName,
  admissions: admissionsTo(transactions.database, stationKey, instant ?? (() => instantOf(env.now()))),
})

const pagesOf = ({ transactions, bodies, env, log, instant, publicUrl }: ServedParts): PageParts => ({
  transactions,
  bodies,
  log,
  now: instant ?? (() => instantOf(env.now())),
  randomBytes: (count) => env.randomBytes(count),
  ...(publicUrl === undefined ? {} : { publicUrl }),
})

const idempotencyOf = ({
  transactions,
  stationKey,
  log,
  env,
  instant,
  openAttempts,
}: ServedParts): IdempotencyParts => ({
  transactions,
  env,
  openAttempts,
  stationKey,
  log,
  now: instant ?? (() => instantOf(env.now())),
})

/** Every route of the HTTP interface. */
export const createRouter = (parts: AppParts): Router => createEndpoints(servedOf(parts)).koa

function createEndpoints(parts: ServedParts): ApiRouter {
  const { stationKey } = parts
  const router = createApiRouter(new Router(), apiOf(parts))
  // Routes are tried in their order, so the ones that users wait for come first.
  if (stationKey !== null) serveStation(router, { ...parts, stationKey })
  serveCheckinRpc(router)
  serveCheckinLists(router)
  serveCheckins(router)
  serveSyncDown(router, parts)
  serveSyncUp(router, parts)
  serveUpdates(router, parts)
  serveTokens(router)
  serveIdempotencyKeys(router, idempotencyOf(parts))
  serveResources(router)
  serveBankImports(router, parts.bankImports)
  serveShredders(router, { ...parts, instant: parts.instant ?? (() => instantOf(parts.env.now())) })
  serveExporters(router, { ...parts, instant: parts.instant ?? (() => instantOf(parts.env.now())) })
  return router
}

/** What several servers of one PostgreSQL need to count requests together. */
function sharingOf({ transactions: { database }, env, stopping }: AppParts) {
  if (database.engine === 'sqlite') return undefined
  const before = (milliseconds: number): string => instantOf(env.now() - milliseconds)
  return { exchange: exchangeRates(database, { self: env.uuid(), before }), env, stopping }
}

/** The HTTP interface: every middleware in its order, then the routes. */
export function createApp(described: AppParts): Koa {
  const parts = servedOf(described)
  const { env, log, stationKey } = parts
  const app = new Koa()
  app.silent = true
  app.proxy = parts.behindProxy ?? false
  app.maxIpsCount = 1
  app.use(endUnreadBodies(env, parts.bodies))
  app.use(noteStrangeAddress())
  app.use(followTrace)
  if (parts.metrics) app.use(parts.metrics.watch)
  app.use(setHeaders(parts.publicUrl))
  const troubles = createTroubles(env, log)
  app.use(logScans(log))
  app.use(answerRefusals(env, log, troubles.note))
  if (stationKey !== null) app.use(keepToOwnOrigin())
  app.use(answerHealth({ ...parts, troubles, database: parts.transactions.database }))
  app.use(boundAnswers(parts.answers))
  if (parts.rateLimit && stationKey === null) app.use(limitRates(parts.rateLimit, sharingOf(parts)))
  app.use(checkAddress())
  app.use(answerDocs())
  app.use(serveScreens(stationKey !== null))
  app.use(answerOnce(idempotencyOf(parts), answerRefusals(env, log, troubles.note)))
  if (stationKey !== null) app.use(requireStaffRights(parts.transactions, stationKey))
  if (parts.sync) app.use(forwardUp(parts.sync, { ...idempotencyOf(parts), bodies: parts.bodies, env }))
  if (parts.transactions.site === 0) app.use(answerUserPages(pagesOf(parts)))
  else app.use(redirectToUpstream(() => parts.sync?.upstream?.url ?? null))
  // Paths are compared one by one, so what users at an entrance wait for, and what every station asks for all day, is
  // asked about on its own before the rest.
  const first = createApiRouter(new Router(), apiOf(parts))
  serveCheckinRpc(first)
  servePing(first, parts)
  app.use(first.koa.routes())
  const endpoints = createEndpoints(parts)
  app.use(answerEndpoints(endpoints))
  app.use(addLastSlash(endpoints.koa))
  return app
}
