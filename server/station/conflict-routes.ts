import type Router from '@koa/router'
import type { Middleware } from 'koa'
import { addressOf } from '../resource/endpoints.ts'
import { pageBody, pageOf } from '../resource/pages.ts'
import { refuseMethod } from '../resource/routes.ts'
import type { Transactions } from '../resource/transactions.ts'
import { findConflicts } from '../services/checkin/conflict-view.ts'
import { actorOf, stationSettings } from '../services/devices/station-settings.ts'

/**
 * Serves the contradictions of the event that a station is set up for to its own screens, whatever the security profile
 * of its device lets it ask for elsewhere. They are settled where all of an organizer's are.
 */
export function serveStationConflicts(
  router: Router,
  path: string,
  own: Middleware,
  { database }: Transactions,
): void {
  router.get(path, own, async (ctx) => {
    const page = pageOf(ctx.query)
    const settings = await stationSettings(database)
    if (!settings) {
      ctx.body = pageBody(addressOf(ctx), page, 0, [])
      return
    }
    const here = { ...actorOf(settings), allEvents: false, events: new Set([settings.event]) }
    const { count, rows } = await findConflicts(database, here, settings.organizer, {
      query: ctx.query,
      page,
    })
    ctx.body = pageBody(addressOf(ctx), page, count, rows)
  })

  router.all(path, own, (ctx) => refuseMethod(ctx))
}
