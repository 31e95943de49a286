import assert from 'node:assert/strict'
import type { PriceMode } from '../../../schema/resources/carts/voucher.ts'
import {
  appliesTo,
  blocks,
  budgetLeft,
  isBlocking,
  isVoucherExpired,
  priceWithVoucher,
  usesLeft,
  type VoucherFacts,
  type VoucherUse,
  voucherProblem,
} from '../../../server/domain/pricing/vouchers.ts'
import { isRude } from '../../../server/services/codes/voucher-codes.ts'

const now = '2030-06-01T12:00:00.000000Z'

const plain: VoucherFacts = {
  id: 1,
  code: 'SUMMER',
  max_usages: 1,
  min_usages: 1,
  redeemed: 0,
  valid_until: null,
  block_quota: false,
  allow_ignore_quota: false,
  price_mode: 'none',
  value: null,
  item: null,
  variation: null,
  quota: null,
  seat: null,
  subevent: null,
  show_hidden_items: true,
  budget: null,
  budget_used: 0,
  all_addons_included: false,
  all_bundles_included: false,
}

describe('a price with a voucher', () => {
  const rows: readonly (readonly [
    mode: PriceMode,
    value: number | null,
    price: number,
    step: number,
    mostOff: number | null,
    result: number,
  ])[] = [
    ['none', null, 2300, 1, null, 2300],
    ['none', 1000, 2300, 1, null, 2300],
    ['none', 1000, 2350, 100, null, 2400],
    ['none', null, 2350, 100, null, 2350],
    ['set', 1200, 2300, 1, null, 1200],
    ['set', 3000, 2300, 1, null, 3000],
    ['set', 0, 2300, 1, null, 0],
    ['set', null, 2300, 1, null, 2300],
    ['set', 1250, 230_000, 100, null, 1300],
    ['set', 1249, 230_000, 100, null, 1200],
    ['subtract', 500, 2300, 1, null, 1800],
    ['subtract', 2300, 2300, 1, null, 0],
    ['subtract', 2301, 2300, 1, null, 0],
    ['subtract', 500, 0, 1, null, 0],
    ['subtract', 550, 10_000, 100, null, 9500],
    ['subtract', null, 2300, 1, null, 2300],
    ['percent', 1000, 2300, 1, null, 2070],
    ['percent', 1000, 2305, 1, null, 2075],
    ['percent', 3333, 1000, 1, null, 667],
    ['percent', 10_000, 2300, 1, null, 0],
    ['percent', 0, 2300, 1, null, 2300],
    ['percent', 1000, 10_500, 100, null, 9500],
    // 0.495 yen are first half a yen in hundredths, and that is a whole one.
    ['percent', 8350, 300, 100, null, 100],
    ['percent', 5000, -1001, 1, null, -501],
    ['set', 0, 2300, 1, 1000, 1300],
    ['set', 0, 2300, 1, 2300, 0],
    ['set', 0, 2300, 1, 5000, 0],
    ['set', 0, 2300, 1, 0, 2300],
    ['set', 3000, 2300, 1, 0, 3000],
    ['subtract', 500, 2300, 1, 499, 1801],
    ['percent', 5000, 2300, 1, 1000, 1300],
    ['percent', 5000, 2300, 1, 1150, 1150],
  ]
  for (const [mode, value, price, step, mostOff, result] of rows)
    it(`is ${result} for ${price}: ${mode} ${value}, steps of ${step}, at most ${mostOff} off`, () => {
      assert.equal(priceWithVoucher(price, { price_mode: mode, value }, step, mostOff), result)
    })
})

describe('a voucher’s budget', () => {
  for (const [budget, used, left] of [
    [null, 0, null],
    [1000, 0, 1000],
    [1000, 400, 600],
    [1000, 1000, 0],
    [1000, 1500, 0],
  ] as const)
    it(`of ${budget} has ${left} left after ${used}`, () => {
      assert.equal(budgetLeft({ budget, budget_used: used }), left)
    })
})

describe('the time of a voucher', () => {
  for (const [until, expired] of [
    [null, false],
    ['2030-06-01T12:00:00Z', false],
    ['2030-06-01T14:00:00+02:00', false],
    ['2030-06-01T12:00:00.000001Z', false],
    ['2030-06-01T11:59:59.999999Z', true],
    ['2030-06-01T11:59:59Z', true],
  ] as const)
    it(`until ${until} is ${expired ? 'over' : 'not over'}`, () => {
      assert.equal(isVoucherExpired({ valid_until: until }, now), expired)
      assert.equal(isBlocking({ block_quota: true, valid_until: until }, now), !expired)
      assert.equal(isBlocking({ block_quota: false, valid_until: until }, now), false)
    })
})

describe('the uses of a voucher', () => {
  for (const [most, redeemed, held, left] of [
    [1, 0, 0, 1],
    [1, 1, 0, 0],
    [5, 2, 1, 2],
    [5, 2, 4, 0],
    [1, 2, 0, 0],
  ] as const)
    it(`are ${left} of ${most} after ${redeemed}, with ${held} in carts`, () => {
      assert.equal(usesLeft({ max_usages: most, redeemed }, held), left)
    })
})

const house = { id: 7, name: '', size: 1, closed: false, items: [1, 2], variations: [21, 22], subevent: null }

describe('what a voucher is for', () => {
  const rows: readonly (readonly [Partial<VoucherFacts>, number, number | null, boolean])[] = [
    [{}, 1, null, true],
    [{}, 2, 21, true],
    [{ item: 1 }, 1, null, true],
    [{ item: 1 }, 2, 21, false],
    [{ item: 2 }, 2, 21, true],
    [{ item: 2, variation: 21 }, 2, 21, true],
    [{ item: 2, variation: 21 }, 2, 22, false],
    [{ item: 2, variation: 21 }, 2, null, false],
    [{ quota: 7 }, 1, null, true],
    [{ quota: 7 }, 2, 22, true],
    [{ quota: 7 }, 2, 23, false],
    [{ quota: 7 }, 3, null, false],
    [{ quota: 8 }, 1, null, false],
  ]
  for (const [binding, item, variation, fits] of rows)
    it(`${fits ? 'fits' : 'does not fit'} item ${item}, variation ${variation}: ${JSON.stringify(binding)}`, () => {
      assert.equal(appliesTo({ ...plain, ...binding }, { item, variation }, house), fits)
    })

  it('is nothing where its quota is not known', () => {
    assert.equal(appliesTo({ ...plain, quota: 7 }, { item: 1, variation: null }, null), false)
  })
})

describe('a use of a voucher', () => {
  const use: VoucherUse = { item: 1, variation: null, subevent: null, seat: null }
  const over = '2030-01-01T00:00:00Z'
  const rows: readonly (readonly [Partial<VoucherFacts>, Partial<VoucherUse>, string | null])[] = [
    [{}, {}, null],
    [{ item: 2, seat: 'A', subevent: 5, valid_until: over }, {}, 'product'],
    [{ seat: 'A', subevent: 5, valid_until: over }, {}, 'seat'],
    [{ seat: 'A' }, { seat: 'B' }, 'seat'],
    [{ seat: 'A' }, { seat: 'A' }, null],
    [{}, { seat: 'A' }, null],
    [{ subevent: 5, valid_until: over }, {}, 'subevent'],
    [{ subevent: 5 }, { subevent: 6 }, 'subevent'],
    [{ subevent: 5 }, { subevent: 5 }, null],
    [{}, { subevent: 5 }, null],
    [{ valid_until: over }, {}, 'expired'],
    [{ valid_until: now }, {}, null],
  ]
  for (const [voucher, wanted, problem] of rows)
    it(`is ${problem ?? 'good'}: ${JSON.stringify(voucher)} for ${JSON.stringify(wanted)}`, () => {
      assert.equal(voucherProblem({ ...plain, ...voucher }, { ...use, ...wanted }, house, now), problem)
    })
})

describe('a voucher that blocks', () => {
  const dated = { ...house, subevent: 5 }
  const none = { item: null, variation: null, quota: null, subevent: null }
  for (const [what, binding, quota, takes] of [
    ['an item', { ...none, item: 1 }, house, true],
    ['another item', { ...none, item: 3 }, house, false],
    ['a variation', { ...none, item: 2, variation: 21 }, house, true],
    ['another variation', { ...none, item: 2, variation: 23 }, house, false],
    ['the quota', { ...none, quota: 7 }, house, true],
    ['another quota', { ...none, quota: 8 }, house, false],
    ['an item without its date', { ...none, item: 1 }, dated, false],
    ['an item on its date', { ...none, item: 1, subevent: 5 }, dated, true],
    ['the quota of another date', { ...none, quota: 7, subevent: 6 }, dated, false],
    ['the quota of the date', { ...none, quota: 7, subevent: 5 }, dated, true],
    ['nothing', none, house, false],
  ] as const)
    it(`${takes ? 'takes' : 'takes nothing'} from a quota for ${what}`, () => {
      assert.equal(blocks(binding, quota), takes)
    })
})

describe('a code that was made at random', () => {
  for (const [code, rude] of [
    ['ABCDEFGH23456789', false],
    ['ABCFUCKH23456789', true],
    ['SEXBCDEF23456789', true],
    ['23456789abcxxx', true],
    ['', false],
  ] as const)
    it(`${rude ? 'is rude' : 'is not rude'} as "${code}"`, () => {
      assert.equal(isRude(code), rude)
    })
})
