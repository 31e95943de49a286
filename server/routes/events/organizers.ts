import sql, { join, type Sql } from 'sql-template-tag'
import {
  organizerList,
  organizerRetrieve,
  organizerSettingsRead,
  organizerSettingsUpdate,
} from '../../../schema/actions/accounts.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import type { Actor } from '../../resource/actor.ts'
import { type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { flagParameter, orderBy, type Query } from '../../resource/query.ts'
import { refuseWithoutOwnFactor } from '../../services/accounts/own-organizers.ts'
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

const explain = (query: Query): boolean => flagParameter(query, 'explain') === true

/** Serves organizers, which only the command line changes, and their settings. */
export function serveOrganizers(router: ApiRouter): void {
  serveRead(router, organizerList, async (request, db) => {
    const { page, query } = request
    const own = belongsTo(request.actor)
    const count = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM organizer WHERE ${own}`)
    const rows = await db.all<OrganizerCells>(
      sql`SELECT name, slug FROM organizer WHERE ${own}
          ORDER BY ${orderBy(organizer, query, db.engine)} LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    return request.pageOf(count?.count ?? 0, rows)
  })

  serveRead(router, organizerRetrieve, (request, db) =>
    db.get<OrganizerCells>(sql`SELECT name, slug FROM organizer WHERE id = ${request.organizer.id}`),
  )

  serveRead(router, organizerSettingsRead, async (request, db) => {
    const values = await organizerSettings(db, request.organizer.id)
    return shownSettings('organizer', values, { explain: explain(request.query), device: false })
  })

  serveAction(
    router,
    organizerSettingsUpdate,
    async (request, tx) => {
      const values = await saveOrganizerSettings(tx, request, request.body)
      if (values.require_2fa === true) await refuseWithoutOwnFactor(tx, request.actor)
      return values
    },
    ({ query }, values) => shownSettings('organizer', values, { explain: explain(query), device: false }),
  )
}
