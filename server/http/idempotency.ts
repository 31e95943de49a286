import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { busy, denied, notFound, Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Actor } from '../resource/actor.ts'
import type { Transactions } from '../resource/transactions.ts'
import { areRightsLeft, rightsOnPath } from '../services/operations/answered-rights.ts'
import {
  beginRequest,
  endRequest,
  type KnownKey,
  knownAnswer,
  type RepeatableAnswer,
  type RequestKey,
  requestKey,
} from '../services/operations/idempotency-keys.ts'
import { authenticate, stationCookie } from './authenticate.ts'

/** What finding out who asks, and what they were answered before, is made of. */
export interface IdempotencyParts {
  readonly transactions: Transactions
  readonly stationKey: string | null
  readonly now: () => string
  readonly log: Log
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Answers that say: not now. The request is carried out when it is made again. */
const passing = new Set([401, 408, 409, 429, 500, 502, 503, 504, 507])

/** Of this one answer only. */
const momentary = /^(date|connection|keep-alive|content-length|transfer-encoding|ratelimit.*|set-cookie)$/

/** The key of a caller's request; with another profile a device is another caller, who may be shown something else. */
function keyOf(ctx: Context, { device }: Actor, key: string): RequestKey {
  const credential = `${ctx.get('Authorization')}\n${ctx.cookies.get(stationCookie) ?? ''}`
  return requestKey(device === null ? credential : `${credential}\n${device.profile}`, key)
}

function bytesOf(body: unknown): Buffer | null {
  if (body === null || body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body)
  if (body instanceof Readable || body instanceof ReadableStream) return null
  return Buffer.from(JSON.stringify(body))
}

/** The answer that a request has got, where it is one to be given again. */
function answerOf(ctx: Context): RepeatableAnswer | null {
  if (passing.has(ctx.status)) return null
  const body = bytesOf(ctx.body)
  if (body === null) return null
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(ctx.response.headers)) {
    if (value === undefined || momentary.test(name)) continue
    headers[name] = typeof value === 'number' ? String(value) : value
  }
  return { status: ctx.status, headers, body: body.toString('base64') }
}

/** Gives what is known of a request as its answer, unless the caller may not see any more what it shows. */
function answerAgain(ctx: Context, actor: Actor, known: KnownKey): void {
  if (known === null) throw notFound('No request with this key is known.')
  if (known === 'running') throw busy('The first request with this key is still being carried out.')
  const body = Buffer.from(known.body, 'base64')
  if (body.length > 0 && known.rights && !areRightsLeft(actor, known.rights)) throw denied()
  ctx.body = body.length > 0 ? body : null
  for (const [name, value] of Object.entries(known.headers)) ctx.set(name, [value].flat())
  ctx.status = known.status
}

/**
 * Carries out a changing request once for each key that its caller gives it, and answers repetitions as the first
 * time, whatever they ask for. What was answered is stored for a day, apart from "not now". `refusals` makes answers
 * of what is thrown.
 */
export const answerOnce = (parts: IdempotencyParts, refusals: Middleware): Middleware => {
  const { transactions, stationKey, now, log } = parts
  return async (ctx, next) => {
    const given = ctx.get('X-Idempotency-Key')
    if (given === '' || safe.has(ctx.method) || !ctx.path.startsWith('/api/')) return next()
    let actor: Actor
    try {
      actor = await authenticate(ctx, transactions.database, stationKey, now)
    } catch (cause) {
      // For those whom nobody knows nothing is stored.
      if (cause instanceof Refusal) return next()
      throw cause
    }
    const key = keyOf(ctx, actor, given)
    const known = await beginRequest(transactions, key)
    if (known !== null) return answerAgain(ctx, actor, known)
    let answer: RepeatableAnswer | null = null
    try {
      const rights = await rightsOnPath(transactions.database, actor, ctx.path)
      await refusals(ctx, next)
      const shown = answerOf(ctx)
      answer = shown && { ...shown, rights }
    } finally {
      await endRequest(transactions, key, answer).catch((cause: unknown) =>
        // What was done is done, and the caller is to hear of it.
        log.error('answer not stored', { stack: cause instanceof Error ? cause.stack : String(cause) }),
      )
    }
  }
}

/** Answers with what the caller was answered when they used a key before. */
export async function answerByKey(
  ctx: Context,
  actor: Actor,
  { transactions, now }: IdempotencyParts,
): Promise<void> {
  const given = [ctx.query.key].flat().at(-1) ?? ''
  const key = keyOf(ctx, actor, given)
  answerAgain(ctx, actor, given === '' ? null : await knownAnswer(transactions.database, key, now()))
}
