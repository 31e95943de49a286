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
import { serveWaitingLists } from './waiting-list.ts'

/** How often is looked for work. */
const every = 15_000

/** How often is looked for what can be forgotten. */
const pruneEvery = 3_600_000

/** How often the audit trail is sealed. */
const sealEvery = 60_000

/** Does what is due while the server runs; the result stops it after the work in progress. */
export function startJobs(transactions: Transactions, env: Env, log: Log): () => Promise<void> {
  let stopped = false
  let stopTimer = (): void => {}
  let working: Promise<void> = Promise.resolve()
  let pruneAt = env.elapsed()
  let sealAt = env.elapsed() + sealEvery

  /** Does one kind of work; what goes wrong keeps nobody from the others. */
  async function run(job: string, due: () => Promise<number>): Promise<void> {
    try {
      const count = await due()
      if (count > 0) log.info(job, { count })
    } catch (cause) {
      log.error('job failed', { job, stack: cause instanceof Error ? cause.stack : String(cause) })
    }
  }

  /** Seals the audit trail; the log, which is kept elsewhere, is the witness. */
  async function sealAndTell(): Promise<number> {
    for (const head of await sealAudit(transactions)) log.info('audit trail sealed', { ...head })
    return 0
  }

  async function work(): Promise<void> {
    await run('automatic exits', () => exitEverybodyDue(transactions, instantOf(env.now())))
    await run('ended leases', () => expireLeases(transactions))
    await run('sold out quotas', () => closeSoldOutQuotas(transactions))
    await run('waiting lists', () => serveWaitingLists(transactions, instantOf(env.now())))
    await run('automated mails', () => sendDueRules(transactions, instantOf(env.now())))
    if (env.elapsed() >= sealAt) {
      sealAt = env.elapsed() + sealEvery
      await run('seals', sealAndTell)
    }
    if (env.elapsed() >= pruneAt) {
      pruneAt = env.elapsed() + pruneEvery
      await run('old uploads', () => removeOldUploads(transactions, instantOf(env.now())))
      await run('old answers', () => forgetAnswers(transactions, instantOf(env.now())))
      await run('old sign-ins', () => forgetOldSignIns(transactions, instantOf(env.now())))
      await run('old carts', () => removeOldCarts(transactions, instantOf(env.now())))
      await run('turns of deleted rules', () => forgetTurns(transactions))
      await run('forgotten deletions', () => pruneTombstones(transactions, instantOf(env.now())))
    }
    if (!stopped)
      stopTimer = env.after(every, () => {
        working = work()
      })
  }

  working = work()
  return async () => {
    stopped = true
    stopTimer()
    await working
  }
}
