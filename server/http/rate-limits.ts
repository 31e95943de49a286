import ipaddr from 'ipaddr.js'
import type { Context, Middleware, Next } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import { hashToken } from '../services/codes/secrets.ts'
import type { Uses } from '../services/operations/rate-use.ts'

/** Over how many seconds is counted. */
const window = 60

/** More than there are credentials in use at a time; forgetting them costs their next request a look. */
const mostKnown = 10_000

/** What nodes report and ask each other, which is paced by other means. */
const ofNodes = /^\/api\/v1\/organizers\/[^/]+\/sync\//

/** Whom requests without a known credential count for: an address, or the network that one household gets in IPv6. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return address.toByteArray().slice(0, 8).join('.')
}

/** A program that acts for a person counts by its token, everybody else by who they are. */
const credentialKey = (actor: Actor, hash: string): string =>
  actor.scopes ? hash : `${actor.kind} ${actor.id}`

interface Spent {
  readonly isTooMuch: boolean
  readonly left: number
  readonly seconds: number
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<Spent> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key)
    return { isTooMuch: false, left: remainingPoints, seconds: Math.ceil(msBeforeNext / 1000) }
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause
    return { isTooMuch: true, left: 0, seconds: Math.max(1, Math.ceil(cause.msBeforeNext / 1000)) }
  }
}

/** Says in the headers of the IETF's draft what is left. */
function reportLimit(ctx: Context, policy: string, perMinute: number, { left, seconds }: Spent): void {
  ctx.set('RateLimit-Policy', `"${policy}";q=${perMinute};w=${window}`)
  ctx.set('RateLimit', `"${policy}";r=${left};t=${seconds}`)
}

/** How servers of one database count together. */
interface Sharing {
  /** Gives the others what was used here, and what was used there since the last time. */
  readonly exchange: (uses: Uses) => Promise<Uses>
  readonly env: Pick<Env, 'after'>
  /** Ends it. */
  readonly stopping?: AbortSignal | undefined
}

/** How often servers exchange their counts, in milliseconds. */
const exchangeEvery = 1000

/** Counts by the name of who asks, and hears within a second or two what the other servers have counted. */
function createCounter(perMinute: number, sharing: Sharing | undefined) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: window })
  let unsent = new Map<string, number>()
  const note = (name: string, points: number): void => {
    const sum = (unsent.get(name) ?? 0) + points
    if (sum === 0) unsent.delete(name)
    else if (sharing) unsent.set(name, sum)
  }
  async function exchangeUses({ exchange }: Sharing): Promise<void> {
    const sent = unsent
    unsent = new Map()
    for (const [name, points] of await exchange(sent))
      await (points > 0 ? limiter.penalty(name, points) : limiter.reward(name, -points))
  }
  const exchangeLater = (parts: Sharing): void => {
    const cancel = parts.env.after(exchangeEvery, async () => {
      parts.stopping?.removeEventListener('abort', cancel)
      // Where the database is away, requests say so; until it is back each server counts for itself.
      await exchangeUses(parts).catch(() => undefined)
      if (!parts.stopping?.aborted) exchangeLater(parts)
    })
    parts.stopping?.addEventListener('abort', cancel, { once: true })
  }
  if (sharing) exchangeLater(sharing)
  return {
    spend(name: string): Promise<Spent> {
      note(name, 1)
      return spend(limiter, name)
    },
    async reward(name: string): Promise<void> {
      note(name, -1)
      await limiter.reward(name)
    },
  }
}

/**
 * Lets each credential ask so many times a minute, and each address so many times without one that is known. Callers
 * that turn out to be somebody, and open endpoints that succeed, cost the address nothing. Servers that share a database
 * count together.
 */
export function limitRates(perMinute: number, sharing?: Sharing): Middleware {
  const counter = createCounter(perMinute, sharing)
  /** Keys of credentials by the digests of what they are shown by. */
  const known = new Map<string, string>()

  function learn(hash: string, actor: Actor): void {
    if (known.size >= mostKnown) known.clear()
    known.set(hash, credentialKey(actor, hash))
  }

  /** Answers somebody who was known; a credential that nobody admits any more is forgotten. */
  async function asKnown(ctx: Context, next: Next, hash: string): Promise<void> {
    try {
      await next()
    } finally {
      if (!ctx.state.actor) known.delete(hash)
    }
  }

  return async (ctx, next) => {
    if (!ctx.path.startsWith('/api/')) return next()
    const hash = hashToken(ctx.get('Authorization'))
    const credential = known.get(hash)
    if (credential?.startsWith('device ') && ofNodes.test(ctx.path)) return asKnown(ctx, next, hash)
    const policy = credential === undefined ? 'address' : 'credential'
    const name = `${policy} ${credential ?? addressKey(ctx.ip)}`
    const spent = await counter.spend(name)
    reportLimit(ctx, policy, perMinute, spent)
    if (spent.isTooMuch)
      throw new Refusal(
        429,
        { detail: `Too many requests: try again in ${spent.seconds} seconds.` },
        { 'Retry-After': String(spent.seconds) },
      )
    if (credential !== undefined) return asKnown(ctx, next, hash)
    let isWelcome = false
    try {
      await next()
      isWelcome = ctx.status < 400
    } finally {
      const actor: Actor | undefined = ctx.state.actor
      if (actor) learn(hash, actor)
      if (actor || isWelcome) await counter.reward(name)
    }
  }
}
