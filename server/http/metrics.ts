import type { Context, Middleware } from 'koa'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import sql, { type Sql } from 'sql-template-tag'
import { microsecondsOf } from '../../schema/instants.ts'
import { type Env, instantOf } from '../env.ts'
import type { Database, Queryable } from '../storage/database.ts'

/** Counts what the server does. Labels are words of ours: routes, methods, results; never ids, names or codes. */
export interface Metrics {
  /** Counts requests and scans. */
  readonly watch: Middleware
  /** Everything in the format of Prometheus; the lengths of queues are looked up. */
  expose(database: Database): Promise<{ readonly type: string; readonly text: string }>
}

const scanning = /\/(redeem|station\/scan)\/?$/

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

/** A word of the interface as a label; anything else is none. */
const word = (value: unknown): string =>
  typeof value === 'string' && /^[a-z_]{1,30}$/.test(value) ? value : ''

/** The pattern of the route that has answered; what no route answers is all the same. */
const routeOf = (ctx: Context): string =>
  typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : 'other'

/** Begins to count, on registers of its own. */
export function createMetrics(env: Env): Metrics {
  const register = new Registry()
  const registers = [register]
  const requests = new Counter({
    name: 'gatehouse_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'gatehouse_http_request_seconds',
    help: 'Time from a request to its answer, by route.',
    labelNames: ['route'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const scans = new Counter({
    name: 'gatehouse_scans_total',
    help: 'Scans answered, by result and reason.',
    labelNames: ['result', 'reason'] as const,
    registers,
  })
  const queueLengths = new Gauge({
    name: 'gatehouse_queue_length',
    help: 'What waits to be done, by queue.',
    labelNames: ['queue'] as const,
    registers,
  })
  const ages = new Gauge({
    name: 'gatehouse_queue_oldest_seconds',
    help: 'For how long the oldest of what waits has been waiting, by queue; 0 where nothing waits.',
    labelNames: ['queue'] as const,
    registers,
  })
  let isBegun = false

  function note(ctx: Context, begun: number): void {
    const route = routeOf(ctx)
    const method = methods.has(ctx.method) ? ctx.method : 'other'
    requests.inc({ route, method, status: String(ctx.status) })
    durations.observe({ route }, (env.elapsed() - begun) / 1000)
    const result = scanning.test(route) && ctx.method === 'POST' ? word(field(ctx.body, 'status')) : ''
    if (result !== '') scans.inc({ result, reason: word(field(ctx.body, 'reason')) })
  }

  return {
    watch: async (ctx, next) => {
      const begun = env.elapsed()
      try {
        await next()
      } finally {
        note(ctx, begun)
      }
    },
    async expose(database) {
      // Whoever is never asked does not watch the event loop either.
      if (!isBegun) collectDefaultMetrics({ register })
      isBegun = true
      for (const [queue, statement] of Object.entries(queues)) {
        const { length, oldest } = await waitingIn(database, statement)
        queueLengths.set({ queue }, length)
        ages.set({ queue }, oldest === null ? 0 : secondsSince(oldest, env))
      }
      return { type: register.contentType, text: await register.metrics() }
    },
  }
}

/** How much waits in each queue, and since when. */
const queues: Readonly<Record<string, Sql>> = {
  webhooks: sql`SELECT count(*) AS length, min(created) AS oldest FROM webhook_delivery`,
  mails: sql`SELECT count(*) AS length, min("created") AS oldest FROM mail WHERE "state" IN ('waiting', 'sending')`,
  exports: sql`SELECT count(*) AS length, min(created) AS oldest FROM export_run WHERE state = 'waiting'`,
  outbox: sql`SELECT count(*) AS length, min(device_time) AS oldest FROM outbox WHERE state = 'waiting'`,
  parked: sql`SELECT count(*) AS length, min(device_time) AS oldest FROM outbox WHERE state = 'parked'`,
}

interface Waiting {
  readonly length: number
  readonly oldest: string | null
}

const waitingIn = async (db: Queryable, statement: Sql): Promise<Waiting> =>
  (await db.get<Waiting>(statement)) ?? { length: 0, oldest: null }

/** Not below nothing: a station's clock may be ahead. */
const secondsSince = (moment: string, env: Env): number =>
  Math.max(0, (microsecondsOf(instantOf(env.now())) - microsecondsOf(moment)) / 1e6)
