import type { Context, Middleware } from 'koa'
import { listBody } from '../../schema/body-limits.ts'
import type { Env } from '../env.ts'
import type { BodyReader } from '../resource/api.ts'

/** Milliseconds for the rest of a body that nobody reads, once its request is answered. */
const patience = 5000

/**
 * Of a caller who is known, and of what is not large, the rest is received and forgotten for a while, so that they get
 * to read their answer and may go on asking. From strangers who send much, and from those who send much too fast, nothing
 * more is received.
 */
function endUnread(ctx: Context, env: Env, bodies: BodyReader): void {
  const { req, request, state } = ctx
  const isLarge = request.length === undefined || request.length > listBody
  if (isLarge && (state.isKnown !== true || !bodies.isForgotten(ctx))) {
    req.destroy()
    return
  }
  const cancel = env.after(patience, () => req.destroy())
  req.once('close', cancel)
}

/** Ends connections on which a request was answered before all of its body had come. */
export const endUnreadBodies =
  (env: Env, bodies: BodyReader): Middleware =>
  (ctx, next) => {
    ctx.res.once('finish', () => {
      if (ctx.req.complete === false) endUnread(ctx, env, bodies)
    })
    return next()
  }
