import { syncHeader } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'

/** Why the upstream server did not do what was asked, so that each caller can decide what follows. */
export type Trouble =
  /** Nobody answered: no network, no such name, connection refused or cut. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  /** Nobody answered in time. */
  | { readonly kind: 'timeout'; readonly detail: string }
  /** Somebody else answered, such as the login page of a wireless network. */
  | { readonly kind: 'stranger'; readonly detail: string }
  /** This device's access was revoked (401). */
  | { readonly kind: 'revoked'; readonly detail: string }
  /** The credential is not known (401). */
  | { readonly kind: 'unknown'; readonly detail: string }
  /** Not allowed (403). */
  | { readonly kind: 'denied'; readonly detail: string }
  /** Somebody else is at it (409), too many requests (429), not now (503): again after some milliseconds. */
  | {
      readonly kind: 'busy'
      readonly status: number
      readonly detail: string
      readonly retryAfter: number | null
    }
  /** What was asked for is not kept any more: a new snapshot is needed (410). */
  | { readonly kind: 'gone'; readonly detail: string }
  /** The request was wrong (another 4xx). */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string; readonly body: unknown }
  /** The upstream server failed (another 5xx). */
  | {
      readonly kind: 'failed'
      readonly status: number
      readonly detail: string
      readonly retryAfter: number | null
    }

/** An answer with its body, or why there is none. */
export type Answered<T> =
  | { readonly kind: 'ok'; readonly status: number; readonly body: T; readonly headers: Headers }
  | Trouble

/** An answer whose body is read bit by bit, or why there is none. */
type Streamed = { readonly kind: 'ok'; readonly chunks: AsyncIterable<Uint8Array> } | Trouble

/** Where and as whom a node asks. */
interface Account {
  readonly url: string
  readonly slug: string
  readonly token: string
}

/** How a request is made. */
interface AskOptions {
  /** Milliseconds until the whole answer must be there; for streams, that may pass without a byte. */
  readonly within: number
  /** Gives up early. */
  readonly signal?: AbortSignal
}

/** Asks the upstream server. Paths are relative to the organizer, such as `sync/ping/`. */
export interface UpstreamClient {
  get<T>(path: string, options: AskOptions): Promise<Answered<T>>
  post<T>(path: string, body: unknown, options: AskOptions): Promise<Answered<T>>
  stream(path: string, options: AskOptions): Promise<Streamed>
  /** The bare request, with the address and credential added; the caller judges the answer. */
  ask(path: string, init: RequestInit): Promise<Response>
}

/** Makes a client for an account; nothing is asked yet. */
export function createUpstreamClient(env: Env, account: Account): UpstreamClient {
  const base = `${account.url}/api/v1/organizers/${encodeURIComponent(account.slug)}/`
  const headersOf = (body: unknown): Record<string, string> => ({
    Authorization: `Device ${account.token}`,
    Accept: 'application/json, application/x-ndjson, text/event-stream',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  })

  async function ask<T>(
    method: string,
    path: string,
    body: unknown,
    options: AskOptions,
  ): Promise<Answered<T>> {
    const limit = timeLimit(env, options)
    try {
      const answer = await env.fetch(base + path, {
        method,
        headers: headersOf(body),
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'manual',
        signal: limit.signal,
      })
      const text = await answer.text()
      const trouble = troubleOf(answer, text, env)
      if (trouble) return trouble
      return { kind: 'ok', status: answer.status, body: JSON.parse(text) as T, headers: answer.headers }
    } catch (cause) {
      return limit.failure(cause)
    } finally {
      limit.end()
    }
  }

  return {
    ask: (path, init) =>
      env.fetch(base + path, {
        redirect: 'manual',
        ...init,
        headers: { Authorization: `Device ${account.token}`, ...(init.headers as Record<string, string>) },
      }),
    get: (path, options) => ask('GET', path, undefined, options),
    post: (path, body, options) => ask('POST', path, body, options),
    async stream(path, options) {
      const limit = timeLimit(env, options)
      try {
        const answer = await env.fetch(base + path, {
          headers: headersOf(undefined),
          redirect: 'manual',
          signal: limit.signal,
        })
        const trouble = answer.ok ? troubleOf(answer, null, env) : troubleOf(answer, await answer.text(), env)
        if (trouble || answer.body === null) {
          limit.end()
          return trouble ?? { kind: 'stranger', detail: 'The answer was empty.' }
        }
        return { kind: 'ok', chunks: withinLimit(answer.body, limit) }
      } catch (cause) {
        limit.end()
        return limit.failure(cause)
      }
    },
  }
}

interface Limit {
  readonly signal: AbortSignal
  /** Begins to count anew. */
  renew(): void
  end(): void
  failure(cause: unknown): Trouble
}

/** Gives up a request that takes too long, or that nobody waits for any more. */
export function timeLimit(env: Env, { within, signal }: AskOptions): Limit {
  const controller = new AbortController()
  let late = false
  const giveUp = (): void => controller.abort()
  const begin = () =>
    env.after(within, () => {
      late = true
      giveUp()
    })
  let cancel = begin()
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    renew() {
      cancel()
      cancel = begin()
    },
    end() {
      cancel()
      signal?.removeEventListener('abort', giveUp)
    },
    failure: (cause) =>
      late
        ? { kind: 'timeout', detail: `No answer within ${within} ms.` }
        : cause instanceof SyntaxError
          ? { kind: 'stranger', detail: 'The answer was not JSON.' }
          : { kind: 'unreachable', detail: reasonOf(cause) },
  }
}

async function* withinLimit(body: AsyncIterable<Uint8Array>, limit: Limit): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of body) {
      limit.renew()
      yield chunk
    }
  } finally {
    limit.end()
  }
}

/** A network failure in words: fetch hides the cause in the cause. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause
  return inner instanceof Error ? inner.message || inner.name : cause.message
}

const detailIn = (text: string | null): string | undefined => {
  try {
    const { detail } = JSON.parse(text ?? '') as { detail?: unknown }
    return typeof detail === 'string' ? detail : undefined
  } catch {
    return undefined
  }
}

const bodyIn = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

/** The longest that an answer can have a node wait; milliseconds. */
const longestWait = 300_000

/**
 * Milliseconds that a Retry-After header asks for, given in seconds or as a date; five minutes at most. A date is meant
 * by the clock of whoever answered, which the answer tells: this machine's own may be an hour off.
 */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get('Retry-After')
  if (text === null) return null
  const answeredAt = Date.parse(headers.get('Date') ?? '')
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - (Number.isNaN(answeredAt) ? now : answeredAt)
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), longestWait)
}

/** What an answer below `sync/` says instead of what was asked for, or undefined when all is well. */
function troubleOf(answer: Response, text: string | null, env: Env): Trouble | undefined {
  const { status, headers } = answer
  if (headers.get(syncHeader) === null)
    return { kind: 'stranger', detail: `Somebody else answered for the server (status ${status}).` }
  if (answer.ok) return undefined
  const detail = detailIn(text) ?? `Status ${status}.`
  const retryAfter = retryAfterOf(headers, env.now())
  if (status === 401)
    return /revoked/i.test(detail) ? { kind: 'revoked', detail } : { kind: 'unknown', detail }
  if (status === 403) return { kind: 'denied', detail }
  if (status === 409 || status === 429 || status === 503) return { kind: 'busy', status, detail, retryAfter }
  if (status === 410) return { kind: 'gone', detail }
  if (status >= 500) return { kind: 'failed', status, detail, retryAfter }
  return { kind: 'refused', status, detail, body: bodyIn(text) }
}
