import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, randomWord } from '../codes/secrets.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { mailAccountChange } from './account-mails.ts'
import { revokeGrantsOf } from './oauth-grants.ts'
import { endSessions } from './sessions.ts'
import { accountsPlace, findUser, noteAccount, savePasswordHash, type User } from './users.ts'

/** Seconds that a link for a new password is good for. */
const lifetime = 3600

/** Mails somebody a link for a new password; `linkFor` makes it of its secret. Links before it end. Nothing for a closed account. */
export async function mailReset(tx: Tx, user: User, linkFor: (token: string) => string): Promise<void> {
  if (user.isDisabled) return
  const token = randomWord(tx.randomBytes, alphabets.token, 64)
  const expires = instantAt(microsecondsOf(tx.now) + lifetime * 1e6)
  await tx.run(sql`DELETE FROM password_reset WHERE "user" = ${user.id}`)
  await tx.run(
    sql`INSERT INTO password_reset (token_hash, "user", expires) VALUES (${hashToken(token)}, ${user.id}, ${expires})`,
  )
  await queueMail(tx, accountsPlace, {
    to: user.email,
    template: 'password_reset',
    locale: user.locale,
    values: { url: linkFor(token), name: user.fullname ?? '', email: user.email },
  })
  noteAccount(tx, user, 'password.reset_asked')
}

/** Whom a link is for, while it works. */
export async function findReset(db: Queryable, token: string, now: string): Promise<User | undefined> {
  const row = await db.get<{ user: number }>(
    sql`SELECT "user" FROM password_reset WHERE token_hash = ${hashToken(token)} AND expires > ${now}`,
  )
  const user = row && (await findUser(db, row.user))
  return user?.isDisabled ? undefined : user
}

/** Stores a new password with a link, which ends, as does every login and what programs were let do; the user, or undefined for a dead link. */
export async function resetPassword(tx: Tx, token: string, passwordHash: string): Promise<User | undefined> {
  const user = await findReset(tx, token, tx.now)
  if (!user) return undefined
  const taken = await tx.run(sql`DELETE FROM password_reset WHERE token_hash = ${hashToken(token)}`)
  if (taken === 0) return undefined
  await savePasswordHash(tx, user.id, passwordHash)
  await endSessions(tx, user.id)
  await revokeGrantsOf(tx, sql`"user" = ${user.id}`)
  noteAccount(tx, user, 'password.reset')
  await mailAccountChange(tx, user, 'password_changed')
  return user
}
