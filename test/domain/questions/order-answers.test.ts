import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseAnswer, parseOrderAnswer } from '../../../server/domain/questions/answers.ts'
import type { QuestionType } from '../../../server/domain/questions/questions.ts'
import { file, outcome, question, text } from './question-forms.ts'

describe('an answer in an order', () => {
  const rows: readonly (readonly [
    type: QuestionType,
    input: Parameters<typeof parseOrderAnswer>[1],
    object | string,
  ])[] = [
    ['S', { answer: 'Vegan' }, text('Vegan')],
    ['S', { answer: 'Vegan', options: [] }, text('Vegan')],
    ['T', { answer: 'Two\nlines' }, text('Two\nlines')],
    ['TEL', { answer: '+49 6221 1' }, text('+49 6221 1')],
    ['S', { answer: 12 }, text('12')],
    ['S', { answer: '' }, 'is required'],
    ['S', { answer: null }, 'is required'],
    ['S', {}, 'is required'],
    ['S', { answer: ['x'] }, 'not a valid text'],
    ['S', { answer: 'x', options: [11] }, 'no options to choose from'],
    ['N', { answer: '2.56' }, text('2.56')],
    ['N', { answer: 0 }, text('0')],
    ['N', { answer: '2,56' }, 'not a valid number'],
    ['N', { answer: 'abc' }, 'not a valid number'],
    ['N', { answer: '1'.repeat(50) }, text('1'.repeat(50))],
    ['N', { answer: '1'.repeat(51) }, 'too many digits'],
    ['N', { answer: `${'1'.repeat(30)}.${'1'.repeat(21)}` }, 'too many digits'],
    ['N', { answer: `-1.${'1'.repeat(25)}` }, text(`-1.${'1'.repeat(25)}`)],
    ['N', { answer: `1.${'1'.repeat(26)}` }, 'too many digits'],
    ...['true', 'True', '1', 'TRUE', true, 1].map((answer) => ['B', { answer }, text('True')] as const),
    ...['false', 'False', '0', 'FALSE', false, 0].map((answer) => ['B', { answer }, text('False')] as const),
    ['B', { answer: 'yes' }, '"true" or "false"'],
    ['C', { options: [12] }, text('Fish', 12)],
    ['C', { answer: 'overwritten', options: [12] }, text('Fish', 12)],
    ['C', { options: [12, 12] }, text('Fish', 12)],
    ['C', { options: [11, 12] }, 'only one option'],
    ['C', { answer: '12' }, 'choose one of the options'],
    ['C', { options: [99] }, 'does not belong'],
    ['M', { options: [12, 11] }, text('Meat, Fish', 11, 12)],
    ['M', { options: [] }, 'choose one of the options'],
    ['M', { options: [11, 99] }, 'does not belong'],
    ['D', { answer: '2017-02-28' }, text('2017-02-28')],
    ['D', { answer: '2017-02-29' }, 'not a valid date'],
    ['D', { answer: '28.2.2017' }, 'not a valid date'],
    ['H', { answer: '14:05' }, text('14:05:00')],
    ['H', { answer: '14:05:30.5' }, text('14:05:30')],
    ['H', { answer: '2:05 pm' }, 'not a valid time'],
    ['H', { answer: '25:00' }, 'not a valid time'],
    ['W', { answer: '2020-01-01T19:00' }, text('2020-01-01T19:00:00+09:00')],
    ['W', { answer: '2020-01-01T19:00:30.5' }, text('2020-01-01T19:00:30+09:00')],
    ['W', { answer: '2020-01-01T10:00:00Z' }, text('2020-01-01T19:00:00+09:00')],
    ['W', { answer: '2020-02-30T10:00' }, 'not a valid date and time'],
    ['W', { answer: '1.1.2020 19:00' }, 'not a valid date and time'],
    ['CC', { answer: 'de' }, text('de')],
    ['CC', { answer: 'XX' }, 'not a known country code'],
    ['F', { answer: file }, text(file)],
    ['F', { answer: 'x.png' }, 'upload the file'],
  ]
  for (const [type, input, expected] of rows) {
    it(`to a question of type ${type} is ${outcome(expected)} for ${JSON.stringify(input)}`, () => {
      const verdict = parseOrderAnswer(question(type), input, 'Asia/Tokyo', 'en')
      if (typeof expected === 'string') assert.match(verdict.ok ? '' : verdict.message, new RegExp(expected))
      else assert.deepEqual(verdict, { ok: true, value: expected })
    })
  }

  it('is not held to the limits of the question, nor to a yes', () => {
    const limited = {
      required: true,
      valid_number_max: '3',
      valid_date_max: '2017-01-01',
      valid_string_length_max: 1,
    }
    for (const [type, answer] of [
      ['N', '4'],
      ['D', '2018-01-01'],
      ['S', 'long'],
      ['B', 'false'],
    ] as const) {
      assert.equal(parseOrderAnswer(question(type, limited), { answer }, 'UTC', 'en').ok, true)
    }
  })

  it('can also be given at check-in, and means the same there', () => {
    const given = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.boolean().map((yes) => (yes ? 'True' : 'False')),
    )
    fc.assert(
      fc.property(fc.constantFrom('S', 'T', 'N', 'CC', 'B'), given, (type, answer) => {
        const inOrder = parseOrderAnswer(question(type), { answer }, 'UTC', 'en')
        const blank = answer.trim() === ''
        const spelledOtherwise = type === 'B' && !/^(True|False|true|false)$/.test(answer)
        if (!inOrder.ok || blank || spelledOtherwise) return
        assert.deepEqual(parseAnswer(question(type), answer, 'UTC', 'en'), inOrder)
      }),
    )
  })
})
