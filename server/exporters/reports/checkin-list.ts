import type { Exporter, Run } from '../format/exporter.ts'
import { type Column, flag, moment, money, type Sheet, text, whole } from '../format/table.ts'
import { answerColumns } from './answer-columns.ts'
import { listedPositions, listParameters } from './checkin-list-rows.ts'
import { namePartCells, seatName } from './order-list-positions.ts'
import { stateOf } from './order-words.ts'

async function checkinSheet(run: Run): Promise<Sheet> {
  const { name, list, words, total, pages } = await listedPositions(run)
  const { event, clock, dates, items, variations, nameParts } = words
  const asked = run.wishes.questions as readonly number[]
  const answers = answerColumns([words], ({ id }) => asked.includes(id), true)
  const hasSecrets = run.wishes.secrets === true
  const columns: readonly Column[] = [
    text('Order code'),
    whole('Position'),
    text('Attendee name'),
    ...nameParts.map((part) => text(`Attendee name: ${part}`)),
    ...['Product', 'Variation'].map(text),
    money('Price'),
    moment('Checked in'),
    moment('Checked out'),
    flag('Automatically checked in'),
    ...(list.include_pending ? [text('Paid')] : []),
    ...(hasSecrets ? [text('Ticket code')] : []),
    ...['Email', 'Phone'].map(text),
    ...(event.hasSubevents ? [text('Date'), moment('Begins'), moment('Ends')] : []),
    ...['Company', 'Voucher'].map(text),
    moment('Order date'),
    flag('Requires attention'),
    ...['Seat', 'Blocked'].map(text),
    moment('Valid from'),
    moment('Valid until'),
    ...['Address', 'ZIP code', 'City', 'Country', 'State', 'Comment'].map(text),
    ...answers.columns,
  ]
  return {
    title: name,
    columns,
    total,
    async *pages() {
      for await (const page of pages())
        yield page.map(({ cells, name: attendee, came, went, wasAutomatic }) => {
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
            ...(list.include_pending ? [cells.status === 'p' ? 'Yes' : stateOf(cells.status)] : []),
            ...(hasSecrets ? [cells.secret ?? null] : []),
            cells.attendee_email || cells.parent_email || cells.email || null,
            cells.phone ?? null,
            ...(event.hasSubevents ? [date?.name ?? null, date?.from ?? null, date?.to ?? null] : []),
            cells.company ?? null,
            cells.voucher_code ?? null,
            clock(cells.datetime),
            cells.order_attention === 1 || cells.item_attention === 1 || cells.variation_attention === 1,
            seatName(cells.seat),
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
        })
    },
  }
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
