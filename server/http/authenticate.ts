import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import sql, { join } from 'sql-template-tag'
import { devicePermissions, type Permission, permissions } from '../../schema/permissions.ts'
import { unauthenticated } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import { programActor } from '../services/accounts/oauth-access.ts'
import { hashToken, isBrokenToken } from '../services/codes/secrets.ts'
import { stationActor } from '../services/devices/station-settings.ts'
import type { Cells, Queryable } from '../storage/database.ts'

/** The cookie that a station's own page carries. */
export const stationCookie = 'gatehouse_station'

const eventIds = async (
  db: Queryable,
  organizer: number,
  slugs: readonly string[],
): Promise<ReadonlySet<number>> => {
  if (slugs.length === 0) return new Set()
  const found = await db.all<{ id: number }>(
    sql`SELECT id FROM event WHERE organizer = ${organizer} AND slug IN (${join([...slugs])})`,
  )
  return new Set(found.map((row) => row.id))
}

async function tokenActor(db: Queryable, hash: string): Promise<Actor> {
  const row = await db.get<
    Cells & { organizer: number; token_id: number; token_name: string; active: number }
  >(
    sql`SELECT team.*, team_token.id AS token_id, team_token.name AS token_name, team_token.active
        FROM team_token JOIN team ON team.organizer = team_token.organizer AND team.id = team_token.team
        WHERE team_token.token_hash = ${hash}`,
  )
  if (!row) throw unauthenticated('Invalid token.')
  if (row.active !== 1) throw unauthenticated('Token inactive or deleted.')
  const allEvents = row.all_events === 1
  return {
    kind: 'token',
    id: row.token_id,
    name: row.token_name,
    organizer: row.organizer,
    permissions: new Set<Permission>(permissions.filter((permission) => row[permission] === 1)),
    allEvents,
    events: allEvents ? new Set() : await eventIds(db, row.organizer, JSON.parse(String(row.limit_events))),
    device: null,
  }
}

async function deviceActor(db: Queryable, hash: string): Promise<Actor> {
  const row = await db.get<Cells & { organizer: number; id: number; name: string; gate: number | null }>(
    sql`SELECT * FROM device WHERE token_hash = ${hash}`,
  )
  if (!row) throw unauthenticated('Invalid token.')
  if (row.initialized === null) throw unauthenticated('Device has not been initialized.')
  if (row.revoked === 1) throw unauthenticated('Device access has been revoked.')
  const allEvents = row.all_events === 1
  return {
    kind: 'device',
    id: row.id,
    name: row.name,
    organizer: row.organizer,
    permissions: new Set(devicePermissions),
    allEvents,
    events: allEvents ? new Set() : await eventIds(db, row.organizer, JSON.parse(String(row.limit_events))),
    device: { id: row.id, gate: row.gate, profile: String(row.security_profile) },
  }
}

/** Whether two secrets are the same, in a time that says nothing about them. */
export const isSameSecret = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether a request comes from a station's own page or shell. */
export function isStation(ctx: Context, stationKey: string | null): boolean {
  if (stationKey === null) return false
  const [scheme, value = ''] = ctx.get('Authorization').split(' ')
  if (scheme === 'Station') return isSameSecret(value, stationKey)
  return scheme === '' && isSameSecret(ctx.cookies.get(stationCookie) ?? '', stationKey)
}

/** The person that a program acts for, by the access token it was given. */
async function bearerActor(db: Queryable, hash: string, now: string): Promise<Actor> {
  const access = await db.remembered(`Bearer ${hash}`, () => programActor(db, hash))
  if (!access || access.expires <= now) throw unauthenticated('Invalid token.')
  return access.actor
}

/** Who sends a request; throws 401 when nobody we know does. */
export async function authenticate(
  ctx: Context,
  db: Queryable,
  stationKey: string | null,
  now?: () => string,
): Promise<Actor> {
  const header = ctx.get('Authorization')
  if (isStation(ctx, stationKey)) {
    const actor = await db.remembered('station', () => stationActor(db))
    if (actor) return actor
    throw unauthenticated('This station is not set up yet. Choose its event first.')
  }
  if (header === '') throw unauthenticated('Authentication credentials were not provided.')
  const [scheme, token, ...rest] = header.split(' ')
  if (!token || rest.length > 0) throw unauthenticated('Invalid token header.')
  if (isBrokenToken(token)) throw unauthenticated('Invalid token.')
  if (scheme === 'Bearer' && now) return bearerActor(db, hashToken(token), now())
  if (scheme !== 'Token' && scheme !== 'Device')
    throw unauthenticated('Authentication credentials were not provided.')
  const hash = hashToken(token)
  const actorWith = scheme === 'Token' ? tokenActor : deviceActor
  return db.remembered(`${scheme} ${hash}`, () => actorWith(db, hash))
}
