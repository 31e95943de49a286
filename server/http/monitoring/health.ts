import { timingSafeEqual } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import sql from 'sql-template-tag'
import type { Env } from '../../env.ts'
import { denied } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { hashToken } from '../../services/codes/secrets.ts'
import type { Database, StorageProblem } from '../../storage/database.ts'
import { missingMigrations } from '../../storage/migrate.ts'
import type { Metrics } from './metrics.ts'

/** What requests have met at the database, which a look at it need not meet. */
export interface Troubles {
  note(problem: StorageProblem): void
  /** An answer said of late that the disk is full. */
  readonly isFull: boolean
  /** Something that is stored was not what it has to be; that does not mend itself while the program runs. */
  readonly isDamaged: boolean
}

/** For so many milliseconds a disk counts as full after an answer said so: a smaller write may still find room. */
const fullFor = 60_000

/** Remembers what requests have met at the database. */
export function createTroubles(env: Env, log: Log): Troubles {
  let fullAt = Number.NEGATIVE_INFINITY
  let isDamaged = false
  return {
    note(problem) {
      if (problem === 'full') fullAt = env.elapsed()
      if (problem !== 'damaged') return
      if (!isDamaged) log.error('database damaged')
      isDamaged = true
    },
    get isFull() {
      return env.elapsed() - fullAt < fullFor
    },
    get isDamaged() {
      return isDamaged
    },
  }
}

/** What machines ask a server about itself is answered from these. */
export interface HealthParts {
  readonly database: Database
  readonly env: Env
  readonly metrics?: Metrics
  /** Lets other machines see the metrics. */
  readonly metricsToken?: string
  /** What the database has refused of late. */
  readonly troubles?: Troubles
  /** Aborted when the server begins to stop. */
  readonly stopping?: AbortSignal
}

type State = 'ok' | 'failed'

type Checks = Readonly<Record<'serving' | 'database' | 'schema' | 'disk', State>>

interface Readiness {
  readonly status: 'ready' | 'not ready'
  readonly checks: Checks
}

/** For so many milliseconds the last answer is good, so that asking often does not wear out the disk. */
const goodFor = 1000

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

async function stateOf(check: () => Promise<boolean>): Promise<State> {
  try {
    return (await check()) ? 'ok' : 'failed'
  } catch {
    return 'failed'
  }
}

async function lookAt({ database, stopping }: HealthParts): Promise<Checks> {
  return {
    serving: stopping?.aborted ? 'failed' : 'ok',
    database: await stateOf(async () => (await database.get(sql`SELECT 1 AS one`)) !== undefined),
    schema: await stateOf(async () => (await missingMigrations(database)).length === 0),
    // A commit, which needs a disk that takes it.
    disk: await stateOf(async () => {
      const changed = await database.transaction((tx) =>
        tx.run(sql`UPDATE node SET next_id = next_id WHERE id = 1`),
      )
      return changed === 1
    }),
  }
}

/** What a look has found, with what requests have met. */
function readinessOf(looked: Checks, troubles: Troubles | undefined): Readiness {
  const checks = {
    ...looked,
    ...(troubles?.isDamaged ? { database: 'failed' as const } : {}),
    ...(troubles?.isFull ? { disk: 'failed' as const } : {}),
  }
  const isReady = Object.values(checks).every((state) => state === 'ok')
  return { status: isReady ? 'ready' : 'not ready', checks }
}

/** Metrics are for this machine, or for who knows the token; a proxy on this machine asks for others. */
function maySeeMetrics(ctx: Context, token: string | undefined): boolean {
  const [scheme, given = ''] = ctx.get('Authorization').split(' ')
  if (token !== undefined && scheme === 'Bearer')
    return timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(token)))
  const isPassedOn = ctx.get('X-Forwarded-For') !== '' || ctx.get('Forwarded') !== '' || ctx.get('Via') !== ''
  return !isPassedOn && loopback.test(ctx.req.socket.remoteAddress ?? '')
}

/** Answers `/healthz` (this program runs), `/readyz` (it can do its work) and `/metrics`. */
export function answerHealth(parts: HealthParts): Middleware {
  const { env, database, metrics, metricsToken } = parts
  let last: { readonly at: number; readonly looking: Promise<Checks> } | null = null

  const readiness = async (): Promise<Readiness> => {
    if (last === null || env.elapsed() - last.at >= goodFor || parts.stopping?.aborted)
      last = { at: env.elapsed(), looking: lookAt(parts) }
    return readinessOf(await last.looking, parts.troubles)
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    switch (ctx.path) {
      case '/healthz':
        ctx.body = { status: 'ok' }
        break
      case '/readyz': {
        const found = await readiness()
        ctx.status = found.status === 'ready' ? 200 : 503
        ctx.body = found
        break
      }
      case '/metrics': {
        if (!metrics) return next()
        if (!maySeeMetrics(ctx, metricsToken))
          throw denied('Metrics are for this machine, or need the token.')
        const { type, text } = await metrics.expose(database)
        ctx.set('Content-Type', type)
        ctx.body = text
        break
      }
      default:
        return next()
    }
    ctx.set('Cache-Control', 'no-store')
  }
}
