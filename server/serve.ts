import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { beginCopyBeside, NotPutInPlace, prepareToPutInPlace, putInPlace } from './copies.ts'
import { openData, openDatabase, tidyData } from './data.ts'
import type { Env } from './env.ts'
import { watchConnections } from './http/connections.ts'
import { createLive } from './http/live.ts'
import { createMetrics } from './http/metrics.ts'
import { createTraffic } from './http/traffic.ts'
import type { Log } from './log.ts'
import { type Ground, type Node, openServingNode } from './node.ts'
import type { Transactions } from './resource/transactions.ts'
import type { Database } from './storage/database.ts'
import { createClock } from './sync/clock/clock.ts'
import type { Sync } from './sync/node/sync.ts'
import type { Host, Replacement } from './sync/renewal/renewal.ts'
import { asideFile, carryIds, carryOver } from './sync/renewal/swap.ts'

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

/** The largest head of a request, in bytes. */
const headLimit = 16 * 1024

/** Milliseconds for what has begun to be answered when the server stops. */
const lastAnswersWithin = 20_000

/** Milliseconds without another attempt after a new copy could not be put in place. */
const restAfterFailure = 5000

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
  await tidyData(config.database)
  const store = database ?? (await openDatabase(config.database))
  const ground: Ground = {
    config,
    env,
    log,
    live: createLive(env),
    metrics: createMetrics(env),
    clock: createClock(env, env.uuid()),
    kept: new Map(),
  }
  const traffic = createTraffic(env)
  let node: Node
  let replacing: Promise<void> = Promise.resolve()
  let closing = false
  let restsUntil = Number.NEGATIVE_INFINITY
  const host: Host = {
    async beginCopy(identity, gently) {
      if (env.elapsed() < restsUntil)
        throw new Error('Another program was using the data; a new copy is made in a moment.')
      return beginCopyBeside(config, identity, gently)
    },
    openTransactions: (beside) => openData(beside, env, ground.clock),
    replace(replacement) {
      replacing = replacing.then(() => replaceNode(replacement))
      const done = replacing
      replacing = done.catch(() => undefined)
      return done
    },
  }

  /** Puts a new copy in the place of the one in use; requests that come meanwhile wait for it. */
  async function replaceNode(replacement: Replacement): Promise<void> {
    if (closing) throw new Error('The server is stopping.')
    const { next, keepOwn } = replacement
    const old = node
    const begun = env.elapsed()
    const carried = keepOwn ? carryOver(old.transactions, next, replacement) : null
    // Most of it while scanning goes on.
    await prepareToPutInPlace(config, old.database, next.database, async () => carried?.ahead())
    const holdsSince = env.elapsed()
    const letGo = traffic.hold()
    let database = old.database
    let isReplaced = false
    try {
      await old.pause()
      await traffic.quiet()
      const left = (await carried?.finish()) ?? 0
      if (left > 0) log.warn('facts that do not fit the new copy', { count: left })
      await carryIds(old.transactions, next)
      await old.transactions.release()
      await next.release()
      const aside = keepOwn ? null : (file: string) => asideFile(file, ground.clock.instant())
      database = await putInPlace(config, old.database, next.database, aside)
      isReplaced = true
    } catch (cause) {
      log.error('the old copy stays', { stack: cause instanceof Error ? cause.stack : String(cause) })
      if (cause instanceof NotPutInPlace) database = cause.old
      restsUntil = env.elapsed() + restAfterFailure
    } finally {
      try {
        node = await openServingNode(ground, database, host)
      } finally {
        letGo()
      }
    }
    if (!isReplaced) throw new Error('The new copy could not be put in place.')
    log.info('new copy in use', {
      milliseconds: Math.round(env.elapsed() - begun),
      held: Math.round(env.elapsed() - holdsSince),
      site: node.transactions.site,
    })
  }

  node = await openServingNode(ground, store, host)
  const timeouts = config.timeouts ?? usualTimeouts
  const server = createServer(
    {
      headersTimeout: timeouts.head,
      requestTimeout: timeouts.whole,
      connectionsCheckingInterval: timeouts.look,
      maxHeaderSize: headLimit,
    },
    (request: IncomingMessage, response: ServerResponse) =>
      traffic.pass(request, response, () => node.answer(request, response)),
  )
  const connections = watchConnections(server)
  const { port } = await listen(server, config.port, config.host).catch(async (cause: unknown) => {
    await node.pause()
    await node.close()
    throw cause
  })
  const url = urlOf(config.host, port)
  log.info('ready', { url, engine: store.engine })
  return {
    url,
    get transactions() {
      return node.transactions
    },
    get sync() {
      return node.sync
    },
    async close() {
      closing = true
      await replacing
      ground.live.close()
      const pausing = node.pause()
      await stopListening(server, connections, env)
      await pausing
      await node.close()
      log.info('stopped', { url })
    },
  }
}
