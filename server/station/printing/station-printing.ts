import type { ShownPrinter, ShownPrintJob } from '../../../schema/bodies/print-jobs.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { type StationSettings, stationSettings } from '../../services/devices/station-settings.ts'
import { openPrintJobs, printJob, type QueuedPrint } from '../../services/printing/print-jobs.ts'
import { notePrint } from './job-notes.ts'
import { requirePrinter, storeJob, type WantedPrint } from './job-storing.ts'
import { isPrinted, storeNew } from './new-prints.ts'
import { openPrintQueue, type PrintQueue, type PrintQueueParts } from './print-queue.ts'

/** Prints at the printers of this station. */
export interface StationPrinting extends Pick<PrintQueue, 'recover' | 'prepare' | 'pause' | 'stop' | 'wake'> {
  /**
   * Stores what is to be printed, and has it printed; asked again with the same id, it says what became of that. `token` is
   * the word of whoever stands in for those who may not print again.
   */
  print(wanted: WantedPrint, token?: string): Promise<ShownPrintJob>
  /** How the printers of this station are, which are asked. */
  printers(): Promise<ShownPrinter[]>
  find(id: string): Promise<ShownPrintJob>
  /** What is not printed, or may not be. */
  open(): Promise<ShownPrintJob[]>
  /** Settles what only a person can see; throws 409 for what is known. */
  decide(id: string, printed: boolean): Promise<ShownPrintJob>
  /** Prints what waits for the background of its layout as it is; throws 409 for what does not. */
  printWithoutBackground(id: string): Promise<ShownPrintJob>
}

const shown = ({
  id,
  document,
  subject,
  title,
  copy,
  created,
  state,
  reason,
  printer,
}: QueuedPrint): ShownPrintJob => ({
  ...{ id, document, subject, title, copy, created, state, reason, printer },
})

const isWithoutBackground = (reason: QueuedPrint['reason']): boolean =>
  reason === 'background-missing' || reason === 'background-damaged'

const settingsOf = async (transactions: Transactions): Promise<StationSettings> => {
  const settings = await stationSettings(transactions.database)
  if (!settings) throw new Refusal(409, { detail: 'This station is not set up.' })
  return settings
}

/** Opens it; `changed` is called when something became of a job. */
export function openStationPrinting(
  transactions: Transactions,
  parts: Omit<PrintQueueParts, 'transactions'>,
): StationPrinting {
  const { log, changed } = parts
  const queue = openPrintQueue({ ...parts, transactions })
  const stopListening = transactions.onCommit((changes) => {
    const written = changes.filter(({ resource, op }) => op === 'put' && isPrinted(resource))
    if (written.length === 0) return
    transactions
      .write((tx) => storeNew(tx, written))
      .then((isAny) => isAny && queue.wake())
      .catch((cause: unknown) => log.error('not printed', { cause: String(cause) }))
  })
  const stored = async (id: string): Promise<QueuedPrint> => {
    const { organizer } = await settingsOf(transactions)
    const job = await printJob(transactions.database, { organizer, id })
    if (!job) throw notFound()
    return job
  }
  return {
    async print(wanted, token) {
      const settings = await settingsOf(transactions)
      requirePrinter(settings, wanted)
      const job = await transactions.write((tx) => storeJob(tx, settings, wanted, token))
      queue.wake()
      return shown(job)
    },
    async printers() {
      const { printers = [] } = await settingsOf(transactions)
      const troubles = await Promise.all(printers.map((place) => queue.look(place)))
      return printers.map(({ way, address, profile, documents }, index) => ({
        ...{ way, address, profile, documents: [...documents], trouble: troubles[index] ?? null },
      }))
    },
    find: async (id) => shown(await stored(id)),
    async open() {
      const { organizer } = await settingsOf(transactions)
      return (await openPrintJobs(transactions.database, organizer)).map(shown)
    },
    async decide(id, printed) {
      const job = await stored(id)
      const isDecided = await transactions.write((tx) =>
        printed
          ? notePrint(tx, job, ['unknown'], { state: 'printed', reason: null })
          : notePrint(tx, job, ['waiting', 'unknown'], { state: 'failed', reason: 'withdrawn' }),
      )
      if (!isDecided) throw new Refusal(409, { detail: 'It is known what became of this print.' })
      changed()
      queue.wake()
      return shown(await stored(id))
    },
    async printWithoutBackground(id) {
      const job = await stored(id)
      if (job.state !== 'waiting' || !isWithoutBackground(job.reason))
        throw new Refusal(409, { detail: 'This print does not wait for the background of its layout.' })
      queue.printWithoutBackground(id)
      return shown(job)
    },
    recover: () => queue.recover(),
    prepare: () => queue.prepare(),
    wake: () => queue.wake(),
    pause() {
      stopListening()
      queue.pause()
    },
    stop() {
      stopListening()
      return queue.stop()
    },
  }
}

/** Why a document cannot be printed at the moment, by how the printers are; null where one of them can. */
export function troubleWith(
  printers: readonly ShownPrinter[],
  document: ShownPrinter['documents'][number],
): NonNullable<ShownPrinter['trouble']> | null {
  const pool = printers.filter(({ documents }) => documents.includes(document))
  if (pool.some(({ trouble }) => trouble === null)) return null
  return pool[0]?.trouble ?? 'no-printer'
}
