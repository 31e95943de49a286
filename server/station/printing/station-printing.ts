import sql from 'sql-template-tag'
import type { XStatic } from 'typebox/schema'
import type { printJobBody, ShownPrintJob } from '../../../schema/bodies/print-jobs.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { impossible, notFound, Refusal } from '../../errors.ts'
import { findRow } from '../../resource/store.ts'
import type { Change, Transactions, Tx } from '../../resource/transactions.ts'
import { actorOf, type StationSettings, stationSettings } from '../../services/devices/station-settings.ts'
import {
  changePrintJob,
  openPrintJobs,
  printJob,
  type QueuedPrint,
  storePrintJob,
} from '../../services/drawer/print-jobs.ts'
import { printReceipt } from '../../services/drawer/receipt-prints.ts'
import { eventById } from '../../services/events/events.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { openPrintQueue, type PrintQueue, type PrintQueueParts } from './print-queue.ts'

/** What is to be printed; see printJobBody. */
type WantedPrint = XStatic<typeof printJobBody>

/** Prints at the printers of this station. */
export interface StationPrinting extends Pick<PrintQueue, 'recover' | 'stop'> {
  /** Stores what is to be printed, and has it printed; asked again with the same id, it says what became of that. */
  print(wanted: WantedPrint): Promise<ShownPrintJob>
  find(id: string): Promise<ShownPrintJob>
  /** What is not printed, or may not be. */
  open(): Promise<ShownPrintJob[]>
  /** Settles what only a person can see; throws 409 for what is known. */
  decide(id: string, printed: boolean): Promise<ShownPrintJob>
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
    async print(wanted) {
      const settings = await settingsOf(transactions)
      if ((settings.printers ?? []).length === 0)
        throw new Refusal(409, { detail: 'No receipt printer is set. Enter its address in the settings.' })
      const job = await transactions.write((tx) => storeJob(tx, settings, wanted))
      queue.wake()
      return shown(job)
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
          ? changePrintJob(tx, job, ['unknown'], { state: 'printed', reason: null })
          : changePrintJob(tx, job, ['waiting', 'unknown'], { state: 'failed', reason: 'withdrawn' }),
      )
      if (!isDecided) throw new Refusal(409, { detail: 'It is known what became of this print.' })
      changed()
      queue.wake()
      return shown(await stored(id))
    },
    recover: () => queue.recover(),
    stop() {
      stopListening()
      queue.stop()
    },
  }
}

/** Milliseconds after which a receipt that comes is not one of just now, but was reported late or loaded anew. */
const isLateAfter = 5 * 60_000

const isPrinted = (resource: string): boolean => resource === receipt.name || resource === closing.name

/** Has what this till has just written printed; whether there is any. */
async function storeNew(tx: Tx, written: readonly Change[]): Promise<boolean> {
  const settings = await stationSettings(tx)
  if (!settings || (settings.printers ?? []).length === 0) return false
  const wanted: WantedPrint[] = []
  for (const { resource, row } of written) {
    const isNew = await (resource === receipt.name ? isNewReceipt : isNewClosing)(tx, settings, row)
    const document = resource === receipt.name ? 'receipt' : 'closing'
    if (isNew) wanted.push({ id: `${document}-${row}`, document, subject: row })
  }
  for (const one of wanted) await storeJob(tx, settings, one)
  return wanted.length > 0
}

const isLate = (tx: Tx, when: string): boolean => Date.parse(when) < Date.parse(tx.now) - isLateAfter

/** Whether a receipt is of just now and of this till, and was not given out; what closes a drawer is on its closing. */
async function isNewReceipt(tx: Tx, { organizer, event, device: till }: StationSettings, id: number) {
  const place = { organizer, event }
  const row = await findRow(tx, receipt, place, { id, till })
  if (!row || isLate(tx, row.ended) || row.lines.some(({ kind }) => kind === 'difference')) return false
  return (await findRow(tx, receiptPrint, place, { receipt: id })) === undefined
}

async function isNewClosing(tx: Tx, { organizer, event, device: till }: StationSettings, id: number) {
  const row = await findRow(tx, closing, { organizer, event }, { id, till })
  return row !== undefined && !isLate(tx, row.closed)
}

/** What stands on paper, and whether the drawer opens with it. */
type Printed = Pick<QueuedPrint, 'subject' | 'note' | 'copy' | 'title' | 'pulse'>

async function storeJob(tx: Tx, settings: StationSettings, wanted: WantedPrint): Promise<QueuedPrint> {
  const { organizer, event: eventId } = settings
  const key = { organizer, id: wanted.id }
  const before = await printJob(tx, key)
  if (before) return before
  const event = await eventById(tx, organizer, eventId)
  if (!event) throw new Refusal(409, { detail: 'The event of this station is gone. Choose another one.' })
  const at: OrderScope = { actor: actorOf(settings), place: { organizer, event: eventId }, event }
  await storePrintJob(tx, {
    ...{ ...key, event: eventId, document: wanted.document, state: 'waiting' },
    locale: wanted.locale ?? settings.locale,
    ...(await printedBy(tx, at, settings, wanted)),
  })
  const job = await printJob(tx, key)
  if (!job) throw new Error('What was to be printed is gone.')
  return job
}

async function printedBy(
  tx: Tx,
  at: OrderScope,
  { device }: StationSettings,
  wanted: WantedPrint,
): Promise<Printed> {
  if (wanted.document === 'test') return { subject: null, note: null, copy: 0, title: '', pulse: 'none' }
  if (wanted.document === 'closing') {
    const row = await findRow(tx, closing, at.place, { id: wanted.subject ?? 0 })
    if (!row) throw notFound()
    return { subject: row.id, note: null, copy: 0, title: `${row.site}-${row.number}`, pulse: 'none' }
  }
  const id = wanted.subject ?? (await newestReceipt(tx, at, device, wanted.order))
  const row = await findRow(tx, receipt, at.place, { id })
  if (!row) throw notFound()
  const note = await printReceipt(tx, at, row.id, { way: 'paper', email: '', locale: '' })
  const copy = (await findRow(tx, receiptPrint, at.place, { id: note }))?.copy ?? 0
  const isCash = row.payments.some(({ provider }) => provider === 'boxoffice')
  return {
    ...{ subject: row.id, note, copy, title: `${row.site}-${row.number}` },
    pulse: copy === 0 && isCash ? 'wanted' : 'none',
  }
}

async function newestReceipt(
  tx: Tx,
  { place }: OrderScope,
  device: number,
  order: string | undefined,
): Promise<number> {
  if (order === undefined) throw impossible('Say which receipt is to be printed.')
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM receipt WHERE organizer = ${place.organizer} AND event = ${place.event} AND till = ${device}
          AND "order" = ${order} ORDER BY ended DESC, id DESC LIMIT 1`,
  )
  if (!row)
    throw new Refusal(409, {
      detail: 'The receipt of this order is not at this station yet. Try again in a moment.',
    })
  return row.id
}
