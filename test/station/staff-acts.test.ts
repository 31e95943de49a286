import assert from 'node:assert/strict'
import type { RowData } from '../../server/resource/codec.ts'
import { rightFor } from '../../server/station/staff-acts.ts'
import { type Desk, openDesk } from './desk.ts'

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`

describe('what staff may do at a station', () => {
  let desk: Desk
  let code: string
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    await desk.sell('ticket-1')
    const { body } = await desk.call('GET', `${ev}/orders/`)
    code = String((body.results as RowData[])[0]?.code)
  })
  afterEach(() => desk.close())

  const office = { Authorization: 'Token all' }
  async function hire(name: string, pin: string, role: string): Promise<number> {
    const { status, body } = await desk.call('POST', `${org}/staff/`, { name, role }, office)
    assert.equal(status, 201, JSON.stringify(body))
    const set = await desk.call('POST', `${org}/staff/${body.id}/set_pin/`, { pin }, office)
    assert.equal(set.status, 200)
    return Number(body.id)
  }
  const giveBack = (headers: Record<string, string> = {}) =>
    desk.call(
      'POST',
      `${ev}/orders/${code}/refunds/`,
      { state: 'done', source: 'admin', provider: 'boxoffice', amount: '1.00' },
      headers,
    )
  const signIn = (staff: number, pin: string) => desk.call('POST', `${org}/pos/sign_in/`, { staff, pin })

  it('is everything where nobody signs in', async () => {
    assert.equal((await giveBack()).status, 201)
  })

  it('is nothing before somebody has signed in', async () => {
    await hire('Ada', '4711', 'cashier')
    const { status, body } = await giveBack()
    assert.deepEqual([status, body.reason, body.right], [403, 'sign_in', 'refund'])
    const sale = await desk.call('POST', `${ev}/orders/`, { simulate: true, positions: [] })
    assert.deepEqual([sale.status, sale.body.reason], [403, 'sign_in'])
  })

  it('is what their role allows, and more for one act when a supervisor stands in', async () => {
    const ada = await hire('Ada', '4711', 'cashier')
    const bob = await hire('Bob', '123456', 'supervisor')
    assert.equal((await signIn(ada, '4711')).status, 200)
    const refused = await giveBack()
    assert.deepEqual([refused.status, refused.body.reason], [403, 'step_up'])
    const { body } = await desk.call('POST', `${org}/pos/step_up/`, {
      ...{ staff: bob, pin: '123456', act: 'refund', reason: 'Rain' },
    })
    const token = { 'X-Step-Up': String(body.token) }
    assert.equal((await desk.call('POST', `${ev}/orders/${code}/mark_canceled/`, {}, token)).status, 403)
    assert.equal((await giveBack(token)).status, 201)
    assert.equal((await giveBack(token)).status, 403)
    assert.equal((await signIn(bob, '123456')).status, 200)
    assert.equal((await giveBack()).status, 201)
  })

  it('is asked again under the same key once a supervisor stands in, and done once', async () => {
    const ada = await hire('Ada', '4711', 'cashier')
    const bob = await hire('Bob', '123456', 'supervisor')
    await signIn(ada, '4711')
    const key = { 'X-Idempotency-Key': 'refund-1' }
    assert.equal((await giveBack(key)).status, 403)
    const { body } = await desk.call('POST', `${org}/pos/step_up/`, {
      ...{ staff: bob, pin: '123456', act: 'refund', reason: 'Rain' },
    })
    const token = { 'X-Step-Up': String(body.token), ...key }
    const first = await giveBack(token)
    assert.equal(first.status, 201)
    assert.deepEqual((await giveBack(token)).body, first.body)
  })

  it('is not asked of programs with credentials of their own', async () => {
    await hire('Ada', '4711', 'cashier')
    assert.equal((await giveBack(office)).status, 201)
  })

  it('needs a right for whatever gives money or tickets back', () => {
    const paths: readonly (readonly [string, string, ReturnType<typeof rightFor>])[] = [
      ['POST', `${ev}/orders/`, 'sell'],
      ['POST', `${ev}/orders/ABCDE/payments/`, 'sell'],
      ['POST', `${ev}/orders/ABCDE/payments/1/refund/`, 'refund'],
      ['POST', `${ev}/orders/ABCDE/refunds/2/process/`, 'refund'],
      ['POST', `${ev}/orders/ABCDE/mark_canceled/`, 'cancel'],
      ['DELETE', `${ev}/orderpositions/12/`, 'cancel'],
      ['POST', '/api/v1/station/payments/', 'sell'],
      ['POST', '/api/v1/station/payments/payment-1/spent/', 'sell'],
      ['POST', '/api/v1/station/payments/payment-1/refund/', 'refund'],
      ['POST', '/api/v1/station/payments/payment-1/decide/', 'refund'],
      ['POST', '/api/v1/station/payments/payment-1/ask/', null],
      ['GET', `${ev}/orders/ABCDE/refunds/`, null],
      ['POST', `${ev}/orders/ABCDE/resend_link/`, null],
    ]
    for (const [method, path, right] of paths) assert.equal(rightFor(method, path), right, path)
  })
})
