import assert from 'node:assert/strict'
import fc from 'fast-check'
import { explainRules } from '../../../server/domain/rules/explanation.ts'
import { evaluateRules } from '../../../server/domain/rules/rules.ts'
import {
  and,
  atLeast,
  atMost,
  equal,
  isAfter,
  isBefore,
  late,
  less,
  oneOf,
  or,
  soon,
  time,
  wednesday,
} from './words.ts'

/** Of all that does not hold, what a visitor is told: one row per step of the choice. */
const choices: readonly (readonly [title: string, rules: unknown, english: string])[] = [
  [
    'everything of an and',
    and(less('entries_number', 1), isAfter(soon)),
    'Maximum number of entries exceeded, Only allowed after 20:00',
  ],
  ['only what does not hold', and(less('entries_number', 9), isAfter(soon)), 'Only allowed after 20:00'],
  ['the same only once', and(oneOf('product', 2), oneOf('variation', 2)), 'Ticket type not allowed'],
  [
    'entries before the time, and the time before the product',
    or(oneOf('product', 2), isAfter(soon), less('entries_number', 1)),
    'Maximum number of entries exceeded',
  ],
  ['the time before the product', or(oneOf('product', 2), isAfter(soon)), 'Only allowed after 20:00'],
  ['the time before the weekday', or(equal('now_isoweekday', 6), isAfter(soon)), 'Only allowed after 20:00'],
  ['the gate before the product', or(oneOf('product', 2), oneOf('gate', 2)), 'Not allowed at this gate'],
  [
    'leaving before everything else',
    or(less('entries_number', 1), equal('entry_status', 'absent')),
    'Already inside',
  ],
  [
    'the nearer of two times',
    or(isAfter(late), isAfter(soon), isBefore(time('date_admission'))),
    'Only allowed after 20:00',
  ],
  [
    'a lower number of entries before an exact one',
    or(equal('entries_number', 1), less('entries_number', 1)),
    'Maximum number of entries exceeded',
  ],
  [
    'the nearer of two numbers',
    or(atLeast('minutes_since_last_entry', 300), atMost('minutes_since_last_entry', 30)),
    'Maximum time since last entry exceeded',
  ],
  [
    'no test for a first entry, which nobody can undo',
    or(atMost('minutes_since_last_entry', -1), atLeast('minutes_since_last_entry', 180)),
    'Minimum time since last entry not reached',
  ],
  [
    'the way whose hardest condition is easiest, however many there are',
    or(oneOf('product', 2), and(isAfter(soon), less('entries_number', 1), less('entries_days', 1))),
    'Only allowed after 20:00, Maximum number of entries exceeded, Maximum number of days with an entry exceeded',
  ],
  [
    'of equally hard ways that with the fewest conditions',
    or(and(oneOf('product', 2), isAfter(soon)), oneOf('product', 3)),
    'Ticket type not allowed',
  ],
  [
    'the fewest conditions also deep within',
    and(oneOf('product', 2), or(and(isAfter(soon), less('entries_days', 1)), isAfter(late))),
    'Ticket type not allowed, Only allowed after 2020-01-05 20:00',
  ],
  [
    'no way that has no end',
    or(and(less('entries_number', 1), or()), oneOf('product', 2)),
    'Ticket type not allowed',
  ],
  ['the known before the unknown', or({ '==': [1, 2] }, oneOf('product', 2)), 'Ticket type not allowed'],
]

describe('the explanation of several conditions', () => {
  for (const [title, rules, english] of choices) {
    it(`names ${title}`, () => {
      assert.equal(evaluateRules(rules, wednesday), false)
      assert.equal(explainRules(rules, wednesday, 'en'), english)
    })
  }

  it('stays quick for rules with more ways than could be listed', () => {
    const ways = Array.from({ length: 200 }, () => or(isAfter(soon), isAfter(late), oneOf('product', 2)))
    assert.equal(explainRules(and(...ways), wednesday, 'en'), 'Only allowed after 20:00')
  })

  it('names conditions that would have been enough to get in', () => {
    const limits = fc.integer({ min: 0, max: 2 })
    const { rules } = fc.letrec<{ rules: unknown }>((tie) => ({
      rules: fc.oneof(
        limits.map((limit) => less('entries_number', limit)),
        limits.map((limit) => less('entries_today', limit)),
        limits.map((limit) => less('entries_days', limit)),
        fc.array(tie('rules'), { maxLength: 3 }).map((parts) => and(...parts)),
        fc.array(tie('rules'), { minLength: 1, maxLength: 3 }).map((parts) => or(...parts)),
      ),
    }))
    const named: Readonly<Record<string, string>> = {
      entries_number: 'Maximum number of entries exceeded',
      entries_today: 'Maximum number of entries today exceeded',
      entries_days: 'Maximum number of days with an entry exceeded',
    }
    fc.assert(
      fc.property(rules, (some) => {
        if (evaluateRules(some, wednesday)) return
        const text = explainRules(some, wednesday, 'en').split(', ')
        // With every named counter at a value below its limits, the rules must hold.
        const assume = (node: unknown): unknown =>
          JSON.parse(JSON.stringify(node), (key, value) =>
            key === '<' && text.includes(named[value[0].var] ?? '') ? [0, 1] : value,
          )
        assert.ok(evaluateRules(assume(some), wednesday))
      }),
      { numRuns: 1000 },
    )
  })
})
