import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { type HeldDatabase, openToServe } from './data.ts'
import type { Env } from './env.ts'
import { boundConnections, type ConnectionBounds, endUntaken, watchConnections } from './http/connections.ts'
import { createLive } from './http/live.ts'
import { createMetrics } from './http/monitoring/metrics.ts'
import type { Log } from './log.ts'
import type { Ground } from './node.ts'
import type { Transactions } from './resource/transactions.ts'
import { ServedNode } from './served-node.ts'
import type { Database } from './storage/database.ts'
import { createClock } from './sync/clock/clock.ts'
import type { Sync } from './sync/node/sync.ts'

/** A server that answers. */
export interface Running {
  readonly url: string
  /** Of the copy of the data that is in use at the moment. */
  readonly transactions: Transactions
  readonly sync: Sync
  /** Answers what has begun, then stops. */
  close(): Promise<void>
}

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('The server has no port.'))
      else resolve(address)
    })
  })

/**
 * Milliseconds for the head of a request and for all of it, so that who sends slowly does not hold a connection for ever,
 * and how often is looked. Ten mebibytes take four minutes where a line gives 45 kB a second.
 */
const usualTimeouts = { head: 20_000, whole: 240_000, look: 5000 }

/**
 * How many connections there are at a time. A venue's stations may share one address: each has about four, for what it
 * hears, reports and asks.
 */
const usualConnections = ({ behindProxy }: Config): ConnectionBounds => ({
  all: 8000,
  ...(behindProxy ? {} : { each: 2000 }),
})

/** The largest head of a request, in bytes. */
const headLimit = 16 * 1024

/** Milliseconds for what has begun to be answered when the server stops. */
const lastAnswersWithin = 20_000

/** Where a server that listens is to be found by this machine. */
function urlOf(host: string, port: number): string {
  const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host
  return `http://${shown}:${port}`
}

/** Takes no more connections; resolves once what has begun is answered, or its time is over. */
const stopListening = (
  server: Server,
  connections: ReturnType<typeof watchConnections>,
  env: Env,
): Promise<void> =>
  new Promise((resolve) => {
    const cancel = env.after(lastAnswersWithin, () => server.closeAllConnections())
    server.close(() => {
      cancel()
      resolve()
    })
    connections.closeUnused()
  })

/** Starts a server on a database; resolves once it answers. */
export async function startServer(config: Config, env: Env, log: Log, database?: Database): Promise<Running> {
  const held = database ? { database, release: () => undefined } : await openToServe(config.database)
  try {
    return await serveOn(held, config, env, log)
  } catch (cause) {
    held.release()
    throw cause
  }
}

/**
 * Milliseconds that a connection is kept without a request: longer than proxies keep theirs, which is a minute, so that
 * none of them sends one into its end.
 */
const idleFor = 65_000

async function serveOn(
  { database, release }: HeldDatabase,
  config: Config,
  env: Env,
  uncounted: Log,
): Promise<Running> {
  const metrics = createMetrics(env)
  const log = metrics.counting(uncounted)
  const ground: Ground = {
    config,
    env,
    log,
    live: createLive(env),
    metrics,
    clock: createClock(env, env.uuid()),
    shellState: new Map(),
  }
  const served = await ServedNode.open(ground, database)
  const timeouts = config.timeouts ?? usualTimeouts
  const server = createServer(
    {
      headersTimeout: timeouts.head,
      requestTimeout: timeouts.whole,
      connectionsCheckingInterval: timeouts.look,
      keepAliveTimeout: idleFor,
      maxHeaderSize: headLimit,
    },
    served.answer,
  )
  boundConnections(server, config.connections ?? usualConnections(config), { env, log })
  endUntaken(server, config.answers)
  const connections = watchConnections(server)
  const { port } = await listen(server, config.port, config.host).catch(async (cause: unknown) => {
    await served.current.pause()
    await served.current.close()
    throw cause
  })
  const url = urlOf(config.host, port)
  log.info('ready', { url, engine: database.engine })
  return {
    url,
    get transactions() {
      return served.current.transactions
    },
    get sync() {
      return served.current.sync
    },
    async close() {
      await served.endReplacing()
      const closing = ground.live.close()
      const pausing = served.current.pause()
      await stopListening(server, connections, env)
      await Promise.all([pausing, closing])
      await served.current.close()
      release()
      log.info('stopped', { url })
    },
  }
}
