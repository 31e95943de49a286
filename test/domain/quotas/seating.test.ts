import assert from 'node:assert/strict'
import type { Layout } from '../../../schema/seating-layout.ts'
import { layoutProblems, seatsOfLayout } from '../../../server/domain/quotas/seating.ts'
import { smallLayout } from '../../fixtures/layout.ts'

describe('a seating plan', () => {
  it('has its seats in the order of zones, rows and seats, where zone, row and seat put them', () => {
    const seats = seatsOfLayout(smallLayout(2, 2))
    assert.deepEqual(
      seats.map(({ seat_guid, category, rank, x, y }) => [seat_guid, category, rank, x, y]),
      [
        ['1-1', 'Stalls', 0, 5, 5],
        ['1-2', 'Stalls', 1, 15, 5],
        ['2-1', 'Circle', 2, 5, 15],
        ['2-2', 'Circle', 3, 15, 15],
      ],
    )
  })

  it('may name its rows and seats by patterns, and leave out what is not needed', () => {
    const layout: Layout = {
      name: 'Tables',
      categories: [{ name: 'A' }],
      zones: [
        {
          position: { x: 0, y: 0 },
          rows: [
            {
              row_number: '4',
              row_label: 'Table %s',
              seat_label: 'Chair %s of %s',
              seats: [{ seat_guid: 'x', seat_number: '$&', category: 'A', position: { x: 1, y: 2 } }],
            },
          ],
        },
      ],
    }
    const [seat] = seatsOfLayout(layout)
    assert.deepEqual(
      [seat?.zone_name, seat?.row_label, seat?.seat_label, seat?.x],
      ['', 'Table 4', 'Chair $& of $&', 1],
    )
  })

  const layout = smallLayout(1, 2)
  const twice = { ...layout, zones: [...layout.zones, ...layout.zones] }
  for (const [what, wrong, count] of [
    ['whose seats and categories are named once', layout, 0],
    ['in which seats are there twice', twice, 2],
    [
      'in which a category is there twice',
      { ...layout, categories: [...layout.categories, { name: 'Stalls' }] },
      1,
    ],
    ['whose seats have a category that does not exist', { ...layout, categories: [{ name: 'Circle' }] }, 1],
  ] as const)
    it(`${what} has ${count} problems`, () => assert.equal(layoutProblems(wrong).length, count))
})
