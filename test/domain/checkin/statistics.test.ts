import assert from 'node:assert/strict'
import { type ListSums, listStatistics } from '../../../server/domain/checkin/statistics.ts'

const names = {
  gates: new Map([[1, 'North']]),
  items: new Map([
    [10, 'Day'],
    [11, 'Weekend'],
  ]),
  variations: new Map([
    [20, 'Adult'],
    [21, 'Child'],
  ]),
}
const nothing: ListSums = { passes: [], tickets: [], refused: [] }

const pass = (quarter: string, gate: number | null, entries: number, exits = 0) => ({
  quarter,
  gate,
  entries,
  exits,
})

describe('the statistics of a list', () => {
  it('are empty where nothing happened', () => {
    assert.deepEqual(listStatistics(nothing, names), {
      total: { first_entries: 0, reentries: 0, exits: 0, refused: 0 },
      quarters: [],
      earlier: { first_entries: 0, reentries: 0, exits: 0 },
      products: [],
      gates: [],
      refused: [],
    })
  })

  it('tell first entries from re-entries, by quarter, gate and product', () => {
    const ticket = { item: 10, variation: 20, exits: 0 }
    const shown = listStatistics(
      {
        passes: [pass('2026-06-01T17:45', 1, 3), pass('2026-06-01T18:15', null, 2, 1)],
        tickets: [
          { ...ticket, quarter: '2026-06-01T17:45', gate: '1', tickets: 3, entries: 4, exits: 1 },
          { ...ticket, quarter: '2026-06-01T18:15', gate: '', tickets: 1, entries: 1, variation: 21 },
        ],
        refused: [
          { reason: 'unpaid', count: 3 },
          { reason: 'invalid', count: 1 },
        ],
      },
      names,
    )
    assert.deepEqual(shown.total, { first_entries: 4, reentries: 1, exits: 1, refused: 4 })
    assert.deepEqual(shown.quarters, [
      { from: '2026-06-01T17:45:00.000Z', first_entries: 3, reentries: 0, exits: 0 },
      { from: '2026-06-01T18:00:00.000Z', first_entries: 0, reentries: 0, exits: 0 },
      { from: '2026-06-01T18:15:00.000Z', first_entries: 1, reentries: 1, exits: 1 },
    ])
    assert.deepEqual(shown.gates, [
      { id: 1, name: 'North', first_entries: 3, reentries: 0, exits: 0 },
      { id: null, name: null, first_entries: 1, reentries: 1, exits: 1 },
    ])
    assert.deepEqual(shown.products, [
      { id: 10, name: 'Day · Adult', first_entries: 3, reentries: 1, exits: 1 },
      { id: 10, name: 'Day · Child', first_entries: 1, reentries: 0, exits: 0 },
    ])
  })

  it('count nobody as a first entry who has only left', () => {
    const left = { quarter: null, gate: null, item: 11, variation: null, tickets: 2, entries: 0, exits: 2 }
    const { total, products } = listStatistics(
      { ...nothing, passes: [pass('2026-06-01T17:45', null, 0, 2)], tickets: [left] },
      names,
    )
    assert.deepEqual(total, { first_entries: 0, reentries: 0, exits: 2, refused: 0 })
    assert.deepEqual(products, [{ id: 11, name: 'Weekend', first_entries: 0, reentries: 0, exits: 2 }])
  })

  it('show the last day in quarters and sum up what was before', () => {
    const passes = [pass('2026-06-01T08:00', null, 5), pass('2026-06-03T02:00', null, 7, 2)]
    const { quarters, earlier, total } = listStatistics({ ...nothing, passes }, names)
    assert.equal(quarters.length, 96)
    assert.equal(quarters.at(-1)?.from, '2026-06-03T02:00:00.000Z')
    assert.deepEqual(earlier, { first_entries: 0, reentries: 5, exits: 0 })
    assert.equal(
      earlier.reentries + quarters.reduce((sum, { reentries }) => sum + reentries, 0),
      total.reentries,
    )
  })
})
