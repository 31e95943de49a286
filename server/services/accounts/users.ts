import sql from 'sql-template-tag'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { hashPassword, isOutdated, nobodysHash, verifyPassword } from './passwords.ts'

/** Somebody who has an account. */
export interface User {
  readonly id: number
  readonly email: string
  readonly fullname: string | null
  readonly locale: string
  readonly timezone: string
  readonly isStaff: boolean
  /** The shared secret of the second factor, where there is one. */
  readonly totpSecret: string | null
  /** Whether the account is closed, so that nobody gets in with it. */
  readonly isDisabled: boolean
}

interface UserCells {
  readonly id: number
  readonly email: string
  readonly fullname: string | null
  readonly locale: string
  readonly timezone: string
  readonly is_staff: number
  readonly totp_secret: string | null
  readonly password_hash: string
  readonly disabled: string | null
}

const userOf = (cells: UserCells): User => ({
  id: cells.id,
  email: cells.email,
  fullname: cells.fullname,
  locale: cells.locale,
  timezone: cells.timezone,
  isStaff: cells.is_staff === 1,
  totpSecret: cells.totp_secret,
  isDisabled: cells.disabled !== null,
})

const cellsOf = (db: Queryable, id: number) => db.get<UserCells>(sql`SELECT * FROM app_user WHERE id = ${id}`)

/** Somebody by the id of the account. */
export async function findUser(db: Queryable, id: number): Promise<User | undefined> {
  const cells = await cellsOf(db, id)
  return cells && userOf(cells)
}

/** Somebody by the address of the account, in capital or small letters. */
export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const cells = await db.get<UserCells>(
    sql`SELECT * FROM app_user WHERE email_key = ${email.trim().toLowerCase()}`,
  )
  return cells && userOf(cells)
}

/** Where what happens to accounts is recorded: they belong to no organizer. */
export const accountsPlace = { organizer: 0, event: 0 }

/** A user as who has done something to their own account. */
export const userActor = ({ id, email }: Pick<User, 'id' | 'email'>): Actor => ({
  kind: 'user',
  id,
  name: email,
  organizer: 0,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
  teams: [],
})

/** Records what somebody has done to their own account. */
export const noteAccount = (tx: Tx, user: Pick<User, 'id' | 'email'>, action: string, data?: unknown): void =>
  tx.audit(accountsPlace, userActor(user), {
    action: `ticketsvc.user.${action}`,
    resource: 'app_user',
    row: user.id,
    ...(data === undefined ? {} : { data }),
  })

/**
 * Whether a password is that of the account with an address: the user, and a new hash where the stored one is weaker
 * than new ones are. Takes as long where there is no such account, and where it is closed, which looks the same. Not to be called in a transaction.
 */
export async function checkPassword(
  db: Queryable,
  email: string,
  password: string,
): Promise<{ user: User; betterHash: string | null } | null> {
  const cells = await db.get<UserCells>(
    sql`SELECT * FROM app_user WHERE email_key = ${email.trim().toLowerCase()}`,
  )
  const isRight = await verifyPassword(password, cells?.password_hash ?? nobodysHash)
  if (!cells || !isRight || cells.disabled !== null) return null
  const betterHash = isOutdated(cells.password_hash) ? await hashPassword(password) : null
  return { user: userOf(cells), betterHash }
}

/** Stores the hash of a new password. */
export async function savePasswordHash(tx: Tx, user: number, passwordHash: string): Promise<void> {
  await tx.run(sql`UPDATE app_user SET password_hash = ${passwordHash} WHERE id = ${user}`)
}

/** Stores what somebody wants to be called, and in which language and time zone. */
export async function saveProfile(
  tx: Tx,
  user: User,
  profile: Pick<User, 'fullname' | 'locale' | 'timezone'>,
): Promise<void> {
  const { fullname, locale, timezone } = profile
  await tx.run(
    sql`UPDATE app_user SET fullname = ${fullname}, locale = ${locale}, timezone = ${timezone} WHERE id = ${user.id}`,
  )
  noteAccount(tx, user, 'settings.changed')
}
