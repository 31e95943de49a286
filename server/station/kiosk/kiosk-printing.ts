import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { type StationSettings, stationSettings, taskOf } from '../../services/devices/station-settings.ts'
import { openPrintJobs, printJob, type QueuedPrint } from '../../services/printing/print-jobs.ts'
import type { Queryable } from '../../storage/database.ts'
import { guestDocument, notePrint } from '../printing/job-notes.ts'
import { isPrintable } from '../printing/job-storing.ts'
import { type StationPrinting, troubleWith } from '../printing/station-printing.ts'
import { listsOfStation } from '../station-state.ts'
import { clearFaults, keepFault, keptFaults, noteFault, type PrinterFault } from './kiosk-fault.ts'

interface KioskPrintingParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly printing: StationPrinting
  /** What keeps the kiosk out of order has changed. */
  readonly changed: () => void
}

/** The printers of a kiosk, which are looked after without anybody beside them. */
export interface KioskPrinting {
  /** Gives a job up that no printer takes, or that broke off: the desk prints it. The job as it is then. */
  settle(job: QueuedPrint): Promise<QueuedPrint>
  wake(): void
  stop(): void
}

/** Milliseconds that a guest waits for a printer. */
const patience = 15_000
/** Milliseconds between two looks at the printers. */
const lookEvery = 5000

/** Looks after the printers of a kiosk, and notes what keeps it out of order. */
export function openKioskPrinting(parts: KioskPrintingParts): KioskPrinting {
  const { transactions, env, log, printing, changed } = parts
  const { database } = transactions
  /** The trouble of the look before: what is wrong once may be a printer that was busy. */
  let before: PrinterFault | null = null
  let isStopped = false

  async function settle(job: QueuedPrint): Promise<QueuedPrint> {
    const waited = env.now() - Date.parse(job.created)
    const isStuck =
      job.state === 'waiting' && (waited >= patience || (before !== null && job.reason !== null))
    if (!isStuck && job.state !== 'unknown') return job
    const isNeeded = await needsPrinter(database)
    await transactions.write(async (tx) => {
      const change = { state: 'failed', reason: 'withdrawn' } as const
      const isGivenUp = await notePrint(tx, job, [job.state], change)
      // What hangs half printed in the printer is somebody's, and must not come out for the next guest.
      if (isGivenUp && job.state === 'unknown' && isNeeded)
        await keepFault(tx, job.reason === 'paper' ? 'paper' : 'printer')
    })
    changed()
    return (await printJob(database, job)) ?? job
  }

  async function look(): Promise<void> {
    const settings = await stationSettings(database)
    if (!settings || taskOf(settings) !== 'kiosk') return
    const jobs = await openPrintJobs(database, settings.organizer)
    for (const job of jobs) if (guestDocument(job.document)) await settle(job)
    const kept = await keptFaults(database)
    const documents = (settings.printing?.at_entry ?? []).filter((document) =>
      isPrintable(settings, { document }),
    )
    const isNeeded = documents.length > 0 && (await needsPrinter(database))
    const found = documents.length > 0 ? await faultOf(printing, documents) : null
    const isSure = found === null || before !== null || kept.some(({ fault }) => fault === found)
    before = found
    if (!isSure) return
    if (!isNeeded) {
      if (kept.length > 0) await transactions.write(clearFaults)
    } else await transactions.write((tx) => noteFault(tx, found))
    if (JSON.stringify(await keptFaults(database)) !== JSON.stringify(kept)) changed()
  }

  const next = (): void => {
    if (isStopped) return
    cancel = env.after(lookEvery, () => {
      look()
        .catch((cause: unknown) => log.error('printers not looked at', { cause: String(cause) }))
        .finally(next)
    })
  }
  let cancel = (): void => undefined
  next()
  return {
    settle,
    wake: () => printing.wake(),
    stop() {
      isStopped = true
      cancel()
    },
  }
}

async function faultOf(
  printing: StationPrinting,
  documents: NonNullable<StationSettings['printing']>['at_entry'],
): Promise<PrinterFault | null> {
  const printers = await printing.printers()
  const troubles = documents.map((document) => troubleWith(printers, document))
  if (troubles.some((one) => one !== null && one !== 'paper')) return 'printer'
  return troubles.includes('paper') ? 'paper' : null
}

/** Whether guests are let in only where something can be printed for them. */
const needsPrinter = async (db: Queryable): Promise<boolean> =>
  (await listsOfStation(db))[0]?.event.settings.kiosk_needs_printer ?? true
