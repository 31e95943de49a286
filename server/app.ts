import Router from '@koa/router'
import Koa from 'koa'
import { resourceByName } from '../schema/resources/index.ts'
import type { Env } from './env.ts'
import { admitTo } from './http/authorize.ts'
import { checkAddress, readJson } from './http/body.ts'
import { forwardUp } from './http/forward.ts'
import { keepToOwnOrigin, setHeaders } from './http/headers.ts'
import type { Live } from './http/live.ts'
import { answerRefusals } from './http/refusals.ts'
import { serveScreens } from './http/static-files.ts'
import type { Log } from './log.ts'
import type { Api } from './resource/api.ts'
import type { Transactions } from './resource/transactions.ts'
import { serveCheckinLists } from './routes/checkin-lists.ts'
import { serveCheckinRpc } from './routes/checkin-rpc.ts'
import { serveCheckins } from './routes/checkins.ts'
import { serveResources } from './routes/registry.ts'
import { serveStation } from './routes/station.ts'
import { type SyncDownParts, servePing, serveSyncDown } from './routes/sync-down.ts'
import { serveSyncUp } from './routes/sync-up.ts'
import type { Sync } from './sync/sync.ts'

/** What the HTTP interface is made of. */
export interface AppParts extends Pick<SyncDownParts, 'instant' | 'reach' | 'stopping'> {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** The secret of this machine's own screens, or null where there are none. */
  readonly stationKey: string | null
  readonly live: Live
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
  /** What this server has to do with the one above it; missing where only the routes are looked at. */
  readonly sync?: Sync
  /** What the shell has told the station of, by name, which outlives a copy of the data. */
  readonly kept?: Map<string, unknown>
  /** See Api; on a node below another one. */
  readonly askForLeases?: Api['askForLeases']
}

const apiOf = ({ transactions, stationKey, askForLeases }: AppParts): Api => ({
  ...(askForLeases ? { askForLeases } : {}),
  transactions,
  catalogue: resourceByName,
  admit: admitTo(transactions.database, stationKey),
})

/** Every route of the HTTP interface. */
export function createRouter(parts: AppParts): Router {
  const { stationKey } = parts
  const api = apiOf(parts)
  const router = new Router()
  // Routes are tried in their order, so the ones that people wait for come first.
  if (stationKey !== null) serveStation(router, { ...parts, stationKey })
  serveCheckinRpc(router, api)
  serveCheckinLists(router, api)
  serveCheckins(router, api)
  serveSyncDown(router, api, parts)
  serveSyncUp(router, api, parts)
  serveResources(router, api)
  return router
}

/** The HTTP interface: every middleware in its order, then the routes. */
export function createApp(parts: AppParts): Koa {
  const { env, log, stationKey } = parts
  const app = new Koa()
  app.silent = true
  app.use(setHeaders())
  app.use(answerRefusals(env, log))
  if (stationKey !== null) app.use(keepToOwnOrigin())
  app.use(checkAddress())
  app.use(serveScreens())
  if (parts.sync) app.use(forwardUp(parts.sync, env, stationKey))
  app.use(readJson())
  // Paths are compared one by one, so what people at an entrance wait for, and what every station asks for all day, is
  // asked about on its own before the rest.
  const first = new Router()
  serveCheckinRpc(first, apiOf(parts))
  servePing(first, apiOf(parts), parts)
  app.use(first.routes())
  app.use(createRouter(parts).routes())
  return app
}
