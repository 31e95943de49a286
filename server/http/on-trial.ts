import Koa from 'koa'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { isStation, stationCookie } from './authenticate.ts'
import { setHeaders } from './headers.ts'
import { answerHealth, createTroubles } from './monitoring/health.ts'
import { answerRefusals } from './refusals.ts'
import { serveScreens } from './static-files.ts'

/** What a version on trial answers with. */
interface TrialParts {
  readonly database: Database
  readonly env: Env
  readonly log: Log
  readonly stationKey: string | null
}

/**
 * What a version answers that is not found to be good yet: its screens, and how it is. It takes nothing in, so that nothing
 * is lost where the version before it comes back.
 */
export function createTrialApp({ database, env, log, stationKey }: TrialParts): Koa {
  const app = new Koa()
  app.silent = true
  const troubles = createTroubles(env, log)
  app.use(setHeaders(undefined))
  app.use(answerRefusals(env, log, troubles.note))
  app.use(answerHealth({ env, database, troubles }))
  app.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/api/')) return next()
    if (stationKey !== null && ctx.path === '/api/v1/station/open' && isStation(ctx, stationKey)) {
      ctx.cookies.set(stationCookie, stationKey, { httpOnly: true, sameSite: 'strict', overwrite: true })
      ctx.status = 204
      return
    }
    const detail = 'An update is being tried. This takes a moment; scan or ask again then.'
    throw new Refusal(503, { detail }, { 'Retry-After': '2' })
  })
  app.use(serveScreens(stationKey !== null))
  return app
}
