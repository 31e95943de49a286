import type { CatalogueWords } from '../format/event-catalogue.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import {
  type Column,
  flagColumn,
  momentColumn,
  moneyColumn,
  type Sheet,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../format/table.ts'
import { answerColumns } from './answer-columns.ts'
import { type ListedPosition, listedPositions, listParameters } from './checkin-list-rows.ts'
import { namePartCells, seatText } from './order-list-positions.ts'
import { stateOf } from './order-words.ts'

/** What the columns of a check-in list depend on. */
interface Layout {
  readonly words: CatalogueWords
  readonly hasPending: boolean
  readonly hasSecrets: boolean
  readonly answers: ReturnType<typeof answerColumns>
}

async function checkinSheet(run: Run): Promise<Sheet> {
  const { name, list, words, total, pages } = await listedPositions(run)
  const asked = run.wishes.questions as readonly number[]
  const layout = {
    words,
    hasPending: list.include_pending,
    hasSecrets: run.wishes.secrets === true,
    answers: answerColumns([words], ({ id }) => asked.includes(id), true),
  }
  return {
    title: name,
    columns: columnsOf(layout),
    total,
    async *pages() {
      for await (const page of pages()) yield page.map((position) => rowOf(layout, position))
    },
  }
}

const columnsOf = ({ words, hasPending, hasSecrets, answers }: Layout): readonly Column[] => [
  textColumn('Order code'),
  wholeColumn('Position'),
  textColumn('Attendee name'),
  ...words.nameParts.map((part) => textColumn(`Attendee name: ${part}`)),
  ...['Product', 'Variation'].map(textColumn),
  moneyColumn('Price'),
  momentColumn('Checked in'),
  momentColumn('Checked out'),
  flagColumn('Automatically checked in'),
  ...(hasPending ? [textColumn('Paid')] : []),
  ...(hasSecrets ? [textColumn('Ticket code')] : []),
  ...['Email', 'Phone'].map(textColumn),
  ...(words.event.hasSubevents ? [textColumn('Date'), momentColumn('Begins'), momentColumn('Ends')] : []),
  ...['Company', 'Voucher'].map(textColumn),
  momentColumn('Order date'),
  flagColumn('Requires attention'),
  ...['Seat', 'Blocked'].map(textColumn),
  momentColumn('Valid from'),
  momentColumn('Valid until'),
  ...['Address', 'ZIP code', 'City', 'Country', 'State', 'Comment'].map(textColumn),
  ...answers.columns,
]

function rowOf(layout: Layout, position: ListedPosition): TableRow {
  const { words, hasPending, hasSecrets, answers } = layout
  const { event, clock, dates, items, variations, nameParts } = words
  const { cells, name: attendee, came, went, wasAutomatic } = position
  const date = dates.get(cells.subevent)
  const blocked = typeof cells.blocked === 'string' ? (JSON.parse(cells.blocked) as string[]) : []
  return [
    cells.code ?? null,
    cells.positionid ?? null,
    attendee,
    ...namePartCells(nameParts, cells.attendee_name_parts),
    items.get(cells.item) ?? null,
    variations.get(cells.variation) ?? null,
    cells.price ?? null,
    clock(came),
    clock(went),
    wasAutomatic,
    ...(hasPending ? [cells.status === 'p' ? 'Yes' : stateOf(cells.status)] : []),
    ...(hasSecrets ? [cells.secret ?? null] : []),
    cells.attendee_email || cells.parent_email || cells.email || null,
    cells.phone ?? null,
    ...(event.hasSubevents ? [date?.name ?? null, date?.from ?? null, date?.to ?? null] : []),
    cells.company ?? null,
    cells.voucher_code ?? null,
    clock(cells.datetime),
    cells.order_attention === 1 || cells.item_attention === 1 || cells.variation_attention === 1,
    seatText(cells.seat),
    blocked.join(', '),
    clock(cells.valid_from),
    clock(cells.valid_until),
    cells.street ?? null,
    cells.zipcode ?? null,
    cells.city ?? null,
    cells.country ?? null,
    cells.state ?? null,
    cells.comment ?? null,
    ...answers.cells(cells.answers),
  ]
}

/** The people on a check-in list, and when they came. */
export const checkinListTable: Exporter = {
  identifier: 'checkinlist',
  name: 'Check-in list',
  levels: ['event'],
  needs: null,
  parameters: [...listParameters, { name: 'secrets', kind: 'flag' }],
  output: { kind: 'tables', sheets: [{ name: 'checkinlist', open: checkinSheet }] },
}
