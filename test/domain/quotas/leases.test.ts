import assert from 'node:assert/strict'
import { takeFromLeases, type UsableLease } from '../../../server/domain/quotas/lease-sales.ts'
import {
  endOf,
  freeOf,
  isForfeited,
  isToProlong,
  type LeaseFacts,
  laterBy,
  outstandingOf,
  sellingTime,
  wishFor,
  withReported,
} from '../../../server/domain/quotas/leases.ts'
import type { QuotaFacts } from '../../../server/domain/quotas/quotas.ts'
import { isCodeOf, siteLetters } from '../../../server/domain/text/site-letters.ts'

const at = (clock: string): string => `2030-06-01T${clock}:00.000000Z`

const lease = (values: Partial<LeaseFacts> = {}): LeaseFacts => ({
  ...{ id: 1, quota: 7, parent: null, size: 10, used: 0, state: 'open' },
  ...{ created: at('10:00'), until: at('14:00') },
  ...values,
})

describe('how many to ask for', () => {
  const cases: readonly [recent: number, rest: number, free: number, wish: number, why: string][] = [
    [0, 100, 0, 5, 'at least five'],
    [12, 100, 0, 12, 'as many as in the last twenty minutes'],
    [50, 100, 0, 20, 'a fifth of the rest at most'],
    [50, 80, 20, 0, 'nothing while half is at hand, counting own ones to the rest'],
    [50, 90, 10, 10, 'what is missing once half is gone'],
    [0, 100, 3, 0, 'nothing while more than half is at hand'],
    [0, 100, 2, 3, 'what is missing when less than half is at hand'],
    [0, 10, 0, 2, 'a fifth, even when that is less than five'],
    [0, 3, 0, 1, 'one of the last ones'],
    [9, 1, 0, 1, 'the last one'],
    [9, 0, 0, 0, 'nothing where nothing is left'],
    [9, 0, 1, 0, 'nothing where only own ones are left'],
  ]
  for (const [recent, rest, free, wish, why] of cases)
    it(`is ${wish} with ${rest} left, ${free} at hand and ${recent} sold lately: ${why}`, () => {
      assert.equal(wishFor({ recent, rest, free }), wish)
    })
})

describe('what is free of a lease', () => {
  const free = (one: LeaseFacts, own = 0, parts: LeaseFacts[] = [], now = at('12:00')): number =>
    freeOf(one, parts, own, now)

  it('is what was not sold of it, until its end', () => {
    assert.equal(free(lease(), 4), 6)
    assert.equal(free(lease({ used: 7 }), 4), 3)
    assert.equal(free(lease(), 12), 0)
    assert.equal(free(lease(), 0, [], '2030-06-01T13:59:59.999999Z'), 10)
    assert.equal(free(lease(), 0, [], at('14:00')), 0)
  })

  it('is nothing once it was returned or has expired', () => {
    assert.equal(free(lease({ state: 'returned' })), 0)
    assert.equal(free(lease({ state: 'expired' })), 0)
  })

  it('is without what was given on, sold or not, until that ends', () => {
    const part = (values: Partial<LeaseFacts>) => lease({ id: 2, parent: 1, size: 4, ...values })
    assert.equal(free(lease(), 1, [part({ used: 3 })]), 5)
    assert.equal(free(lease(), 1, [part({ used: 3, state: 'expired' })]), 6)
    assert.equal(free(lease(), 1, [part({ used: 2, size: 3, state: 'returned' })]), 6)
    assert.equal(free(lease({ used: 9 }), 1, [part({ used: 3, state: 'expired' })]), 1)
  })

  it('counts as taken upstream until it is sold or has expired', () => {
    assert.equal(outstandingOf(lease({ used: 4 })), 6)
    assert.equal(outstandingOf(lease({ used: 12 })), 0)
    assert.equal(outstandingOf(lease({ size: 5, used: 4, state: 'returned' })), 1)
    assert.equal(outstandingOf(lease({ used: 4, state: 'expired' })), 0)
  })

  it('follows from rows and from what was reported, whichever is surer', () => {
    const reported = { sold: 3, size: 6, until: at('15:00'), state: 'returned' as const }
    assert.deepEqual(withReported(lease(), reported), {
      ...lease(),
      ...{ used: 3, size: 6, until: at('15:00'), state: 'returned' },
    })
    const nothing = { sold: 0, size: null, until: null, state: null }
    const row = lease({ used: 5, size: 8, state: 'expired' })
    assert.deepEqual(withReported(row, nothing), row)
    assert.deepEqual(withReported(row, { ...nothing, size: 9, until: at('11:00') }), row)
    assert.equal(withReported(row, undefined), row)
  })
})

describe('when a lease ends', () => {
  it('is after the usual term, a day at most, and never after what it is a part of', () => {
    const now = at('10:00')
    assert.equal(endOf(now, null, null), at('14:00'))
    assert.equal(endOf(now, at('11:00'), null), at('11:00'))
    assert.equal(endOf(now, '2031-01-01T00:00:00.000000Z', null), '2030-06-02T10:00:00.000000Z')
    assert.equal(endOf(now, null, at('12:00')), at('12:00'))
    assert.equal(endOf(now, at('11:00'), at('12:00')), at('11:00'))
  })

  it('is given up by whoever gave it twelve minutes later', () => {
    assert.equal(isForfeited(lease(), '2030-06-01T14:11:59.999999Z'), false)
    assert.equal(isForfeited(lease(), at('14:12')), true)
  })

  it('is put off while less than half of the usual term is left', () => {
    assert.equal(isToProlong(lease(), at('12:00')), false)
    assert.equal(isToProlong(lease(), '2030-06-01T12:00:00.000001Z'), true)
  })

  const anchor = { at: at('12:00'), mono: 5000, boot: 'a' }
  const minute = 60_000
  const clocks: readonly [clock: string, mono: number, boot: string, time: string, why: string][] = [
    ['12:01', 5000 + minute, 'a', '12:01', 'both clocks agree'],
    ['09:00', 5000 + minute, 'a', '12:01', 'the clock was set back'],
    ['13:00', 5000 + minute, 'a', '13:00', 'the machine slept, or its clock was set forward'],
    ['09:00', 1, 'b', '12:00', 'the clock was set back before a restart'],
    ['12:30', 1, 'b', '12:30', 'the program was restarted'],
  ]
  for (const [clock, mono, boot, time, why] of clocks)
    it(`goes by ${time} when ${why}`, () => {
      assert.equal(sellingTime(at(clock), mono, boot, anchor), at(time))
    })

  it('goes by the clock alone before anything was sure', () => {
    assert.equal(sellingTime(at('09:00'), 1, 'a', null), at('09:00'))
    assert.equal(laterBy(at('09:00'), 0.4), at('09:00'))
  })
})

describe('what a sale takes from leases', () => {
  const quota = (id: number, values: Partial<QuotaFacts> = {}): QuotaFacts => ({
    ...{ id, name: `Q${id}`, size: 100, closed: false, items: [1], variations: [], subevent: null },
    ...values,
  })
  const usable = (id: number, ofQuota: number, free: number, until = at('14:00')): UsableLease => ({
    ...{ id, quota: ofQuota, parent: null, until, free },
  })
  const line = { item: 1, variation: null, subevent: null }
  const taken = (sale: ReturnType<typeof takeFromLeases>): number[][] =>
    sale.leases.map(({ lease: id, count }) => [id, count])

  it('is one of every limited quota that counts a line', () => {
    const quotas = [quota(1), quota(2), quota(3, { size: null }), quota(4, { items: [9] })]
    const leases = [usable(11, 1, 5), usable(12, 2, 5)]
    const sale = takeFromLeases(quotas, leases, [line, line], null)
    assert.deepEqual(taken(sale), [
      [11, 2],
      [12, 2],
    ])
    assert.deepEqual(sale.shortages, [null, null])
  })

  it('is of what ends first', () => {
    const leases = [usable(11, 1, 5), usable(12, 1, 1, at('13:00'))]
    assert.deepEqual(taken(takeFromLeases([quota(1)], leases, [line, line], null)), [
      [12, 1],
      [11, 1],
    ])
  })

  it('is nothing for a line that one of its quotas has no lease for', () => {
    const quotas = [quota(1), quota(2)]
    const other = { item: 5, variation: null, subevent: null }
    const sale = takeFromLeases(
      [...quotas, quota(3, { items: [5] })],
      [usable(11, 1, 2), usable(13, 3, 1)],
      [line, other],
      null,
    )
    assert.deepEqual(taken(sale), [[13, 1]])
    assert.deepEqual(sale.shortages, [{ kind: 'used up', quota: quotas[1] }, null])
  })

  it('is nothing of closed quotas and for what no quota counts', () => {
    const closed = quota(1, { closed: true })
    assert.deepEqual(takeFromLeases([closed], [usable(11, 1, 2)], [line], null).shortages, [
      { kind: 'used up', quota: closed },
    ])
    assert.deepEqual(takeFromLeases([], [], [line], null).shortages, [{ kind: 'none' }])
  })

  it('is at risk where somebody insists, after the leases and up to a limit', () => {
    const sale = takeFromLeases([quota(1)], [usable(11, 1, 1)], [line, line, line], new Map([[1, 1]]))
    assert.deepEqual([taken(sale), sale.risks], [[[11, 1]], [{ quota: 1, count: 1 }]])
    assert.equal(sale.shortages.filter((one) => one !== null).length, 1)
    const closed = takeFromLeases([quota(1, { closed: true })], [usable(11, 1, 1)], [line], new Map([[1, 1]]))
    assert.deepEqual([closed.leases, closed.risks], [[], [{ quota: 1, count: 1 }]])
    assert.deepEqual(takeFromLeases([], [], [line], new Map()).shortages, [null])
  })
})

describe('the letters of a site', () => {
  it('are none for central and different for every other one', () => {
    assert.equal(siteLetters(0), '')
    const words = Array.from({ length: 3000 }, (_, site) => siteLetters(site))
    assert.equal(new Set(words).size, 3000)
    assert.ok(words.every((word) => /^[ABCDEFGHJKLMNPQRSTUVWXYZ3789]*$/.test(word)))
    assert.equal(siteLetters(2 ** 21 - 1).length, 5)
  })

  it('say whose code it is', () => {
    const mine = `ABCDE${siteLetters(30)}`
    assert.deepEqual(
      [isCodeOf(mine, 30), isCodeOf(mine, 31), isCodeOf('ABCDE', 30), isCodeOf('ABCDE', 0)],
      [true, false, false, false],
    )
  })
})
