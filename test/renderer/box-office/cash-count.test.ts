import assert from 'node:assert/strict'
import { countedPieces, worthOf } from '../../../renderer/box-office/drawer/cash-count.ts'
import { denominationsOf } from '../../../renderer/box-office/drawer/denominations.ts'

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

  for (const currency of ['EUR', 'CHF', 'GBP', 'USD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'JPY', 'XTS'])
    it(`names each worth of ${currency} as the server reads it, once, the largest first`, () => {
      const { notes, coins } = denominationsOf(currency)
      const all = [...notes, ...coins]
      assert.ok(all.every((worth) => /^\d{1,7}\.\d\d$/.test(worth)))
      assert.deepEqual(
        all,
        [...new Set(all)].toSorted((a, b) => Number(b) - Number(a)),
      )
    })

  it('has the coins of its currency', () => {
    assert.ok(denominationsOf('USD').coins.includes('0.25'))
    assert.deepEqual(denominationsOf('JPY').notes, ['10000.00', '5000.00', '2000.00', '1000.00'])
    assert.equal(denominationsOf('CHF').coins.at(-1), '0.05')
    assert.equal(denominationsOf('CZK').coins.at(-1), '1.00')
  })
})
