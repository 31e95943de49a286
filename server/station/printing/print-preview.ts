import { type GuestDocument, guestDocuments } from '../../../schema/bodies/print-jobs.ts'
import { printerProfileNames, profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import { stacked } from '../../domain/printers/bitmap.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import { bitmapPng } from '../../exporters/printing/bitmap-png.ts'
import { exampleGuests } from '../../exporters/printing/example-guest.ts'
import { pageBitmaps, UndrawablePdf } from '../../exporters/printing/page-bitmaps.ts'
import { pagesOf } from '../../exporters/printing/position-page.ts'
import { BackgroundFault, paperOf } from '../../exporters/printing/position-pages.ts'
import type { EventFacts } from '../../resource/api.ts'
import { integerParameter, type Query, single } from '../../resource/query.ts'
import type { StationSettings } from '../../services/devices/station-settings.ts'
import { eventById } from '../../services/events/events.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { guestTicket } from '../../services/printing/guest-prints.ts'
import { ticketDocuments } from '../../services/printing/ticket-documents.ts'
import type { Queryable } from '../../storage/database.ts'

/** What somebody wants to see before it is printed. */
interface WantedPreview {
  readonly settings: StationSettings
  readonly query: Query
  readonly now: string
}

/** What would be printed for a ticket at a kind of printer, as a PNG in its dots; its pages stand below each other. */
export async function printPreview(
  db: Queryable,
  { settings, query, now }: WantedPreview,
): Promise<Uint8Array> {
  const profile = profileNamed(chosen(query, 'profile', printerProfileNames))
  const document = chosen(query, 'document', guestDocuments)
  const { dialect, dpi, dots } = profile
  const event = await eventById(db, settings.organizer, settings.event)
  if (!event) throw new Refusal(409, { detail: 'The event of this station is gone. Choose another one.' })
  const at = { organizer: settings.organizer, event }
  const position = integerParameter(query, 'position')
  const cells =
    position === undefined
      ? await exampleFor(db, at, document, { locale: single(query, 'locale') || settings.locale, now })
      : (await guestTicket(db, { organizer: at.organizer, event: event.id }, position))?.cells
  if (!cells) throw notFound()
  try {
    const kind = document === 'ticket' ? 'ticket' : 'badge'
    const page = await pagesOf(db, { ...at, document: kind, paper: paperOf(profile) }, cells)
    if (!page) throw new Refusal(409, { detail: 'This product is to have no such document.' })
    const pages = await pageBitmaps(page, dialect === 'pdf' ? { dpi } : { dpi, widest: dots })
    return bitmapPng(stacked(pages))
  } catch (cause) {
    if (cause instanceof BackgroundFault || cause instanceof UndrawablePdf)
      throw new Refusal(409, { detail: cause.message })
    throw cause
  }
}

/** A ticket of nobody that has such a document. */
async function exampleFor(
  db: Queryable,
  at: { readonly organizer: number; readonly event: EventFacts },
  document: GuestDocument,
  reader: { readonly locale: string; readonly now: string },
): Promise<PositionCells> {
  const guests = await exampleGuests(db, at.organizer, at.event, reader)
  const documentOf = await ticketDocuments(db, at, document)
  const found = guests.find((cells) => documentOf(cells).look !== null)
  if (!found) throw new Refusal(409, { detail: 'No product of this event has such a document.' })
  return found
}

/** One of some words that a query says; 400 where it says another one, or none. */
function chosen<const T extends string>(query: Query, name: string, words: readonly T[]): T {
  const said = single(query, name)
  const found = words.find((one) => one === said)
  if (found === undefined) throw invalid({ [name]: [`Must be one of ${words.join(', ')}.`] })
  return found
}
