import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { DiscountLine } from '../../../server/domain/pricing/discount-groups.ts'
import { applyDiscounts, type DiscountFacts } from '../../../server/domain/pricing/discounts.ts'
import { chosen, fromValue, plain, pricesOf, purchase, threeForTwo } from './discount-words.ts'

type Rule = Partial<DiscountFacts>
type Row = readonly [what: string, rules: readonly Rule[], lines: string, prices: string]

const percent = (benefit_discount_matching_percent: number): Rule => ({ benefit_discount_matching_percent })
const from = (condition_min_count: number): Rule => ({ condition_min_count })
const noAddons: Rule = { condition_apply_to_addons: false }
const noVouchers: Rule = { condition_ignore_voucher_discounted: true }
const [before, now, after] = [
  '2030-06-01T11:59:59.999999Z',
  '2030-06-01T12:00:00Z',
  '2030-06-01T14:00:01+02:00',
]

const check = (title: string, rows: readonly Row[]): void => {
  describe(title, () => {
    for (const [what, rules, lines, prices] of rows)
      it(`${what}: ${lines} becomes ${prices}`, () => {
        assert.equal(pricesOf(rules, lines), prices)
      })
  })
}

check('a discount that is on offer', [
  ['is needed', [], '1000', '1000'],
  ['makes a line cheaper', [{}], '1000', '900*1'],
  ['makes nothing cheaper when it is switched off', [{ active: false }], '1000', '1000'],
  ['is not offered elsewhere', [{ sales_channels: ['boxoffice'] }], '1000', '1000'],
  ['is offered in all', [{ all_sales_channels: true, sales_channels: [] }], '1000', '900*1'],
  ['is offered nowhere without a channel', [{ sales_channels: [] }], '1000', '1000'],
  ['is offered in several channels', [{ sales_channels: ['boxoffice', 'web'] }], '1000', '900*1'],
  ['has not begun', [{ available_from: after }], '1000', '1000'],
  ['begins now', [{ available_from: now }], '1000', '900*1'],
  ['ends now', [{ available_until: now }], '1000', '900*1'],
  ['has ended', [{ available_until: before }], '1000', '1000'],
])

check('a reduced price', [
  ['may be the old one, and the line is used', [percent(0)], '1000', '1000*1'],
  ['may be nothing', [percent(10_000)], '1000', '0*1'],
  ['of nothing is nothing', [{}], '0', '0*1'],
  ['is rounded up from a half', [{}], '1005', '905*1'],
  ['is rounded down below it', [percent(3333)], '1001', '667*1'],
  ['is rounded up above it', [{}], '1004', '904*1'],
  ['is rounded away from zero below zero', [{}], '-1005', '-905*1'],
])

check('a number of products', [
  ['is not reached', [from(2)], '1000', '1000'],
  ['is reached', [from(2)], '1000 2000', '900*1 1800*1'],
  ['is passed, and all are cheaper', [from(2)], '1000 2000 3000', '900*1 1800*1 2700*1'],
  ['looks at chosen products', [chosen(1)], '1000#1 1000#2', '900*1 1000'],
  ['counts chosen products alone', [{ ...chosen(1), ...from(2) }], '1000#1 1000#2', '1000 1000'],
  ['has no use for a choice of all', [{ condition_limit_products: [1] }], '1000#2', '900*1'],
  ['finds nothing where nothing is chosen', [chosen()], '1000', '1000'],
  ['counts add-ons', [from(2)], '1000 500+1', '900*1 450*1'],
  ['leaves add-ons out where it says so', [{ ...noAddons, ...from(2) }], '1000 500+1', '1000 500'],
  ['reduces no add-ons where it says so', [noAddons], '1000 500+1', '900*1 500'],
  ['never counts what is bundled', [from(2)], '1000 300+1b', '1000 300'],
  ['never reduces what is bundled', [{}], '1000 300+1b', '900*1 300'],
  ['reduces what a voucher has reduced', [{}], '800v200', '720*1'],
  ['leaves that out where it says so', [noVouchers], '800v200 1000', '800 900*1'],
  ['does not count it then', [{ ...noVouchers, ...from(2) }], '800v200 1000', '800 1000'],
])

check('three for two', [
  ['needs three', [threeForTwo], '1000 2000', '1000 2000'],
  ['gives the cheapest away', [threeForTwo], '1000 2000 3000', '0*1 2000*1 3000*1'],
  ['finds it anywhere', [threeForTwo], '3000 1000 2000', '3000*1 0*1 2000*1'],
  ['leaves the dearest of four free', [threeForTwo], '1000 2000 3000 4000', '0*1 2000*1 3000*1 4000'],
  ['leaves two of five', [threeForTwo], '5000 4000 3000 2000 1000', '5000 4000 3000*1 2000*1 0*1'],
  [
    'gives away the two cheapest of all six, not one of each three',
    [threeForTwo],
    '1000 2000 3000 4000 5000 6000',
    '0*1 0*1 3000*1 4000*1 5000*1 6000*1',
  ],
  ['leaves one of seven', [threeForTwo], '7 1 2 3 4 5 6', '7 0*1 0*1 3*1 4*1 5*1 6*1'],
  ['takes the last of equals', [threeForTwo], '1000 1000 1000', '1000*1 1000*1 0*1'],
  ['leaves the first of four equals', [threeForTwo], '1000 1000 1000 1000', '1000 1000*1 1000*1 0*1'],
  ['looks at add-ons first, so base lines come last', [threeForTwo], '1000 1000 1000+1', '1000*1 0*1 1000*1'],
  [
    'looks at add-ons of later lines first',
    [{ ...threeForTwo, ...from(4) }],
    '1000 1000 1000+1 1000+2',
    '1000*1 0*1 1000*1 1000*1',
  ],
  [
    'takes the add-on of the earlier line among equals',
    [{ ...threeForTwo, ...chosen(2), ...from(2) }],
    '900#1 900#1 500#2+1 500#2+2',
    '900 900 0*1 500*1',
  ],
  [
    'may be a part of the price',
    [{ ...threeForTwo, ...percent(5000) }],
    '1001 2000 3000',
    '501*1 2000*1 3000*1',
  ],
  [
    'leaves vouchers out where it says so',
    [{ ...threeForTwo, ...noVouchers }],
    '1v9 20 30 40',
    '1 0*1 30*1 40*1',
  ],
  [
    'counts within the chosen products',
    [{ ...threeForTwo, ...chosen(2) }],
    '1#1 20#2 30#2 40#2',
    '1 0*1 30*1 40*1',
  ],
])

const cheapest = (count: number, n: number): Rule => ({
  ...threeForTwo,
  condition_min_count: count,
  benefit_only_apply_to_cheapest_n_matches: n,
})

check('other numbers of cheapest ones', [
  ['two of three', [cheapest(3, 2)], '1000 2000 3000', '0*1 0*1 3000*1'],
  ['two of each three of six', [cheapest(3, 2)], '1 2 3 4 5 6', '0*1 0*1 0*1 0*1 5*1 6*1'],
  ['one of each one', [cheapest(1, 1)], '1000 2000', '0*1 0*1'],
  ['all of two', [cheapest(2, 2)], '1000 2000 3000', '0*1 0*1 3000'],
  ['three of two reduces more than it uses', [cheapest(2, 3)], '1000 2000 3000', '0*1 0*1 0*1'],
  ['three of two, twice', [cheapest(2, 3)], '1 2 3 4 5', '0*1 0*1 0*1 0*1 0*1'],
])

check('a value', [
  ['is reached', [fromValue(3000)], '1000 2000', '900*1 1800*1'],
  ['is missed by a cent', [fromValue(3000)], '1000 1999', '1000 1999'],
  ['counts chosen products alone', [{ ...chosen(1), ...fromValue(2000) }], '1999#1 5000#2', '1999 5000'],
  ['reduces chosen products alone', [{ ...chosen(1), ...fromValue(2000) }], '2000#1 5000#2', '1800*1 5000'],
  [
    'leaves out what a voucher has reduced',
    [{ ...noVouchers, ...fromValue(3000) }],
    '1500v5 1500',
    '1500 1500',
  ],
  ['counts add-ons', [fromValue(3000)], '2000 1000+1', '1800*1 900*1'],
  ['counts what is bundled with nothing', [fromValue(3000)], '2000 1000+1b', '2000 1000'],
  ['goes down with what is below zero', [fromValue(3000)], '4000 -1001', '4000 -1001'],
])

check('several discounts', [
  ['are tried by position', [{ ...percent(5000), position: 2 }, { position: 1 }], '1000', '900*2'],
  ['are tried by id at one position', [{ id: 9 }, { ...percent(5000), id: 3 }], '1000', '500*3'],
  ['use each line once', [chosen(1), percent(5000)], '1000#1 1000#2', '900*1 500*2'],
  ['find what was used at its old price gone', [threeForTwo, percent(5000)], '1 2 3 4', '0*1 2*1 3*1 2*2'],
  ['find what was not used', [from(5), {}], '1000', '900*2'],
  ['do not count what is gone', [chosen(1), from(2)], '1000#1 1000#2', '900*1 1000'],
  ['do not sum up what is gone', [chosen(1), fromValue(3000)], '2000#1 2000#2', '1800*1 2000'],
  [
    'may keep each other away with no reduction',
    [{ ...chosen(1), ...percent(0) }, percent(5000)],
    '10#1 10#2',
    '10*1 5*2',
  ],
  ['pass over what is not offered', [{ active: false }, { sales_channels: [] }, {}], '1000', '900*3'],
  ['may be used one after the other', [threeForTwo, threeForTwo], '1 2 3 4', '0*1 2*1 3*1 4'],
])

const same: Rule = { subevent_mode: 'same' }

check('a discount for one date', [
  ['does not count across dates', [{ ...same, ...from(2) }], '1000@1 1000@2', '1000 1000'],
  ['counts on each date', [{ ...same, ...from(2) }], '1000@1 1000@2 1000@1', '900*1 1000 900*1'],
  ['takes no date for one', [{ ...same, ...from(2) }], '1000 1000', '900*1 900*1'],
  ['does not take it for any', [{ ...same, ...from(2) }], '1000 1000@1', '1000 1000'],
  [
    'finds the cheapest of each date',
    [{ ...same, ...threeForTwo }],
    '10@1 20@1 30@1 40@2 50@2 60@2',
    '0*1 20*1 30*1 0*1 50*1 60*1',
  ],
  [
    'leaves the rest of each date',
    [{ ...same, ...cheapest(2, 1) }],
    '1@1 2@1 3@1 4@2 5@2',
    '0*1 2*1 3 0*1 5*1',
  ],
  ['sums up each date', [{ ...same, ...fromValue(2000) }], '1000@1 1000@1 1999@2', '900*1 900*1 1999'],
])

const distinct: Rule = { subevent_mode: 'distinct' }

check('a discount for different dates', [
  ['needs different ones', [{ ...distinct, ...from(2) }], '1000@1 1000@1', '1000 1000'],
  ['finds them', [{ ...distinct, ...from(2) }], '1000@1 1000@2', '900*1 900*1'],
  ['takes no date for one', [{ ...distinct, ...from(2) }], '1000 1000', '1000 1000'],
  ['takes no date and a date for two', [{ ...distinct, ...from(2) }], '1000 1000@1', '900*1 900*1'],
  ['needs no other one for a single product', [distinct], '1000@1 1000@1', '900*1 900*1'],
  ['leaves what has no partner', [{ ...distinct, ...from(2) }], '1000@1 1000@1 1000@2', '1000 900*1 900*1'],
  ['takes the dearest', [{ ...distinct, ...from(2) }], '3000@1 1000@1 1000@2', '2700*1 1000 900*1'],
  ['lets a third date join a group', [{ ...distinct, ...from(2) }], '10@1 10@2 10@3', '9*1 9*1 9*1'],
  [
    'begins each group with its cheapest',
    [{ ...distinct, ...cheapest(2, 1) }],
    '1000@1 2000@1 3000@2 4000@2',
    '0*1 0*1 3000*1 4000*1',
  ],
  [
    'uses no more than whole groups of a grown one',
    [{ ...distinct, ...cheapest(2, 1) }],
    '1@1 2@2 3@3',
    '0*1 2*1 3',
  ],
  ['takes three dates', [{ ...distinct, ...threeForTwo }], '1@1 2@1 3@2 4@3', '0*1 2 3*1 4*1'],
  [
    'pairs one date with several',
    [{ ...distinct, ...from(2) }],
    '10@1 10@1 10@1 10@2 10@3',
    '10 9*1 9*1 9*1 9*1',
  ],
  [
    'begins with the first date, not the one with most lines',
    [{ ...distinct, ...cheapest(2, 1) }],
    '5000@1 1000@2 2000@2 3000@3 4000@3',
    '5000 0*1 0*1 3000*1 4000*1',
  ],
  ['leaves add-ons out', [{ ...distinct, ...noAddons, ...from(2) }], '1000@1 500@2+1', '1000 500'],
  [
    'never reduces a product that was not chosen',
    [{ ...distinct, ...chosen(1), ...from(2) }],
    '1000#1@1 1000#1@2 9000#2@3',
    '900*1 900*1 9000',
  ],
  [
    'lets such a product take the place of a left one',
    [{ ...distinct, ...chosen(1), ...from(2) }],
    '1000#1@1 1000#1@2 500#1@3 900#2@3',
    '900*1 900*1 500 900',
  ],
])

describe('discounts', () => {
  it('are rounded to what a currency has coins for', () => {
    assert.equal(pricesOf([{}], '10500 10400 10600', { step: 100 }), '9500*1 9400*1 9500*1')
  })

  it('are those of the channel in which something is bought', () => {
    assert.equal(pricesOf([{ sales_channels: ['boxoffice'] }], '1000', { channel: 'boxoffice' }), '900*1')
  })

  const lines: fc.Arbitrary<DiscountLine[]> = fc
    .array(
      fc.record({
        item: fc.integer({ min: 1, max: 3 }),
        subevent: fc.constantFrom(null, 1, 2, 3),
        price: fc.integer({ min: 0, max: 50 }).map((price) => price * 100),
        isAddon: fc.boolean(),
        isBundled: fc.boolean(),
        voucherSaving: fc.constantFrom(0, 0, 100),
      }),
      { maxLength: 14 },
    )
    .map((drafts) =>
      drafts.map(({ isAddon, ...draft }, index) => ({
        ...draft,
        id: index + 1,
        addonTo: isAddon && index > 0 ? 1 : null,
        isBundled: draft.isBundled && isAddon && index > 0,
      })),
    )
  const rule: fc.Arbitrary<DiscountFacts> = fc
    .record({
      position: fc.integer({ min: 0, max: 2 }),
      subevent_mode: fc.constantFrom('mixed' as const, 'same' as const, 'distinct' as const),
      condition_all_products: fc.boolean(),
      condition_limit_products: fc.subarray([1, 2, 3]),
      condition_apply_to_addons: fc.boolean(),
      condition_ignore_voucher_discounted: fc.boolean(),
      condition_min_count: fc.integer({ min: 1, max: 4 }),
      benefit_discount_matching_percent: fc.integer({ min: 0, max: 10_000 }),
      benefit_only_apply_to_cheapest_n_matches: fc.constantFrom(null, 1, 2, 3),
    })
    .map((drawn) => ({ ...plain, ...drawn }))
  const rules = fc
    .array(rule, { maxLength: 3 })
    .map((drawn) => drawn.map((one, index) => ({ ...one, id: index + 1 })))

  it('never make anything dearer, and never touch what is bundled', () => {
    fc.assert(
      fc.property(rules, lines, (discounts, bought) => {
        for (const [index, { price, discount }] of applyDiscounts(discounts, bought, purchase).entries()) {
          const line = bought[index]
          assert.ok(line && price <= line.price && price >= 0)
          if (line.isBundled) assert.equal(discount, null)
          if (discount === null) assert.equal(price, line.price)
        }
      }),
    )
  })

  it('do not depend on the order in which they or the lines are given', () => {
    fc.assert(
      fc.property(rules, lines, (discounts, bought) => {
        const forwards = applyDiscounts(discounts, bought, purchase)
        const backwards = applyDiscounts([...discounts].reverse(), [...bought].reverse(), purchase)
        assert.deepEqual(backwards.reverse(), forwards)
      }),
    )
  })

  it('use only what they are for', () => {
    fc.assert(
      fc.property(rules, lines, (discounts, bought) => {
        for (const [index, { discount }] of applyDiscounts(discounts, bought, purchase).entries()) {
          const used = discounts.find(({ id }) => id === discount)
          const line = bought[index]
          if (!used || !line) continue
          assert.ok(used.condition_all_products || used.condition_limit_products.includes(line.item))
          assert.ok(used.condition_apply_to_addons || line.addonTo === null)
          assert.ok(!used.condition_ignore_voucher_discounted || line.voucherSaving === 0)
        }
      }),
    )
  })
})
