import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type Availability,
  type AvailabilityView,
  availability,
  bestState,
  isToClose,
  leastOf,
  leftTogether,
  type QuotaUsage,
  stateNumber,
} from '../../../server/domain/quotas/quota-availability.ts'

interface Row {
  readonly what: string
  readonly size?: number | null
  readonly closed?: boolean
  readonly usage?: Partial<QuotaUsage>
  readonly view?: AvailabilityView
  readonly is: readonly [Availability['state'], number | null]
}

const rows: readonly Row[] = [
  { what: 'is free while nothing is sold', is: ['available', 5] },
  { what: 'has less with each ticket', usage: { paid: 2, pending: 1 }, is: ['available', 2] },
  { what: 'is gone when all of it is paid', usage: { paid: 5 }, is: ['gone', 0] },
  { what: 'is gone when more than all is paid', usage: { paid: 7, pending: 2 }, is: ['gone', 0] },
  { what: 'is ordered when the last is pending', usage: { paid: 4, pending: 1 }, is: ['ordered', 0] },
  { what: 'is ordered when vouchers keep the last', usage: { paid: 4, vouchers: 1 }, is: ['ordered', 0] },
  { what: 'is reserved when a cart holds the last', usage: { paid: 4, carts: 1 }, is: ['reserved', 0] },
  {
    what: 'is reserved when a station may sell the last',
    usage: { paid: 4, leased: 1 },
    is: ['reserved', 0],
  },
  { what: 'is ordered when somebody waits for the last', usage: { paid: 4, waiting: 1 }, is: ['ordered', 0] },
  {
    what: 'is reserved when carts hold it before those who wait',
    usage: { paid: 4, carts: 1, waiting: 9 },
    is: ['reserved', 0],
  },
  {
    what: 'is ordered when vouchers keep it before carts',
    usage: { paid: 3, vouchers: 2, carts: 4 },
    is: ['ordered', 0],
  },
  {
    what: 'is gone when paid tickets take it, whatever is pending',
    usage: { paid: 5, pending: 9 },
    is: ['gone', 0],
  },
  {
    what: 'takes off everything',
    usage: { paid: 1, pending: 1, vouchers: 1, carts: 1 },
    is: ['available', 1],
  },
  {
    what: 'does not count those who wait when asked not to',
    usage: { paid: 4, waiting: 1 },
    view: { ignoreWaiting: true },
    is: ['available', 1],
  },
  { what: 'has room again for those who left', usage: { paid: 5, exitedPaid: 2 }, is: ['available', 2] },
  {
    what: 'has room again for those who left without paying',
    usage: { paid: 3, pending: 2, exitedPending: 1 },
    is: ['available', 1],
  },
  {
    what: 'is ordered when those who left have made room for pending ones',
    usage: { paid: 5, exitedPaid: 2, pending: 2 },
    is: ['ordered', 0],
  },
  { what: 'has nothing while it is closed', closed: true, is: ['ordered', 0] },
  { what: 'has nothing while it is closed, limit or not', closed: true, size: null, is: ['ordered', 0] },
  {
    what: 'is looked at as if it were open',
    closed: true,
    view: { ignoreClosed: true },
    is: ['available', 5],
  },
  {
    what: 'never ends without a size',
    size: null,
    usage: { paid: 900, carts: 900 },
    is: ['available', null],
  },
  { what: 'is gone at once with a size of nothing', size: 0, is: ['gone', 0] },
]

describe('what is left of a quota', () => {
  for (const { what, size = 5, closed = false, usage = {}, view = {}, is } of rows)
    it(what, () => {
      const [state, number] = is
      assert.deepEqual(availability({ size, closed }, { paid: 0, pending: 0, ...usage }, view), {
        state,
        number,
      })
    })

  it('is never negative, and is a number only while it is available', () => {
    const count = fc.nat({ max: 8 })
    const usage = fc.record({
      paid: count,
      pending: count,
      vouchers: count,
      leased: count,
      carts: count,
      waiting: count,
    })
    fc.assert(
      fc.property(fc.nat({ max: 20 }), usage, (size, taken) => {
        const { state, number } = availability({ size, closed: false }, taken)
        const rest = size - Object.values(taken).reduce((sum, one) => sum + one, 0)
        assert.equal(number, Math.max(0, rest))
        assert.equal(state === 'available', rest > 0)
      }),
    )
  })
})

describe('closing a quota', () => {
  const quota = { size: 2, closed: false, close_when_sold_out: true }
  const nothing = { paid: 0, pending: 0 }
  for (const [what, values, usage, isClosed] of [
    ['that is paid', {}, { paid: 2 }, true],
    ['that is ordered', {}, { pending: 2 }, true],
    ['that vouchers keep', {}, { vouchers: 2 }, true],
    ['that people wait for', {}, { waiting: 2 }, true],
    ['that carts hold', {}, { carts: 2 }, false],
    ['that stations may sell', {}, { leased: 2 }, false],
    ['that has something left', {}, { paid: 1 }, false],
    ['that is closed already', { closed: true }, { paid: 2 }, false],
    ['that does not ask for it', { close_when_sold_out: false }, { paid: 2 }, false],
  ] as const)
    it(`${isClosed ? 'is due for' : 'leaves alone'} one ${what}`, () => {
      assert.equal(isToClose({ ...quota, ...values }, { ...nothing, ...usage }), isClosed)
    })
})

describe('the availability of a product', () => {
  const of = (state: Availability['state'], number: number | null): Availability => ({ state, number })
  for (const [what, quotas, least] of [
    ['has no limit without quotas', [], of('available', null)],
    ['is that of its quota', [of('available', 3)], of('available', 3)],
    [
      'is the least number',
      [of('available', 3), of('available', 1), of('available', null)],
      of('available', 1),
    ],
    ['is the worst state', [of('available', 3), of('gone', 0), of('reserved', 0)], of('gone', 0)],
  ] as const)
    it(what, () => assert.deepEqual(leastOf(quotas), least))
})

describe('what is left of products that share quotas', () => {
  const numbers: Readonly<Record<string, number | null>> = { all: 10, few: 3, none: 0, endless: null }
  const left = (...products: readonly (readonly string[])[]) =>
    leftTogether(products, (name) => numbers[name] ?? null)

  it('is the sum where each has its own', () => assert.equal(left(['all'], ['few']), 13))
  it('is counted once where they share one', () => assert.equal(left(['all'], ['all']), 10))
  it('is bounded by a part of them', () => assert.equal(left(['all', 'few'], ['all', 'none']), 3))
  it('has no limit where one of them has none', () => assert.equal(left(['few'], ['endless']), null))
  it('is nothing where nothing is sold', () => assert.equal(left(), 0))
})

describe('the best that can be said of a date', () => {
  for (const [what, quotas, best] of [
    ['is unknown without quotas', [], null],
    ['is unknown where nothing of a quota is on sale', [{ state: 'available', products: [] }], null],
    [
      'is available where one product is',
      [
        { state: 'gone', products: ['a'] },
        { state: 'available', products: ['b'] },
      ],
      'available',
    ],
    [
      'is gone where another quota holds the product back',
      [
        { state: 'gone', products: ['a'] },
        { state: 'available', products: ['a'] },
      ],
      'gone',
    ],
    [
      'is reserved where carts alone hold it',
      [
        { state: 'reserved', products: ['a'] },
        { state: 'available', products: ['a'] },
      ],
      'reserved',
    ],
    ['is gone where it is ordered', [{ state: 'ordered', products: ['a'] }], 'gone'],
  ] as const)
    it(what, () => assert.equal(bestState(quotas), best))

  it('is answered in numbers', () => {
    assert.deepEqual(stateNumber, { gone: 0, ordered: 10, reserved: 20, available: 100 })
  })
})
