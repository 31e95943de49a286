import assert from 'node:assert/strict'
import {
  type BasketChoice,
  type BasketLine,
  emailOf,
  withAll,
  withCount,
  withDetail,
  withMore,
} from '../../../renderer/box-office/selling/basket.ts'
import {
  answeredPositions,
  askedPages,
  isOpenPage,
  objectionToField,
} from '../../../renderer/box-office/selling/sale-details.ts'
import type { SaleCatalogue, SaleQuestion } from '../../../schema/bodies/sale-catalogue.ts'
import { question } from '../samples.ts'
import { catalogueOf, product } from './samples.ts'

const choice = (id: number, more: Partial<BasketChoice> = {}): BasketChoice => ({
  ...{ product: id, variation: null, subevent: null, addons: [] },
  ...more,
})

const asked = (id: number, more: Partial<SaleQuestion> = {}): SaleQuestion => ({
  ...question({ id, required: false }),
  ...{ items: [1], dependency_question: null, dependency_values: [] },
  ...more,
})

const options = ['VEGAN', 'MEAT'].map((identifier, position) => ({
  ...{ id: 70 + position, identifier, position, answer: { en: identifier } },
}))

const nothing = { attendee_name: false, attendee_email: false, company: false, email: false }

const selling = (more: Partial<SaleCatalogue>): SaleCatalogue => ({
  ...catalogueOf(product(1, { personalized: true }), product(2), product(9)),
  ...more,
})

const keysOf = (catalogue: SaleCatalogue, lines: readonly BasketLine[]): string[][] =>
  askedPages(catalogue, lines).map(({ fields }) => fields.map(({ key }) => key))

const key = (lines: readonly BasketLine[]): string => lines[0]?.key ?? ''

/** What was typed about tickets of the first line, by where they stand. */
const typed = (lines: readonly BasketLine[], texts: readonly Readonly<Record<string, string>>[]) =>
  texts.reduce(
    (all, fields, index) =>
      Object.entries(fields).reduce((some, one) => withDetail(some, { line: key(lines), index }, one), all),
    lines,
  )

describe('what a till asks before a sale', () => {
  it('is nothing where nothing is demanded', () =>
    assert.deepEqual(keysOf(selling({}), withMore([], choice(1), 3)), []))

  it('is who each ticket is for, where its product is personal, and at last who buys', () => {
    const demands = { ...nothing, attendee_name: true, company: true, email: true }
    const lines = withMore(withMore([], choice(1), 2), choice(2))
    assert.deepEqual(keysOf(selling({ demands }), lines), [
      ['attendee_name', 'company'],
      ['attendee_name', 'company'],
      ['email'],
    ])
  })

  it('is about add-ons too', () => {
    const lines = withMore([], choice(1, { addons: [{ product: 9, variation: null, count: 1 }] }), 2)
    const pages = askedPages(selling({ questions: [asked(5, { items: [9] })] }), lines)
    assert.deepEqual(
      pages.map(({ ticket }) => ticket?.index),
      [1, 3],
    )
  })

  it('depends on what was answered, through several questions', () => {
    const questions = [
      asked(5, { type: 'B' }),
      asked(6, { type: 'M', options, dependency_question: 5, dependency_values: ['True'] }),
      asked(7, { dependency_question: 6, dependency_values: ['VEGAN'], required: true }),
      asked(8, { dependency_question: 99, dependency_values: ['True'] }),
    ]
    const catalogue = selling({ questions })
    const lines = withMore([], choice(1))
    const askedAfter = (texts: Readonly<Record<string, string>>) => keysOf(catalogue, typed(lines, [texts]))
    assert.deepEqual(askedAfter({}), [['5']])
    assert.deepEqual(askedAfter({ 5: 'false' }), [['5']])
    assert.deepEqual(askedAfter({ 5: 'true' }), [['5', '6']])
    assert.deepEqual(askedAfter({ 5: 'true', 6: '71' }), [['5', '6']])
    assert.deepEqual(askedAfter({ 5: 'true', 6: '70,71' }), [['5', '6', '7']])
    assert.deepEqual(askedAfter({ 5: 'false', 6: '70' }), [['5']])
    const sold = answeredPositions(catalogue, typed(lines, [{ 5: 'false', 6: '70', 7: 'Tofu' }]))
    assert.deepEqual(sold[0]?.answers, [{ question: 5, answer: 'false', options: [] }])
  })

  it('holds the sale back only where something must be answered, or will not do', () => {
    const catalogue = selling({ questions: [asked(5, { type: 'N' }), asked(6, { required: true })] })
    const isOpen = (texts: Readonly<Record<string, string>>) =>
      askedPages(catalogue, typed(withMore([], choice(1)), [texts])).some((page) => isOpenPage(page, 'UTC'))
    assert.equal(isOpen({}), true)
    assert.equal(isOpen({ 6: 'Tofu' }), false)
    assert.equal(isOpen({ 5: 'many', 6: 'Tofu' }), true)
    const optional = selling({ questions: [asked(5)] })
    assert.equal(
      askedPages(optional, withMore([], choice(1))).some((page) => isOpenPage(page, 'UTC')),
      false,
    )
  })

  it('wants an address where it asks for one', () => {
    const objections = ['', 'anna', 'anna@example', ' anna@example.org '].map(
      (text) => objectionToField({ key: 'email' }, text, 'UTC')?.key ?? null,
    )
    assert.deepEqual(objections, ['answer.required', 'answer.email', 'answer.email', null])
  })
})

describe('what was typed about tickets', () => {
  const demands = { ...nothing, attendee_name: true }
  const anna = { attendee_name: ' Anna ' }
  const ben = { attendee_name: 'Ben' }

  it('is sold with the ticket that it is about: choices by their options, the rest as text', () => {
    const questions = [
      asked(5, { type: 'C', options }),
      asked(6, { type: 'N' }),
      asked(7, { type: 'D' }),
      asked(8),
    ]
    const lines = typed(withMore([], choice(1), 2), [anna, { ...ben, 5: '71', 6: '1,5', 7: '2030-05-01' }])
    const sold = answeredPositions(selling({ demands, questions }), lines)
    assert.deepEqual(
      sold.map(({ positionid, attendee_name, answers }) => [positionid, attendee_name, answers]),
      [
        [1, 'Anna', undefined],
        [
          2,
          'Ben',
          [
            { question: 5, answer: '', options: [71] },
            { question: 6, answer: '1.5', options: [] },
            { question: 7, answer: '2030-05-01', options: [] },
          ],
        ],
      ],
    )
  })

  it('is not sold where it is not asked any more', () =>
    assert.deepEqual(answeredPositions(selling({}), typed(withMore([], choice(1)), [anna])), [
      { positionid: 1, item: 1, variation: null, subevent: null },
    ]))

  const namesIn = (lines: readonly BasketLine[]) =>
    answeredPositions(selling({ demands }), lines).map(({ attendee_name }) => attendee_name)

  it('stays with its ticket where there are more or fewer, and goes with it', () => {
    const two = typed(withMore([], choice(1), 2), [anna, ben])
    assert.deepEqual(namesIn(withMore(two, choice(1))), ['Anna', 'Ben', undefined])
    const one = withCount(two, key(two), 1)
    assert.deepEqual(namesIn(one), ['Anna'])
    assert.deepEqual(namesIn(withMore(one, choice(1))), ['Anna', undefined])
  })

  it('goes with a basket that is put into another one', () => {
    const parked = withMore([], choice(1), 2)
    const here = withMore([], choice(1))
    assert.deepEqual(namesIn(withAll(here, typed(parked, [anna, ben]))), [undefined, 'Anna', 'Ben'])
    assert.deepEqual(namesIn(withAll(typed(here, [ben]), parked)), ['Ben', undefined, undefined])
    assert.equal(emailOf(withAll(here, [{ ...choice(2), key: 'k', count: 1, email: 'a@b.org' }])), 'a@b.org')
  })
})
