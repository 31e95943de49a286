import type { Context, Middleware } from 'koa'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import sql, { type Sql } from 'sql-template-tag'
import { microsecondsOf } from '../../../schema/instants.ts'
import { type Env, instantOf } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Database, Queryable, Timing } from '../../storage/database.ts'
import { answeredScan } from './scans.ts'

/** Counts what the server does. Labels are words of ours: routes, methods, results; never ids, names or codes. */
export interface Metrics {
  /** Counts requests and scans. */
  readonly watch: Middleware
  /** Measures what a database takes its time for. */
  readonly timing: Timing
  /** Begins to measure a job that is done again and again; what it gives is called at its end. */
  readonly timeJob: (name: string) => () => void
  /** The same log, whose warnings and errors are counted. */
  counting(log: Log): Log
  /** Has a number looked up whenever everything is exposed, in place of the one before; null for none at the moment. */
  lookUp(name: LookedUp, look: Look): void
  /** Everything in the format of Prometheus; the lengths of queues are looked up. */
  expose(database: Database): Promise<{ readonly type: string; readonly text: string }>
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

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
  const gauges = lookedUpIn(register)
  let isBegun = false

  function note(ctx: Context, begun: number): void {
    const route = routeOf(ctx)
    const method = methods.has(ctx.method) ? ctx.method : 'other'
    requests.inc({ route, method, status: String(ctx.status) })
    durations.observe({ route }, (env.elapsed() - begun) / 1000)
    const scan = answeredScan(ctx)
    if (scan) scans.inc({ ...scan })
  }

  return {
    timing: timingIn(register),
    timeJob: jobTimesIn(register),
    counting: countingIn(register),
    lookUp: gauges.set,
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
      await gauges.look()
      return { type: register.contentType, text: await register.metrics() }
    },
  }
}

/** Seconds by which times of a database are told apart. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

function timingIn(register: Registry): Timing {
  const registers = [register]
  const waits = new Histogram({
    name: 'gatehouse_database_wait_seconds',
    help: 'Time until a transaction has its turn, or a read on PostgreSQL its connection, by what it is for.',
    labelNames: ['use'] as const,
    buckets,
    registers,
  })
  const commits = new Histogram({
    name: 'gatehouse_commit_seconds',
    help: 'Time that commits take, which is mostly what the disk takes to keep them.',
    buckets,
    registers,
  })
  return { waits: (use) => waits.startTimer({ use }), commits: () => commits.startTimer() }
}

function jobTimesIn(register: Registry): Metrics['timeJob'] {
  const times = new Histogram({
    name: 'gatehouse_job_seconds',
    help: 'Time that jobs take which are done again and again, by name.',
    labelNames: ['name'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    registers: [register],
  })
  return (name) => times.startTimer({ name })
}

function countingIn(register: Registry): Metrics['counting'] {
  const lines = new Counter({
    name: 'gatehouse_log_lines_total',
    help: 'Warnings and errors in the log, by event.',
    labelNames: ['level', 'event'] as const,
    registers: [register],
  })
  return (log) => ({
    ...log,
    warn(event, fields) {
      lines.inc({ level: 'warn', event })
      log.warn(event, fields)
    },
    error(event, fields) {
      lines.inc({ level: 'error', event })
      log.error(event, fields)
    },
  })
}

/** What parts of the server know of themselves, and what each is called. */
const lookedUp = {
  data_age_seconds: 'Age of the newest data from the server above, where there is one.',
  screens: 'Screens that listen for what happens.',
  station_streams: 'Streams of news that stations and hubs hold open.',
  stations_current:
    'Stations and hubs that asked this server for changes within a minute and have all of them.',
  stations_behind: 'Stations and hubs that asked this server for changes within a minute and lack some.',
  stations_not_updated: 'Stations and hubs with access on which the last update did not work.',
} as const

type LookedUp = keyof typeof lookedUp

type Look = () => number | null | Promise<number | null>

function lookedUpIn(register: Registry) {
  const gauges = Object.entries(lookedUp).map(([name, help]) => ({
    name,
    gauge: new Gauge({ name: `gatehouse_${name}`, help, registers: [register] }),
  }))
  const looks = new Map<string, Look>()
  return {
    set: (name: LookedUp, look: Look): void => void looks.set(name, look),
    async look(): Promise<void> {
      for (const { name, gauge } of gauges) {
        const value = await looks.get(name)?.()
        if (typeof value === 'number') gauge.set(value)
        else gauge.remove()
      }
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
