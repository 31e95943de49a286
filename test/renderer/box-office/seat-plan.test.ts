import assert from 'node:assert/strict'
import {
  bestSeats,
  type PlacedSeat,
  placeSeats,
  seatBeside,
  wholeView,
  zonesOf,
  zoomed,
} from '../../../renderer/box-office/seats/seat-plan.ts'
import type { SaleSeat } from '../../../schema/bodies/seats.ts'

const numbers = { row: (row: string) => `Reihe ${row}`, seat: (seat: string) => `Platz ${seat}` }

/** Rows of seats as they are drawn: `o` is free, `x` is sold, `b` is blocked, a space is an aisle. */
function hall(...rows: readonly string[]): PlacedSeat[] {
  const states = { o: 'free', x: 'sold', b: 'blocked' } as const
  const seats = rows.flatMap((row, y) =>
    [...row].flatMap((letter, x): SaleSeat[] => {
      const state = letter === 'o' || letter === 'x' || letter === 'b' ? states[letter] : null
      if (state === null) return []
      const line = String.fromCharCode(65 + y)
      return [
        {
          ...{ guid: `${line}${x + 1}`, zone: 'Hall', row: line, row_label: null },
          ...{ seat: String(x + 1), seat_label: null },
          ...{ x: x * 20, y: y * 20, category: 'Stalls', product: 1, state },
        },
      ]
    }),
  )
  return placeSeats(seats, numbers)
}

const best = (seats: readonly PlacedSeat[], count: number, more: { sellsBlocked?: boolean } = {}): string[] =>
  bestSeats(seats, {
    ...{ product: 1, count, sellsBlocked: more.sellsBlocked ?? false },
    taken: new Set<string>(),
  }).map(({ guid }) => guid)

describe('the best seats for a party', () => {
  it('are beside each other in the middle of the first row', () => {
    assert.deepEqual(best(hall('ooooooooo', 'ooooooooo'), 3), ['A4', 'A5', 'A6'])
  })

  it('leave no single seat free where another choice leaves none', () => {
    assert.deepEqual(best(hall('xooooox'), 3), ['A2', 'A3', 'A4'])
    assert.deepEqual(best(hall('xoox', 'xooox'), 2), ['A2', 'A3'])
    assert.deepEqual(best(hall('xooox', 'oooooooo'), 2), ['B4', 'B5'])
  })

  it('leave one where nothing else is to be had', () => {
    assert.equal(best(hall('xooox'), 2).length, 2)
  })

  it('have no aisle and nobody else between them', () => {
    assert.deepEqual(best(hall('oo   oo', 'ooxoo'), 3), [])
    assert.deepEqual(best(hall('oo   ooo'), 3), ['A6', 'A7', 'A8'])
  })

  it('are not blocked, unless the till sells those', () => {
    assert.deepEqual(best(hall('bbb'), 3), [])
    assert.deepEqual(best(hall('bbb'), 3, { sellsBlocked: true }), ['A1', 'A2', 'A3'])
  })

  it('are of the product, and none that the basket has', () => {
    const seats = hall('oooo')
    const party = { product: 1, count: 3, sellsBlocked: false, taken: new Set(['A1']) }
    assert.deepEqual(
      bestSeats(seats, party).map(({ guid }) => guid),
      ['A2', 'A3', 'A4'],
    )
    assert.deepEqual(bestSeats(seats, { ...party, product: 2 }), [])
  })
})

describe('a seating plan', () => {
  const seats = hall('ooo', 'o o')
  const named = (guid: string): PlacedSeat => {
    const seat = seats.find((one) => one.guid === guid)
    assert.ok(seat)
    return seat
  }

  it('is walked by arrow keys to the nearest seat, and not over its edge', () => {
    assert.equal(seatBeside(seats, named('A1'), 'right').guid, 'A2')
    assert.equal(seatBeside(seats, named('B1'), 'right').guid, 'B3')
    assert.equal(seatBeside(seats, named('A3'), 'down').guid, 'B3')
    assert.equal(seatBeside(seats, named('B1'), 'up').guid, 'A1')
    assert.equal(seatBeside(seats, named('A1'), 'left').guid, 'A1')
  })

  it('is seen as a whole, and nearer around the point that stays where it is', () => {
    const view = wholeView(seats, 10)
    assert.deepEqual(view, { x: -10, y: -10, width: 60, height: 40 })
    assert.deepEqual(zoomed(view, 2, { x: 20, y: 10 }), { x: 5, y: 0, width: 30, height: 20 })
  })

  it('has places for seats of plans without any', () => {
    const bare = seats.map((seat) => ({ ...seat, x: null, y: null }))
    const places = placeSeats(bare, numbers).map(({ x, y }) => `${x}/${y}`)
    assert.equal(new Set(places).size, bare.length)
  })

  it('has zones, each around its own seats', () => {
    const [first, ...others] = hall('oo', 'oo')
    assert.ok(first)
    const zoned = [...others, { ...first, zone: 'Box', x: 500, y: 40 }]
    assert.deepEqual(zonesOf(zoned, 10), [
      { name: 'Hall', x: -10, y: -10, width: 40, height: 40 },
      { name: 'Box', x: 490, y: 30, width: 20, height: 20 },
    ])
  })
})

describe('the name of a seat', () => {
  const [seat] = hall('o')
  const named = (more: Partial<SaleSeat>) =>
    seat && placeSeats([{ ...seat, ...more }], numbers).map(({ name }) => name)

  it('is in the language of the till', () => {
    assert.deepEqual(named({}), ['Hall, Reihe A, Platz 1'])
  })

  it('is what the plan calls it, as far as it does', () => {
    assert.deepEqual(named({ row_label: 'Box A', seat_label: 'Chair 1' }), ['Hall, Box A, Chair 1'])
    assert.deepEqual(named({ zone: '', row: '', seat: '' }), ['A1'])
  })
})
