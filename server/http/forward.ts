import type { Context, Middleware } from 'koa'
import { fileBody } from '../../schema/body-limits.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import type { BodyReader } from '../resource/api.ts'
import { answerStoreOf } from '../resource/asked.ts'
import type { Transactions } from '../resource/transactions.ts'
import type { Sync } from '../sync/node/sync.ts'
import { waitingDrawers } from '../sync/outbox/outbox.ts'
import { reasonOf, timeLimit } from '../sync/upstream/upstream-client.ts'
import { authenticate, isStation } from './authenticate.ts'
import type { IdempotencyParts } from './idempotency.ts'

const org = '/api/v1/organizers/[^/]+'
const ev = `${org}/events/[^/]+`
const at = (pattern: string): RegExp => new RegExp(`^${pattern}/?$`)

/** What happens at an entrance or a till: a node below another one does these by itself and reports them later. */
const local: readonly (readonly [methods: readonly string[], path: RegExp])[] = [
  [['POST'], at(`${org}/checkinrpc/(redeem|annul)`)],
  [['POST'], at(`${ev}/checkinlists/\\d+/positions/[^/]+/redeem`)],
  [['POST'], at(`${ev}/checkinlists/\\d+/failed_checkins`)],
  [['POST'], at(`${org}/reusablemedia/lookup`)],
  [['POST'], at(`${org}/pos/(sign_in|sign_out|step_up)`)],
  [['POST'], at(`${ev}/orders`)],
  [['POST'], at(`${ev}/receipts/\\d+/prints`)],
  [['POST'], at(`${ev}/drawers(/\\d+/(join|move_cash|open_without_sale|close|receipts/\\d+/reverse))?`)],
  [['POST'], at(`${ev}/orderpositions/\\d+/printlog`)],
  [['POST'], at(`${ev}/cartpositions(/bulk_create)?`)],
  [['DELETE'], at(`${ev}/cartpositions/\\d+`)],
  [['POST', 'PUT', 'PATCH', 'DELETE'], new RegExp(`^${org}/sync/`)],
]

/** What is asked upstream as long as it can be, and else done within limits. */
const whenOffline: readonly RegExp[] = [at(`${org}/giftcards/\\d+/transact`)]

/** What no node below another one has a copy of: it is read where it was made. */
const readUpstream = at(
  `(${org}|${ev})/(invoices(/[^/]+(/download)?)?|transactions(/\\d+)?|bankimportjobs(/\\d+)?|scheduled_exports(/\\d+)?|shredders/(download|status)/[^/]+/[^/]+)`,
)

/** What a hub does by itself for the devices below it. */
const ofHubs: readonly RegExp[] = [/^\/api\/v1\/device\//, new RegExp(`^${org}/devices/`)]

/**
 * What is sold here, unless its caller says that only the upstream server can (`upstream=true`): seats and vouchers; or
 * that it shall where it can be reached (`upstream=reachable`): what is paid with gift cards.
 */
const whenAsked = at(`${ev}/(orders|cartpositions(/bulk_create|/\\d+)?)`)

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** A request as far as it decides who answers it. */
interface Asked {
  readonly method: string
  readonly path: string
  /** Whether the caller wants it to be carried out by the upstream server. */
  readonly upstream?: boolean
}

/** Whether a node below another one passes a request up instead of answering it. */
export function isForwarded({ method, path, upstream = false }: Asked, role: 'station' | 'hub'): boolean {
  if (isRead(method)) return readUpstream.test(path)
  if (!path.startsWith('/api/v1/') || path.startsWith('/api/v1/station/')) return false
  if (role === 'hub' && ofHubs.some((one) => one.test(path))) return false
  if (upstream && whenAsked.test(path)) return true
  return !local.some(([methods, pattern]) => methods.includes(method) && pattern.test(path))
}

/** What is said while there is no upstream server. */
const offlineText = (path: string): string =>
  whenAsked.test(path)
    ? 'Seats and vouchers are sold while the network is there, and it is not at the moment. Take them out of the basket, or wait.'
    : otherOfflineText(path)

const otherOfflineText = (path: string): string =>
  /\/transactions(\/|$)/.test(path)
    ? 'What was sold is listed by the central server, which cannot be reached at the moment. Try again when the network is back.'
    : /\/bankimportjobs(\/|$)/.test(path)
      ? 'Bank statements are imported by the central server, which cannot be reached at the moment. Try again when the network is back.'
      : /\/(invoices|create_invoice)(\/|$)/.test(path)
        ? 'Invoices are made by the central server, which cannot be reached at the moment. Try again when the network is back.'
        : /\/change\/?$/.test(path)
          ? 'Tickets are exchanged by the central server, which cannot be reached at the moment. Sell the new ticket now, and take the old one back when the network is back.'
          : 'This is changed on the central server or hub, which cannot be reached at the moment. Scanning and selling go on.'

/** What is said of a request that the server above has perhaps carried out. */
const unansweredText =
  'The central server or hub was asked for this before, and its answer did not arrive. Try again when the network is back.'

/** Headers of a request that mean something upstream. */
const sentOn = [
  'content-type',
  'content-disposition',
  'accept',
  'accept-language',
  'x-idempotency-key',
  'if-match',
  'if-unmodified-since',
  'traceparent',
]

/** Headers of an answer that mean something downstream. */
const sentBack = [
  'content-type',
  'content-disposition',
  'retry-after',
  'www-authenticate',
  'last-modified',
  'x-page-generated',
]

const within = 15_000

/** How long the answer waits for its own effect to arrive here, so that whoever looks next sees it; milliseconds. */
export const effectWithin = 1500

const upstreamUnavailable = (detail: string): Refusal => new Refusal(503, { detail }, { 'Retry-After': '10' })

/** What passing up is made of. */
interface ForwardParts extends Pick<IdempotencyParts, 'transactions' | 'stationKey' | 'now'> {
  readonly bodies: BodyReader
  readonly env: Env
}

/** Who sends a request as far as that is known here; the server above may know others as well. */
async function callerOf(
  ctx: Context,
  { transactions, stationKey, now }: ForwardParts,
): Promise<Actor | undefined> {
  try {
    const actor = await authenticate(ctx, transactions.database, stationKey, now)
    ctx.state.isKnown = true
    return actor
  } catch (cause) {
    if (cause instanceof Refusal) return undefined
    throw cause
  }
}

/** What may take money in or give it back, so that a receipt is written into the drawer of the till. */
const movesMoney = new RegExp(`^(${ev}/orders|${org}/giftcards)(/|$)`)

/** Milliseconds that are given to reporting a drawer before a sale is passed up. */
const drawerWithin = 5000

/**
 * Has the drawers of a till known upstream before money is moved there: its receipt belongs into the one that is open
 * here. 503, with nothing asked, where that cannot be.
 */
async function reportDrawers(sync: Sync, { database }: Transactions, device: number): Promise<void> {
  const waiting = await waitingDrawers(database, device)
  const results = await Promise.all(waiting.map(({ nonce }) => sync.confirm(nonce, drawerWithin)))
  if (results.every((result) => result !== null && result.status !== 'retry')) return
  throw new Refusal(
    503,
    {
      detail:
        'The central server does not know yet that the drawer was opened or closed here. Wait a moment, then try again.',
      reason: 'drawer_unreported',
    },
    { 'Retry-After': '5' },
  )
}

/**
 * Passes up what only the upstream server may change, with the credential of the caller or, for this machine's own
 * screens, with that of the machine. 503 while the upstream server cannot be reached.
 */
export const forwardUp =
  (sync: Sync, parts: ForwardParts): Middleware =>
  async (ctx, next) => {
    const up = sync.upstream
    const { method, path } = ctx
    const isAsked = ctx.query.upstream === 'true' || ctx.query.upstream === 'reachable'
    if (up?.state !== 'following' || !isForwarded({ method, path, upstream: isAsked }, up.role)) return next()
    const answers = answerStoreOf(ctx)
    const isDoneOffline =
      method === 'POST' &&
      ((ctx.query.upstream === 'reachable' && whenAsked.test(path)) ||
        whenOffline.some((one) => one.test(path)))
    if (sync.isOffline) {
      if (await answers?.wasPassedUp()) throw upstreamUnavailable(unansweredText)
      if (isDoneOffline) return next()
      // Nothing was asked, so nothing can have been done: whoever wanted to may give it up.
      throw new Refusal(503, { detail: offlineText(path), reason: 'offline' }, { 'Retry-After': '10' })
    }
    const caller = await callerOf(ctx, parts)
    if (caller?.device && !isRead(method) && movesMoney.test(path))
      await reportDrawers(sync, parts.transactions, caller.device.id)
    await answers?.passUp()
    const { answer, body } = await ask(ctx, { ...up, isKnown: caller !== undefined }, parts)
    ctx.status = answer.status
    for (const name of sentBack) {
      const value = answer.headers.get(name)
      if (value !== null) ctx.set(name, value)
    }
    if (answer.ok && !isRead(ctx.method)) await sync.pullNow(effectWithin)
    if (answer.status !== 204) ctx.body = body
  }

async function ask(
  ctx: Context,
  up: { readonly url: string; readonly token: string; readonly isKnown: boolean },
  parts: ForwardParts,
): Promise<{ readonly answer: Response; readonly body: Buffer }> {
  const { bodies, env, stationKey } = parts
  // Whom we do not know sends little.
  const from = up.isKnown ? 'credential' : 'anybody'
  const body = await bodies.bytes(ctx, { limit: fileBody, from })
  const given = isStation(ctx, stationKey) ? `Device ${up.token}` : ctx.get('Authorization')
  const headers: Record<string, string> = given === '' ? {} : { Authorization: given }
  for (const name of sentOn) if (ctx.get(name) !== '') headers[name] = ctx.get(name)
  const limit = timeLimit(env, { within })
  try {
    const answer = await env.fetch(up.url + ctx.url, {
      method: ctx.method,
      headers,
      body: body.length > 0 ? new Uint8Array(body) : undefined,
      redirect: 'manual',
      signal: limit.signal,
    })
    // It may break off in the middle, too.
    return { answer, body: Buffer.from(await answer.arrayBuffer()) }
  } catch (cause) {
    throw upstreamUnavailable(
      `The central server or hub did not answer (${reasonOf(cause)}). Look whether the change was made, then try again.`,
    )
  } finally {
    limit.end()
  }
}
