import { createHash } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import { countryName, writtenLanguage } from '../../domain/text/multilingual.ts'
import { askedParts } from '../../domain/text/names.ts'
import { type Actor, may } from '../../resource/actor.ts'
import type { EventFacts } from '../../resource/api.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { fileTypesOf } from '../input/uploads.ts'
import { answerWords, type PrintedQuestion, printedQuestions } from './answer-words.ts'
import { maskedPositions } from './given-in-part.ts'
import { momentTexts, timesOf } from './pdf-times.ts'
import type { PositionCells } from './position-rows.ts'
import { answersOf, parentAnswersOf } from './positions.ts'
import { addressBelow, type DownloadSite } from './ticket-downloads.ts'
import { loadTicketFacts, readable } from './ticket-print.ts'

/** What a program that prints badges or tickets puts into its layouts, by the name of the variable. */
interface PdfData {
  readonly [variable: string]: string | Readonly<Record<string, string | null>>
  /** Where pictures are found, by the names of their variables; null where there is none. */
  readonly images: Readonly<Record<string, string | null>>
}

/** The name of the picture that is uploaded as the answer to a question, by the question's identifier. */
export const imageKey = (identifier: string): string => `question_${identifier}`

/** Whether a caller wants to see what can be printed of positions, and may: who may only scan is not shown it. */
export const wantsPdfData = (actor: Actor, query: Query): boolean =>
  flagParameter(query, 'pdf_data') === true && may(actor, 'can_view_orders')

/** The texts that can be printed for some positions of an event, each in the language of its order. */
export async function pdfDataOf(
  db: Queryable,
  organizer: number,
  { event, site }: { readonly event: EventFacts; readonly site: DownloadSite },
  positions: readonly PositionCells[],
): Promise<PdfData[]> {
  const facts = await loadTicketFacts(db, organizer, event, positions)
  const owner = await db.get<{ name: string }>(sql`SELECT name FROM organizer WHERE id = ${organizer}`)
  const questions = await printedQuestions(db, organizer, event.id)
  const pictures = await picturesOf(db, organizer, positions)
  const addons = await addonsOf(db, organizer, positions)
  const say = amountsIn(event.currency)
  return positions.map((cells) => {
    const locale = cells.order_locale
    const item = facts.items.get(cells.item)
    const variation = readable(facts.variations.get(cells.variation ?? 0), locale)
    const name = readable(item?.name, locale)
    const seat = facts.seats.get(cells.seat_id ?? 0)
    const answers = answersByQuestion(cells)
    return {
      ...timesOf(facts.dates.get(cells.subevent ?? 0) ?? facts.event, event, locale),
      secret: cells.secret,
      order: cells.order_code,
      positionid: String(cells.positionid),
      order_positionid: `${cells.order_code}-${cells.positionid}`,
      order_email: String(cells.order_email ?? ''),
      email: String(cells.order_email ?? ''),
      organizer: owner?.name ?? '',
      event_series_name: readable(facts.event.name, locale),
      item: name,
      variation,
      itemvar: variation === '' ? name : `${name} – ${variation}`,
      item_description: readable(item?.description, locale),
      item_category: readable(item?.category, locale),
      addons: (addons.get(cells.id) ?? []).map((addon) => addonText(addon, locale)).join('\n'),
      price: say(cells.price, locale),
      ...namesOf(cells, event),
      attendee_email: String(cells.attendee_email ?? ''),
      attendee_company: String(cells.company ?? ''),
      attendee_street: String(cells.street ?? ''),
      attendee_zipcode: String(cells.zipcode ?? ''),
      attendee_city: String(cells.city ?? ''),
      attendee_state: String(cells.state ?? ''),
      attendee_country: countryName(String(cells.country ?? ''), locale),
      pseudonymization_id: cells.pseudonymization_id,
      ...invoiceTexts(cells, locale),
      seat: cells.seat === null ? '' : (JSON.parse(cells.seat) as { name: string }).name,
      seat_zone: seat?.zone_name ?? '',
      seat_row: seat?.row_label || seat?.row_name || '',
      seat_number: seat?.seat_label || seat?.seat_number || '',
      ...momentTexts('purchase', cells.order_datetime, event, locale),
      ...momentTexts('valid_from', cells.valid_from, event, locale),
      ...momentTexts('valid_until', cells.valid_until, event, locale),
      ...Object.fromEntries(
        questions.flatMap((question) => textsOf(question, answers.get(question.id), event, locale)),
      ),
      images: Object.fromEntries(
        questions.flatMap((question) =>
          pictureOf(question, answers.get(question.id)?.answer ?? '', pictures, (key) =>
            addressBelow(site, cells, `pdf_image/${encodeURIComponent(key)}`),
          ),
        ),
      ),
    }
  })
}

/** How often something was added to a position. */
interface AddonCells {
  readonly addon_to: number
  readonly name: string
  readonly variation: string | null
  readonly count: number
}

/** What was added to some positions, in the order in which it was. */
async function addonsOf(
  db: Queryable,
  organizer: number,
  positions: readonly PositionCells[],
): Promise<ReadonlyMap<number, readonly AddonCells[]>> {
  const ids = positions.flatMap(({ id, addon_to }) => (addon_to === null ? [id] : []))
  if (ids.length === 0) return new Map()
  const rows = await db.all<AddonCells>(
    sql`SELECT p.addon_to, item.name, variation.value AS variation, count(*) AS count FROM order_position p
        JOIN item ON item.organizer = p.organizer AND item.id = p.item
        LEFT JOIN variation ON variation.organizer = p.organizer AND variation.id = p.variation
        WHERE p.organizer = ${organizer} AND p.addon_to IN (${join(ids)}) AND p.canceled = 0
        GROUP BY p.addon_to, p.item, p.variation, item.name, variation.value ORDER BY min(p.positionid)`,
  )
  return Map.groupBy(rows, ({ addon_to }) => addon_to)
}

function addonText({ name, variation, count }: AddonCells, locale: string): string {
  const words = [readable(name, locale), readable(variation, locale)].filter((one) => one !== '').join(' – ')
  return Number(count) > 1 ? `${count}x ${words}` : words
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

/** What was answered for a position by question; an add-on's parent answers where it says nothing itself. */
export const answersByQuestion = (cells: PositionCells): ReadonlyMap<number, StoredAnswer> =>
  new Map([...parentAnswersOf(cells), ...answersOf(cells)].map((answer) => [answer.question, answer]))

/** What was answered to a question that asks for no file, by its identifier and by its number; else nothing. */
function textsOf(
  question: PrintedQuestion,
  answer: StoredAnswer | undefined,
  event: EventFacts,
  locale: string,
): [string, string][] {
  if (question.type === 'F') return []
  const text = answer === undefined ? '' : answerWords(question, answer, event, locale)
  return [question.identifier, question.id].map((name) => [`question_${name}`, text])
}

/** The pictures among the answers of some positions, as these name them. */
async function picturesOf(
  db: Queryable,
  organizer: number,
  positions: readonly PositionCells[],
): Promise<ReadonlySet<string>> {
  const named = positions.flatMap((cells) =>
    [...answersByQuestion(cells).values()].filter(({ answer }) => isUploadedFile(answer)),
  )
  const types = await fileTypesOf(
    db,
    organizer,
    named.map(({ answer }) => answer),
  )
  return new Set([...types].flatMap(([answer, type]) => (type.startsWith('image/') ? [answer] : [])))
}

const pictureTag = (answer: string): string => createHash('sha256').update(answer).digest('hex').slice(0, 40)

/** Where the picture is that was answered to a question that asks for a file; null where it is none. */
function pictureOf(
  { identifier, type }: PrintedQuestion,
  answer: string,
  pictures: ReadonlySet<string>,
  addressOf: (key: string) => string | null,
): [string, string | null][] {
  if (type !== 'F') return []
  const key = imageKey(identifier)
  const address = pictures.has(answer) ? addressOf(key) : null
  // Apps keep a picture by this, and load it again when it is another one.
  return [[key, address === null ? null : `${address}#etag=${pictureTag(answer)}`]]
}

/** The attendee's name, that of the parent where there is none, and its parts: those that the event asks for at least. */
function namesOf(cells: PositionCells, { nameScheme }: EventFacts): Record<string, string> {
  const own = cells.attendee_name !== null
  const parts: Record<string, string> =
    JSON.parse(String((own ? cells.attendee_name_parts : cells.parent_parts) ?? '{}')) ?? {}
  const asked = askedParts(nameScheme).map(({ key }) => [key, ''] as const)
  const known = [...asked, ...Object.entries(parts).filter(([part]) => !part.startsWith('_'))]
  return {
    attendee_name: cells.attendee_name ?? cells.parent_name ?? '',
    ...Object.fromEntries(known.map(([part, value]) => [`attendee_name_${part}`, value])),
  }
}

/** Amounts of a currency, in hundredths, in the words of a language; what writes them takes long to make. */
function amountsIn(currency: string): (amount: number, locale: string) => string {
  const formats = new Map<string, Intl.NumberFormat>()
  return (amount, locale) => {
    const format =
      formats.get(locale) ?? new Intl.NumberFormat(writtenLanguage(locale), { style: 'currency', currency })
    formats.set(locale, format)
    return format.format(amount / 100)
  }
}

/** Whom an invoice would be for. */
function invoiceTexts(cells: PositionCells, locale: string): Record<string, string> {
  const address: Partial<InvoiceAddress> = JSON.parse(cells.order_address ?? 'null') ?? {}
  return {
    invoice_name: address.name ?? '',
    invoice_company: address.company ?? '',
    invoice_street: address.street ?? '',
    invoice_zipcode: address.zipcode ?? '',
    invoice_city: address.city ?? '',
    invoice_state: address.state ?? '',
    invoice_country: countryName(address.country ?? '', locale),
  }
}
