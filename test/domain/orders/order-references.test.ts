import assert from 'node:assert/strict'
import { commentWithReference, referencesIn } from '../../../server/domain/orders/order-references.ts'

describe('the reference in an order comment', () => {
  const cases: readonly (readonly [comment: string | null, reference: string | null, whole: string])[] = [
    [null, null, ''],
    ['needs a ramp', null, 'needs a ramp'],
    [null, 'B12', 'Reference: B12'],
    ['needs a ramp;\ncalls before', 'B 12/3', 'needs a ramp;\ncalls before\nReference: B 12/3'],
  ]
  for (const [comment, reference, whole] of cases)
    it(`is written as ${JSON.stringify(whole)} and found in it`, () => {
      assert.equal(commentWithReference(comment, reference), whole)
      assert.equal(referencesIn(whole), reference)
    })

  it('stands at the beginning of a line, and there may be several', () => {
    assert.equal(referencesIn('see Reference: B1'), null)
    assert.equal(referencesIn('Reference: B1\nnote\nReference:  B2 \nReference: '), 'B1\nB2')
  })
})
