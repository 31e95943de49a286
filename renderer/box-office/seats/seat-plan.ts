import type { SaleSeat } from '../../../schema/bodies/seats.ts'

/** Where a seat is drawn, and how it is called in the language of the till. */
export interface PlacedSeat extends SaleSeat {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** A direction in which the arrow keys go. */
export type Way = 'left' | 'right' | 'up' | 'down'

/** The part of a plan that is seen. */
export interface PlanView {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const spacing = 24
const seatsInRow = 30

/** Words for what has a number alone. */
interface SeatNumbers {
  readonly row: (number: string) => string
  readonly seat: (number: string) => string
}

/** Writes each number once: thousands of seats share a few. */
function once(write: (number: string) => string): (number: string) => string {
  const written = new Map<string, string>()
  return (number) => {
    const text = written.get(number) ?? write(number)
    written.set(number, text)
    return text
  }
}

/** How a seat is called: zone, row and seat as far as they are named, else by its name in the plan. */
function seatNameOf(seat: SaleSeat, numbers: SeatNumbers): string {
  const row = seat.row_label || (seat.row && numbers.row(seat.row))
  const own = seat.seat_label || (seat.seat && numbers.seat(seat.seat))
  return [seat.zone, row, own].filter(Boolean).join(', ') || seat.guid
}

/** The seats with a name and a place each: those without one in the plan are set out in rows. */
export function placeSeats(seats: readonly SaleSeat[], words: SeatNumbers): PlacedSeat[] {
  const numbers = { row: once(words.row), seat: once(words.seat) }
  return seats.map((seat, index) => ({
    ...seat,
    name: seatNameOf(seat, numbers),
    x: seat.x ?? (index % seatsInRow) * spacing,
    y: seat.y ?? Math.floor(index / seatsInRow) * spacing,
  }))
}

/** The distance between neighbours that is most common, which says how large a seat can be drawn. */
export function spacingOf(seats: readonly PlacedSeat[]): number {
  const gaps: number[] = []
  for (const row of rowsOf(seats))
    for (const [index, seat] of row.entries()) {
      const next = row[index + 1]
      const gap = next ? Math.hypot(next.x - seat.x, next.y - seat.y) : 0
      if (gap > 0) gaps.push(gap)
    }
  gaps.sort((a, b) => a - b)
  return gaps[Math.floor(gaps.length / 2)] ?? spacing
}

/** The whole of a plan, with an edge around it. */
export function wholeView(seats: readonly PlacedSeat[], edge: number): PlanView {
  let [left, right, top, bottom] = [0, 0, 0, 0]
  for (const [index, { x, y }] of seats.entries()) {
    left = index === 0 ? x : Math.min(left, x)
    right = index === 0 ? x : Math.max(right, x)
    top = index === 0 ? y : Math.min(top, y)
    bottom = index === 0 ? y : Math.max(bottom, y)
  }
  return { x: left - edge, y: top - edge, width: right - left + 2 * edge, height: bottom - top + 2 * edge }
}

/** A zone of a plan: its name, and the part of the plan that its seats take. */
export interface PlanZone extends PlanView {
  readonly name: string
}

/** The zones of a plan, each with an edge around its seats. */
export function zonesOf(seats: readonly PlacedSeat[], edge: number): PlanZone[] {
  const zones = Map.groupBy(seats, ({ zone }) => zone)
  return [...zones].map(([name, some]) => ({ name, ...wholeView(some, edge) }))
}

/** A view that is nearer by a factor, or farther below one, around a point. */
export function zoomed(
  view: PlanView,
  factor: number,
  at: { readonly x: number; readonly y: number },
): PlanView {
  return {
    x: at.x - (at.x - view.x) / factor,
    y: at.y - (at.y - view.y) / factor,
    width: view.width / factor,
    height: view.height / factor,
  }
}

/** The rows of a plan from the first on, their seats from left to right. */
export function rowsOf<S extends PlacedSeat>(seats: readonly S[]): S[][] {
  const rows = new Map<string, S[]>()
  for (const seat of seats) {
    const key = JSON.stringify([seat.zone, seat.row])
    const row = rows.get(key)
    if (row) row.push(seat)
    else rows.set(key, [seat])
  }
  return [...rows.values()].map((row) => row.sort((a, b) => a.x - b.x || a.y - b.y))
}

/** How much farther it is to what lies beside the way than to what lies on it. */
const aside = 3

/** The seat that an arrow key leads to: the nearest one in that direction, or the same where there is none. */
export function seatBeside(seats: readonly PlacedSeat[], from: PlacedSeat, way: Way): PlacedSeat {
  const isAcross = way === 'left' || way === 'right'
  const sign = way === 'right' || way === 'down' ? 1 : -1
  let best = from
  let least = Number.POSITIVE_INFINITY
  for (const seat of seats) {
    const along = sign * (isAcross ? seat.x - from.x : seat.y - from.y)
    if (along <= 0) continue
    const across = Math.abs(isAcross ? seat.y - from.y : seat.x - from.x)
    const far = along + aside * across
    if (far < least) [best, least] = [seat, far]
  }
  return best
}

/** Whether a seat can be had at the till. */
export const isFree = ({ state }: Pick<SaleSeat, 'state'>, sellsBlocked: boolean): boolean =>
  state === 'free' || (state === 'blocked' && sellsBlocked)

/** What a party wants. */
interface Party {
  readonly product: number
  readonly count: number
  readonly sellsBlocked: boolean
  /** Those that are in the basket already, by their names in the plan. */
  readonly taken: ReadonlySet<string>
}

/** How bad it is, in seats, to leave a single one free beside a party. */
const loneSeat = 1000

/**
 * The seats that suit a party best: beside each other in a row, as near to the middle of their rows and to the front as
 * can be, and without a single free seat left over where another choice leaves none. Empty where no row has that many.
 */
export function bestSeats(seats: readonly PlacedSeat[], party: Party): PlacedSeat[] {
  const { product, count, sellsBlocked, taken } = party
  const gap = spacingOf(seats)
  let best: PlacedSeat[] = []
  let least = Number.POSITIVE_INFINITY
  for (const [depth, row] of rowsOf(seats).entries()) {
    const middle = ((row[0]?.x ?? 0) + (row.at(-1)?.x ?? 0)) / 2
    for (const run of freeRuns(row, { product, sellsBlocked, taken, gap }))
      for (let first = 0; first + count <= run.length; first += 1) {
        const some = run.slice(first, first + count)
        const left = first
        const right = run.length - first - count
        const center = ((some[0]?.x ?? 0) + (some.at(-1)?.x ?? 0)) / 2
        const lone = (left === 1 ? loneSeat : 0) + (right === 1 ? loneSeat : 0)
        const worth = lone + Math.abs(center - middle) / gap + depth
        if (worth < least) [best, least] = [some, worth]
      }
  }
  return best
}

interface Run extends Omit<Party, 'count'> {
  readonly gap: number
}

/** From so many times the usual distance on, seats of a row have an aisle between them. */
const aisle = 1.6

/** The parts of a row in which seats that can be had stand beside each other. */
function freeRuns(row: readonly PlacedSeat[], { product, sellsBlocked, taken, gap }: Run): PlacedSeat[][] {
  const runs: PlacedSeat[][] = []
  let before: PlacedSeat | null = null
  for (const seat of row) {
    const isWanted = seat.product === product && isFree(seat, sellsBlocked) && !taken.has(seat.guid)
    if (!isWanted) {
      before = null
      continue
    }
    const isBeside = before && Math.hypot(seat.x - before.x, seat.y - before.y) <= gap * aisle
    if (isBeside) runs.at(-1)?.push(seat)
    else runs.push([seat])
    before = seat
  }
  return runs
}
