import sql from 'sql-template-tag'
import { type GuestDocument, guestDocuments, type PrintDocument } from '../../../schema/bodies/print-jobs.ts'
import type { Tx } from '../../resource/transactions.ts'
import { actorOf, stationSettings } from '../../services/devices/station-settings.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { recordPrint } from '../../services/orders/print-record.ts'
import { guestTicket, printedFor } from '../../services/printing/guest-prints.ts'
import { changePrintJob, type PrintState, type QueuedPrint } from '../../services/printing/print-jobs.ts'
import type { PrintEnding } from './transports/transport.ts'

/** Whether a document comes with a ticket; null where it does not. */
export const guestDocument = (document: PrintDocument): GuestDocument | null =>
  guestDocuments.find((one) => one === document) ?? null

/**
 * Notes what became of a job that is in one of some states; whether it was. What is on paper for a ticket, and what was to
 * be and is not, is reported as any print is.
 */
export async function notePrint(
  tx: Tx,
  job: QueuedPrint,
  from: readonly PrintState[],
  change: Partial<Pick<QueuedPrint, 'state' | 'reason' | 'printer'>>,
): Promise<boolean> {
  const before = from.includes('unknown') ? await stateOf(tx, job) : null
  const after = await changePrintJob(tx, job, from, change)
  if (!after) return false
  const isOnPaper = after.state === 'printed' || after.state === 'sent'
  const isLost = after.state === 'failed' && before === 'unknown'
  if (isOnPaper || isLost) await report(tx, after, isOnPaper)
  return true
}

async function report(tx: Tx, job: QueuedPrint, successful: boolean): Promise<void> {
  const document = guestDocument(job.document)
  const settings = await stationSettings(tx)
  const place = { organizer: job.organizer, event: job.event }
  const ticket = document && job.subject !== null ? await guestTicket(tx, place, job.subject) : undefined
  if (!document || !settings || !ticket || ticket.isCanceled) return
  const found = await lockPosition(tx, place, ticket.id)
  await recordPrint(tx, { actor: actorOf(settings), place }, found, printedFor(document, successful, job))
}

const stateOf = async (tx: Tx, { organizer, id }: QueuedPrint): Promise<string | undefined> =>
  (
    await tx.get<{ state: string }>(
      sql`SELECT state FROM print_job WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`,
    )
  )?.state

/** Notes that the drawer is told to open for all that waits and wants it to; whether any does. */
export const takePulses = async (tx: Tx, { organizer }: QueuedPrint): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE print_job SET pulse = 'given' WHERE organizer = ${organizer} AND pulse = 'wanted' AND state = 'waiting'`,
  )) > 0

/** What is stored of an ending; null for nothing. */
export function changeBy(ending: PrintEnding): Pick<QueuedPrint, 'state' | 'reason'> | null {
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
