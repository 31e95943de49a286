import assert from 'node:assert/strict'
import { decimalOf, hundredthsOf, likelyGiven, typed } from '../../../renderer/box-office/amounts.ts'
import { denominationsOf } from '../../../renderer/box-office/drawer/denominations.ts'
import {
  type BasketChoice,
  type BasketLine,
  basketPositions,
  ticketCount,
  withCount,
  withFewer,
  withMore,
} from '../../../renderer/box-office/selling/basket.ts'
import { quantityAfter } from '../../../renderer/box-office/selling/next-basket.ts'

const choice = (product: number, more: Partial<BasketChoice> = {}): BasketChoice => ({
  product,
  variation: null,
  subevent: null,
  addons: [],
  ...more,
})

describe('a basket', () => {
  it('counts the same choice in one line, and another form, date or add-on in a line of its own', () => {
    const addons = [{ product: 9, variation: null, count: 1 }]
    const choices = [
      choice(1),
      choice(1),
      choice(1, { variation: 4 }),
      choice(1, { subevent: 5 }),
      choice(1, { addons }),
    ]
    const lines = choices.reduce((all, one) => withMore(all, one), withMore([], choice(1)))
    assert.deepEqual(
      lines.map(({ count }) => count),
      [3, 1, 1, 1],
    )
  })

  it('has a line for each price that a buyer has named, and says so in the order', () => {
    const lines = ['5.00', '7.50', '5.00'].reduce<readonly BasketLine[]>(
      (all, price) => withMore(all, choice(1, { price })),
      withMore([], choice(1)),
    )
    assert.deepEqual(
      lines.map(({ count }) => count),
      [1, 2, 1],
    )
    assert.deepEqual(
      basketPositions(lines).map(({ position }) => position.price),
      [undefined, '5.00', '5.00', '7.50'],
    )
  })

  it('has no line of nothing', () => {
    const lines = withMore(withMore([], choice(1)), choice(2))
    const [first] = lines
    assert.ok(first)
    assert.deepEqual(
      withCount(lines, first.key, 0).map(({ product }) => product),
      [2],
    )
  })

  it('loses of a product what came last first, and no more than there is', () => {
    const lines = withMore(withMore(withMore([], choice(1), 3), choice(2), 2), choice(1, { variation: 4 }), 2)
    const counts = (product: number, count: number) =>
      withFewer(lines, product, count).map((line) => [line.product, line.variation, line.count])
    assert.deepEqual(counts(1, 1), [
      [1, null, 3],
      [2, null, 2],
      [1, 4, 1],
    ])
    assert.deepEqual(counts(1, 4), [
      [1, null, 1],
      [2, null, 2],
    ])
    assert.deepEqual(counts(2, 9), [
      [1, null, 3],
      [1, 4, 2],
    ])
  })

  it('becomes positions in which every ticket has its own add-ons', () => {
    const lines = withMore(
      [],
      choice(1, { variation: 3, addons: [{ product: 9, variation: null, count: 2 }] }),
      2,
    )
    const positions = basketPositions(lines)
    assert.deepEqual(
      positions.map(({ position }) => [position.positionid, position.item, position.addon_to ?? null]),
      [
        [1, 1, null],
        [2, 9, 1],
        [3, 9, 1],
        [4, 1, null],
        [5, 9, 4],
        [6, 9, 4],
      ],
    )
    assert.equal(new Set(positions.map(({ line }) => line)).size, 1)
    assert.equal(ticketCount(lines), 6)
  })
})

describe('a quantity', () => {
  const keys: readonly (readonly [before: number | null, key: string, after: number | null | undefined])[] = [
    [null, '3', 3],
    [1, '2', 12],
    [null, '0', null],
    [1, '0', 10],
    [12, 'Backspace', 1],
    [1, 'Backspace', null],
    [3, 'a', undefined],
    [3, 'Enter', undefined],
  ]
  for (const [before, key, after] of keys)
    it(`of ${before} is ${after === undefined ? 'left alone' : after} after ${key}`, () =>
      assert.equal(quantityAfter(before, key), after))
})

describe('amounts at a till', () => {
  it('are typed digit by digit, up to a million', () => {
    const all = (['2', '5', '00'] as const).reduce(typed, 0)
    assert.equal(decimalOf(all), '25.00')
    assert.equal(typed(99_999_999, '9'), 99_999_999)
  })

  const guesses: readonly (readonly [total: string, likely: readonly string[]])[] = [
    ['58.00', ['60.00', '100.00', '200.00', '500.00']],
    ['23.00', ['25.00', '30.00', '40.00', '50.00']],
    ['0.50', ['5.00', '10.00', '20.00', '50.00']],
    ['1000.00', []],
    ['345.60', ['350.00', '360.00', '400.00', '500.00']],
  ]
  for (const [total, likely] of guesses)
    it(`of ${total} are paid with ${likely.join(', ') || 'the exact sum'}`, () =>
      assert.deepEqual(likelyGiven(hundredthsOf(total), denominationsOf('EUR').notes).map(decimalOf), likely))
})
