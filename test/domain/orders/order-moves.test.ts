import assert from 'node:assert/strict'
import {
  endOfDay,
  type OrderMove,
  paymentDeadline,
  whyNoMove,
} from '../../../server/domain/orders/order-moves.ts'
import {
  lastPayment,
  type OrderStatus,
  paidSum,
  statusAfterChange,
} from '../../../server/domain/orders/payments.ts'

const moves: Readonly<Record<OrderMove, string>> = {
  mark_paid: 'ne',
  mark_pending: 'p',
  mark_expired: 'n',
  mark_canceled: 'npe',
  mark_refunded: 'p',
  reactivate: 'c',
  extend: 'ne',
  approve: '',
  deny: '',
}

describe('an order', () => {
  for (const [move, states] of Object.entries(moves) as [OrderMove, string][])
    it(`can ${move} from "${states}" only`, () => {
      const possible = (['n', 'p', 'e', 'c'] as const).filter(
        (status) => whyNoMove(move, { status, require_approval: false }) === null,
      )
      assert.equal(possible.join(''), states)
    })

  it('is approved or denied while it waits for that, and not paid before', () => {
    const waiting = { status: 'n', require_approval: true } as const
    assert.equal(whyNoMove('approve', waiting), null)
    assert.equal(whyNoMove('deny', waiting), null)
    assert.match(whyNoMove('mark_paid', waiting) ?? '', /not approved/)
    assert.match(whyNoMove('approve', { status: 'c', require_approval: true }) ?? '', /canceled/)
  })

  for (const [what, status, total, newTotal, paid, approval, next] of [
    ['stays paid when it gets cheaper', 'p', 5000, 3000, 5000, false, 'p'],
    ['stays paid when it was paid too much before', 'p', 5000, 6000, 6000, false, 'p'],
    ['is pending again when it gets dearer', 'p', 5000, 6000, 5000, false, 'n'],
    ['stays paid when nothing changes, whatever was paid', 'p', 5000, 5000, 0, false, 'p'],
    ['is paid when it gets as cheap as what was paid', 'n', 5000, 3000, 3000, false, 'p'],
    ['is paid when it costs nothing any more', 'e', 5000, 0, 0, false, 'p'],
    ['stays pending while something is missing', 'n', 5000, 3000, 2999, false, 'n'],
    ['stays pending while it waits for approval', 'n', 5000, 0, 0, true, 'n'],
    ['stays canceled', 'c', 5000, 0, 0, false, 'c'],
  ] as const)
    it(what, () => {
      const order: { status: OrderStatus; total: number; require_approval: boolean } = {
        status,
        total,
        require_approval: approval,
      }
      assert.equal(statusAfterChange(order, newTotal, paid), next)
    })
})

describe('the payments of an order', () => {
  const payment = { state: 'confirmed', amount: 1000, provider: 'manual', payment_date: null }

  it('sum up to what has arrived', () => {
    const open = ['created', 'pending', 'canceled', 'failed'].map((state) => ({ ...payment, state }))
    assert.equal(paidSum([payment, ...open, payment]), 2000)
  })

  it('are shown by the last one, its day as the event’s clocks show it', () => {
    const evening = { ...payment, payment_date: '2030-05-31T22:30:00.000000Z' }
    const shown = lastPayment([evening, { ...payment, provider: 'banktransfer' }], 'Europe/Berlin')
    assert.deepEqual(shown, { payment_date: '2030-06-01', payment_provider: 'banktransfer' })
    assert.deepEqual(lastPayment([], 'UTC'), { payment_date: null, payment_provider: null })
  })
})

describe('the time to pay', () => {
  for (const [now, days, timezone, deadline] of [
    ['2030-06-01T10:00:00.000000Z', 14, 'UTC', '2030-06-15T23:59:59.000000Z'],
    ['2030-06-01T10:00:00.000000Z', 0, 'Europe/Berlin', '2030-06-01T21:59:59.000000Z'],
    ['2030-06-01T22:30:00.000000Z', 1, 'Europe/Berlin', '2030-06-03T21:59:59.000000Z'],
    ['2030-03-25T10:00:00.000000Z', 14, 'Europe/Berlin', '2030-04-08T21:59:59.000000Z'],
    ['2030-02-20T01:00:00.000000Z', 14, 'America/New_York', '2030-03-06T04:59:59.000000Z'],
  ] as const)
    it(`ends at ${deadline}, ${days} days after ${now} in ${timezone}`, () => {
      assert.equal(paymentDeadline(now, days, timezone), deadline)
    })

  it('ends with the day', () => {
    assert.equal(endOfDay('2030-12-31', 'Asia/Tokyo'), '2030-12-31T14:59:59.000000Z')
  })
})
