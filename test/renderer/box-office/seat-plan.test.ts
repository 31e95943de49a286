import assert from 'node:assert/strict'
import {
  bestSeats,
  type PlacedSeat,
  placeSeats,
  seatBeside,
  wholeView,
  zoomed,
} from '../../../renderer/box-office/seats/seat-plan.ts'
import type { SaleSeat } from '../../../schema/bodies/sale-seats.ts'

/** Rows of seats as they are drawn: `o` is free, `x` is sold, `b` is blocked, a space is an aisle. */
function hall(...rows: readonly string[]): PlacedSeat[] {
  const states = { o: 'free', x: 'sold', b: 'blocked' } as const
  const seats = rows.flatMap((row, y) =>
    [...row].flatMap((letter, x): SaleSeat[] => {
      const state = letter === 'o' || letter === 'x' || letter === 'b' ? states[letter] : null
      if (state === null) return []
      const name = `${String.fromCharCode(65 + y)}${x + 1}`
      return [
        {
          ...{ guid: name, name, zone: 'Hall', row: String.fromCharCode(65 + y) },
          ...{ x: x * 20, y: y * 20, category: 'Stalls', product: 1, state },
        },
      ]
    }),
  )
  return placeSeats(seats)
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
    const places = placeSeats(bare).map(({ x, y }) => `${x}/${y}`)
    assert.equal(new Set(places).size, bare.length)
  })
})
