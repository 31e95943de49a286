import { receipt, type StoredReceipt } from '../../schema/resources/drawer/receipt.ts'
import { siteOf } from '../../schema/sites.ts'
import { signedDataOf } from '../domain/drawer/signed-data.ts'
import { type Env, instantOf } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import { contentOf } from '../services/drawer/receipt-rows.ts'
import {
  receiptToSign,
  recordSigning,
  type SigningOutcome,
  type UnsignedReceipt,
  unsignedReceipts,
} from '../services/drawer/receipt-signatures.ts'
import type { SigningDevice } from '../services/drawer/signing-device.ts'
import { simulatedSigningDevice } from '../services/drawer/signing-simulator.ts'

/** For so long, in milliseconds, a signing device may be silent before a receipt is without a signature. */
const patience = 3000

/** Servers that share a database: what began less than so many milliseconds ago may be another one's. */
const othersWork = 60_000

/** Signing devices by the words of the setting. */
export type SigningDevices = Readonly<Record<string, SigningDevice>>

/** Has the receipts signed that are written here. */
export interface ReceiptSigning {
  /** Waits until it is known what became of a receipt, where that is under way here. */
  settled(receipt: number): Promise<void>
  stop(): Promise<void>
}

interface SigningParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly devices?: SigningDevices
}

/** The signing devices that this program has. */
const ownDevices = (env: Env): SigningDevices => ({
  simulator: simulatedSigningDevice({
    now: () => instantOf(env.now()),
    randomBytes: (count) => env.randomBytes(count),
  }),
})

/** Signs each receipt once it is committed, so that no sale waits; what was cut off by a stop is noted as such. */
export async function startSigning({
  transactions,
  env,
  log,
  devices = ownDevices(env),
}: SigningParts): Promise<ReceiptSigning> {
  const { database, site } = transactions
  const underWay = new Map<number, Promise<void>>()
  const record = (at: UnsignedReceipt, row: StoredReceipt, outcome: SigningOutcome) =>
    transactions.write((tx) => recordSigning(tx, at.place, row, outcome))
  const begin = (at: UnsignedReceipt, outcomeOf: (row: StoredReceipt) => Promise<SigningOutcome>) => {
    const work = (async () => {
      const row = await receiptToSign(database, site, at)
      if (row) await record(at, row, await outcomeOf(row))
    })()
      .catch((cause: unknown) => log.warn('receipt not signed', { receipt: at.id, why: String(cause) }))
      .finally(() => underWay.delete(at.id))
    underWay.set(at.id, work)
  }
  const sign = async (row: StoredReceipt): Promise<SigningOutcome> => {
    const device = devices[row.signing]
    if (!device) return { problem: 'missing_device' }
    return within(env, signed(device, row)).catch((cause: unknown) => {
      log.warn('receipt not signed', { receipt: row.id, why: String(cause) })
      return { problem: 'unreachable' } as const
    })
  }
  const until = database.engine === 'sqlite' ? env.now() : env.now() - othersWork
  const cutOff = await unsignedReceipts(database, site, instantOf(until))
  const unhook = transactions.onCommit((changes) => {
    for (const { resource, op, place, row } of changes)
      if (resource === receipt.name && op === 'put' && siteOf(row) === site) begin({ place, id: row }, sign)
  })
  for (const at of cutOff) begin(at, async () => ({ problem: 'interrupted' }))
  return {
    settled: async (id) => underWay.get(id),
    async stop() {
      unhook()
      await Promise.all(underWay.values())
    },
  }
}

async function signed(device: SigningDevice, row: StoredReceipt): Promise<SigningOutcome> {
  const till = `${row.till}-${row.site}`
  const data = signedDataOf(contentOf(row))
  await device.register(till)
  const signature = await device.finish(till, await device.begin(till), data)
  return { signature, signedData: data.data }
}

/** What comes of work, unless that takes too long. */
async function within<T>(env: Env, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const cancel = env.after(patience, () => late.reject(new Error('The signing device does not answer.')))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}
