import ipaddr from 'ipaddr.js'
import type { Context, Middleware, Next } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import { hashToken } from '../services/codes/secrets.ts'

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

/**
 * Lets each credential ask so many times a minute, and each address so many times without one that is known. Callers
 * that turn out to be somebody, and open endpoints that succeed, cost the address nothing.
 */
export function limitRates(perMinute: number): Middleware {
  const limits = { points: perMinute, duration: window }
  const credentials = new RateLimiterMemory({ keyPrefix: 'credential', ...limits })
  const addresses = new RateLimiterMemory({ keyPrefix: 'address', ...limits })
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
    const key = credential ?? addressKey(ctx.ip)
    const limiter = credential === undefined ? addresses : credentials
    const spent = await spend(limiter, key)
    reportLimit(ctx, credential === undefined ? 'address' : 'credential', perMinute, spent)
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
      if (actor || isWelcome) await addresses.reward(key)
    }
  }
}
