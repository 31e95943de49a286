import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import type { Env } from '../env.ts'
import { busy, denied, notFound, Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Actor } from '../resource/actor.ts'
import type { AnswerStore, EndpointAnswer } from '../resource/asked.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { type AnsweredRights, areRightsLeft, rightsOnPath } from '../services/operations/answered-rights.ts'
import {
  beginRequest,
  endRequest,
  type KnownKey,
  knownAnswer,
  notePassedUp,
  type OpenAttempts,
  type RepeatableAnswer,
  type RequestAttempt,
  type RequestKey,
  renewAttempt,
  renewEvery,
  requestKey,
  storeAnswer,
  wasPassedUp,
} from '../services/operations/idempotency-keys.ts'
import { authenticate, stationCookie } from './authenticate.ts'

/** What finding out who asks, and what they were answered before, is made of. */
export interface IdempotencyParts {
  readonly transactions: Transactions
  readonly stationKey: string | null
  readonly now: () => string
  readonly log: Log
  readonly env: Env
  readonly openAttempts: OpenAttempts
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

/** The headers that an answer has got, as far as they are given again. */
function headersOf({ response }: Context): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value === undefined || momentary.test(name)) continue
    headers[name] = typeof value === 'number' ? String(value) : value
  }
  return headers
}

/** Whether somebody has to sign in or to stand in first, with whose leave the same is asked again. */
function asksForStaff({ status, body }: Context): boolean {
  if (status !== 403 || typeof body !== 'object' || body === null || !('reason' in body)) return false
  return body.reason === 'sign_in' || body.reason === 'step_up'
}

/** The answer that a request has got, where it is one to be given again. */
function answerOf(ctx: Context, rights: AnsweredRights | null): RepeatableAnswer | null {
  if (passing.has(ctx.status) || asksForStaff(ctx)) return null
  const body = bytesOf(ctx.body)
  return body && { status: ctx.status, headers: headersOf(ctx), body: body.toString('base64'), rights }
}

/** Where what carries a request out stores its answer. */
class KeyedAnswerStore implements AnswerStore {
  readonly #ctx: Context
  readonly #parts: IdempotencyParts
  readonly #attempt: RequestAttempt
  readonly rights: AnsweredRights | null
  isSettled = false

  constructor(ctx: Context, parts: IdempotencyParts, attempt: RequestAttempt, rights: AnsweredRights | null) {
    this.#ctx = ctx
    this.#parts = parts
    this.#attempt = attempt
    this.rights = rights
  }

  store(tx: Tx, { status, body }: EndpointAnswer): Promise<void> {
    const bytes = status === 204 ? Buffer.alloc(0) : bytesOf(body)
    if (bytes === null) throw new Error('An answer that is a stream cannot be stored.')
    return storeAnswer(tx, this.#attempt, {
      ...{ status, body: bytes.toString('base64'), rights: this.rights },
      headers: {
        ...headersOf(this.#ctx),
        ...(bytes.length > 0 && { 'content-type': 'application/json; charset=utf-8' }),
      },
    })
  }

  settle(): void {
    this.isSettled = true
  }

  async passUp(): Promise<void> {
    await notePassedUp(this.#parts.transactions, this.#attempt)
  }

  wasPassedUp(): Promise<boolean> {
    return wasPassedUp(this.#parts.transactions.database, this.#attempt.key)
  }
}

/** Gives what is known of a request as its answer, unless the caller may not see any more what it shows. */
function answerAgain(ctx: Context, actor: Actor, known: KnownKey): void {
  if (known === null) throw notFound('No request with this key is known.')
  if (known === 'running') throw busy('The first request with this key is still being carried out.')
  const body = Buffer.from(known.body, 'base64')
  if (body.length > 0 && known.rights && !areRightsLeft(actor, known.rights)) throw denied()
  if (body.length > 0) ctx.body = body
  for (const [name, value] of Object.entries(known.headers)) ctx.set(name, [value].flat())
  ctx.status = known.status
}

/** Says time and again that an attempt is being carried out, until that is ended. */
function renewing({ transactions, env, log }: IdempotencyParts, attempt: RequestAttempt): () => void {
  let takeBack = (): void => undefined
  const wait = (): void => {
    takeBack = env.after(renewEvery, () => {
      wait()
      renewAttempt(transactions, attempt).catch((cause: unknown) =>
        log.warn('attempt not renewed', { reason: cause instanceof Error ? cause.message : String(cause) }),
      )
    })
  }
  // Programs that have a database for themselves know of each other's attempts that they are over.
  if (transactions.database.engine === 'postgres') wait()
  return () => takeBack()
}

/**
 * Carries out a changing request once for each key that its caller gives it, and answers repetitions as the first
 * time, whatever they ask for. What was answered is stored for a day, apart from "not now": in the transaction that
 * carries the request out, or afterwards where that has changed nothing. `refusals` makes answers of what is thrown.
 */
export const answerOnce = (parts: IdempotencyParts, refusals: Middleware): Middleware => {
  const { transactions, stationKey, now, openAttempts } = parts
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
    const { organizer } = actor
    const attempt = { key: keyOf(ctx, actor, given), name: openAttempts.begin(), organizer }
    try {
      const known = await beginRequest(transactions, attempt, openAttempts)
      if (known !== null) return answerAgain(ctx, actor, known)
      const endRenewal = renewing(parts, attempt)
      await carryOut(ctx, actor, { parts, attempt }, () => refusals(ctx, next)).finally(endRenewal)
    } finally {
      openAttempts.end(attempt.name)
    }
  }
}

/** Carries a request out in an attempt, and stores how that ended unless the request has done so itself. */
async function carryOut(
  ctx: Context,
  actor: Actor,
  { parts, attempt }: { readonly parts: IdempotencyParts; readonly attempt: RequestAttempt },
  work: () => Promise<unknown>,
): Promise<void> {
  const { transactions, log } = parts
  let store: KeyedAnswerStore | null = null
  let answer: RepeatableAnswer | null = null
  try {
    const rights = await rightsOnPath(transactions.database, actor, ctx.path)
    store = new KeyedAnswerStore(ctx, parts, attempt, rights)
    ctx.state.answerStore = store
    await work()
    answer = answerOf(ctx, rights)
  } finally {
    if (!store?.isSettled)
      await endRequest(transactions, attempt, answer).catch((cause: unknown) =>
        // What was done is done, and the caller is to hear of it.
        log.error('answer not stored', { stack: cause instanceof Error ? cause.stack : String(cause) }),
      )
  }
}

/** Answers with what the caller was answered when they used a key before. */
export async function answerByKey(
  ctx: Context,
  actor: Actor,
  { transactions, openAttempts, now }: IdempotencyParts,
): Promise<void> {
  const given = [ctx.query.key].flat().at(-1) ?? ''
  const key = keyOf(ctx, actor, given)
  const known = given === '' ? null : await knownAnswer(transactions.database, key, openAttempts, now())
  answerAgain(ctx, actor, known)
}
