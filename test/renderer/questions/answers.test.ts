import assert from 'node:assert/strict'
import {
  allAnswers,
  asSent,
  countryNames,
  inOrder,
  objectionTo,
  toggled,
} from '../../../renderer/questions/answers.ts'
import type { CheckinQuestion } from '../../../schema/bodies/scan-result.ts'
import { countryCodes } from '../../../schema/countries.ts'
import { question } from '../samples.ts'

const option = (id: number) => ({ id, identifier: `O${id}`, position: id, answer: { en: `Option ${id}` } })

const moments = (valid_datetime_min: string): Partial<CheckinQuestion> => ({ type: 'W', valid_datetime_min })

describe('answers at the gate', () => {
  const table: readonly [string, Partial<CheckinQuestion>, string, string | null][] = [
    ['nothing, when it may be skipped', { required: false }, '', null],
    ['nothing, when it may not', {}, '  ', 'answer.required'],
    ['no file, when one is needed', { type: 'F' }, '', 'answer.no-files-required'],
    ['no file, when none is needed', { type: 'F', required: false }, '', null],
    ['a whole number', { type: 'N' }, '42', null],
    ['a number with a comma', { type: 'N' }, '1,5', null],
    ['a number below zero', { type: 'N' }, '-3', null],
    ['no number', { type: 'N' }, '4a', 'answer.number'],
    ['a number out of a number line', { type: 'N' }, '1e9', 'answer.number'],
    ['a number at the lower limit', { type: 'N', valid_number_min: '16.00' }, '16', null],
    ['a number below the lower limit', { type: 'N', valid_number_min: '16.00' }, '15', 'answer.at-least'],
    ['a number above the upper limit', { type: 'N', valid_number_max: '3.5' }, '3,51', 'answer.at-most'],
    ['Yes where Yes is a must', { type: 'B' }, 'true', null],
    ['No where Yes is a must', { type: 'B' }, 'false', 'answer.must-agree'],
    ['No where both will do', { type: 'B', required: false }, 'false', null],
    ['a day on the first day', { type: 'D', valid_date_min: '2026-01-01' }, '2026-01-01', null],
    ['a day too early', { type: 'D', valid_date_min: '2026-01-01' }, '2025-12-31', 'answer.not-before'],
    ['a day too late', { type: 'D', valid_date_max: '2026-01-01' }, '2026-01-02', 'answer.not-after'],
    [
      'a time at the first moment, by the clock of the event',
      moments('2026-01-01T09:00:00Z'),
      '2026-01-01T10:00',
      null,
    ],
    ['a time too early', moments('2026-01-01T09:00:00Z'), '2026-01-01T09:59', 'answer.not-before'],
    ['a country', { type: 'CC' }, 'DE', null],
    ['no country', { type: 'CC' }, '??', 'answer.country'],
    ['a phone number', { type: 'TEL' }, '+49 6221 123', null],
    ['no phone number', { type: 'TEL' }, '12', 'answer.phone'],
    ['a text at its longest', { valid_string_length_max: 3 }, 'Rex', null],
    ['a text too long', { valid_string_length_max: 3 }, 'Rexi', 'answer.too-long'],
    ['a time', { type: 'H' }, '18:30', null],
    ['an option', { type: 'C' }, '11', null],
  ]
  for (const [what, more, text, key] of table)
    it(`${key ? `objects with ${key} to` : 'accepts'} ${what}`, () =>
      assert.equal(objectionTo(question(more), text, 'Europe/Berlin')?.key ?? null, key))

  it('names the limit as users write it', () =>
    assert.equal(objectionTo(question({ type: 'N', valid_number_min: '16.00' }), '1', 'UTC')?.limit, '16'))
  it('sends numbers with a point', () => assert.equal(asSent(question({ type: 'N' }), ' 1,5 '), '1.5'))
  it('sends skipped questions as empty', () =>
    assert.deepEqual(allAnswers([question({ id: 1 }), question({ id: 2 })], { 1: ' Rex ' }), {
      1: 'Rex',
      2: '',
    }))
  it('asks in the order of the positions', () =>
    assert.deepEqual(
      inOrder([
        question({ id: 1, position: 2 }),
        question({ id: 3, position: 1 }),
        question({ id: 2, position: 1 }),
      ]).map(({ id }) => id),
      [2, 3, 1],
    ))

  const several = question({ type: 'M', options: [option(1), option(2), option(3)] })
  const toggles: readonly [string, string, string][] = [
    ['', '2', '2'],
    ['2', '1', '1,2'],
    ['1,2', '2', '1'],
    ['1', '1', ''],
  ]
  for (const [before, id, after_] of toggles)
    it(`turns “${before}” into “${after_}” with option ${id}`, () =>
      assert.equal(toggled(several, before, id), after_))
})

describe('countries', () => {
  it('are the 249 of ISO 3166-1', () => {
    assert.equal(countryCodes.size, 249)
    assert.ok([...countryCodes].every((code) => /^[A-Z]{2}$/.test(code)))
  })
  it('have names, sorted as the language sorts', () => {
    const names = countryNames('de').map(({ name }) => name)
    assert.ok(names.indexOf('Österreich') < names.indexOf('Polen'))
    assert.ok(names.includes('Deutschland'))
  })
})
