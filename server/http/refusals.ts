import type { Context, Middleware } from 'koa'
import { languages } from '../../schema/texts/translate.ts'
import type { Env } from '../env.ts'
import { busy, Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { unknownPathPage } from '../pages/unknown-path.ts'
import type { Actor } from '../resource/actor.ts'
import { StorageError, type StorageProblem } from '../storage/database.ts'

/** A database's failure as the caller should see it, where there is something the caller can do. */
function storageRefusal(cause: StorageError): Refusal {
  switch (cause.problem) {
    case 'unique':
      return new Refusal(400, { non_field_errors: ['The same object exists already.'] })
    case 'foreign':
      return new Refusal(400, { non_field_errors: ['An object that this one needs was deleted meanwhile.'] })
    case 'conflict':
    case 'busy':
      return busy()
    case 'lost':
      return unavailable('The database cannot be reached at the moment. Please try again in a moment.')
    case 'unsure':
      return unavailable(
        'The database was lost while this was being stored. Look whether it was before you try again.',
      )
    case 'unstorable':
      return new Refusal(400, { non_field_errors: ['A value is too large to be stored.'] })
    case 'damaged':
      return new Refusal(500, {
        detail:
          'The database of this machine is damaged, or its disk is. Stop the program, keep a copy of its folder, and bring back a backup.',
      })
    case 'full':
      return new Refusal(
        507,
        {
          detail:
            'The disk of this machine or of its database is full. Free some space; nothing of this request was stored.',
        },
        { 'Retry-After': '30' },
      )
  }
}

const unavailable = (detail: string): Refusal => new Refusal(503, { detail }, { 'Retry-After': '5' })

const statusOf = (cause: unknown): number | undefined =>
  typeof cause === 'object' && cause !== null && 'status' in cause && typeof cause.status === 'number'
    ? cause.status
    : undefined

/** The pattern of the route that has failed: the path itself can hold ticket codes. */
const routeOf = ({ _matchedRoute: route }: Context): string => (typeof route === 'string' ? route : 'other')

/** Who asked, by number. */
export function askedBy({ state }: Context): string | undefined {
  const actor: Actor | undefined = state.actor
  return actor && `${actor.kind} ${actor.id}`
}

/** Notes what somebody was not allowed; a page or station that has no credential yet has not tried anything. */
function noteDenial(ctx: Context, log: Log): void {
  const { status, method } = ctx
  if (status !== 401 && status !== 403 && status !== 429) return
  if (status === 401 && !/^(Token|Device|Bearer) /.test(ctx.get('Authorization'))) return
  log.warn('refused', { status, method, route: routeOf(ctx), actor: askedBy(ctx) })
}

/** Answers a path that nothing is served at with a page: by that clients tell it from an object that is missing. */
function answerUnknownPath(ctx: Context): void {
  const language = ctx.acceptsLanguages(Object.keys(languages)) || 'en'
  ctx.status = 404
  ctx.type = 'html'
  ctx.body = unknownPathPage(language)
}

/**
 * Turns refusals into answers, and everything unexpected into a 500 with a number that finds it in the log. `noted` hears what
 * the database refuses.
 */
export const answerRefusals =
  (env: Env, log: Log, noted: (problem: StorageProblem) => void = () => undefined): Middleware =>
  async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) answerUnknownPath(ctx)
    } catch (cause) {
      if (cause instanceof StorageError) noted(cause.problem)
      const refusal = cause instanceof StorageError ? storageRefusal(cause) : cause
      if (refusal instanceof Refusal) {
        ctx.status = refusal.status
        ctx.set(refusal.headers)
        ctx.body = refusal.body
        noteDenial(ctx, log)
        return
      }
      const status = statusOf(cause)
      if (status !== undefined && status >= 400 && status < 500) {
        ctx.status = status
        ctx.body = { detail: cause instanceof Error ? cause.message : 'The request cannot be answered.' }
        return
      }
      const id = env.uuid()
      log.error('failed', {
        id,
        method: ctx.method,
        route: routeOf(ctx),
        stack: cause instanceof Error ? cause.stack : String(cause),
      })
      ctx.status = 500
      ctx.body = { detail: `Something went wrong here. The log has more under ${id}.` }
    }
  }
