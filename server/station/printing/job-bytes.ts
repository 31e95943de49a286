import { receiptOnPaper } from '../../exporters/receipts/receipt-files.ts'
import { closingSlip } from '../../exporters/receipts/report-files.ts'
import type { Slip } from '../../exporters/receipts/slip.ts'
import { slipOutputs } from '../../exporters/receipts/slip-output.ts'
import { testSlip } from '../../exporters/receipts/test-slip.ts'
import { actorOf, type PrinterPlace, stationSettings } from '../../services/devices/station-settings.ts'
import type { QueuedPrint } from '../../services/drawer/print-jobs.ts'
import { eventById } from '../../services/events/events.ts'
import type { Queryable } from '../../storage/database.ts'

/** What a printer is sent for a job; null where what was to be printed is not there any more. */
export async function jobBytes(
  db: Queryable,
  job: QueuedPrint,
  { columns }: PrinterPlace,
): Promise<Uint8Array | null> {
  const slip = await slipOf(db, job, columns)
  return slip && slipOutputs.escpos.make(slip)
}

async function slipOf(db: Queryable, job: QueuedPrint, columns: number): Promise<Slip | null> {
  const { organizer, event: id, subject, note, locale } = job
  const place = { organizer, event: id }
  const event = await eventById(db, organizer, id)
  const settings = await stationSettings(db)
  if (!event || !settings) return null
  if (job.document === 'test')
    return testSlip(
      { name: settings.name, printed: job.created },
      { timezone: event.timezone, locale, columns },
    )
  if (subject === null) return null
  if (job.document === 'closing')
    return closingSlip(db, { actor: actorOf(settings), place, event }, { id: subject, columns, locale })
  return receiptOnPaper(db, place, event, {
    ...{ id: subject, columns, locale },
    ...(note === null ? {} : { print: note }),
  })
}
