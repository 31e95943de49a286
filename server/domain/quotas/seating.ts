import type { Layout } from '../../../schema/seating-layout.ts'
import type { SeatWords } from './seats.ts'

/** A seat as a plan describes it: where it is, and which category it has. */
export interface PlannedSeat extends SeatWords {
  readonly category: string
  /** The place in the order of the plan, from 0. */
  readonly rank: number
  readonly x: number
  readonly y: number
}

const origin = { x: 0, y: 0 }

/** A label of a row or seat with its number filled in, or null where there is none. */
const labelled = (label: string | null | undefined, number: string): string | null =>
  label ? label.replaceAll('%s', () => number) : null

/** All seats of a layout in its order; positions are relative to the row, and those of rows to the zone. */
export function seatsOfLayout(layout: Layout): PlannedSeat[] {
  const seats: Omit<PlannedSeat, 'rank'>[] = layout.zones.flatMap((zone) =>
    zone.rows.flatMap((row) => {
      const at = row.position ?? origin
      return row.seats.map((seat) => ({
        zone_name: zone.name ?? '',
        row_name: row.row_number,
        row_label: labelled(row.row_label, row.row_number),
        seat_number: seat.seat_number,
        seat_label: labelled(row.seat_label, seat.seat_number),
        seat_guid: seat.seat_guid,
        category: seat.category,
        x: zone.position.x + at.x + seat.position.x,
        y: zone.position.y + at.y + seat.position.y,
      }))
    }),
  )
  return seats.map((seat, rank) => ({ ...seat, rank }))
}

const repeated = (words: readonly string[]): string[] => [
  ...new Set(words.filter((word, index) => words.indexOf(word) < index)),
]

/** Complaints about a layout that no schema can make: everything is named once, and every category exists. */
export function layoutProblems(layout: Layout): string[] {
  const categories = layout.categories.map(({ name }) => name)
  const known = new Set(categories)
  const seats = seatsOfLayout(layout)
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { seat_guid } of seats) (seen.has(seat_guid) ? twice : seen).add(seat_guid)
  const unknown = new Set(seats.flatMap(({ category }) => (known.has(category) ? [] : [category])))
  return [
    ...repeated(categories).map((name) => `The category "${name}" is there twice.`),
    ...[...twice].map((guid) => `The seat "${guid}" is there twice.`),
    ...[...unknown].map((name) => `There is no category "${name}", which seats belong to.`),
  ]
}

/** A plan has at most this many seats: more than the largest stadium. */
export const mostSeats = 150_000
