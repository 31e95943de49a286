import assert from 'node:assert/strict'
import fc from 'fast-check'
import { counts, type QuotaFacts, takeFrom, takeTogether } from '../../../server/domain/quotas/quotas.ts'

const quota: QuotaFacts = {
  id: 1,
  name: 'Hall',
  size: 5,
  closed: false,
  items: [10, 20],
  variations: [21],
  subevent: null,
}

describe('a quota', () => {
  for (const [what, line, isCounted] of [
    ['an item', { item: 10, variation: null, subevent: null }, true],
    ['another item', { item: 30, variation: null, subevent: null }, false],
    ['a variation', { item: 20, variation: 21, subevent: null }, true],
    ['another variation of its item', { item: 20, variation: 22, subevent: null }, false],
    ['an item on a date', { item: 10, variation: null, subevent: 7 }, false],
  ] as const)
    it(`${isCounted ? 'counts' : 'does not count'} ${what}`, () => {
      assert.equal(counts(quota, line), isCounted)
    })
})

describe('taking from quotas', () => {
  const line = { item: 10, variation: null, subevent: null }
  const kinds = (left: number | null, lines: number, quotas = [quota]) =>
    takeFrom(quotas, new Map(quotas.map((one) => [one.id, left])), Array(lines).fill(line)).map(
      (shortage) => shortage?.kind ?? null,
    )

  it('gives to as many as there are left', () => {
    assert.deepEqual(kinds(2, 3), [null, null, 'used up'])
  })

  it('gives to everybody without a limit', () => {
    assert.deepEqual(kinds(null, 3), [null, null, null])
  })

  it('gives nothing that no quota has', () => {
    assert.deepEqual(kinds(5, 1, []), ['none'])
  })

  it('names the first quota that is used up, and takes nothing from the others', () => {
    const wide = { ...quota, id: 2 }
    const quotas = [quota, wide]
    const left = new Map([
      [1, 1],
      [2, 5],
    ])
    const other = { item: 20, variation: 21, subevent: null }
    const taken = takeFrom(quotas, left, [line, other, line])
    assert.deepEqual(
      taken.map((shortage) => (shortage?.kind === 'used up' ? shortage.quota.id : shortage)),
      [null, 1, 1],
    )
  })

  it('never gives more than there is', () => {
    const wanted = fc.array(fc.constantFrom(10, 20, 30), { maxLength: 30 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), wanted, (size, items) => {
        const lines = items.map((item) => ({ item, variation: null, subevent: null }))
        const given = takeFrom([quota], new Map([[1, size]]), lines).filter((one) => one === null).length
        assert.equal(given, Math.min(size, items.filter((item) => item !== 30).length))
      }),
    )
  })

  it('takes lines that belong together all or none', () => {
    const other = { item: 30, variation: null, subevent: null }
    const rest = new Map<number, number | null>([[1, 2]])
    assert.deepEqual(takeTogether([quota], rest, [line, line, line]), { kind: 'used up', quota })
    assert.deepEqual(takeTogether([quota], rest, [line, other]), { kind: 'none' })
    assert.equal(rest.get(1), 2)
    assert.equal(takeTogether([quota], rest, [line, line]), null)
    assert.equal(rest.get(1), 0)
  })
})
