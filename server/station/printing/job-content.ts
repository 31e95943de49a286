import { profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import type { Bitmap } from '../../domain/printers/bitmap.ts'
import { encoders } from '../../domain/printers/raster-encoders.ts'
import { pageBitmaps } from '../../exporters/printing/page-bitmaps.ts'
import { positionPage } from '../../exporters/printing/position-page.ts'
import { type DrawnDocuments, paperOf } from '../../exporters/printing/position-pages.ts'
import { testPage } from '../../exporters/printing/test-page.ts'
import { receiptOnPaper } from '../../exporters/receipts/receipt-files.ts'
import { closingSlip } from '../../exporters/receipts/report-files.ts'
import type { Slip } from '../../exporters/receipts/slip.ts'
import { slipBytes } from '../../exporters/receipts/slip-bytes.ts'
import { slipOutputs } from '../../exporters/receipts/slip-output.ts'
import { testSlip } from '../../exporters/receipts/test-slip.ts'
import type { PrinterPlace } from '../../services/devices/printer-places.ts'
import { actorOf, stationSettings } from '../../services/devices/station-settings.ts'
import { eventById } from '../../services/events/events.ts'
import { type GuestTicket, guestTicket } from '../../services/printing/guest-prints.ts'
import type { QueuedPrint } from '../../services/printing/print-jobs.ts'
import type { Queryable } from '../../storage/database.ts'
import { guestDocument } from './job-notes.ts'
import type { Printout } from './transports/transport.ts'

/** What was to be printed is not there any more, or is not to be printed any more. */
export class NothingToPrint extends Error {
  readonly reason: 'gone' | 'canceled'

  constructor(reason: 'gone' | 'canceled') {
    super(reason)
    this.reason = reason
  }
}

/** What is printed for a job, in the forms that printers take. All throw NothingToPrint and BackgroundFault. */
export type JobContent = Pick<Printout, 'commands' | 'pdf' | 'pictures'>

/** What a printer is given for a job; `plain` is a page without the background of its layout. */
export function jobContent(
  db: Queryable,
  job: QueuedPrint,
  place: PrinterPlace,
  { plain = false }: { readonly plain?: boolean } = {},
): JobContent {
  const profile = profileNamed(place.profile)
  const { dialect, dpi, dots, cutter } = profile
  const pdf = async (): Promise<Uint8Array> => {
    if (guestDocument(job.document)) return pageOf(db, job, { plain, paper: paperOf(profile) })
    if (job.document === 'test') return testPage(await testOf(db, job), profile)
    return slipOutputs.pdf.make(await slipOf(db, job, place.columns))
  }
  const isRoll = job.document === 'receipt' || job.document === 'closing'
  const pictures = async (): Promise<readonly Bitmap[]> =>
    pageBitmaps(
      await pdf(),
      isRoll ? { dpi, width: Math.min(dots, Math.round((dpi * 72) / 25.4)) } : { dpi, widest: dots },
    )
  const made = async (): Promise<Uint8Array> => {
    if (dialect === 'pdf') return pdf()
    if (dialect === 'escpos' && !guestDocument(job.document))
      return slipBytes(await slipOf(db, job, place.columns), { dots })
    const pages = await pictures()
    return Buffer.concat(pages.map((page) => encoders[dialect](page, { cut: cutter })))
  }
  let kept: Promise<Uint8Array> | null = null
  return {
    pdf,
    pictures,
    async commands() {
      kept ??= made()
      const bytes = await kept
      // It may have been made while somebody else was served.
      if (guestDocument(job.document)) await printableTicket(db, job)
      return bytes
    },
  }
}

async function printableTicket(
  db: Queryable,
  { organizer, event, subject }: QueuedPrint,
): Promise<GuestTicket> {
  const ticket = subject === null ? undefined : await guestTicket(db, { organizer, event }, subject)
  if (!ticket) throw new NothingToPrint('gone')
  if (ticket.isVoid) throw new NothingToPrint('canceled')
  return ticket
}

async function pageOf(
  db: Queryable,
  job: QueuedPrint,
  how: Pick<DrawnDocuments, 'plain' | 'paper'>,
): Promise<Uint8Array> {
  const { organizer, event, document } = job
  const { id: position } = await printableTicket(db, job)
  const page = await positionPage(db, {
    ...{ organizer, event, position },
    ...{ document: document === 'ticket' ? 'ticket' : 'badge', ...how },
  })
  if (!page) throw new NothingToPrint('gone')
  return page
}

async function testOf(db: Queryable, job: QueuedPrint) {
  const event = await eventById(db, job.organizer, job.event)
  const settings = await stationSettings(db)
  if (!event || !settings) throw new NothingToPrint('gone')
  return { name: settings.name, printed: job.created, timezone: event.timezone, locale: job.locale }
}

async function slipOf(db: Queryable, job: QueuedPrint, columns: number): Promise<Slip> {
  const slip = await foundSlip(db, job, columns)
  if (!slip) throw new NothingToPrint('gone')
  return slip
}

async function foundSlip(db: Queryable, job: QueuedPrint, columns: number): Promise<Slip | null> {
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
