import assert from 'node:assert/strict'
import { evaluateRules } from '../../../server/domain/rules/rules.ts'
import { tokyo } from '../checkin/door.ts'
import { and, cameAt, equal, facts, isBefore, less, nested, read, time } from './words.ts'

describe('the value of rules', () => {
  /** Rules about nothing but literals and a ticket of product 1 without a variation. */
  const values: readonly (readonly [rules: unknown, expected: boolean])[] = [
    [null, true],
    [undefined, true],
    [{}, true],
    [[], true],
    ['', true],
    [0, true],
    [false, true],
    [true, true],
    ['text', true],
    [{ and: [] }, true],
    [{ or: [] }, false],
    [{ and: [true] }, true],
    [{ and: [true, {}] }, false],
    [{ or: [false, true] }, true],
    [{ or: [true, { unheard: [] }] }, false],
    [{ or: [true, { isBefore: ['yesterday', 'today'] }] }, false],
    [{ or: true }, true],
    [{ and: [1, 'x', [0]] }, true],
    [{ and: ['0'] }, true],
    [{ and: [0] }, false],
    [{ and: [''] }, false],
    [{ and: [[]] }, false],
    [{ and: [null] }, false],
    [{ '==': [1, 1], '!=': [1, 2] }, false],
    [{ unheard: [1] }, false],
    [{ constructor: [1] }, false],
    [{ __proto__: null, toString: [1] }, false],
    [{ '==': [1, 1] }, true],
    [{ '==': [1, '1'] }, true],
    [{ '==': ['1.0', 1] }, false],
    [{ '==': ['a', 'a'] }, true],
    [{ '==': [true, 1] }, true],
    [{ '==': [true, 2] }, true],
    [{ '==': [false, null] }, true],
    [{ '==': [false, []] }, true],
    [{ '==': [null, 0] }, false],
    [{ '==': [null, null] }, true],
    [{ '==': [1] }, false],
    [{ '==': 1 }, false],
    [{ '!=': [1, 2] }, true],
    [{ '!=': [1, '1'] }, false],
    [{ '<': [1, 2] }, true],
    [{ '<': [2, 2] }, false],
    [{ '<': ['1', 2] }, true],
    [{ '<': ['10', 9] }, false],
    [{ '<': ['10', '9'] }, true],
    [{ '<': ['a', 'a'] }, false],
    [{ '<': [' 1.5e1 ', 16] }, true],
    [{ '<': ['one', 2] }, false],
    [{ '<': ['', 2] }, false],
    [{ '<': ['0x1', 2] }, false],
    [{ '<': [null, 2] }, false],
    [{ '<': [null, -2] }, false],
    [{ '<': [false, 1] }, true],
    [{ '<': [1, 2, 3] }, true],
    [{ '<': [1, 3, 2] }, false],
    [{ '<': [1] }, false],
    [{ '<=': [2, 2] }, true],
    [{ '<=': [2, 2, 3] }, true],
    [{ '<=': [2, 2, 1] }, false],
    [{ '<=': [null, null] }, true],
    [{ '<=': [3, 2] }, false],
    [{ '>': [2, 1] }, true],
    [{ '>': [2, null] }, false],
    [{ '>': [1, 1] }, false],
    [{ '>=': [1, 1] }, true],
    [{ '>=': [1, 2] }, false],
    [{ '>=': ['2', 1] }, true],
    [{ inList: [read('product'), [1, 2]] }, true],
    [{ inList: [read('product'), ['1']] }, true],
    [{ inList: [read('product'), []] }, false],
    [{ inList: [read('product'), 1] }, false],
    [{ inList: [read('product'), { objectList: { lookup: ['product', 1] } }] }, true],
    [{ inList: [read('variation'), [0, 1]] }, false],
    [{ '==': [read('gate'), 0] }, true],
    [{ '==': [{ var: ['product', 'x'] }, 1] }, true],
    [{ '==': [read('unheard'), null] }, true],
    [{ '==': [{ var: [] }, null] }, true],
    [{ '<': [read('unheard'), 1] }, false],
    [{ '==': [read('entries_number'), 0] }, true],
    [{ '==': [read('entries_today'), 0] }, true],
    [{ '==': [read('entries_days'), 0] }, true],
    [{ '==': [read('minutes_since_first_entry'), -1] }, true],
    [{ '==': [read('minutes_since_last_entry'), -1] }, true],
    [{ '==': [read('entry_status'), 'absent'] }, true],
    [{ '==': [read('now_isoweekday'), 3] }, true],
    [{ isBefore: [time('date_from'), read('now')] }, false],
    [{ isAfter: [time('date_from'), read('now')] }, false],
    [{ isBefore: [time('date_admission'), read('now')] }, true],
    [isBefore(time('custom', '2020-01-01T19:00:01+09:00')), true],
    [isBefore(time('custom', '2020-01-01T19:00:00')), false],
    [isBefore(time('custom', '2020-01-01T19:00:01')), true],
    [isBefore(time('customtime', '19:01')), true],
    [isBefore(time('customtime', '19:00:30')), true],
    [isBefore(time('customtime', '19:00')), false],
    [isBefore(time('customtime', '25:00')), false],
    [isBefore(time('customtime')), false],
    [isBefore(time('custom', 'soon')), false],
    [isBefore(time('unheard')), false],
    [isBefore(time('date_from'), '0.5'), true],
    [isBefore(time('date_from'), 'some'), false],
    [isBefore(time('date_from'), -1), false],
    [{ isBefore: [read('now')] }, false],
    [{ isBefore: [1, 2] }, false],
  ]
  for (const [rules, expected] of values) {
    it(`is ${expected} for ${JSON.stringify(rules) ?? 'nothing'}`, () => {
      assert.equal(evaluateRules(rules, facts), expected)
    })
  }

  /** What a variable or a counter says about somebody who came in at the given times. */
  const came = [
    '2019-12-31T14:59:59Z',
    '2019-12-31T15:00:00Z',
    '2020-01-01T09:58:01Z',
    '2020-01-01T15:00:00Z',
  ]
  const counters: readonly (readonly [counter: unknown, expected: unknown])[] = [
    [read('entries_number'), 4],
    [read('entries_today'), 3],
    [read('entries_days'), 3],
    [read('minutes_since_first_entry'), 19 * 60],
    [read('minutes_since_last_entry'), -300],
    [read('entry_status'), 'present'],
    [{ entries_since: [time('custom', '2019-12-31T15:00:00Z')] }, 3],
    [{ entries_before: [time('custom', '2019-12-31T15:00:00Z')] }, 1],
    [{ entries_days_since: [time('custom', '2019-12-31T15:00:00Z')] }, 2],
    [{ entries_days_before: time('custom', '2020-01-01T15:00:00Z') }, 2],
  ]
  for (const [counter, expected] of counters) {
    it(`counts ${JSON.stringify(counter)} as ${expected}`, () => {
      assert.equal(evaluateRules({ '==': [counter, expected] }, cameAt(...came)), true)
      assert.equal(evaluateRules({ '==': [counter, expected] }, cameAt(...came.toReversed())), true)
      assert.equal(evaluateRules({ '==': [counter, `not ${expected}`] }, cameAt(...came)), false)
    })
  }

  it('rounds minutes down, also those until an entry that is still to come', () => {
    const minutes = (expected: number) => equal('minutes_since_last_entry', expected)
    assert.ok(evaluateRules(minutes(1), cameAt('2020-01-01T09:58:01Z')))
    assert.ok(evaluateRules(minutes(-1), cameAt('2020-01-01T10:00:01Z')))
    assert.ok(evaluateRules(minutes(-2), cameAt('2020-01-01T10:01:01Z')))
  })

  it('counts an exit neither as an entry nor as a day, but as having left', () => {
    const left = cameAt('2020-01-01T09:00:00Z', '2020-01-01T09:30:00Z')
    const priorCheckins = left.priorCheckins.map((pass, index) =>
      index === 1 ? { ...pass, type: 'exit' as const } : pass,
    )
    const rules = and(equal('entries_number', 1), equal('entry_status', 'absent'))
    assert.ok(evaluateRules(rules, { ...facts, priorCheckins }))
  })

  it('refuses where the zone of the event is not known', () => {
    const lost = { ...facts, times: { ...tokyo, timezone: 'Not/AZone' } }
    assert.equal(evaluateRules(less('now_isoweekday', 9), lost), false)
    assert.equal(evaluateRules(less('entries_number', 9), lost), true)
  })

  it('is false, and no crash, for rules nested without end', () => {
    assert.equal(evaluateRules(nested(100_000), facts), false)
  })
})
