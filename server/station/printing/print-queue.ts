import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { type PrinterPlace, stationSettings } from '../../services/devices/station-settings.ts'
import {
  changePrintJob,
  loseSentJobs,
  nextPrintJob,
  type PrintReason,
  printJob,
  type QueuedPrint,
} from '../../services/drawer/print-jobs.ts'
import { jobBytes } from './job-bytes.ts'
import { type PrintEnding, sendToPrinter } from './printer-link.ts'

/** What printing needs of the station. */
export interface PrintQueueParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** Something became of a job. */
  readonly changed: () => void
  /** Waits until it is known what became of having a receipt signed. */
  readonly receiptSettled: (receipt: number) => Promise<void>
}

/** Prints what waits, one after the other, in the order in which it was asked for. */
export interface PrintQueue {
  /** Looks for something to print. */
  wake(): void
  /** Goes on where an earlier program has ended. */
  recover(): Promise<void>
  stop(): void
}

/** Milliseconds until printers that could not print are asked again. */
const againAfter = 5000

/** Opens it; what waits is printed once it is woken or recovers. */
export const openPrintQueue = (parts: PrintQueueParts): PrintQueue => new StationPrintQueue(parts)

class StationPrintQueue implements PrintQueue {
  readonly #parts: PrintQueueParts
  #isWorking = false
  #isWoken = false
  #isStopped = false
  #cancel = (): void => undefined

  constructor(parts: PrintQueueParts) {
    this.#parts = parts
  }

  wake(): void {
    this.#isWoken = true
    if (this.#isWorking || this.#isStopped) return
    this.#isWorking = true
    this.#cancel()
    void this.#work()
  }

  async recover(): Promise<void> {
    await this.#parts.transactions.write(loseSentJobs)
    this.wake()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  async #work(): Promise<void> {
    const { env, log } = this.#parts
    let isTried = true
    try {
      while (isTried && this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        isTried = await this.#printAll()
      }
    } catch (cause) {
      isTried = false
      log.error('not printed', { stack: cause instanceof Error ? cause.stack : String(cause) })
    }
    this.#isWorking = false
    if (!isTried && !this.#isStopped) this.#cancel = env.after(againAfter, () => this.wake())
    else if (this.#isWoken) this.wake()
  }

  /** Prints until nothing waits; false where the first that waits cannot be printed at the moment. */
  async #printAll(): Promise<boolean> {
    for (;;) {
      const job = await nextPrintJob(this.#parts.transactions.database)
      if (!job || this.#isStopped) return true
      const isOver = await this.#print(job)
      this.#parts.changed()
      if (!isOver) return false
    }
  }

  /** Sends a job to the first printer that takes it; whether it waits no more. */
  async #print(job: QueuedPrint): Promise<boolean> {
    const { transactions, receiptSettled } = this.#parts
    const settings = await stationSettings(transactions.database)
    const printers = settings?.printers ?? []
    if (printers.length === 0) return this.#giveUp(job, 'no-printer')
    for (const printer of printers) {
      const bytes = await jobBytes(transactions.database, job, printer)
      if (bytes === null) return this.#giveUp(job, 'gone')
      const ending = await this.#send(job, printer, async () => {
        if (job.document !== 'receipt' || job.subject === null) return bytes
        await receiptSettled(job.subject)
        return (await jobBytes(transactions.database, job, printer)) ?? bytes
      })
      await this.#note(job, printer, ending)
      if (ending.kind !== 'unsent') return true
      this.#parts.changed()
    }
    return false
  }

  #send(job: QueuedPrint, place: PrinterPlace, bytes: () => Promise<Uint8Array>): Promise<PrintEnding> {
    const { transactions, env } = this.#parts
    return sendToPrinter(env, place, {
      bytes,
      pulse: () =>
        transactions.write(async (tx) => {
          if (job.pulse !== 'wanted' || (await isGiven(tx, job))) return false
          return changePrintJob(tx, job, ['waiting'], { pulse: 'given' })
        }),
      begin: () =>
        transactions.write((tx) =>
          changePrintJob(tx, job, ['waiting'], { state: 'sending', printer: nameOf(place) }),
        ),
    })
  }

  async #note(job: QueuedPrint, place: PrinterPlace, ending: PrintEnding): Promise<void> {
    const { transactions, log } = this.#parts
    const change = changeBy(ending)
    if (!change) return
    const printer = nameOf(place)
    await transactions.write((tx) =>
      changePrintJob(tx, job, [ending.kind === 'unsent' ? 'waiting' : 'sending'], { ...change, printer }),
    )
    if (change.reason !== null) log.warn('printer', { printer, state: change.state, reason: change.reason })
  }

  async #giveUp(job: QueuedPrint, reason: PrintReason): Promise<boolean> {
    await this.#parts.transactions.write((tx) =>
      changePrintJob(tx, job, ['waiting'], { state: 'failed', reason }),
    )
    return true
  }
}

const isGiven = async (...[db, key]: Parameters<typeof printJob>): Promise<boolean> =>
  (await printJob(db, key))?.pulse === 'given'

const nameOf = ({ host, port }: PrinterPlace): string => `${host}:${port}`

/** What is stored of an ending; null for nothing. */
function changeBy(ending: PrintEnding): Pick<QueuedPrint, 'state' | 'reason'> | null {
  switch (ending.kind) {
    case 'withdrawn':
      return null
    case 'unsent':
      return { state: 'waiting', reason: ending.reason }
    case 'unknown':
      return { state: 'unknown', reason: ending.reason }
    default:
      return { state: ending.kind, reason: null }
  }
}
