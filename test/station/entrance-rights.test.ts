import assert from 'node:assert/strict'
import type { RowData } from '../../server/resource/codec.ts'
import { type Desk, openDesk } from './desk.ts'

const org = '/api/v1/organizers/acme'
const office = { Authorization: 'Token all' }

describe('what staff may do at an entrance', () => {
  let desk: Desk
  let bob: number
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    await desk.sell('ticket-1')
    await desk.sell('ticket-2', {}, { status: 'n' })
    bob = await hire('Bob', '123456', 'supervisor')
    await hire('Sue', '1111', 'steward')
  })
  afterEach(() => desk.close())

  async function hire(name: string, pin: string, role: string): Promise<number> {
    const { body } = await desk.call('POST', `${org}/staff/`, { name, role }, office)
    const set = await desk.call('POST', `${org}/staff/${body.id}/set_pin/`, { pin }, office)
    assert.equal(set.status, 200, JSON.stringify(set.body))
    return Number(body.id)
  }
  const asked = async () => {
    const set = await desk.call('PATCH', `${org}/settings/`, { entrance_staff_asked: true }, office)
    assert.equal(set.status, 200)
  }
  const leave = async (act: string): Promise<Record<string, string>> => {
    const shown = { staff: bob, pin: '123456', act, reason: 'Looked at the card' }
    const { status, body } = await desk.call('POST', `${org}/pos/step_up/`, shown)
    assert.equal(status, 201, JSON.stringify(body))
    return { 'X-Step-Up': String(body.token) }
  }
  const waive = (headers = {}, more: RowData = { ignore_unpaid: true }) =>
    desk.call(
      'POST',
      '/api/v1/station/scan/',
      { code: 'ticket-2', source: 'hand', nonce: 'n2', ...more },
      headers,
    )
  const refusedFor = ({ status, body }: { readonly status: number; readonly body: RowData }) => [
    ...[status, body.reason, body.right],
  ]

  it('is everything where the organizer has nobody asked', async () => {
    assert.equal((await desk.call('GET', '/api/v1/station/')).body.settings?.['asks_staff' as never], false)
    assert.equal((await waive()).body.status, 'ok')
    assert.equal((await desk.call('POST', '/api/v1/station/undo/', { nonce: 'n2' })).status, 200)
  })

  it('is admitting all the same, only when a supervisor allows it, also past the screen', async () => {
    await asked()
    assert.equal((await desk.scan('ticket-1', { nonce: 'n1' })).body.status, 'ok')
    assert.deepEqual(refusedFor(await waive()), [403, 'step_up', 'override'])
    assert.deepEqual(refusedFor(await waive({}, { force: true })), [403, 'step_up', 'override'])
    const redeem = { secret: 'ticket-2', lists: [desk.list], force: true }
    const past = await desk.call('POST', `${org}/checkinrpc/redeem/`, redeem)
    assert.deepEqual(refusedFor(past), [403, 'step_up', 'override'])
    const wrong = await leave('settings')
    assert.equal((await waive(wrong)).status, 403)
    const token = await leave('override')
    assert.equal((await waive(token)).body.status, 'ok')
    assert.equal((await waive({ ...token }, { ignore_unpaid: true, nonce: 'n3' })).status, 403)
  })

  it('is undoing, only when a supervisor allows it or has signed in', async () => {
    await asked()
    await desk.scan('ticket-1', { nonce: 'n1' })
    const undo = (headers = {}) => desk.call('POST', '/api/v1/station/undo/', { nonce: 'n1' }, headers)
    assert.deepEqual(refusedFor(await undo()), [403, 'step_up', 'override'])
    const annul = await desk.call('POST', `${org}/checkinrpc/annul/`, { nonce: 'n1', lists: [desk.list] })
    assert.deepEqual(refusedFor(annul), [403, 'step_up', 'override'])
    assert.equal((await undo(await leave('override'))).status, 200)
    await desk.scan('ticket-1', { nonce: 'n4' })
    await desk.call('POST', `${org}/pos/sign_in/`, { staff: bob, pin: '123456' })
    assert.equal((await desk.call('POST', '/api/v1/station/undo/', { nonce: 'n4' })).status, 200)
  })

  it('is another list or gate and leaving the central server, but not which way guests go', async () => {
    await asked()
    assert.equal((await desk.setUp({ direction: 'exit', sound: false })).status, 200)
    assert.deepEqual(refusedFor(await desk.setUp({ gate: null })), [403, 'step_up', 'settings'])
    const leaving = await desk.call('POST', '/api/v1/station/leave/', { export_done: true })
    assert.deepEqual(refusedFor(leaving), [403, 'step_up', 'settings'])
    const moved = await desk.call(
      'PUT',
      '/api/v1/station/settings/',
      { organizer: 'acme', event: 'gala', list: desk.list, direction: 'entry', gate: null },
      await leave('settings'),
    )
    assert.equal(moved.status, 200)
    assert.equal(
      (await desk.call('PATCH', `${org}/settings/`, { entrance_staff_asked: false }, office)).status,
      200,
    )
  })
})
