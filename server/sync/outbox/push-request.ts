import { gzipSync } from 'node:zlib'
import {
  type FactResult,
  factStatuses,
  type Push,
  type PushAnswer,
  protocol,
  syncHeader,
} from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Stamp } from '../../resource/facts.ts'
import { retryAfterOf } from '../upstream/upstream-client.ts'
import { type QueuedFact, sentFactOf } from './outbox.ts'

/**
 * How a node asks the server upstream of it: a path below the organizer, such as `sync/push/`. Adds address and
 * credential.
 */
export type AskUpstream = (
  path: string,
  init: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array<ArrayBuffer>
    readonly signal: AbortSignal
  },
) => Promise<Response>

/** What reporting some facts came to. */
export type PushOutcome =
  /** One result for each fact that the upstream server answered. */
  | { readonly kind: 'answered'; readonly results: readonly FactResult[] }
  /** Too much at once; `ours` says whether a server of ours found so, or something between. */
  | { readonly kind: 'too large'; readonly ours: boolean }
  /** Asked to wait. */
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** The upstream server does not know us, or speaks another version. */
  | { readonly kind: 'refused' }
  /** The upstream server could not answer for all of them. */
  | { readonly kind: 'failed' }
  /** No answer, or not one of a server of ours: nothing has happened. */
  | { readonly kind: 'silent' }

/** What is needed to ask. */
export interface PushAsking {
  readonly env: Env
  readonly ask: AskUpstream
  readonly stamp: () => Stamp
}

/** Smaller bodies gain nothing by being packed. */
const packedFrom = 1024

/** Reports facts to the upstream server; never throws. `timeout` in milliseconds, for the whole answer. */
export async function pushFacts(
  { env, ask, stamp }: PushAsking,
  facts: readonly QueuedFact[],
  timeout: number,
  stopped: AbortSignal,
): Promise<PushOutcome> {
  const aborting = new AbortController()
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    aborting.abort()
    reject(aborting.signal.reason)
  }
  if (stopped.aborted) return { kind: 'silent' }
  const forget = env.after(timeout, abort)
  stopped.addEventListener('abort', abort)
  try {
    const { deviceTime, mono, boot, clockOffset } = stamp()
    const push: Push = {
      protocol,
      boot,
      mono: Math.round(mono),
      device_time: deviceTime,
      clock_offset: clockOffset,
      facts: facts.map(sentFactOf),
    }
    const asked = ask('sync/push/', { ...packed(JSON.stringify(push)), signal: aborting.signal })
    const understanding = asked.then((answer) => understood(env, answer))
    return await Promise.race([understanding, givenUp])
  } catch {
    return { kind: 'silent' }
  } finally {
    forget()
    stopped.removeEventListener('abort', abort)
  }
}

function packed(text: string) {
  const headers = { 'Content-Type': 'application/json' }
  const isLarge = text.length >= packedFrom
  return isLarge
    ? {
        method: 'POST',
        headers: { ...headers, 'Content-Encoding': 'gzip' },
        body: gzipSync(text, { level: 1 }),
      }
    : { method: 'POST', headers, body: text }
}

async function understood(env: Env, answer: Response): Promise<PushOutcome> {
  const ours = answer.headers.has(syncHeader)
  const wait = waitOf(env, answer)
  // What is not read of an answer keeps its connection.
  const text = await answer.text()
  if (wait !== null) return { kind: 'wait', milliseconds: wait }
  if (answer.status === 413) return { kind: 'too large', ours }
  // What was not received whole has not happened.
  if (!ours || answer.status === 408) return { kind: 'silent' }
  if ([401, 403, 426].includes(answer.status)) return { kind: 'refused' }
  if (answer.status !== 200) return { kind: 'failed' }
  return { kind: 'answered', results: (JSON.parse(text) as PushAnswer).results.filter(isResult) }
}

/** How long an answer asks us to wait, in milliseconds, or null. */
const waitOf = (env: Env, { status, headers }: Response): number | null =>
  [409, 429, 503, 507].includes(status) ? retryAfterOf(headers, env.now()) : null

const isResult = (value: unknown): value is FactResult =>
  typeof value === 'object' &&
  value !== null &&
  'nonce' in value &&
  typeof value.nonce === 'string' &&
  'status' in value &&
  (factStatuses as readonly unknown[]).includes(value.status)
