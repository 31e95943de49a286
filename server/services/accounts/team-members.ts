import sql from 'sql-template-tag'
import { teamMember } from '../../../schema/resources/accounts/team-member.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { insertRow, removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { teamRow } from './team-tokens.ts'

interface MemberCells {
  readonly id: number
  readonly email: string
  readonly fullname: string | null
  readonly require_2fa: number
}

/** A member of a team as the API shows it. */
interface TeamMember extends Omit<MemberCells, 'require_2fa'> {
  readonly require_2fa: boolean
}

const members = (place: Place, team: number) =>
  sql`team_member JOIN app_user ON app_user.id = team_member."user"
      WHERE team_member.organizer = ${place.organizer} AND team_member.team = ${team}`

const columns = sql`app_user.id, app_user.email, app_user.fullname,
  CASE WHEN app_user.totp_secret IS NULL THEN 0 ELSE 1 END AS require_2fa`

const shownMember = (cells: MemberCells): TeamMember => ({ ...cells, require_2fa: cells.require_2fa === 1 })

/** How many users belong to a team. */
export async function countMembers(db: Queryable, place: Place, team: number): Promise<number> {
  const row = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${members(place, team)}`)
  return row?.count ?? 0
}

/** The users of a team by their addresses, a part of the list. */
export async function listMembers(
  db: Queryable,
  place: Place,
  team: number,
  part: { readonly size: number; readonly offset: number },
): Promise<TeamMember[]> {
  const found = await db.all<MemberCells>(
    sql`SELECT ${columns} FROM ${members(place, team)}
        ORDER BY app_user.email_key, app_user.id LIMIT ${part.size} OFFSET ${part.offset}`,
  )
  return found.map(shownMember)
}

/** One person of a team by the user's id; 404 for anybody else. */
export async function findMember(
  db: Queryable,
  place: Place,
  team: number,
  user: number,
): Promise<TeamMember> {
  const cells = await db.get<MemberCells>(
    sql`SELECT ${columns} FROM ${members(place, team)} AND app_user.id = ${user}`,
  )
  if (!cells) throw notFound()
  return shownMember(cells)
}

/** Lets a person into a team; false when they belong to it already. */
export async function addMember(
  tx: Tx,
  actor: Actor,
  place: Place,
  { team, user }: { readonly team: number; readonly user: number },
): Promise<boolean> {
  const known = await tx.get(
    sql`SELECT id FROM team_member WHERE organizer = ${place.organizer} AND team = ${team} AND "user" = ${user}`,
  )
  if (known) return false
  const id = tx.nextId()
  await insertRow(tx, teamMember, place, { id, user, team })
  tx.audit(place, actor, {
    action: 'ticketsvc.team.member.added',
    resource: teamMember.name,
    row: id,
    data: { team, user },
  })
  return true
}

/** Takes a person out of a team. */
export async function removeMember(tx: Tx, scope: Scope, team: number, user: number): Promise<void> {
  await teamRow(tx, scope, team)
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM team_member WHERE organizer = ${scope.place.organizer} AND team = ${team} AND "user" = ${user}`,
  )
  if (!row) throw notFound()
  await removeRow(tx, teamMember, scope.place, row.id)
  tx.audit(scope.place, scope.actor, {
    action: 'ticketsvc.team.member.removed',
    resource: teamMember.name,
    row: row.id,
    data: { team, user },
  })
}
