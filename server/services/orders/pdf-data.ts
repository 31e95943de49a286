import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import { type Actor, may } from '../../resource/actor.ts'
import type { EventFacts } from '../../resource/api.ts'
import { amountOf } from '../../resource/codec.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { fileTypesOf } from '../input/uploads.ts'
import { maskedPositions } from './given-in-part.ts'
import type { PositionCells } from './position-rows.ts'
import { answersOf, identifiers } from './positions.ts'
import { addressBelow, type DownloadSite } from './ticket-downloads.ts'
import { type DateCells, inWords, loadTicketFacts, readable } from './ticket-print.ts'

/** What a program that prints badges or tickets puts into its layouts, by the name of the variable. */
interface PdfData {
  readonly [variable: string]: string | Readonly<Record<string, string>>
  /** Where pictures are found, by the names of their variables. */
  readonly images: Readonly<Record<string, string>>
}

/** The name of the picture that is uploaded as the answer to a question, by the question's identifier. */
export const imageKey = (identifier: string): string => `question_${identifier}`

/** Whether a caller wants to see what can be printed of positions, and may: who may only scan is not shown it. */
export const wantsPdfData = (actor: Actor, query: Query): boolean =>
  flagParameter(query, 'pdf_data') === true && may(actor, 'can_view_orders')

/** The texts that can be printed for some positions of an event, each in the language of its order. */
async function pdfDataOf(
  db: Queryable,
  organizer: number,
  { event, site }: { readonly event: EventFacts; readonly site: DownloadSite },
  positions: readonly PositionCells[],
): Promise<PdfData[]> {
  const facts = await loadTicketFacts(db, organizer, event, positions)
  const { questions } = await identifiers(db, organizer, positions.flatMap(answersOf))
  const pictures = await picturesOf(db, organizer, positions)
  return positions.map((cells) => {
    const locale = cells.order_locale
    const item = facts.items.get(cells.item)
    const variation = readable(facts.variations.get(cells.variation ?? 0), locale)
    const name = readable(item?.name, locale)
    const seat = facts.seats.get(cells.seat_id ?? 0)
    const address = JSON.parse(cells.order_address ?? 'null') ?? {}
    return {
      ...timesOf(facts.dates.get(cells.subevent ?? 0) ?? facts.event, event, locale),
      secret: cells.secret,
      order: cells.order_code,
      positionid: String(cells.positionid),
      order_positionid: `${cells.order_code}-${cells.positionid}`,
      order_email: String(cells.order_email ?? ''),
      item: name,
      variation,
      itemvar: variation === '' ? name : `${name} – ${variation}`,
      item_description: readable(item?.description, locale),
      item_category: readable(item?.category, locale),
      price: amountOf(cells.price),
      ...namesOf(cells),
      attendee_email: String(cells.attendee_email ?? ''),
      attendee_company: String(cells.company ?? ''),
      attendee_street: String(cells.street ?? ''),
      attendee_zipcode: String(cells.zipcode ?? ''),
      attendee_city: String(cells.city ?? ''),
      attendee_country: String(cells.country ?? ''),
      pseudonymization_id: cells.pseudonymization_id,
      invoice_name: String(address.name ?? ''),
      invoice_company: String(address.company ?? ''),
      seat: cells.seat === null ? '' : (JSON.parse(cells.seat) as { name: string }).name,
      seat_zone: seat?.zone_name ?? '',
      seat_row: seat?.row_label || seat?.row_name || '',
      seat_number: seat?.seat_label || seat?.seat_number || '',
      purchase_date: inWords(cells.order_datetime, event.timezone, locale, { dateStyle: 'short' }),
      ...answersIn(cells, questions),
      images: imagesIn(cells, questions, pictures, site),
    }
  })
}

/** Positions, in the same order as what they are shown, and to whom. */
interface ShownPositions {
  readonly positions: readonly PositionCells[]
  readonly shown: readonly JsonObject[]
  readonly audience: Audience
}

/** Shown positions with what can be printed of them under `pdf_data`. */
export async function addPdfData(
  db: Queryable,
  organizer: number,
  site: DownloadSite,
  { positions: found, shown, audience }: ShownPositions,
): Promise<JsonObject[]> {
  const positions = await maskedPositions(db, organizer, audience, found)
  const data = new Map<PositionCells, PdfData>()
  for (const [id, event] of site.events) {
    const own = positions.filter((cells) => cells.event === id)
    const texts = own.length > 0 ? await pdfDataOf(db, organizer, { event, site }, own) : []
    for (const [index, cells] of own.entries()) data.set(cells, texts[index] ?? { images: {} })
  }
  return shown.map((row, index) => {
    const cells = positions[index]
    return { ...row, pdf_data: (cells && data.get(cells)) ?? {} }
  })
}

type Identifiers = ReadonlyMap<number, string>

/** What was answered to each question, by its identifier and by its number; files are pictures or nothing. */
const answersIn = (cells: PositionCells, questions: Identifiers): Record<string, string> =>
  Object.fromEntries(
    answersOf(cells).flatMap(({ question, answer }) => {
      const identifier = questions.get(question)
      if (identifier === undefined || isUploadedFile(answer)) return []
      return [identifier, question].map((name) => [`question_${name}`, answer])
    }),
  )

/** The pictures among the answers of some positions, as these name them. */
async function picturesOf(
  db: Queryable,
  organizer: number,
  positions: readonly PositionCells[],
): Promise<ReadonlySet<string>> {
  const named = positions.flatMap((cells) => answersOf(cells).filter(({ answer }) => isUploadedFile(answer)))
  const types = await fileTypesOf(
    db,
    organizer,
    named.map(({ answer }) => answer),
  )
  return new Set([...types].flatMap(([answer, type]) => (type.startsWith('image/') ? [answer] : [])))
}

const pictureTag = (answer: string): string => createHash('sha256').update(answer).digest('hex').slice(0, 40)

const imagesIn = (
  cells: PositionCells,
  questions: Identifiers,
  pictures: ReadonlySet<string>,
  site: DownloadSite,
): Record<string, string> =>
  Object.fromEntries(
    answersOf(cells).flatMap(({ question, answer }) => {
      const identifier = pictures.has(answer) ? questions.get(question) : undefined
      if (identifier === undefined) return []
      const key = imageKey(identifier)
      const address = addressBelow(site, cells, `pdf_image/${encodeURIComponent(key)}`)
      // Apps keep a picture by this, and load it again when it is another one.
      return [[key, address === undefined ? '' : `${address}#etag=${pictureTag(answer)}`]]
    }),
  )

/** The attendee's name, that of the parent where there is none, and its parts. */
function namesOf(cells: PositionCells): Record<string, string> {
  const own = cells.attendee_name !== null
  const parts: Record<string, string> =
    JSON.parse(String((own ? cells.attendee_name_parts : cells.parent_parts) ?? '{}')) ?? {}
  const known = Object.entries(parts).filter(([part]) => !part.startsWith('_'))
  return {
    attendee_name: cells.attendee_name ?? cells.parent_name ?? '',
    ...Object.fromEntries(known.map(([part, value]) => [`attendee_name_${part}`, value])),
  }
}

/** When and where an event or a date of it is. */
function timesOf(date: DateCells, { timezone }: EventFacts, locale: string): Record<string, string> {
  const texts: Record<string, string> = {
    event_name: readable(date.name, locale),
    event_location: readable(date.location, locale),
  }
  for (const [name, instant] of [
    ['event_begin', date.date_from],
    ['event_end', date.date_to],
    ['event_admission', date.date_admission],
  ] as const) {
    const say = (style: Parameters<typeof inWords>[3]): string =>
      instant === null ? '' : inWords(instant, timezone, locale, style)
    texts[name] = say({ dateStyle: 'short', timeStyle: 'short' })
    texts[`${name}_date`] = say({ dateStyle: 'short' })
    texts[`${name}_time`] = say({ timeStyle: 'short' })
  }
  texts.event_date = texts.event_begin_date ?? ''
  return texts
}
