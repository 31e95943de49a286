import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { hashToken, type RandomBytes } from '../codes/secrets.ts'
import { findUser, type User } from './users.ts'

/** Seconds after which a session ends: without being used, in any case, and while the second factor is missing. */
export const sessionLimits = { idle: 3 * 3600, absolute: 12 * 3600, halfway: 600 }

/** Seconds between two notes of when a session was used. */
const noteEvery = 60

/** That somebody is signed in, or is about to give the second factor. */
export interface Session {
  readonly id: number
  readonly user: User
  readonly stage: 'password' | 'full'
  readonly seen: string
}

/** A session as its owner sees it in a list. */
interface SessionShown {
  readonly id: number
  readonly created: string
  readonly seen: string
  readonly agent: string
}

interface SessionCells {
  readonly id: number
  readonly user: number
  readonly stage: 'password' | 'full'
  readonly created: string
  readonly seen: string
  readonly agent: string
}

/** A secret for a cookie: 256 bits of chance. */
export const newSessionToken = (randomBytes: RandomBytes): string =>
  Buffer.from(randomBytes(32)).toString('base64url')

const before = (now: string, seconds: number): string => instantAt(microsecondsOf(now) - seconds * 1e6)

/** The condition that a session has not ended. */
const isLive = (now: string) =>
  sql`created > ${before(now, sessionLimits.absolute)} AND seen > ${before(now, sessionLimits.idle)}
      AND (stage = 'full' OR created > ${before(now, sessionLimits.halfway)})`

/** Begins a session; the token for the cookie is new each time, whatever the browser had before. */
export async function beginSession(
  tx: Tx,
  user: number,
  stage: Session['stage'],
  agent: string,
): Promise<string> {
  const token = newSessionToken(tx.randomBytes)
  await tx.run(
    sql`INSERT INTO user_session (token_hash, id, "user", stage, created, seen, agent)
        VALUES (${hashToken(token)}, ${tx.nextId()}, ${user}, ${stage}, ${tx.now}, ${tx.now}, ${agent.slice(0, 200)})`,
  )
  return token
}

/** The session of a cookie, unless it has ended or its account is closed. */
export async function findSession(db: Queryable, token: string, now: string): Promise<Session | null> {
  const cells = await db.get<SessionCells>(
    sql`SELECT * FROM user_session WHERE token_hash = ${hashToken(token)} AND ${isLive(now)}`,
  )
  const user = cells && (await findUser(db, cells.user))
  return cells && user && !user.isDisabled
    ? { id: cells.id, user, stage: cells.stage, seen: cells.seen }
    : null
}

/** Whether it is time to note that a session is used. */
export const isNoteDue = ({ seen }: Session, now: string): boolean => seen <= before(now, noteEvery)

/** Notes that a session is used. */
export async function noteUse(tx: Tx, id: number): Promise<void> {
  await tx.run(sql`UPDATE user_session SET seen = ${tx.now} WHERE id = ${id}`)
}

/** Ends one session of somebody; whether there was one. */
export const endSession = async (tx: Tx, user: number, id: number): Promise<boolean> =>
  (await tx.run(sql`DELETE FROM user_session WHERE "user" = ${user} AND id = ${id}`)) > 0

/** Ends all sessions of somebody, or all but one; how many. */
export const endSessions = (tx: Tx, user: number, except = 0): Promise<number> =>
  tx.run(sql`DELETE FROM user_session WHERE "user" = ${user} AND id <> ${except}`)

/** Where somebody is signed in, the latest first. */
export const sessionsOf = (db: Queryable, user: number, now: string): Promise<SessionShown[]> =>
  db.all<SessionShown>(
    sql`SELECT id, created, seen, agent FROM user_session
        WHERE "user" = ${user} AND stage = 'full' AND ${isLive(now)} ORDER BY seen DESC, id DESC`,
  )
