import sql, { join } from 'sql-template-tag'
import type { SeatWords } from '../../domain/quotas/seats.ts'
import { inLanguage, writtenLanguage } from '../../domain/text/multilingual.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import type { PositionCells } from './position-rows.ts'

/** A ticket as it is printed, in the language of its order. */
export interface PrintedTicket {
  /** What the scanner reads. */
  readonly code: string
  readonly name: string | null
  readonly product: string
  readonly event: string
  /** The day and hour when it begins, by the event's clocks. */
  readonly when: string
  readonly where: string
  /** The name of the seat, or null. */
  readonly seat: string | null
  /** Order code and position, as staff look it up: `ABC12-1`. */
  readonly order: string
  readonly locale: string
}

/** What is known of the products, dates and seats of some positions; texts are JSON, times as they are stored. */
interface TicketFacts {
  readonly event: DateCells
  readonly dates: ReadonlyMap<number, DateCells>
  readonly items: ReadonlyMap<number, ItemCells>
  readonly variations: ReadonlyMap<number, string>
  readonly seats: ReadonlyMap<number, SeatWords>
}

/** An event or a date of it. */
export interface DateCells {
  readonly name: string
  readonly date_from: string
  readonly date_to: string | null
  readonly date_admission: string | null
  readonly location: string | null
}

/** A product with its category. */
interface ItemCells {
  readonly name: string
  readonly description: string | null
  readonly category: string | null
}

const dateColumns = sql`id, name, date_from, date_to, date_admission, location`

/** Loads what the tickets of some positions of an event show. */
export async function loadTicketFacts(
  db: Queryable,
  organizer: number,
  event: EventFacts,
  positions: readonly PositionCells[],
): Promise<TicketFacts> {
  const idsOf = (name: 'item' | 'variation' | 'subevent' | 'seat_id') =>
    join([0, ...new Set(positions.flatMap((cells) => cells[name] ?? []))])
  const [own] = await db.all<DateCells>(
    sql`SELECT ${dateColumns} FROM event WHERE organizer = ${organizer} AND id = ${event.id}`,
  )
  if (!own) throw new Error('The event of a ticket is gone.')
  const dates = await db.all<DateCells & { id: number }>(
    sql`SELECT ${dateColumns} FROM subevent WHERE organizer = ${organizer} AND id IN (${idsOf('subevent')})`,
  )
  const items = await db.all<ItemCells & { id: number }>(
    sql`SELECT item.id, item.name, item.description, category.name AS category FROM item
        LEFT JOIN category ON category.organizer = item.organizer AND category.id = item.category
        WHERE item.organizer = ${organizer} AND item.id IN (${idsOf('item')})`,
  )
  const variations = await db.all<{ id: number; value: string }>(
    sql`SELECT id, value FROM variation WHERE organizer = ${organizer} AND id IN (${idsOf('variation')})`,
  )
  const seats = await db.all<SeatWords & { id: number }>(
    sql`SELECT id, zone_name, row_name, row_label, seat_number, seat_label, seat_guid FROM seat
        WHERE organizer = ${organizer} AND id IN (${idsOf('seat_id')})`,
  )
  return {
    event: own,
    dates: new Map(dates.map((row) => [row.id, row])),
    items: new Map(items.map((row) => [row.id, row])),
    variations: new Map(variations.map(({ id, value }) => [id, value])),
    seats: new Map(seats.map((row) => [row.id, row])),
  }
}

/** A stored text in the language of a reader; empty where there is none. */
export const readable = (text: string | null | undefined, locale: string): string =>
  text ? inLanguage(JSON.parse(text), locale) : ''

type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle' | 'weekday'>

/** To make one takes longer than all else that is done for a position. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 200

function formatOf(locale: string, timezone: string, style: Style): Intl.DateTimeFormat {
  const key = `${locale} ${timezone} ${style.dateStyle} ${style.timeStyle} ${style.weekday}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= mostFormats) formats.clear()
  const made = new Intl.DateTimeFormat(writtenLanguage(locale), { ...style, timeZone: timezone })
  formats.set(key, made)
  return made
}

/** A moment by the clocks of a place, in the words of a language. */
export const inWords = (instant: string, timezone: string, locale: string, style: Style): string =>
  formatOf(locale, timezone, style).format(Date.parse(instant))

/** The days from the first to the last by the clocks of a place; one alone where both are the same. */
export const daysInWords = (first: string, last: string, timezone: string, locale: string): string =>
  formatOf(locale, timezone, { dateStyle: 'long' }).formatRange(Date.parse(first), Date.parse(last))

/** The tickets of some positions of an event as they are printed. */
export async function printedTickets(
  db: Queryable,
  organizer: number,
  event: EventFacts,
  positions: readonly PositionCells[],
): Promise<PrintedTicket[]> {
  const facts = await loadTicketFacts(db, organizer, event, positions)
  return positions.map((cells) => {
    const locale = cells.order_locale
    const date = facts.dates.get(cells.subevent ?? 0) ?? facts.event
    const words = [
      readable(facts.items.get(cells.item)?.name, locale),
      readable(facts.variations.get(cells.variation ?? 0), locale),
    ]
    const seat = cells.seat === null ? null : (JSON.parse(cells.seat) as { name: string }).name
    return {
      code: cells.secret,
      name: cells.attendee_name ?? cells.parent_name,
      product: words.filter((word) => word !== '').join(' – '),
      event: readable(date.name, locale),
      when: inWords(date.date_from, event.timezone, locale, { dateStyle: 'full', timeStyle: 'short' }),
      where: readable(date.location ?? facts.event.location, locale),
      seat,
      order: `${cells.order_code}-${cells.positionid}`,
      locale,
    }
  })
}
