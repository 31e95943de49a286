import assert from 'node:assert/strict'
import fc from 'fast-check'
import { explainRules } from '../../../server/domain/rules/explanation.ts'
import { evaluateRules, validateRules } from '../../../server/domain/rules/rules.ts'
import type { RuleFacts } from '../../../server/domain/rules/variables.ts'
import { and, cameAt, equal, oneOf, or, read, time } from './words.ts'

describe('any rules at all', () => {
  const literals = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.boolean(), fc.constant(null), fc.string())
  const moments = fc.constantFrom(
    time('date_from'),
    time('date_to'),
    time('date_admission'),
    time('custom', '2020-01-01T12:00:00Z'),
    time('customtime', '19:30'),
  )
  const counters = fc.constantFrom(
    'entries_number',
    'entries_today',
    'entries_days',
    'minutes_since_last_entry',
  )
  const sides = fc.constantFrom(
    'entries_since',
    'entries_before',
    'entries_days_since',
    'entries_days_before',
  )
  const numbers = fc.oneof(
    counters.map(read),
    fc.tuple(sides, moments).map(([side, moment]) => ({ [side]: [moment] })),
  )
  const operators = fc.constantFrom('<', '<=', '>', '>=', '==', '!=')
  const comparisons = fc.oneof(
    fc
      .tuple(operators, numbers, fc.oneof(fc.integer({ min: -2, max: 5 }), literals))
      .map(([operator, left, right]) => {
        return { [operator]: [left, right] }
      }),
    fc
      .tuple(fc.constantFrom('isBefore', 'isAfter'), moments, fc.option(fc.nat(90)))
      .map(([operator, moment, wide]) => {
        return { [operator]: [read('now'), moment, wide] }
      }),
    fc.array(fc.nat(3)).map((ids) => oneOf('product', ...ids)),
    fc.array(fc.nat(3)).map((ids) => oneOf('gate', ...ids)),
    fc.constantFrom('present', 'absent').map((status) => equal('entry_status', status)),
    fc.integer({ min: 1, max: 7 }).map((day) => equal('now_isoweekday', day)),
  )
  const { rules } = fc.letrec<{ rules: unknown }>((tie) => ({
    rules: fc.oneof(
      { depthSize: 'small' },
      comparisons,
      fc.array(tie('rules'), { maxLength: 4 }).map((parts) => and(...parts)),
      fc.array(tie('rules'), { maxLength: 4 }).map((parts) => or(...parts)),
    ),
  }))
  const instants = fc
    .integer({ min: Date.UTC(2019, 11, 30), max: Date.UTC(2020, 0, 3) })
    .map((milliseconds) => new Date(milliseconds).toISOString())
  const circumstances = fc
    .tuple(fc.array(instants, { maxLength: 6 }), instants, fc.option(fc.nat(3)))
    .map(([came, now, gate]): RuleFacts => ({ ...cameAt(...came), now, gate }))

  it('can be saved when made of the words there are', () => {
    fc.assert(fc.property(rules, (some) => assert.deepEqual(validateRules(some), [])))
  })

  it('join as and and or say', () => {
    fc.assert(
      fc.property(fc.array(rules), circumstances, (parts, some) => {
        const values = parts.map((part) => evaluateRules(part, some))
        assert.equal(evaluateRules(and(...parts), some), values.every(Boolean))
        assert.equal(evaluateRules(or(...parts), some), values.some(Boolean))
      }),
      { numRuns: 1000 },
    )
  })

  it('have an explanation when they refuse', () => {
    fc.assert(
      fc.property(rules, circumstances, fc.constantFrom('en', 'de'), (some, when, locale) => {
        const text = explainRules(some, when, locale)
        assert.ok(text.length > 0 && !/[{}]|undefined|NaN/.test(text), text)
      }),
      { numRuns: 1000 },
    )
  })

  it('cannot crash, whatever JSON they are', () => {
    const words = fc.constantFrom(
      'and',
      'or',
      '<',
      '==',
      'inList',
      'var',
      'buildTime',
      'isBefore',
      'entries_since',
    )
    const { nonsense } = fc.letrec<{ nonsense: unknown }>((tie) => ({
      nonsense: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.dictionary(words, fc.oneof(tie('nonsense'), fc.array(tie('nonsense'))), { maxKeys: 2 }),
      ),
    }))
    fc.assert(
      fc.property(nonsense, circumstances, (some, when) => {
        assert.equal(typeof evaluateRules(some, when), 'boolean')
        assert.notEqual(explainRules(some, when, 'en'), '')
        assert.ok(Array.isArray(validateRules(some)))
      }),
      { numRuns: 3000 },
    )
  })
})
