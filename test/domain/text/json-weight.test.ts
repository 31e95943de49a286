import assert from 'node:assert/strict'
import fc from 'fast-check'
import { exceeded } from '../../../server/domain/text/json-weight.ts'

const judge = (text: string, levels: number, values: number) =>
  exceeded(Buffer.from(text), { levels, values })

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0

/** Every list and object, and everything in one. */
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, part) => sum + valuesOf(part), 0)
    : 1

describe('the weight of a JSON text', () => {
  it('is known before it is parsed: its levels, and its values as they are or more', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const levels = levelsOf(value)
        const values = valuesOf(value)
        // An open bracket counts for the list and for the first value in it.
        assert.equal(judge(text, levels, values * 2), null)
        if (levels > 0) assert.equal(judge(text, levels - 1, values * 2), 'levels')
      }),
    )
  })

  it('is not made of what stands in texts', () => {
    for (const text of ['"[[[[,,,,{{{{"', '"\\"[[[["', '"\\\\"', '{"[,[,":"\\\\\\"[["}'])
      assert.equal(judge(text, 1, 3), null, text)
    assert.equal(judge('"\\\\"[[', 1, 9), 'levels')
  })

  it('is too much as soon as a bound is passed, whatever comes then', () => {
    assert.equal(judge('['.repeat(100_000), 50, 1_000_000), 'levels')
    assert.equal(judge(`[${'1,'.repeat(100)}`, 50, 100), 'values')
    assert.equal(judge('{}]]]]"', 1, 9), null)
  })
})
