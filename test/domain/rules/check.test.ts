import assert from 'node:assert/strict'
import { validateRules } from '../../../server/domain/rules/rules.ts'
import { and, equal, isBefore, less, nested, oneOf, or, read, time } from './words.ts'

describe('the check of rules', () => {
  const sound: readonly unknown[] = [
    null,
    {},
    [],
    '',
    'text',
    7,
    true,
    { and: [] },
    { or: [] },
    { and: [{}, true, 1, 'x', null] },
    { and: [{ or: [{ and: [less('entries_number', 1)] }] }] },
    { '==': [{ var: ['product', 'default'] }, 1] },
    nested(50),
    { '<': [1] },
    { '<': 1 },
    { inList: [read('product'), [{ anything: 1, goes: 2 }]] },
    oneOf('gate', 1, 2),
    isBefore(time('custom', '2020-01-01T10:00:00Z'), 10),
    { isAfter: [time('date_to'), read('now'), null] },
    { '<=': [{ entries_since: [time('customtime', '10:00')] }, 3] },
    { '<=': [{ entries_before: [time('customtime', '10:00')] }, 3] },
    { '<=': [{ entries_days_since: [time('customtime', '10:00')] }, 3] },
    { '<=': [{ entries_days_before: [time('customtime', '10:00')] }, 3] },
    ...['product', 'variation', 'gate', 'now', 'now_isoweekday', 'entry_status'].map((name) =>
      equal(name, 1),
    ),
    ...['entries_number', 'entries_today', 'entries_days'].map((name) => equal(name, 1)),
    ...['minutes_since_last_entry', 'minutes_since_first_entry'].map((name) => equal(name, 1)),
    ...['<', '<=', '>', '>=', '==', '!='].map((operator) => ({ [operator]: [read('entries_number'), 1] })),
  ]
  for (const rules of sound) {
    it(`accepts ${JSON.stringify(rules)}`, () => assert.deepEqual(validateRules(rules), []))
  }

  const faulty: readonly (readonly [rules: unknown, complaint: RegExp])[] = [
    [{ and: [], or: [] }, /more than one key: and, or/],
    [and({ '<': [1, 2], '>': [1, 2] }), /more than one key/],
    [{ unheard: [] }, /operator "unheard" is not allowed/],
    [{ '!': [true] }, /operator "!" is not allowed/],
    [{ if: [true, 1, 2] }, /operator "if" is not allowed/],
    [{ constructor: [] }, /operator "constructor" is not allowed/],
    [and({ in: [1, [1]] }), /operator "in" is not allowed/],
    [read('product'), /operator "var" is not allowed on the first level/],
    [time('date_from'), /operator "buildTime" is not allowed on the first level/],
    [{ objectList: [] }, /operator "objectList" is not allowed on the first level/],
    [{ lookup: ['product', 1] }, /operator "lookup" is not allowed on the first level/],
    [{ entries_since: [time('date_from')] }, /operator "entries_since" is not allowed on the first level/],
    [equal('unheard', 1), /variable "unheard" is not allowed/],
    [equal('toString', 1), /variable "toString" is not allowed/],
    [{ '==': [{ var: [] }, 1] }, /variable without a name is not allowed/],
    [{ '==': [{ var: null }, 1] }, /variable null is not allowed/],
    [{ '==': [{ var: { var: 'product' } }, 1] }, /variable {"var":"product"} is not allowed/],
    [{ '==': [and(true), true] }, /not allowed below a comparison/],
    [{ '<': [{ entries_since: [or(true)] }, 1] }, /not allowed below a comparison/],
    [nested(51), /nested too deeply/],
    [nested(1000), /nested too deeply/],
    [nested(100_000), /nested too deeply/],
  ]
  for (const [rules, complaint] of faulty) {
    it(`complains ${complaint}`, () => {
      const [message = '', ...others] = validateRules(rules)
      assert.match(message, complaint)
      assert.deepEqual(others, [])
    })
  }

  it('complains about everything at once', () => {
    assert.equal(validateRules(and(equal('unheard', 1), { unheard: [] }, less('entries_days', 1))).length, 2)
  })
})
