import sql, { join } from 'sql-template-tag'
import { type Permission, permissions } from '../../../schema/permissions.ts'
import type { Actor, TeamAccess } from '../../resource/actor.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { asksForFactor } from './own-organizers.ts'
import { userActor } from './users.ts'

interface AccessCells {
  readonly user: number
  readonly email: string
  readonly scopes: string
  readonly organizers: string
  readonly expires: string
}

/** The ids of the events that teams name by their slugs, by organizer and slug. */
async function eventIds(db: Queryable, organizers: readonly number[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ organizer: number; slug: string; id: number }>(
    sql`SELECT organizer, slug, id FROM event WHERE organizer IN (${join([...organizers])})`,
  )
  return new Map(rows.map(({ organizer, slug, id }) => [`${organizer} ${slug}`, id]))
}

/** What the teams of a user allow at some organizers, and where they lack a second factor for more. */
async function teamsOf(
  db: Queryable,
  user: number,
  organizers: readonly number[],
): Promise<Pick<Actor, 'factorMissingAt'> & { readonly teams: TeamAccess[] }> {
  if (organizers.length === 0) return { teams: [] }
  const all = await db.all<
    Cells & { organizer: number; organizer_settings: string; totp_secret: string | null }
  >(
    sql`SELECT team.*, organizer.settings AS organizer_settings, app_user.totp_secret
        FROM team JOIN team_member ON team_member.organizer = team.organizer AND team_member.team = team.id
        JOIN organizer ON organizer.id = team.organizer JOIN app_user ON app_user.id = team_member."user"
        WHERE team_member."user" = ${user} AND team.organizer IN (${join([...organizers])})`,
  )
  const isFactorMissing = (row: (typeof all)[number]): boolean =>
    row.totp_secret === null && (row.require_2fa === 1 || asksForFactor(row.organizer_settings))
  const rows = all.filter((row) => !isFactorMissing(row))
  const isLimited = rows.some((row) => row.all_events !== 1)
  const ids = isLimited ? await eventIds(db, organizers) : new Map<string, number>()
  const teams = rows.map((row) => {
    const slugs: readonly string[] = row.all_events === 1 ? [] : JSON.parse(String(row.limit_events))
    const events = slugs.flatMap((slug) => ids.get(`${row.organizer} ${slug}`) ?? [])
    return {
      organizer: row.organizer,
      permissions: new Set<Permission>(permissions.filter((permission) => row[permission] === 1)),
      allEvents: row.all_events === 1,
      events: new Set(events),
    }
  })
  return { teams, factorMissingAt: all.filter(isFactorMissing).map((row) => row.organizer) }
}

/** Somebody as the teams of one organizer make them. */
export async function personAt(
  db: Queryable,
  user: { readonly id: number; readonly email: string },
  organizer: number,
): Promise<Actor> {
  return { ...userActor(user), ...(await teamsOf(db, user.id, [organizer])) }
}

/** The user that the program with an access token acts for, within what they chose, and until when. */
export async function programActor(
  db: Queryable,
  tokenHash: string,
): Promise<{ actor: Actor; expires: string } | null> {
  const row = await db.get<AccessCells>(
    sql`SELECT oauth_grant."user", app_user.email, oauth_token.scopes, oauth_grant.organizers, oauth_token.expires
        FROM oauth_token JOIN oauth_grant ON oauth_grant.id = oauth_token.grant_id
        JOIN app_user ON app_user.id = oauth_grant."user"
        WHERE oauth_token.token_hash = ${tokenHash} AND oauth_token.kind = 'access'
          AND app_user.disabled IS NULL`,
  )
  if (!row) return null
  const access = await teamsOf(db, row.user, JSON.parse(row.organizers))
  const user = userActor({ id: row.user, email: row.email })
  return { actor: { ...user, ...access, scopes: row.scopes.split(' ') }, expires: row.expires }
}
