import assert from 'node:assert/strict'
import { bankReferencesIn, referencePattern } from '../../../server/domain/orders/bank-references.ts'

const words = { prefixes: ['conf', 'conf2022', 'rock-fest', 'INV-'], shortest: 5, longest: 6 }

describe('references of bank transactions', () => {
  for (const [reference, found] of [
    ['CONF-ABCDE', ['CONF ABCDE']],
    ['conf abcde', ['CONF ABCDE']],
    ['ticket CONFABCDE thanks', ['CONF ABCDE']],
    ['CONF2022 ABCDE', ['CONF2022 ABCDE']],
    ['ROCKFEST-ABCDE', ['ROCKFEST ABCDE']],
    ['rock fest ABCDE', ['ROCKFEST ABCDE']],
    ['CONF-ABC\nDE', ['CONF ABCDE']],
    ['CO NF-AB CDE', ['CONF ABCDE']],
    ['CONF-ABCDE CONF-FGHIJ', ['CONF ABCDE', 'CONF FGHIJ']],
    ['INV 00012', ['INV 00012']],
    ['CONF-ABC', []],
    ['something else', []],
    ['', []],
  ] as const)
    it(`name ${found.join(' and ') || 'nothing'}: ${JSON.stringify(reference)}`, () => {
      const references = bankReferencesIn(reference, referencePattern(words))
      assert.deepEqual(
        references.map(({ prefix, code }) => `${prefix} ${code}`),
        found,
      )
    })

  it('name nothing where nothing can be named', () => {
    assert.equal(referencePattern({ ...words, prefixes: [] }), null)
    assert.equal(referencePattern({ ...words, prefixes: ['-', ' '] }), null)
    assert.deepEqual(bankReferencesIn('CONF-ABCDE', null), [])
  })

  it('are read in the time that their length needs, whatever stands in them', () => {
    const steps = (length: number): number => {
      const pattern = referencePattern({ ...words, prefixes: ['a-b', 'a--', '--a-b--'] })
      return bankReferencesIn('A-'.repeat(length) + '- '.repeat(length), pattern).length
    }
    assert.equal(steps(2500), 0)
  })
})
