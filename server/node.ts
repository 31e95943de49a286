import type { IncomingMessage, ServerResponse } from 'node:http'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openData } from './data.ts'
import { exportPlaces, folderIn, mailRoute } from './data-address.ts'
import type { Env } from './env.ts'
import type { Live } from './http/live.ts'
import type { Metrics } from './http/monitoring/metrics.ts'
import { startBankImports } from './jobs/bank-imports.ts'
import { openMailer } from './jobs/mailer.ts'
import { startMails } from './jobs/mails.ts'
import { type ExportRunner, startExports } from './jobs/run-exports.ts'
import { startJobs } from './jobs/runner.ts'
import { startShredding } from './jobs/shredding.ts'
import { startSigning } from './jobs/sign-receipts.ts'
import { startWebhooks } from './jobs/webhooks.ts'
import type { Log } from './log.ts'
import type { Transactions } from './resource/transactions.ts'
import type { ShellState } from './station/station-state.ts'
import type { Database } from './storage/database.ts'
import type { Clock } from './sync/clock/clock.ts'
import { noteStart } from './sync/feed/starts.ts'
import { startSync } from './sync/node/start-sync.ts'
import type { Sync } from './sync/node/sync.ts'
import type { Host } from './sync/renewal/renewal.ts'
import { deleteSecurely } from './sync/replica/retention.ts'
import { startUpdates } from './updates.ts'
import { version } from './version.ts'

/** What stays when a node is replaced by another one. */
export interface Ground {
  readonly config: Config
  readonly env: Env
  readonly log: Log
  readonly live: Live
  readonly metrics: Metrics
  readonly clock: Clock
  /** What the shell has announced to the station, by name. */
  readonly shellState: ShellState
}

/** The server on one copy of the data: what answers requests, does what is due, and follows the upstream server. */
export interface Node {
  readonly database: Database
  readonly transactions: Transactions
  readonly sync: Sync
  /** Answers a request; to be given to an HTTP server. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Stops jobs and sync, and lets go of everybody below who waits; requests are still answered. */
  pause(): Promise<void>
  /** Gives everything back. Paused before. */
  close(): Promise<void>
}

const wentBack = 'database server is another one or went back: everybody below loads anew and reports again'

/** Opens a node on a database; it works until it is paused. */
export async function openServingNode(ground: Ground, database: Database, host: Host): Promise<Node> {
  const { config, env, log, live, metrics, clock, shellState } = ground
  const folder = folderIn(config.database)
  const transactions = await openData(database, env, clock, () => log.warn(wentBack))
  // What leaves a machine that stands at an entrance is not to be found on its disk.
  if (transactions.site > 0 && database.engine === 'sqlite') await deleteSecurely(database)
  await noteStartIfPossible(database, ground)
  const stopping = new AbortController()
  const sync = await startSync({
    transactions,
    env,
    log,
    clock,
    host,
    folder,
    softwareVersion: version,
    pairing: config.upstream ?? null,
  })
  const updates = await startUpdates({ ...ground, database, sync, now: () => Date.parse(clock.instant()) })
  watchBy(metrics, { database, live, sync })
  const places = exportPlaces(config)
  const exports = startExports({ transactions, env, log, instant: clock.instant, ...places })
  const bankImports = startBankImports(transactions, env, log)
  const shredding = startShredding(transactions, env, log)
  const signing = await startSigning({ transactions, env, log })
  const app = createApp({
    ...appSettings(config),
    transactions,
    exports,
    bankImports,
    shredding,
    env,
    log,
    live,
    metrics,
    folder,
    sync,
    shellState,
    ...updates.served,
    instant: clock.instant,
    reach: () => sync.reach,
    complete: () => sync.isComplete,
    askForLeases: (place, needs) => sync.provideLeases(place, needs),
    receiptSettled: (receipt) => signing.settled(receipt),
    stopping: stopping.signal,
  })
  const stopWork = startJobsAndMails(ground, transactions, exports)
  return {
    database,
    transactions,
    sync,
    answer: app.callback(),
    async pause() {
      stopping.abort()
      await Promise.all([signing.stop(), updates.stop()])
      await Promise.all([stopWork(), exports.stop(), bankImports.stop(), shredding.stop(), sync.stop()])
    },
    async close() {
      // Numbers that a full disk does not take back are never given to anything.
      await transactions
        .release()
        .catch((cause: unknown) => log.warn('numbers not given back', { why: String(cause) }))
      await database.close()
    },
  }
}

/** A full disk is no reason not to start: this start then counts as the one before. */
const noteStartIfPossible = (database: Database, { env, log }: Ground): Promise<void> =>
  noteStart(database, env.uuid().slice(0, 13)).catch((cause: unknown) =>
    log.warn('start not noted', { why: String(cause) }),
  )

/** Has the metrics measure the database, and look up what only a node knows. */
function watchBy(
  metrics: Metrics,
  { database, live, sync }: Pick<Node, 'database' | 'sync'> & Pick<Ground, 'live'>,
): void {
  database.timeBy?.(metrics.timing)
  metrics.lookUp('screens', () => live.listeners)
  metrics.lookUp('data_age_seconds', async () => (await sync.status()).data_age)
}

/** What of the configuration the application goes by. */
const appSettings = (config: Config) => ({
  stationKey: config.stationKey,
  ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
  ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
  ...(config.rateLimit === undefined ? {} : { rateLimit: config.rateLimit }),
  ...(config.answers === undefined ? {} : { answers: config.answers }),
  behindProxy: config.behindProxy ?? config.publicUrl?.startsWith('https:') ?? false,
  webhookNetworks: config.webhookNetworks ?? [],
})

/** Starts jobs, mails and webhooks; what stops them. */
function startJobsAndMails(
  { config, env, log, metrics }: Ground,
  transactions: Transactions,
  exports: ExportRunner,
): () => Promise<void> {
  const stopJobs = startJobs({ transactions, env, log, exports, timeJob: metrics.timeJob })
  const route = mailRoute(config)
  const stopMails = startMails({
    transactions,
    env,
    log,
    mailer: route && openMailer(route),
    from: config.mail?.from ?? 'gatehouse@localhost',
    pathOfExport: exports.pathOf,
  })
  const stopWebhooks = startWebhooks(transactions, env, log, config.webhookNetworks ?? [])
  return async () => {
    await Promise.all([stopJobs(), stopWebhooks(), stopMails()])
  }
}
