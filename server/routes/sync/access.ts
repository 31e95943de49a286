import type { Context, Middleware } from 'koa'
import sql from 'sql-template-tag'
import { oldestProtocol, protocol, syncHeader } from '../../../schema/sync.ts'
import { denied, impossible } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { flagParameter, integerParameter, single } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { shaped } from '../../storage/shaped.ts'

/** Marks every answer, refusals as well, as that of a server of ours. */
export const markAnswers = (): Middleware => (ctx, next) => {
  ctx.set(syncHeader, '1')
  return next()
}

/** Lets in devices only, and only with a version of the messages that this server speaks. */
export const devicesOnly = (): Middleware => (ctx, next) => {
  const actor: Actor = ctx.state.actor
  if (actor.kind !== 'device') throw denied('Only a device may ask for this, with its own token.')
  const asked = integerParameter(ctx.query, 'protocol')
  if (asked !== undefined) checkProtocol([asked])
  return next()
}

/** The newest version of the messages that both speak; 400 when there is none. */
export function checkProtocol(offered: readonly number[]): number {
  const shared = offered.filter((one) => one >= oldestProtocol && one <= protocol)
  if (shared.length > 0) return Math.max(...shared)
  const isNewer = offered.some((one) => one > protocol)
  throw impossible(
    `This server speaks the versions ${oldestProtocol} to ${protocol} of the protocol, the device ${offered.join(', ')}. Update the program on ${isNewer ? 'this server' : 'the device'}.`,
  )
}

/** The device that asks, by its row, and its organizer. */
export function askerOf(ctx: Context): { organizer: number; device: number; actor: Actor } {
  const { actor, place }: Scope = ctx.state.scope
  return { organizer: place.organizer, device: actor.id, actor }
}

/** Whether a device asks for orders as well, which it does unless it says no. */
export const withOrders = (ctx: Context): boolean => flagParameter(ctx.query, 'orders') ?? true

/** A whole number of a query between two others, or what it is when nothing is said; 400 when it is another. */
export function numberBetween(
  ctx: Context,
  name: string,
  least: number,
  most: number,
  usual: number,
): number {
  const value = integerParameter(ctx.query, name) ?? usual
  if (value < least || value > most) throw impossible(`${name} must be between ${least} and ${most}.`)
  return value
}

/** A query parameter that may be missing. */
export const textIn = (ctx: Context, name: string): string | undefined => single(ctx.query, name) || undefined

const epoch = shaped(() => sql`SELECT epoch FROM node WHERE id = 1`)

/** Names the history of this server's data: another one after it was restored from a backup. */
export async function epochOf(db: Queryable): Promise<string> {
  const node = await db.get<{ epoch: string }>(epoch())
  if (!node) throw new Error('The database has lost its node row.')
  return node.epoch
}
