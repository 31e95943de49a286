import sql from 'sql-template-tag'
import { invalid } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Queryable } from '../../storage/database.ts'
import { findUser } from './users.ts'

/** An organizer that somebody works for. */
export interface OwnOrganizer {
  readonly id: number
  readonly name: string
  /** Whether it, or a team of theirs, asks for a second factor. */
  readonly isFactorAsked: boolean
  /** Whether they can do nothing there until they have one. */
  readonly isFactorMissing: boolean
}

interface MembershipCells {
  readonly id: number
  readonly name: string
  readonly settings: string
  readonly require_2fa: number
  readonly totp_secret: string | null
}

/** Whether an organizer asks all users for a second factor, by its settings as they are stored. */
export const asksForFactor = (settings: string): boolean => JSON.parse(settings).require_2fa === true

/** The organizers that somebody works for, by name. */
export async function organizersOf(db: Queryable, user: number): Promise<OwnOrganizer[]> {
  const rows = await db.all<MembershipCells>(
    sql`SELECT organizer.id, organizer.name, organizer.settings, team.require_2fa, app_user.totp_secret
        FROM team_member JOIN team ON team.organizer = team_member.organizer AND team.id = team_member.team
        JOIN organizer ON organizer.id = team_member.organizer JOIN app_user ON app_user.id = team_member."user"
        WHERE team_member."user" = ${user} ORDER BY organizer.name, organizer.id, team.id`,
  )
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((teams) => {
    const [first] = teams
    if (!first) return []
    const { id, name, settings, totp_secret } = first
    const asked = teams.map((team) => team.require_2fa === 1 || asksForFactor(settings))
    const isFactorMissing = totp_secret === null && asked.every(Boolean)
    return { id, name, isFactorAsked: asked.some(Boolean), isFactorMissing }
  })
}

/** The names of the organizers at which somebody is asked for a second factor. */
export const askingForFactor = async (db: Queryable, user: number): Promise<string[]> =>
  (await organizersOf(db, user)).flatMap(({ name, isFactorAsked }) => (isFactorAsked ? name : []))

/** Refuses to ask others for a second factor to a user who has none, and would be locked out. */
export async function refuseWithoutOwnFactor(db: Queryable, { kind, id }: Actor): Promise<void> {
  const user = kind === 'user' ? await findUser(db, id) : undefined
  if (user?.totpSecret === null)
    throw invalid({
      require_2fa: [
        'Set up a second factor for yourself first, at /account/second-factor: you would be locked out.',
      ],
    })
}
