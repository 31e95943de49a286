import sql, { type Sql } from 'sql-template-tag'
import type { Cells } from '../../storage/database.ts'
import { type CatalogueWords, wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Run } from '../format/exporter.ts'
import {
  type Column,
  momentColumn,
  moneyColumn,
  percentColumn,
  type Sheet,
  type TableCell,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../format/table.ts'
import { answerColumns } from './answer-columns.ts'
import { addressCells, addressColumns, stateOf, wishedOrders } from './order-words.ts'

const columns = sql`o.code, o.status, o.email, o.phone, o.datetime, o.comment, o.locale, o.sales_channel, o.invoice_address,
  p.positionid, p.canceled, p.item, p.variation, p.subevent, p.price, p.tax_rate, p.tax_value, p.tax_rule, p.attendee_name,
  p.attendee_name_parts, p.attendee_email, p.company, p.street, p.zipcode, p.city, p.country, p.state, p.secret,
  p.pseudonymization_id, p.seat, p.blocked, p.valid_from, p.valid_until, p.answers, v.code AS voucher_code,
  parent.positionid AS parent_positionid`

/** Positions (`p`) of the orders (`o`) that meet a condition, orders first, so that they come in the orders' order. */
export const positionsOf = (condition: Sql): Sql =>
  sql`orders o CROSS JOIN order_position p
    LEFT JOIN order_position parent ON parent.organizer = p.organizer AND parent.id = p.addon_to
    LEFT JOIN voucher v ON v.organizer = p.organizer AND v.id = p.voucher
    WHERE p.organizer = o.organizer AND p.order_id = o.id AND ${condition}`

/** The titles of the parts of names that some events ask for. */
export const namePartsOf = (words: readonly CatalogueWords[]): string[] => [
  ...new Set(words.flatMap(({ nameParts }) => nameParts)),
]

/** The cells of the parts of a stored name. */
export function namePartCells(parts: readonly string[], stored: unknown): TableCell[] {
  if (parts.length === 0) return []
  const name: Record<string, string> = typeof stored === 'string' ? JSON.parse(stored) : {}
  return parts.map((part) => name[part] ?? null)
}

/** What a seat is called. */
export const seatText = (stored: unknown): string | null =>
  typeof stored === 'string' ? (JSON.parse(stored) as { name: string }).name : null

type AnswerColumns = ReturnType<typeof answerColumns>

/** The table of the positions, canceled ones included and marked. */
export async function positionSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const nameParts = namePartsOf(words)
  const answers = answerColumns(words, () => true, run.wishes.group_multiple_choice === true)
  const head = { title: 'Positions', columns: positionColumns(nameParts, answers) }
  return listed<Cells>(run, words, head, {
    listing: (event) => ({
      columns,
      from: positionsOf(wishedOrders(run, event)),
      order: sql`o.datetime, o.id, p.positionid`,
    }),
    rowsOf: (page, at) => page.map((cells) => positionRow(at, cells, nameParts, answers)),
  })
}

const positionColumns = (nameParts: readonly string[], answers: AnswerColumns): readonly Column[] => [
  ...['Event', 'Order code'].map(textColumn),
  wholeColumn('Position'),
  wholeColumn('Add-on to'),
  ...['Status', 'Email', 'Phone'].map(textColumn),
  momentColumn('Order date'),
  textColumn('Date'),
  momentColumn('Begins'),
  momentColumn('Ends'),
  ...['Product', 'Variation'].map(textColumn),
  moneyColumn('Price'),
  percentColumn('Tax rate'),
  textColumn('Tax rule'),
  moneyColumn('Tax'),
  textColumn('Attendee name'),
  ...nameParts.map((part) => textColumn(`Attendee name: ${part}`)),
  ...['Attendee email', 'Company', 'Address', 'ZIP code', 'City', 'Country', 'State'].map(textColumn),
  ...['Voucher', 'Pseudonymization ID', 'Ticket code', 'Seat', 'Blocked'].map(textColumn),
  momentColumn('Valid from'),
  momentColumn('Valid until'),
  ...['Order comment', 'Language', 'Sales channel'].map(textColumn),
  ...answers.columns,
  ...addressColumns,
]

function positionRow(
  { event, clock, dates, items, variations, taxRules }: CatalogueWords,
  cells: Cells,
  nameParts: readonly string[],
  answers: AnswerColumns,
): TableRow {
  const date = dates.get(cells.subevent)
  const blocked = typeof cells.blocked === 'string' ? (JSON.parse(cells.blocked) as string[]) : []
  return [
    event.slug,
    cells.code ?? null,
    cells.positionid ?? null,
    cells.parent_positionid ?? null,
    stateOf(cells.status, cells.canceled === 1),
    cells.email ?? null,
    cells.phone ?? null,
    clock(cells.datetime),
    date?.name ?? null,
    date?.from ?? null,
    date?.to ?? null,
    items.get(cells.item) ?? null,
    variations.get(cells.variation) ?? null,
    cells.price ?? null,
    cells.tax_rate ?? null,
    taxRules.get(cells.tax_rule) ?? null,
    cells.tax_value ?? null,
    cells.attendee_name ?? null,
    ...namePartCells(nameParts, cells.attendee_name_parts),
    cells.attendee_email ?? null,
    cells.company ?? null,
    cells.street ?? null,
    cells.zipcode ?? null,
    cells.city ?? null,
    cells.country ?? null,
    cells.state ?? null,
    cells.voucher_code ?? null,
    cells.pseudonymization_id ?? null,
    cells.secret ?? null,
    seatText(cells.seat),
    blocked.join(', '),
    clock(cells.valid_from),
    clock(cells.valid_until),
    cells.comment ?? null,
    cells.locale ?? null,
    cells.sales_channel ?? null,
    ...answers.cells(cells.answers),
    ...addressCells(cells.invoice_address),
  ]
}
