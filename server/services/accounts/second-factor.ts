import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, type RandomBytes, randomWord } from '../codes/secrets.ts'
import { noteAccount, type User } from './users.ts'

/** Seconds that a code is shown for, and how many codes before and after it are taken as well. */
const period = 30
const tolerance = 1

/** How many recovery codes there are, and their letters: 118 bits of chance, so that a plain hash keeps them. */
const recoveryCount = 8
const recoveryLength = 24

/** A new shared secret: 160 bits, in Base32, as authenticator apps take it. */
export const newTotpSecret = (randomBytes: RandomBytes): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(20)).buffer }).base32

const generatorOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: 'Gatehouse', label, secret: Secret.fromBase32(secret), period })

/** The address that an authenticator app reads from a QR code. */
export const totpAddress = (secret: string, email: string): string => generatorOf(secret, email).toString()

/** The number of the step whose code was typed, or null where it is none of those about now. */
function stepOf(secret: string, code: string, now: string): number | null {
  const token = code.replace(/\s+/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = microsecondsOf(now) / 1000
  const delta = generatorOf(secret, '').validate({ token, timestamp, window: tolerance })
  return delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
}

/** A recovery code as it is compared: without the dashes and spaces that make it readable. */
const bare = (code: string): string => code.toLowerCase().replace(/[\s-]+/g, '')

/** Takes a code of somebody's app, or one of the recovery codes. Each is taken once. */
export async function takeCode(tx: Tx, user: User, code: string): Promise<'app' | 'recovery' | null> {
  if (user.totpSecret === null) return null
  const step = stepOf(user.totpSecret, code, tx.now)
  if (step !== null) {
    const taken = await tx.run(
      sql`UPDATE app_user SET totp_step = ${step}
          WHERE id = ${user.id} AND totp_secret = ${user.totpSecret} AND (totp_step IS NULL OR totp_step < ${step})`,
    )
    return taken === 1 ? 'app' : null
  }
  if (bare(code).length !== recoveryLength) return null
  const used = await tx.run(
    sql`DELETE FROM recovery_code WHERE "user" = ${user.id} AND code_hash = ${hashToken(bare(code))}`,
  )
  if (used === 0) return null
  noteAccount(tx, user, '2fa.recovery_code_used')
  return 'recovery'
}

/** Makes new recovery codes in place of the old ones; this is the only time they are seen. */
export async function renewRecoveryCodes(tx: Tx, user: User): Promise<string[]> {
  await tx.run(sql`DELETE FROM recovery_code WHERE "user" = ${user.id}`)
  const codes: string[] = []
  for (let count = 0; count < recoveryCount; count += 1) {
    const code = randomWord(tx.randomBytes, alphabets.ticketSecret, recoveryLength)
    await tx.run(sql`INSERT INTO recovery_code ("user", code_hash) VALUES (${user.id}, ${hashToken(code)})`)
    codes.push(code.replace(/(.{4})(?=.)/g, '$1-'))
  }
  return codes
}

/** How many recovery codes somebody has left. */
export async function countRecoveryCodes(db: Queryable, user: number): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM recovery_code WHERE "user" = ${user}`,
  )
  return row?.count ?? 0
}

/** Asks for codes of an app from now on, if one that it shows was typed; the recovery codes, or null where it is wrong. */
export async function beginSecondFactor(
  tx: Tx,
  user: User,
  secret: string,
  code: string,
): Promise<string[] | null> {
  const step = stepOf(secret, code, tx.now)
  if (step === null) return null
  await tx.run(sql`UPDATE app_user SET totp_secret = ${secret}, totp_step = ${step} WHERE id = ${user.id}`)
  noteAccount(tx, user, '2fa.enabled')
  return renewRecoveryCodes(tx, user)
}

/** Asks for the password alone from now on. */
export async function endSecondFactor(tx: Tx, user: User): Promise<void> {
  await tx.run(sql`UPDATE app_user SET totp_secret = NULL, totp_step = NULL WHERE id = ${user.id}`)
  await tx.run(sql`DELETE FROM recovery_code WHERE "user" = ${user.id}`)
  noteAccount(tx, user, '2fa.disabled')
}
