import assert from 'node:assert/strict'
import { numberPositions } from '../../../server/domain/orders/order-numbers.ts'

type Pair = readonly [positionid: number | null, parent: number | null]

/** Positions as pairs of number and parent. */
const positions = (...pairs: readonly Pair[]) =>
  pairs.map(([positionid, addon_to]) => ({ positionid, addon_to }))

/** The fields that are complained about, by position. */
const complaints = (pairs: readonly Pair[]) => {
  const numbering = numberPositions(positions(...pairs))
  return numbering.ok ? 'none' : numbering.errors.map((one) => Object.keys(one).join())
}

describe('the numbers of positions', () => {
  it('are given where a request has none', () => {
    assert.deepEqual(numberPositions(positions([null, null], [null, null])), { ok: true, numbers: [1, 2] })
  })

  it('are kept where a request has all, with add-ons after what they belong to', () => {
    const given = positions([1, null], [2, 1], [3, 1], [4, null], [5, 4])
    assert.deepEqual(numberPositions(given), { ok: true, numbers: [1, 2, 3, 4, 5] })
  })

  for (const [what, pairs, fields] of [
    [
      'only some are given',
      [
        [1, null],
        [null, null],
      ],
      ['', 'positionid'],
    ],
    [
      'they do not start with one',
      [
        [2, null],
        [3, null],
      ],
      ['positionid', 'positionid'],
    ],
    [
      'they have a gap',
      [
        [1, null],
        [3, null],
      ],
      ['', 'positionid'],
    ],
    [
      'one comes twice',
      [
        [1, null],
        [1, null],
      ],
      ['', 'positionid'],
    ],
    [
      'an add-on has no number',
      [
        [null, null],
        [null, 1],
      ],
      ['', 'addon_to'],
    ],
    [
      'an add-on comes first',
      [
        [1, 2],
        [2, null],
      ],
      ['addon_to', ''],
    ],
    [
      'an add-on does not follow its parent',
      [
        [1, null],
        [2, null],
        [3, 1],
      ],
      ['', '', 'addon_to'],
    ],
    [
      'an add-on belongs to an add-on',
      [
        [1, null],
        [2, 1],
        [3, 2],
      ],
      ['', '', 'addon_to'],
    ],
    [
      'an add-on belongs to itself',
      [
        [1, null],
        [2, 2],
      ],
      ['', 'addon_to'],
    ],
  ] as const)
    it(`are refused where ${what}`, () => {
      assert.deepEqual(complaints(pairs), fields)
    })
})
