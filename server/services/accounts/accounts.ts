import sql from 'sql-template-tag'
import { type Permission, permissions } from '../../../schema/permissions.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { team } from '../../../schema/resources/accounts/team.ts'
import { impossible } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { revokeGrantsOf } from './oauth-grants.ts'
import { endSecondFactor } from './second-factor.ts'
import { endSessions } from './sessions.ts'
import { addMember } from './team-members.ts'
import { issueToken } from './team-tokens.ts'
import { accountsPlace, findUserByEmail, noteAccount, savePasswordHash, type User } from './users.ts'

/** Whoever types commands on the machine itself: may do everything. */
export const commandActor: Actor = {
  kind: 'command',
  id: 0,
  name: 'command line',
  organizer: null,
  permissions: new Set(permissions),
  allEvents: true,
  events: new Set(),
  device: null,
}

const slugForm = /^[a-zA-Z0-9.\-_]{1,50}$/

/**
 * A number for an organizer by which it is known on every server that it will be on: by chance, so that organizers of two
 * servers have different ones.
 */
const organizerNumber = (tx: Tx): number => 2 ** 31 + (Buffer.from(tx.randomBytes(4)).readUInt32BE() >>> 1)

/** Makes an organizer; refuses a slug that is taken or has other characters than a slug may have. */
export async function createOrganizer(tx: Tx, slug: string, name: string) {
  if (!slugForm.test(slug))
    throw impossible(`"${slug}" is not a slug: use up to 50 letters, digits, dots, dashes and underscores.`)
  if (name.trim() === '') throw impossible('Give the organizer a name.')
  if (await tx.get(sql`SELECT id FROM organizer WHERE slug = ${slug}`))
    throw impossible(`There is an organizer "${slug}" already.`)
  const id = organizerNumber(tx)
  await tx.run(sql`INSERT INTO organizer (id, slug, name, settings) VALUES (${id}, ${slug}, ${name}, '{}')`)
  tx.audit({ organizer: id, event: 0 }, commandActor, {
    action: 'ticketsvc.organizer.added',
    resource: 'organizer',
    row: id,
  })
  return { id, slug, name }
}

/** The id of an organizer; refuses a slug that is not known. */
export async function requireOrganizer(db: Queryable, slug: string): Promise<number> {
  const row = await db.get<{ id: number }>(sql`SELECT id FROM organizer WHERE slug = ${slug}`)
  if (!row)
    throw impossible(`There is no organizer "${slug}". Make it with: organizer create ${slug} --name NAME`)
  return row.id
}

/** Makes a user who signs in with a password; refuses an address that is taken. */
export async function createUser(tx: Tx, email: string, passwordHash: string) {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw impossible(`"${email}" is not an e-mail address.`)
  const key = email.toLowerCase()
  if (await tx.get(sql`SELECT id FROM app_user WHERE email_key = ${key}`))
    throw impossible(`There is a user with the address ${email} already.`)
  const id = tx.nextId()
  await tx.run(
    sql`INSERT INTO app_user (id, email, email_key, password_hash, fullname, locale, timezone, is_staff, created)
        VALUES (${id}, ${email}, ${key}, ${passwordHash}, NULL, 'en', 'UTC', 0, ${tx.now})`,
  )
  return { id, email, fullname: null, locale: 'en', timezone: 'UTC', is_staff: false }
}

/** Somebody by the address of their account; refuses one that nobody has. */
export async function requireUser(db: Queryable, email: string): Promise<User> {
  const user = await findUserByEmail(db, email)
  if (!user) throw impossible(`There is no user with the address ${email}.`)
  return user
}

/** Ends every login of somebody, the links to new passwords, and what programs were let do. */
async function endAllAccess(tx: Tx, { id }: User): Promise<void> {
  await endSessions(tx, id)
  await tx.run(sql`DELETE FROM password_reset WHERE "user" = ${id}`)
  await revokeGrantsOf(tx, sql`"user" = ${id}`)
}

/**
 * Closes an account, or opens it again. Either way every login, link and consent of before is over, so that nothing comes
 * back that slipped in while the account was being closed. What teams somebody belongs to stays as it is.
 */
export async function setDisabled(tx: Tx, email: string, isDisabled: boolean) {
  const user = await requireUser(tx, email)
  const { id } = user
  if (user.isDisabled !== isDisabled) {
    await tx.run(sql`UPDATE app_user SET disabled = ${isDisabled ? tx.now : null} WHERE id = ${id}`)
    await endAllAccess(tx, user)
    const action = `ticketsvc.user.${isDisabled ? 'disabled' : 'enabled'}`
    tx.audit(accountsPlace, commandActor, { action, resource: 'app_user', row: id })
  }
  return { id, email: user.email, disabled: isDisabled }
}

/**
 * Gives somebody a new password and ends every login of theirs and what programs were let do; `endsSecondFactor` asks
 * for no second factor any more. Refuses a closed account.
 */
export async function setPassword(tx: Tx, email: string, passwordHash: string, endsSecondFactor: boolean) {
  const user = await requireUser(tx, email)
  if (user.isDisabled)
    throw impossible(`The account of ${email} is closed. Open it with: user enable ${email}`)
  await savePasswordHash(tx, user.id, passwordHash)
  await endAllAccess(tx, user)
  noteAccount(tx, user, 'password.set_by_command')
  if (endsSecondFactor && user.totpSecret !== null) await endSecondFactor(tx, user)
  return { id: user.id, email: user.email }
}

/** Puts somebody new into a team; refuses one that the organizer does not have. */
export async function joinTeam(tx: Tx, organizer: number, team: number, user: number): Promise<void> {
  if (!(await tx.get(sql`SELECT id FROM team WHERE organizer = ${organizer} AND id = ${team}`)))
    throw impossible(`There is no team ${team} at this organizer.`)
  await addMember(tx, commandActor, { organizer, event: 0 }, { team, user })
}

/** What a new team may do, and where. */
export interface TeamRights {
  readonly permissions: readonly Permission[]
  readonly allEvents: boolean
  readonly events: readonly string[]
}

/** Refuses slugs that are not events of an organizer. */
async function requireEvents(db: Queryable, organizer: number, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs)
    if (!(await db.get(sql`SELECT id FROM event WHERE organizer = ${organizer} AND slug = ${slug}`)))
      throw impossible(`There is no event "${slug}" at this organizer.`)
}

/** Makes a team. */
export async function createTeam(
  tx: Tx,
  organizer: number,
  name: string,
  rights: TeamRights,
): Promise<StoredRow<typeof team>> {
  await requireEvents(tx, organizer, rights.events)
  const place = { organizer, event: 0 }
  const row: StoredRow<typeof team> = {
    ...blankRow(team),
    id: tx.nextId(),
    name,
    all_events: rights.allEvents,
    limit_events: rights.allEvents ? [] : [...rights.events],
    ...Object.fromEntries(permissions.map((one) => [one, rights.permissions.includes(one)])),
  }
  await insertRow(tx, team, place, row)
  tx.audit(place, commandActor, { action: 'ticketsvc.team.added', resource: 'team', row: row.id })
  return row
}

/** Makes a static token of a team; the answer is the only place where the token itself is ever seen. */
export async function createTeamToken(tx: Tx, organizer: number, team: number, name: string) {
  const known = await tx.get(sql`SELECT id FROM team WHERE organizer = ${organizer} AND id = ${team}`)
  if (!known) throw impossible(`There is no team ${team} at this organizer.`)
  return issueToken(tx, commandActor, { organizer, event: 0 }, { team, name })
}
