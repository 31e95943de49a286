import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import type { BankImportRow } from '../services/bank-imports/bank-imports.ts'
import { carryOutBankImport, openBankImports } from '../services/bank-imports/carry-out-import.ts'
import { Worker } from './worker.ts'

/** How often is looked for imports that another program has taken or left. */
const every = 15_000

/** Carries out imports of bank statements. */
export interface BankImportRunner {
  /** Says that there may be something to do. */
  look(): void
  /** Stops after the transaction under way; the next start goes on with it. */
  stop(): Promise<void>
}

/** Starts carrying out bank imports; a node below another one has none, they are sent upstream. */
export function startBankImports(transactions: Transactions, env: Env, log: Log): BankImportRunner {
  if (transactions.site > 0) return { look: () => undefined, stop: async () => undefined }
  const worker = new Worker<BankImportRow>({
    ...{ env, log, job: 'bank imports', every, atOnce: 1 },
    claim: async (room) => ({
      items: (await openBankImports(transactions.database)).slice(0, room),
      more: false,
    }),
    async work(row, signal) {
      if (!signal.aborted) await carryOutBankImport(transactions, row)
    },
    describe: ({ id }) => ({ import: id }),
  })
  return { look: () => worker.wake(), stop: () => worker.stop() }
}
