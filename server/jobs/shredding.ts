import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import { carryOutShredding, openShreddings, type Shredding } from '../services/operations/shreddings.ts'
import { Worker } from './worker.ts'

/** How often is looked for deletions that another program has taken or left. */
const every = 15_000

/** Deletes personal data of events. */
export interface ShreddingRunner {
  /** Says that there may be something to do. */
  look(): void
  /** Stops after the event under way. */
  stop(): Promise<void>
}

/** Starts deleting personal data; a node below another one leaves that to the server at the top. */
export function startShredding(transactions: Transactions, env: Env, log: Log): ShreddingRunner {
  if (transactions.site > 0) return { look: () => undefined, stop: async () => undefined }
  const worker = new Worker<Shredding>({
    ...{ env, log, job: 'shredding', every, atOnce: 1 },
    claim: async (room) => ({
      items: (await openShreddings(transactions.database)).slice(0, room),
      more: false,
    }),
    async work(row, signal) {
      if (!signal.aborted) await carryOutShredding(transactions, row)
    },
    describe: ({ id }) => ({ shredding: id }),
  })
  return { look: () => worker.wake(), stop: () => worker.stop() }
}
