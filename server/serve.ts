import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openData, openDatabase } from './data.ts'
import { folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import { watchConnections } from './http/connections.ts'
import { createLive } from './http/live.ts'
import { startJobs } from './jobs/runner.ts'
import type { Log } from './log.ts'
import type { Transactions } from './resource/transactions.ts'
import type { Database } from './storage/database.ts'

/** A server that answers. */
export interface Running {
  readonly url: string
  readonly transactions: Transactions
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

/** Starts a server on a database; resolves once it answers. */
export async function startServer(config: Config, env: Env, log: Log, database?: Database): Promise<Running> {
  const store = database ?? (await openDatabase(config.database))
  const transactions = await openData(store, env)
  const live = createLive(env)
  const app = createApp({
    transactions,
    env,
    log,
    stationKey: config.stationKey,
    live,
    folder: folderIn(config.database),
  })
  const server = createServer(app.callback())
  const connections = watchConnections(server)
  const stopJobs = startJobs(transactions, env, log)
  const { port } = await listen(server, config.port, config.host).catch(async (cause: unknown) => {
    await stopJobs()
    await store.close()
    throw cause
  })
  const host = config.host.includes(':')
    ? `[${config.host}]`
    : config.host === '0.0.0.0'
      ? '127.0.0.1'
      : config.host
  const url = `http://${host}:${port}`
  log.info('ready', { url, engine: store.engine })
  return {
    url,
    transactions,
    async close() {
      live.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        connections.closeUnused()
      })
      await stopJobs()
      await transactions.release()
      await store.close()
      log.info('stopped', { url })
    },
  }
}
