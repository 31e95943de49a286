import { oldestProtocol, protocol, syncHeader } from '../../../schema/sync.ts'
import { denied, impossible } from '../../errors.ts'
import type { Scopes } from '../../resource/api.ts'
import { type ApiRouter, admitting } from '../../resource/endpoints.ts'
import { flagParameter, integerParameter, type Query, single } from '../../resource/query.ts'

/** The same router, whose answers, refusals as well, are marked as those of a server of ours. */
export const marking = (router: ApiRouter): ApiRouter =>
  admitting<Scopes>(router, (ctx, where, needs) => {
    ctx.set(syncHeader, String(protocol))
    return router.admit(ctx, where, needs)
  })

/** The same router for devices only, and only with a version of the messages that this server speaks. */
export function admittingDevices(router: ApiRouter): ApiRouter {
  const { admit } = marking(router)
  return admitting<Scopes>(router, async (ctx, where, needs) => {
    const scope = await admit(ctx, where, needs)
    if (scope.actor.kind !== 'device') throw denied('Only a device may ask for this, with its own token.')
    const asked = integerParameter(ctx.query, 'protocol')
    if (asked !== undefined) checkProtocol([asked])
    return scope
  })
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

/** Whether a device asks for orders as well, which it does unless it says no. */
export const withOrders = (query: Query): boolean => flagParameter(query, 'orders') ?? true

/** A whole number of a query between two others, or what it is when nothing is said; 400 when it is another. */
export function numberBetween(
  query: Query,
  name: string,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  const value = integerParameter(query, name) ?? usual
  if (value < least || value > most) throw impossible(`${name} must be between ${least} and ${most}.`)
  return value
}

/** A query parameter that may be missing. */
export const textIn = (query: Query, name: string): string | undefined => single(query, name) || undefined
