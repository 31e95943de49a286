import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { join, type Sql } from 'sql-template-tag'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { flagParameter, orderBy } from '../../resource/query.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { organizerSettings, saveOrganizerSettings } from '../../services/events/organizer-settings.ts'
import { shownSettings } from '../../services/events/settings.ts'

interface OrganizerCells {
  readonly name: string
  readonly slug: string
}

/** The organizers that a caller belongs to: all of them for a command, those of the teams for a person. */
function belongsTo({ organizer, teams }: Actor): Sql {
  if (teams)
    return teams.length === 0 ? sql`1 = 0` : sql`id IN (${join(teams.map((team) => team.organizer))})`
  return organizer === null ? sql`1 = 1` : sql`id = ${organizer}`
}

/** Serves organizers, which only the command line changes, and their settings. */
export function serveOrganizers(router: Router, api: Api): void {
  const { database } = api.transactions
  const collection = '/api/v1/organizers/'
  const single = `${collection}:organizer/`

  router.get(collection, api.admit('server', null), async (ctx) => {
    const actor: Actor = ctx.state.actor
    const page = pageOf(ctx.query)
    const own = belongsTo(actor)
    const count = await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM organizer WHERE ${own}`,
    )
    const rows = await database.all<OrganizerCells>(
      sql`SELECT name, slug FROM organizer WHERE ${own}
          ORDER BY ${orderBy(organizer, ctx.query, database.engine)} LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    ctx.body = pageBody(addressOf(ctx), page, Number(count?.count ?? 0), rows)
  })
  router.all(collection, api.admit('server', null), (ctx) => refuseMethod(ctx))

  router.get(single, api.admit('organizer', null), async (ctx) => {
    const scope: Scope = ctx.state.scope
    ctx.body = await database.get<OrganizerCells>(
      sql`SELECT name, slug FROM organizer WHERE id = ${scope.organizer.id}`,
    )
  })
  router.all(single, api.admit('organizer', null), (ctx) => refuseMethod(ctx))

  const settings = `${single}settings/`
  const mayChange = api.admit('organizer', 'can_change_organizer_settings')
  const explain = (ctx: Context): boolean => flagParameter(ctx.query, 'explain') === true

  router.get(settings, mayChange, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const values = await organizerSettings(database, scope.organizer.id)
    ctx.body = shownSettings(values, { explain: explain(ctx), device: false })
  })
  router.patch(settings, mayChange, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const values = await api.transactions.write((tx) => saveOrganizerSettings(tx, scope, bodyOf(ctx)))
    ctx.body = shownSettings(values, { explain: explain(ctx), device: false })
  })
  router.all(settings, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}
