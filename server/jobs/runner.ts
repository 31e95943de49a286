import { type Env, instantOf } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import { forgetOldSignIns } from '../services/accounts/expired-sign-ins.ts'
import { removeOldCarts } from '../services/carts/cart-expiry.ts'
import { removeOldUploads } from '../services/input/uploads.ts'
import { forgetTurns, sendDueRules } from '../services/notifications/email-rule-sending.ts'
import { sealAudit } from '../services/operations/audit-seals.ts'
import { forgetAnswers } from '../services/operations/idempotency-keys.ts'
import { expireLeases } from '../services/quotas/lease-expiry.ts'
import { closeSoldOutQuotas } from '../services/quotas/quota-availability.ts'
import { exitEverybodyDue } from './automatic-exits.ts'
import { pruneTombstones } from './prune-tombstones.ts'
import type { ExportRunner } from './run-exports.ts'
import { runScheduledExports, type ScheduleParts } from './scheduled-exports.ts'
import { serveWaitingLists } from './waiting-list.ts'
import { Worker } from './worker.ts'

/** How often is looked for work, in milliseconds. */
const every = 15_000

/** How often is looked for what can be forgotten. */
const pruneEvery = 3_600_000

/** How often the audit trail is sealed. */
const sealEvery = 60_000

/** Something that is done again and again. */
interface Job {
  readonly name: string
  /** How often, in milliseconds. */
  readonly every: number
  /** Does what is due at a moment; how many things that were. */
  run(now: string): Promise<number>
}

/** What jobs work with. */
interface JobParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** Makes exports that are scheduled. */
  readonly exports?: ExportRunner
  /** Begins to measure how long a job takes, by its name; what it gives is called at the end. */
  readonly timeJob?: (name: string) => () => void
}

/** Does what is due while the server runs; the result stops it after the work in progress. */
export function startJobs({ transactions, env, log, exports, timeJob }: JobParts): () => Promise<void> {
  const jobs = [
    ...jobsOn(transactions, log),
    ...(exports ? [scheduledExports({ transactions, env, exports })] : []),
  ]
  // What was done before the server stopped is sealed soon enough.
  const dueAt = new Map(jobs.map((job) => [job, env.elapsed() + (job.name === 'seals' ? sealEvery : 0)]))
  const worker = new Worker<Job>({
    ...{ env, log, job: 'jobs', every, atOnce: 1 },
    async claim() {
      const due = jobs.filter((job) => (dueAt.get(job) ?? 0) <= env.elapsed())
      for (const job of due) dueAt.set(job, env.elapsed() + job.every)
      return { items: due, more: false, next: every }
    },
    async work({ name, run }, signal) {
      if (signal.aborted) return
      const end = timeJob?.(name)
      const count = await run(instantOf(env.now())).finally(end)
      if (count > 0) log.info(name, { count })
    },
    describe: ({ name }) => ({ job: name }),
  })
  return () => worker.stop()
}

/** The jobs in the order in which they are done. */
function jobsOn(transactions: Transactions, log: Log): readonly Job[] {
  const often: readonly Omit<Job, 'every'>[] = [
    { name: 'automatic exits', run: (now) => exitEverybodyDue(transactions, now) },
    { name: 'ended leases', run: () => expireLeases(transactions) },
    { name: 'sold out quotas', run: () => closeSoldOutQuotas(transactions) },
    { name: 'waiting lists', run: (now) => serveWaitingLists(transactions, now) },
    { name: 'automated mails', run: (now) => sendDueRules(transactions, now) },
  ]
  const seldom: readonly Omit<Job, 'every'>[] = [
    { name: 'old uploads', run: (now) => removeOldUploads(transactions, now) },
    { name: 'old answers', run: (now) => forgetAnswers(transactions, now) },
    { name: 'old sign-ins', run: (now) => forgetOldSignIns(transactions, now) },
    { name: 'old carts', run: (now) => removeOldCarts(transactions, now) },
    { name: 'turns of deleted rules', run: () => forgetTurns(transactions) },
    { name: 'forgotten deletions', run: (now) => pruneTombstones(transactions, now) },
  ]
  return [
    ...often.map((job) => ({ ...job, every })),
    { name: 'seals', every: sealEvery, run: () => sealAndLog(transactions, log) },
    ...seldom.map((job) => ({ ...job, every: pruneEvery })),
  ]
}

/** The exports that are made again and again, by who makes exports. */
const scheduledExports = (parts: ScheduleParts): Job => ({
  ...{ name: 'scheduled exports', every },
  run: (now) => runScheduledExports(parts, now),
})

/** Seals the audit trail; the log, which is kept elsewhere, is the witness. */
async function sealAndLog(transactions: Transactions, log: Log): Promise<number> {
  for (const head of await sealAudit(transactions)) log.info('audit trail sealed', { ...head })
  return 0
}
