import assert from 'node:assert/strict'
import { tillRuleOf } from '../../../renderer/setup/till-rules.ts'
import { countryCodes } from '../../../schema/countries.ts'

describe('what is known of the law about tills', () => {
  it('is said of countries that exist, and is nothing for most', () => {
    const rules = Map.groupBy(countryCodes, tillRuleOf)
    assert.deepEqual(
      (['no_device', 'signing_device', 'certified'] as const).map((rule) => rules.get(rule)?.length),
      [12, 2, 17],
    )
    assert.deepEqual(['DE', 'FR', 'GB', 'BR', ''].map(tillRuleOf), [
      ...['signing_device', 'certified', 'no_device', 'unknown', 'unknown'],
    ])
  })
})
