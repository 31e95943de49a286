import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, randomWord } from '../codes/secrets.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { mailAccountChange } from './account-mails.ts'
import { revokeGrantsOf } from './oauth-grants.ts'
import { endSessions } from './sessions.ts'
import { accountsPlace, findPerson, noteAccount, type Person, savePasswordHash } from './users.ts'

/** Seconds that a link for a new password is good for. */
const lifetime = 3600

/** Mails somebody a link for a new password; `linkFor` makes it of its secret. Links before it end. Nothing for a closed account. */
export async function mailReset(tx: Tx, person: Person, linkFor: (token: string) => string): Promise<void> {
  if (person.isDisabled) return
  const token = randomWord(tx.randomBytes, alphabets.token, 64)
  const expires = instantAt(microsecondsOf(tx.now) + lifetime * 1e6)
  await tx.run(sql`DELETE FROM password_reset WHERE "user" = ${person.id}`)
  await tx.run(
    sql`INSERT INTO password_reset (token_hash, "user", expires) VALUES (${hashToken(token)}, ${person.id}, ${expires})`,
  )
  await queueMail(tx, accountsPlace, {
    to: person.email,
    template: 'password_reset',
    locale: person.locale,
    values: { url: linkFor(token), name: person.fullname ?? '', email: person.email },
  })
  noteAccount(tx, person, 'password.reset_asked')
}

/** Whom a link is for, while it works. */
export async function findReset(db: Queryable, token: string, now: string): Promise<Person | undefined> {
  const row = await db.get<{ user: number }>(
    sql`SELECT "user" FROM password_reset WHERE token_hash = ${hashToken(token)} AND expires > ${now}`,
  )
  const person = row && (await findPerson(db, row.user))
  return person?.isDisabled ? undefined : person
}

/** Stores a new password with a link, which ends, as does every login and what programs were let do; the person, or undefined for a dead link. */
export async function resetPassword(
  tx: Tx,
  token: string,
  passwordHash: string,
): Promise<Person | undefined> {
  const person = await findReset(tx, token, tx.now)
  if (!person) return undefined
  const taken = await tx.run(sql`DELETE FROM password_reset WHERE token_hash = ${hashToken(token)}`)
  if (taken === 0) return undefined
  await savePasswordHash(tx, person.id, passwordHash)
  await endSessions(tx, person.id)
  await revokeGrantsOf(tx, sql`"user" = ${person.id}`)
  noteAccount(tx, person, 'password.reset')
  await mailAccountChange(tx, person, 'password_changed')
  return person
}
