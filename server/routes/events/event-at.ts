import type { Context } from 'koa'
import { denied } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'

/** The event that a request below an event is about. */
export function eventAt(ctx: Context): OrderScope {
  const { actor, place, event }: Scope = ctx.state.scope
  if (!event) throw denied()
  return { actor, place, event }
}
