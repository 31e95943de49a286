import {
  addressProblem,
  hostOf,
  isAddress,
  type Network,
  portOf,
  targetProblem,
} from '../domain/notifications/webhook-targets.ts'
import type { Env } from '../env.ts'
import { withoutPassword } from '../services/notifications/webhook-behaviour.ts'
import type { Delivery, Outcome } from '../services/notifications/webhook-deliveries.ts'
import { signatureHeaders } from '../services/notifications/webhook-signature.ts'

/** Milliseconds that an attempt may take as a whole. */
const within = 30_000

/** Bytes of an answer that are read, and characters of it that are kept. */
const readBytes = 16_384
const keptLetters = 4096

/** A target that must not be called, with the reason. */
class Forbidden extends Error {}

/** What a call needs beside the message. */
export interface WebhookCaller {
  readonly env: Env
  readonly networks: readonly Network[]
  /** Set once the server stops: everything is broken off. */
  readonly stopping: AbortSignal
}

/** Sends a message to its target once; null where it was broken off because the server stops. */
export async function callWebhook(caller: WebhookCaller, delivery: Delivery): Promise<Outcome | null> {
  const { env, stopping } = caller
  const begun = env.elapsed()
  const giveUp = new AbortController()
  const stop = (): void => giveUp.abort()
  stopping.addEventListener('abort', stop)
  const stopTimer = env.after(within, () => giveUp.abort())
  const broken = new Promise<never>((_, reject) =>
    giveUp.signal.addEventListener('abort', () =>
      reject(new Error('There was no answer within thirty seconds.')),
    ),
  )
  // Nobody may be waiting for it any more.
  broken.catch(() => {})
  const about = (): Pick<Outcome, 'target' | 'duration'> => ({
    target: withoutPassword(delivery.target),
    duration: Math.round(env.elapsed() - begun),
  })
  try {
    if (stopping.aborted) return null
    const url = new URL(delivery.target)
    const address = await Promise.race([addressFor(caller, delivery, url), broken])
    const answer = await Promise.race([
      env.post({
        url,
        address,
        headers: headersOf(url, delivery, env.now()),
        body: delivery.body,
        limit: readBytes,
        signal: giveUp.signal,
      }),
      broken,
    ])
    return {
      ...about(),
      code: answer.status,
      body: readable(answer.body),
      error: null,
      retryAfter: secondsOf(answer.headers['retry-after']),
    }
  } catch (cause) {
    if (stopping.aborted) return null
    return { ...about(), code: 0, body: '', error: reasonOf(cause), retryAfter: null }
  } finally {
    stopTimer()
    stopping.removeEventListener('abort', stop)
  }
}

/**
 * The address to connect to. The name is asked for once, and all of its addresses must be allowed: one that gives a
 * public and a private one is up to something. Each retry tries the next of them.
 */
async function addressFor(
  { env, networks }: WebhookCaller,
  { target, attempts }: Delivery,
  url: URL,
): Promise<string> {
  const problem = targetProblem(target, networks)
  if (problem !== null) throw new Forbidden(problem)
  const host = hostOf(url)
  const addresses = isAddress(host) ? [host] : await env.resolve(host)
  for (const address of addresses) {
    const reason = addressProblem(address, portOf(url), networks)
    if (reason !== null) throw new Forbidden(reason)
  }
  const address = addresses[attempts % addresses.length]
  if (address === undefined) throw new Forbidden('The name has no address.')
  return address
}

function headersOf(
  url: URL,
  { notification, body, secrets, traceparent }: Delivery,
  now: number,
): Record<string, string> {
  const { username, password } = url
  const pair = `${decoded(username)}:${decoded(password)}`
  return {
    'Content-Type': 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': 'gatehouse-webhook',
    Connection: 'close',
    ...(username === '' && password === ''
      ? {}
      : { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
    ...(traceparent === null ? {} : { traceparent }),
    ...signatureHeaders(secrets, `msg_${notification}`, now, body),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** An answer as text that can be stored. */
const readable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).slice(0, keptLetters).toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Seconds that a header asks for, where it says so in seconds. */
const secondsOf = (header: string | readonly string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,9}$/.test(header.trim()) ? Number(header) : null

const longestReason = 300

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.slice(0, longestReason).toWellFormed().replaceAll('\u0000', '\uFFFD')
}
