import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isSeatTaken, isTooClose, seatName } from '../../../server/domain/quotas/seats.ts'

describe('the name of a seat', () => {
  const plain = {
    zone_name: 'Hall',
    row_name: '3',
    row_label: null,
    seat_number: '7',
    seat_label: null,
    seat_guid: 'g',
  }
  for (const [change, name] of [
    [{}, 'Hall, Row 3, Seat 7'],
    [{ row_label: 'Table 3' }, 'Hall, Table 3, Seat 7'],
    [{ seat_label: 'Chair G' }, 'Hall, Row 3, Chair G'],
    [{ zone_name: '' }, 'Row 3, Seat 7'],
    [{ row_name: '' }, 'Hall, Seat 7'],
    [{ seat_number: '', row_label: 'Box' }, 'Hall, Box'],
    [{ zone_name: '', row_name: '', seat_number: '' }, 'g'],
  ] as const)
    it(`is ${name}`, () => assert.equal(seatName({ ...plain, ...change }), name))
})

describe('a seat', () => {
  const free = { orderposition: null, cartposition: null, voucher: null }
  const mine = { positions: new Set([1]), carts: new Set([2]), vouchers: new Set([3]) }
  for (const [holders, own, expected] of [
    [{}, {}, false],
    [{ orderposition: 1 }, {}, true],
    [{ cartposition: 2 }, {}, true],
    [{ voucher: 3 }, {}, true],
    [{ orderposition: 1 }, mine, false],
    [{ orderposition: 1, cartposition: 2, voucher: 3 }, mine, false],
    [{ orderposition: 2 }, mine, true],
    [{ orderposition: 1, cartposition: 4 }, mine, true],
    [{ voucher: 2 }, mine, true],
  ] as const)
    it(`held by ${JSON.stringify(holders)} ${expected ? 'is' : 'is not'} taken for ${own === mine ? 'us' : 'anybody'}`, () =>
      assert.equal(isSeatTaken({ ...free, ...holders }, own), expected))
})

describe('the distance between seats', () => {
  const at = (guid: string, x: number | null, y: number | null, row = '1', zone = 'Hall') => ({
    seat_guid: guid,
    zone_name: zone,
    row_name: row,
    x,
    y,
  })
  const own = at('own', 10, 10)
  for (const [other, distance, withinRow, expected] of [
    [at('a', 20, 10), 10, false, false],
    [at('a', 20, 10), 11, false, true],
    [at('a', 13, 14), 5, false, false],
    [at('a', 13, 14), 6, false, true],
    [at('a', 13, 14, '2'), 6, true, false],
    [at('a', 13, 14, '1', 'Circle'), 6, true, false],
    [at('a', 13, 14), 6, true, true],
    [at('own', 10, 10), 6, false, false],
    [at('a', null, 10), 100, false, false],
    [at('a', 10, 10), 0, false, false],
  ] as const)
    it(`of ${distance}${withinRow ? ' within a row' : ''} ${expected ? 'is too small' : 'is enough'} for ${other.x}/${other.y} in ${other.zone_name} ${other.row_name}`, () =>
      assert.equal(isTooClose(own, [other], distance, withinRow), expected))

  it('is the same seen from either seat', () => {
    const place = fc.record({ x: fc.integer({ min: -50, max: 50 }), y: fc.integer({ min: -50, max: 50 }) })
    fc.assert(
      fc.property(
        place,
        place,
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (a, b, distance, withinRow) => {
          const [one, two] = [at('one', a.x, a.y), at('two', b.x, b.y)]
          assert.equal(
            isTooClose(one, [two], distance, withinRow),
            isTooClose(two, [one], distance, withinRow),
          )
        },
      ),
    )
  })
})
