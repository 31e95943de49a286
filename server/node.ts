import type { IncomingMessage, ServerResponse } from 'node:http'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openData } from './data.ts'
import { folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import type { Live } from './http/live.ts'
import { startJobs } from './jobs/runner.ts'
import type { Log } from './log.ts'
import type { Transactions } from './resource/transactions.ts'
import type { Database } from './storage/database.ts'
import type { Clock } from './sync/clock.ts'
import type { Host } from './sync/renewal.ts'
import { deleteSecurely } from './sync/retention.ts'
import { startSync } from './sync/start-sync.ts'
import type { Sync } from './sync/sync.ts'
import { version } from './version.ts'

/** What stays when a node is replaced by another one. */
export interface Ground {
  readonly config: Config
  readonly env: Env
  readonly log: Log
  readonly live: Live
  readonly clock: Clock
  /** What the shell has told the station of, by name. */
  readonly kept: Map<string, unknown>
}

/** The server on one copy of the data: what answers requests, does what is due, and follows the server above. */
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

/** Opens a node on a database; it works until it is paused. */
export async function openServingNode(ground: Ground, database: Database, host: Host): Promise<Node> {
  const { config, env, log, live, clock, kept } = ground
  const folder = folderIn(config.database)
  const transactions = await openData(database, env, clock)
  // What leaves a machine that stands at an entrance is not to be found on its disk.
  if (transactions.site > 0 && database.engine === 'sqlite') await deleteSecurely(database)
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
  const app = createApp({
    transactions,
    env,
    log,
    stationKey: config.stationKey,
    live,
    folder,
    sync,
    kept,
    instant: clock.instant,
    reach: () => sync.reach,
    askForLeases: sync.provideLeases,
    stopping: stopping.signal,
  })
  const stopJobs = startJobs(transactions, env, log)
  return {
    database,
    transactions,
    sync,
    answer: app.callback(),
    async pause() {
      stopping.abort()
      await Promise.all([stopJobs(), sync.stop()])
    },
    async close() {
      await transactions.release()
      await database.close()
    },
  }
}
