import Koa from 'koa'
import type { Standstill } from '../../schema/updates/standstill.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { isStation, stationCookie } from './authenticate.ts'
import { setHeaders } from './headers.ts'
import { answerHealth, createTroubles } from './monitoring/health.ts'
import { answerRefusals } from './refusals.ts'
import { serveScreens } from './static-files.ts'

/** What a server at a standstill answers with. */
interface StandstillParts {
  readonly standstill: Standstill
  /** Where it can be used: then the server may be ready for its work though it does none yet. */
  readonly database: Database | null
  readonly env: Env
  readonly log: Log
  readonly stationKey: string | null
}

/** What is said to programs; screens say it in the language of the person in front of them. */
function detailOf(standstill: Standstill): string {
  switch (standstill.reason) {
    case 'update_trial':
      return 'An update is being tried. This takes a moment; scan or ask again then.'
    case 'newer_database':
      return `The data were written by ${standstill.written_by ?? 'a newer version'}, and this is ${standstill.version}. Update this station, or start it with another data folder.`
    case 'disk_full':
      return 'The disk of this station is full. Make room, then it goes on by itself.'
  }
}

/**
 * What a server answers while it cannot work, or may not yet: its screens, how it is, and why. It takes nothing in, so that
 * nothing is lost.
 */
export function createStandstillApp({ standstill, database, env, log, stationKey }: StandstillParts): Koa {
  const app = new Koa()
  app.silent = true
  const troubles = createTroubles(env, log)
  app.use(setHeaders(undefined))
  app.use(answerRefusals(env, log, troubles.note))
  if (database) app.use(answerHealth({ env, database, troubles }))
  app.use(async (ctx, next) => {
    const isHealth = ctx.path === '/healthz' || ctx.path === '/readyz'
    if (!ctx.path.startsWith('/api/') && !isHealth) return next()
    if (stationKey !== null && ctx.path === '/api/v1/station/open' && isStation(ctx, stationKey)) {
      ctx.cookies.set(stationCookie, stationKey, { httpOnly: true, sameSite: 'strict', overwrite: true })
      ctx.status = 204
      return
    }
    throw new Refusal(503, { detail: detailOf(standstill), ...standstill }, { 'Retry-After': '2' })
  })
  app.use(serveScreens(stationKey !== null))
  return app
}
