import assert from 'node:assert/strict'
import { countedPieces, denominations, worthOf } from '../../../renderer/box-office/drawer/cash-count.ts'

describe('cash that is counted by notes and coins', () => {
  it('is what they come to, exactly', () => {
    const pieces = countedPieces({ '50.00': '5', '2.00': ' 6 ', '0.50': '3', '0.01': '7', '0.10': '' })
    assert.deepEqual(pieces, { '50.00': 5, '2.00': 6, '0.50': 3, '0.01': 7 })
    assert.equal(worthOf(pieces ?? {}), 26_357)
  })

  it('is none where nothing is typed, and may be nothing', () => {
    assert.equal(countedPieces({}), null)
    assert.equal(countedPieces({ '5.00': ' ' }), null)
    assert.equal(worthOf(countedPieces({ '5.00': '0' }) ?? { '5.00': 1 }), 0)
  })

  for (const text of ['-1', '1.5', 'two', '1e3', '100001', '9999999'])
    it(`is not ${text} of a worth`, () => assert.equal(countedPieces({ '5.00': text, '1.00': '1' }), null))

  it('names each worth as the server reads it, once, the largest first', () => {
    assert.ok(denominations.every((worth) => /^\d{1,7}\.\d\d$/.test(worth)))
    assert.deepEqual(
      [...denominations],
      [...new Set(denominations)].toSorted((a, b) => Number(b) - Number(a)),
    )
  })
})
