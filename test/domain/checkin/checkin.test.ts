import assert from 'node:assert/strict'
import { decide } from '../../../server/domain/checkin/checkin.ts'
import { admit, everyCombination, list, plain, scan, ticket, verdict } from './circumstances.ts'

describe('the check-in decision', () => {
  for (const type of ['entry', 'exit'] as const) {
    for (const missing of [false, true]) {
      it(`finds the first of all that speaks against an ${type}, open questions ${missing}`, () => {
        for (const found of everyCombination) {
          const c = found.reduce((before, { change }) => change(before), {
            ...scan({ type })(plain),
            missing,
          })
          const first = found.find(({ exit }) => exit || type === 'entry')
          const open = missing && type === 'entry' ? 'incomplete' : 'admit'
          assert.equal(verdict(decide(c)), first?.reason ?? open)
          assert.deepEqual(decide(scan({ force: true })(c)), admit(first !== undefined))
        }
      })
    }
  }

  it('calls a canceled ticket unpaid for a client that does not know canceled', () => {
    const c = ticket({ canceled: true })(scan({ canceled_supported: false })(plain))
    assert.equal(verdict(decide(c)), 'unpaid')
  })

  const statuses = [
    ['n', 'admit'],
    ['p', 'admit'],
    ['e', 'canceled'],
    ['c', 'canceled'],
  ] as const
  for (const [order_status, expected] of statuses) {
    it(`answers ${expected} for an order of status ${order_status} that is valid while pending`, () => {
      assert.equal(verdict(decide(ticket({ order_status, valid_if_pending: true })(plain))), expected)
    })
  }

  it('admits a paid order that once required approval', () => {
    assert.deepEqual(decide(ticket({ require_approval: true })(plain)), admit(false))
  })

  it('admits at both ends of the validity of a ticket, however they are written', () => {
    for (const at of ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00.000000Z', '2020-01-01T19:00:00+09:00']) {
      const limits = ticket({
        valid_from: '2020-01-01T10:00:00.000000Z',
        valid_until: '2020-01-01T10:00:00Z',
      })
      assert.deepEqual(decide(limits(scan({ at })(plain))), admit(false))
    }
  })

  it('ignores an unpaid order only when both the list and the scan say so', () => {
    for (const include_pending of [false, true]) {
      for (const ignore_unpaid of [false, true]) {
        const c = ticket({ order_status: 'n' })(list({ include_pending })(scan({ ignore_unpaid })(plain)))
        assert.equal(verdict(decide(c)), include_pending && ignore_unpaid ? 'admit' : 'unpaid')
      }
    }
  })

  it('does not ask questions when the client cannot, or is forced, and does not call that forced', () => {
    const open = { ...plain, missing: true }
    assert.deepEqual(decide(scan({ questions_supported: false })(open)), admit(false))
    assert.deepEqual(decide(scan({ force: true })(open)), admit(false))
  })

  it('says from when a ticket is valid, in the zone of the event', () => {
    const decision = decide(ticket({ valid_from: '2020-01-01T12:00:00Z' })(plain))
    const explanation = 'Only valid from 21:00'
    assert.deepEqual(decision, { outcome: 'refuse', reason: 'invalid_time', explanation })
  })

  it('says until when a ticket was valid, in the language asked for', () => {
    const c = { ...ticket({ valid_until: '2019-12-24T12:00:00Z' })(plain), locale: 'de' }
    const explanation = 'Nur bis 24.12.2019 21:00 gültig'
    assert.deepEqual(decide(c), { outcome: 'refuse', reason: 'invalid_time', explanation })
  })

  it('says why the rules refuse', () => {
    const c = list({ rules: { '<': [{ var: 'entries_number' }, 0] } })(plain)
    const explanation = 'Maximum number of entries exceeded'
    assert.deepEqual(decide(c), { outcome: 'refuse', reason: 'rules', explanation })
  })

  it('has nothing to say beyond the reason otherwise', () => {
    const c = ticket({ blocked: ['admin'] })(plain)
    assert.deepEqual(decide(c), { outcome: 'refuse', reason: 'blocked', explanation: null })
  })
})
