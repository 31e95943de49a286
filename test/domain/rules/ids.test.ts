import assert from 'node:assert/strict'
import { withOtherIds } from '../../../server/domain/rules/rules.ts'

const other = (model: string, id: number): number | undefined =>
  model === 'product' && id === 1 ? 11 : undefined

/** What JSON can hold and cannot be turned into text or a number. */
const nameless = { toString: 0, valueOf: 0 }

describe('the rules of a list in another event', () => {
  for (const [what, rules, expected] of [
    ['name the products there', { lookup: ['product', '1', 'A'] }, { lookup: ['product', '11', 'A'] }],
    ['write ids as they were', { lookup: ['product', 1, 'A'] }, { lookup: ['product', 11, 'A'] }],
    [
      'keep products that are not there',
      { lookup: ['product', '2', 'B'] },
      { lookup: ['product', '2', 'B'] },
    ],
    ['keep other models', { lookup: ['gate', '1', 'North'] }, { lookup: ['gate', '1', 'North'] }],
    [
      'are changed at every depth',
      { and: [{ inList: [{ var: 'product' }, { objectList: [{ lookup: ['product', '1', 'A'] }] }] }] },
      { and: [{ inList: [{ var: 'product' }, { objectList: [{ lookup: ['product', '11', 'A'] }] }] }] },
    ],
    [
      'keep what is no id',
      { lookup: ['product', [nameless], 'A'] },
      { lookup: ['product', [nameless], 'A'] },
    ],
    ['may be empty', {}, {}],
    ['may be anything else', [1, null, 'x', { lookup: 'product' }], [1, null, 'x', { lookup: 'product' }]],
  ] as const)
    it(what, () => assert.deepEqual(withOtherIds(rules, other), expected))
})
