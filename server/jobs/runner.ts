import { type Env, instantOf } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import { exitEverybodyDue } from './automatic-exits.ts'

/** How often is looked for work. */
const every = 15_000

/** Does what is due while the server runs; the result stops it after the work in progress. */
export function startJobs(transactions: Transactions, env: Env, log: Log): () => Promise<void> {
  let stopped = false
  let stopTimer = (): void => {}
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    try {
      const exits = await exitEverybodyDue(transactions, instantOf(env.now()))
      if (exits > 0) log.info('automatic exits', { exits })
    } catch (cause) {
      log.error('job failed', {
        job: 'automatic exits',
        stack: cause instanceof Error ? cause.stack : String(cause),
      })
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
