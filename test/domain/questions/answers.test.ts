import assert from 'node:assert/strict'
import fc from 'fast-check'
import { judgeAnswers, parseAnswer } from '../../../server/domain/questions/answers.ts'
import type { QuestionFacts, QuestionType } from '../../../server/domain/questions/questions.ts'
import { file, outcome, question, text } from './question-forms.ts'

const every: readonly QuestionType[] = ['N', 'S', 'T', 'B', 'C', 'M', 'F', 'D', 'H', 'W', 'CC', 'TEL']
/** A row: what is given, and the answer read from it, or the words of the complaint. */
type Row = readonly [
  type: QuestionType,
  given: unknown,
  expected: object | null | string,
  Partial<QuestionFacts>?,
]

describe('an answer given at check-in', () => {
  const rows: readonly Row[] = [
    ['S', 'Vegan', text('Vegan')],
    ['S', ' as typed ', text(' as typed ')],
    ['S', 12, text('12')],
    ['S', true, 'not a valid text'],
    ['S', ['a'], 'not a valid text'],
    ['S', { a: 1 }, 'not a valid text'],
    ['S', 'four', text('four'), { valid_string_length_max: 4 }],
    ['S', 'fives', 'too long', { valid_string_length_max: 4 }],
    ['S', '😀😀😀😀', text('😀😀😀😀'), { valid_string_length_max: 4 }],
    ['S', 'any length', text('any length'), { valid_string_length_max: null }],
    ['T', 'Two\nlines', text('Two\nlines')],
    ['TEL', '+49 6221 1', text('+49 6221 1')],
    ['N', '2.56', text('2.56')],
    ['N', 2.56, text('2.56')],
    ['N', 0, text('0')],
    ['N', '2,56', text('2.56')],
    ['N', 'abc', 'not a valid number'],
    ['N', '3', text('3'), { valid_number_min: '3', valid_number_max: '3.00' }],
    ['N', '2.99', 'too low', { valid_number_min: '3' }],
    ['N', '3.01', 'too high', { valid_number_max: '3' }],
    ['N', '-1', 'too low', { valid_number_min: '0' }],
    ['B', true, text('True')],
    ['B', 'true', text('True')],
    ['B', 'True', text('True')],
    ['B', 'TRUE', text('False')],
    ['B', '1', text('False')],
    ['B', 1, text('False')],
    ['B', false, text('False')],
    ['B', 'false', text('False')],
    ['B', '', text('False')],
    ['B', null, text('False')],
    ['C', 12, text('Fish', 12)],
    ['C', '12', text('Fish', 12)],
    ['C', ' FISH ', text('Fish', 12)],
    ['C', '11', text('Meat', 11)],
    ['C', 'fish', 'not one of the options'],
    ['C', 99, 'not one of the options'],
    ['C', ['12'], 'not a valid text'],
    ['M', '11', text('Meat', 11)],
    ['M', 11, text('Meat', 11)],
    ['M', '12, MEAT', text('Meat, Fish', 11, 12)],
    ['M', [13, 'FISH'], text('Fish, None', 12, 13)],
    ['M', '11,MEAT', 'not one of the options'],
    ['M', '11,11', 'not one of the options'],
    ['M', '11,99', 'not one of the options'],
    ['M', '11,', 'not one of the options'],
    ['M', [null], 'not one of the options'],
    ['M', { 11: true }, 'not one of the options'],
    ['D', '2017-02-28', text('2017-02-28')],
    ['D', '28.2.2017', text('2017-02-28')],
    ['D', '2017-02-29', 'not a valid date'],
    ['D', '2017-02-28', text('2017-02-28'), { valid_date_min: '2017-02-28', valid_date_max: '2017-02-28' }],
    ['D', '2017-02-27', 'too early', { valid_date_min: '2017-02-28' }],
    ['D', '2017-03-01', 'too late', { valid_date_max: '2017-02-28' }],
    ['H', '14:05', text('14:05:00')],
    ['H', '9:05 pm', text('21:05:00')],
    ['H', '25:00', 'not a valid time'],
    ['W', '2020-01-01T19:00', text('2020-01-01T19:00:00+09:00')],
    ['W', '1.1.2020 19:00', text('2020-01-01T19:00:00+09:00')],
    ['W', '2020-01-01T10:00:00Z', text('2020-01-01T19:00:00+09:00')],
    ['W', '2020-02-30T10:00', 'not a valid date and time'],
    ['W', 'soon', 'not a valid date and time'],
    ['W', '2020-01-01T18:59', 'too early', { valid_datetime_min: '2020-01-01T10:00:00Z' }],
    [
      'W',
      '2020-01-01T19:00',
      text('2020-01-01T19:00:00+09:00'),
      { valid_datetime_min: '2020-01-01T10:00:00Z' },
    ],
    [
      'W',
      '2020-01-01T19:00',
      text('2020-01-01T19:00:00+09:00'),
      { valid_datetime_max: '2020-01-01T10:00:00Z' },
    ],
    ['W', '2020-01-01T19:01', 'too late', { valid_datetime_max: '2020-01-01T10:00:00Z' }],
    ['CC', 'DE', text('DE')],
    ['CC', 'de', text('de')],
    ['CC', 'XX', 'not a known country code'],
    ['CC', 'DEU', 'not a known country code'],
    ['F', file, text(file)],
    ['F', 'file:keep', 'upload the file'],
    ['F', '/etc/passwd', 'upload the file'],
  ]
  for (const [type, given, expected, facts] of rows) {
    it(`to a question of type ${type} is ${outcome(expected)} for ${JSON.stringify(given)}${limits(facts)}`, () => {
      const verdict = parseAnswer(question(type, facts), given, 'Asia/Tokyo', 'en')
      if (typeof expected === 'string') assert.match(verdict.ok ? '' : verdict.message, new RegExp(expected))
      else assert.deepEqual(verdict, { ok: true, value: expected })
    })
  }

  for (const type of every.filter((some) => some !== 'B')) {
    it(`to a question of type ${type} is nothing when empty, and refused if required`, () => {
      for (const empty of ['', '  ', null, undefined, []]) {
        assert.deepEqual(parseAnswer(question(type), empty, 'UTC', 'en'), { ok: true, value: null })
        const message = 'An answer to this question is required.'
        assert.deepEqual(parseAnswer(question(type, { required: true }), empty, 'UTC', 'en'), {
          ok: false,
          message,
        })
      }
    })
  }

  it('must be yes where a yes is required', () => {
    const consent = question('B', { required: true })
    for (const no of [false, 'false', 'False', '', null, undefined, 0, 'maybe']) {
      assert.equal(parseAnswer(consent, no, 'UTC', 'en').ok, false)
    }
    assert.deepEqual(parseAnswer(consent, 'true', 'UTC', 'en'), { ok: true, value: text('True') })
  })

  it('is told what is wrong in German, and in English where there are no texts', () => {
    const message = (locale: string) => {
      const verdict = parseAnswer(question('N'), 'abc', 'UTC', locale)
      return verdict.ok ? '' : verdict.message
    }
    assert.equal(message('de-informal'), 'Das ist keine gültige Zahl.')
    assert.equal(message('xx'), 'This is not a valid number.')
  })

  it('takes the texts of options in the language asked for', () => {
    assert.deepEqual(parseAnswer(question('M'), '13,12,11', 'UTC', 'de'), {
      ok: true,
      value: text('Fleisch, Fisch, None', 11, 12, 13),
    })
  })

  it('is refused where it is a thing that has no text', () => {
    const nameless = JSON.parse('{"toString": 0, "valueOf": 0}')
    for (const type of every)
      for (const given of [nameless, [nameless], [[nameless]], [11, nameless]])
        assert.equal(parseAnswer(question(type, { required: true }), given, 'UTC', 'en').ok, false, type)
  })

  it('cannot crash, whatever JSON it is, and is read the same when stored and given again', () => {
    const types = fc.constantFrom(...every)
    fc.assert(
      fc.property(types, fc.boolean(), fc.oneof(fc.jsonValue(), fc.string()), (type, required, given) => {
        const first = parseAnswer(question(type, { required }), given, 'Asia/Tokyo', 'en')
        if (!first.ok || first.value === null) return
        const { answer, options } = first.value
        const stored = type === 'C' || type === 'M' ? options.map(String).join(',') : answer
        assert.deepEqual(parseAnswer(question(type, { required }), stored, 'Asia/Tokyo', 'en'), first)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the questions of a check-in', () => {
  const asked = question('S', { id: 1 })
  const consent = question('B', { id: 2, required: true })
  const judge = (
    given: Record<string, unknown>,
    stored: readonly number[] = [],
    questions = [asked, consent],
  ) => {
    const { valid, missing } = judgeAnswers(
      questions,
      { item: 1, stored: new Set(stored), given },
      { timezone: 'UTC', locale: 'en' },
    )
    return { valid: Object.fromEntries(valid), missing }
  }

  it('are all open without answers, required or not', () => {
    assert.deepEqual(judge({}), { valid: {}, missing: [1, 2] })
  })
  it('are not open when answered before', () => {
    assert.deepEqual(judge({}, [1, 2]), { valid: {}, missing: [] })
  })
  it('are closed by valid answers, also by none to an optional one', () => {
    assert.deepEqual(judge({ 1: '', 2: 'true' }), { valid: { 1: null, 2: text('True') }, missing: [] })
  })
  it('stay open with an invalid answer, although there was one before', () => {
    assert.deepEqual(judge({ 1: ['x'], 2: '' }, [1, 2]), { valid: {}, missing: [1, 2] })
  })
  it('may be answered anew', () => {
    assert.deepEqual(judge({ 1: 'x' }, [1, 2]), { valid: { 1: text('x') }, missing: [] })
  })
  it('are only those of this product that are asked at check-in', () => {
    const others = [question('S', { id: 3, items: [2] }), question('S', { id: 4, ask_during_checkin: false })]
    assert.deepEqual(judge({ 3: 'x', 4: 'x' }, [], others), { valid: {}, missing: [] })
  })
  it('do not take an inherited property for an answer', () => {
    assert.deepEqual(judge(Object.create({ 1: 'x' }), [], [asked]), { valid: {}, missing: [1] })
  })
})

function limits(facts: object | undefined): string {
  return facts === undefined ? '' : ` within ${JSON.stringify(facts)}`
}
