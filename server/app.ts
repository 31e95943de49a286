import Router from '@koa/router'
import Koa from 'koa'
import { resourceByName } from '../schema/resources/index.ts'
import type { Env } from './env.ts'
import { admitTo } from './http/authorize.ts'
import { checkAddress, readJson } from './http/body.ts'
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

/** What the HTTP interface is made of. */
export interface AppParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** The secret of this machine's own screens, or null where there are none. */
  readonly stationKey: string | null
  readonly live: Live
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
}

const apiOf = ({ transactions, stationKey }: AppParts): Api => ({
  transactions,
  catalogue: resourceByName,
  admit: admitTo(transactions.database, stationKey),
})

/** Every route of the HTTP interface. */
export function createRouter(parts: AppParts): Router {
  const { transactions, env, stationKey, live, folder } = parts
  const api = apiOf(parts)
  const router = new Router()
  // Routes are tried in their order, so the ones that people wait for come first.
  if (stationKey !== null) serveStation(router, { transactions, env, live, stationKey, folder })
  serveCheckinRpc(router, api)
  serveCheckinLists(router, api)
  serveCheckins(router, api)
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
  app.use(readJson())
  // Paths are compared one by one, so what people at an entrance wait for is asked about on its own before the rest.
  const first = new Router()
  serveCheckinRpc(first, apiOf(parts))
  app.use(first.routes())
  app.use(createRouter(parts).routes())
  return app
}
