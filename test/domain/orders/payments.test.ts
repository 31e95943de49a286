import assert from 'node:assert/strict'
import { isPaidBy, paidSum, refundedSum } from '../../../server/domain/orders/payments.ts'

const payment = (state: string, amount: number) => ({ state, amount, provider: 'manual', payment_date: null })
const refund = (state: string, amount: number) => ({ state, amount, payment: null })

describe('what has arrived of the money for an order', () => {
  it('is what was confirmed, also where it was given back later', () => {
    const states = ['created', 'pending', 'confirmed', 'canceled', 'failed', 'refunded']
    assert.equal(paidSum(states.map((state, index) => payment(state, 10 ** index))), 100 + 100_000)
  })

  it('is less by what is given back or on its way back', () => {
    const states = ['created', 'transit', 'external', 'canceled', 'failed', 'done']
    const refunds = states.map((state, index) => refund(state, 10 ** index))
    assert.equal(refundedSum(refunds), 1 + 10 + 100_000)
    assert.equal(paidSum([payment('refunded', 500_000)], refunds), 500_000 - 100_011)
  })

  it('pays an order that is open and approved when it is enough', () => {
    const order = (status: 'n' | 'p' | 'e' | 'c', require_approval = false) => ({
      ...{ status, require_approval },
      total: 2300,
    })
    assert.deepEqual(
      (['n', 'p', 'e', 'c'] as const).map((status) => isPaidBy(order(status), 2300)),
      [true, false, true, false],
    )
    assert.deepEqual(
      [2299, 2300, 2301].map((paid) => isPaidBy(order('n'), paid)),
      [false, true, true],
    )
    assert.equal(isPaidBy(order('n', true), 5000), false)
  })
})
