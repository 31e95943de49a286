import { closePageBitmaps } from '../../exporters/printing/page-bitmaps.ts'
import { BackgroundFault } from '../../exporters/printing/position-pages.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { type PrinterPlace, printerKey } from '../../services/devices/printer-places.ts'
import { stationSettings } from '../../services/devices/station-settings.ts'
import {
  changePrintJob,
  loseSentJobs,
  type PrintReason,
  type QueuedPrint,
  waitingPrintJobs,
} from '../../services/printing/print-jobs.ts'
import { jobContent, NothingToPrint } from './job-content.ts'
import { changeBy, notePrint, takePulses } from './job-notes.ts'
import { openLanes } from './printer-lanes.ts'
import { drawsPages, poolOf } from './printer-pools.ts'
import type { PrintEnding, PrinterTrouble, PrinterWorld, Printout } from './transports/transport.ts'
import { transports } from './transports/transports.ts'
import { warmUpPages } from './warm-up.ts'

/** What printing needs of the station. */
export interface PrintQueueParts extends PrinterWorld {
  readonly transactions: Transactions
  readonly log: Log
  /** Something became of a job. */
  readonly changed: () => void
  /** Waits until it is known what became of having a receipt signed. */
  readonly receiptSettled: (receipt: number) => Promise<void>
}

/** Prints what waits: at each printer one after the other, in the order in which it was asked for. */
export interface PrintQueue {
  /** Looks for something to print, also at printers that could not a moment ago. */
  wake(): void
  /** Goes on where an earlier program has ended. */
  recover(): Promise<void>
  /** Gets ready for the printers that there are now, and prints at them what waits. */
  prepare(): Promise<void>
  /** What keeps a printer from printing; one that prints is not asked. */
  look(place: PrinterPlace): Promise<PrinterTrouble | null>
  /** Prints a job without the background that it waits for; once the program was ended, it waits for it again. */
  printWithoutBackground(id: string): void
  /** Begins nothing more: the queue of the next copy of the data goes on. */
  pause(): void
  stop(): Promise<void>
}

/** Milliseconds after which it is looked again whether what waits can be printed. */
const lookAgainAfter = 1000
/** Milliseconds after which a job is tried again that waits for something else than a printer. */
const triedAgainAfter = 2000
/** Milliseconds that a job waits for its printer while that prints something else, before another one stands in. */
const standsInAfter = 3000

/** Opens it; what waits is printed once it is woken or recovers. */
export const openPrintQueue = (parts: PrintQueueParts): PrintQueue => new StationPrintQueue(parts)

class StationPrintQueue implements PrintQueue {
  readonly #parts: PrintQueueParts
  readonly #lanes: ReturnType<typeof openLanes>
  /** Since when the jobs wait that were seen, by their ids. */
  #since = new Map<string, number>()
  /** Until when jobs are not tried again that wait for something else than a printer. */
  readonly #held = new Map<string, number>()
  readonly #plain = new Set<string>()
  #warmUp: Promise<void> = Promise.resolve()
  #isLooking = false
  #isWoken = false
  #isStopped = false
  #cancel = (): void => undefined

  constructor(parts: PrintQueueParts) {
    this.#parts = parts
    this.#lanes = openLanes(parts.env)
  }

  wake(): void {
    this.#lanes.retry()
    this.#look()
  }

  printWithoutBackground(id: string): void {
    this.#plain.add(id)
    this.#held.delete(id)
    this.#look()
  }

  async recover(): Promise<void> {
    await this.#parts.transactions.write(loseSentJobs)
    await this.prepare()
  }

  async prepare(): Promise<void> {
    const settings = await stationSettings(this.#parts.transactions.database)
    if (!this.#isStopped && settings?.printers?.some(drawsPages)) this.#warmUp = warmUpPages()
    this.wake()
  }

  look(place: PrinterPlace): Promise<PrinterTrouble | null> {
    const transport = transports[place.way]
    const asked = this.#lanes.ask(printerKey(place), () => transport.look(this.#parts, place))
    return asked.finally(() => this.#look())
  }

  pause(): void {
    this.#isStopped = true
    this.#cancel()
  }

  async stop(): Promise<void> {
    this.pause()
    await this.#warmUp
    await closePageBitmaps()
  }

  #look(): void {
    this.#isWoken = true
    if (this.#isLooking || this.#isStopped) return
    this.#isLooking = true
    this.#cancel()
    void this.#distribute()
  }

  async #distribute(): Promise<void> {
    const { env, log } = this.#parts
    let waits = true
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        waits = await this.#distributeOnce()
      }
    } catch (cause) {
      log.error('not printed', { stack: cause instanceof Error ? cause.stack : String(cause) })
    }
    this.#isLooking = false
    if (this.#isStopped) return
    if (this.#isWoken) this.#look()
    else if (waits) this.#cancel = env.after(lookAgainAfter, () => this.#look())
  }

  /** Gives what waits to printers that are free; whether something goes on waiting. */
  async #distributeOnce(): Promise<boolean> {
    const { transactions, env } = this.#parts
    const settings = await stationSettings(transactions.database)
    const jobs = await waitingPrintJobs(transactions.database)
    this.#since = new Map(jobs.map(({ id }) => [id, this.#since.get(id) ?? env.elapsed()]))
    for (const kept of [this.#held, this.#plain])
      for (const id of kept.keys()) if (!this.#since.has(id)) kept.delete(id)
    let waits = false
    for (const job of jobs) {
      if (this.#lanes.holds(job.id)) continue
      if ((this.#held.get(job.id) ?? 0) > env.elapsed()) {
        waits = true
        continue
      }
      const pool = poolOf(settings?.printers ?? [], job)
      if (pool.length === 0) await this.#giveUp(job, 'no-printer')
      const place = this.#turnOf(job, pool)
      if (place) void this.#take(job, place)
      else waits ||= pool.length > 0
    }
    return waits
  }

  /** The printer that a job goes to now: the first that can, but for a while it waits for one that prints something else. */
  #turnOf(job: QueuedPrint, pool: readonly PrinterPlace[]): PrinterPlace | undefined {
    const waited = this.#parts.env.elapsed() - (this.#since.get(job.id) ?? 0)
    for (const place of pool) {
      const lane = this.#lanes.stateOf(printerKey(place))
      if (lane === 'free') return place
      if (lane === 'busy' && waited < standsInAfter) return undefined
    }
    return undefined
  }

  async #take(job: QueuedPrint, place: PrinterPlace): Promise<void> {
    await this.#lanes.take(printerKey(place), job.id, () => this.#print(job, place))
    this.#parts.changed()
    this.#look()
  }

  /** Sends a job to a printer, and says what became of it; the trouble of a printer that takes nothing. */
  async #print(job: QueuedPrint, place: PrinterPlace): Promise<PrinterTrouble | null> {
    const { transactions, log } = this.#parts
    let trouble: PrinterTrouble | null = null
    try {
      const ending = await transports[place.way].print(this.#parts, place, this.#printout(job, place))
      trouble = ending.kind === 'unsent' ? ending.reason : null
      await this.#note(job, place, ending)
    } catch (cause) {
      if (cause instanceof NothingToPrint) await this.#giveUp(job, cause.reason)
      else if (cause instanceof BackgroundFault) await this.#hold(job, cause.reason)
      else {
        log.error('not printed', { stack: cause instanceof Error ? cause.stack : String(cause) })
        await transactions.write((tx) =>
          notePrint(tx, job, ['waiting'], { state: 'failed', reason: 'unfit' }),
        )
        await transactions.write((tx) =>
          notePrint(tx, job, ['sending'], { state: 'unknown', reason: 'broken-off' }),
        )
      }
    }
    return trouble
  }

  #printout(job: QueuedPrint, place: PrinterPlace): Printout {
    const { transactions, receiptSettled } = this.#parts
    const content = jobContent(transactions.database, job, place, { plain: this.#plain.has(job.id) })
    const settled = async (): Promise<void> => {
      if (job.document === 'receipt' && job.subject !== null) await receiptSettled(job.subject)
    }
    const commands = (): Promise<Uint8Array> => settled().then(content.commands)
    return {
      name: job.id,
      prepare() {
        // Whoever asks for them is told what is wrong.
        if (job.reason === null) commands().catch(() => undefined)
      },
      commands,
      pdf: () => settled().then(content.pdf),
      pictures: () => settled().then(content.pictures),
      pulse: () => transactions.write((tx) => takePulses(tx, job)),
      begin: () =>
        transactions.write(async (tx) =>
          Boolean(await changePrintJob(tx, job, ['waiting'], { state: 'sending', printer: place.address })),
        ),
    }
  }

  async #note(job: QueuedPrint, { address: printer }: PrinterPlace, ending: PrintEnding): Promise<void> {
    const { transactions, log } = this.#parts
    const change = changeBy(ending)
    if (!change) return
    const from = ending.kind === 'unsent' ? 'waiting' : 'sending'
    await transactions.write((tx) =>
      notePrint(tx, job, [from], {
        ...change,
        ...(job.document === 'test' && from === 'waiting' ? {} : { printer }),
      }),
    )
    if (change.reason !== null) log.warn('printer', { printer, state: change.state, reason: change.reason })
  }

  /** Has a job wait, and others go before it. */
  async #hold(job: QueuedPrint, reason: PrintReason): Promise<void> {
    const { transactions, env, log } = this.#parts
    this.#held.set(job.id, env.elapsed() + triedAgainAfter)
    await transactions.write((tx) => notePrint(tx, job, ['waiting'], { reason }))
    if (job.reason !== reason) log.warn('not printed yet', { job: job.id, reason })
  }

  async #giveUp(job: QueuedPrint, reason: PrintReason): Promise<void> {
    await this.#parts.transactions.write((tx) => notePrint(tx, job, ['waiting'], { state: 'failed', reason }))
    this.#parts.changed()
  }
}
