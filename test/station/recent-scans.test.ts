import assert from 'node:assert/strict'
import type { RowData } from '../../server/resource/codec.ts'
import { addList } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

describe('the last scans of a station', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    await desk.sell('first', { attendee_name: 'Ada' })
    await desk.sell('second', { attendee_name: 'Grace' })
  })
  afterEach(() => desk.close())

  const recent = async () => {
    const { status, body } = await desk.call('GET', '/api/v1/station/scans/')
    assert.equal(status, 200)
    return body.results as readonly RowData[]
  }
  const short = ({ code, status, reason, can_undo }: RowData) => [code, status, reason, can_undo]

  it('are shown again as they were answered, the newest first', async () => {
    const { body: admitted } = await desk.scan('first')
    desk.env.pass(10_000)
    await desk.scan('first')
    desk.env.pass(10_000)
    await desk.scan('nobody')
    const all = await recent()
    assert.deepEqual(all.map(short), [
      ['nobody', 'error', 'invalid', false],
      ['first', 'error', 'already_redeemed', false],
      ['first', 'ok', null, true],
    ])
    const last = all[2]
    assert.ok(last)
    for (const name of ['nonce', 'at', 'type', 'list', 'checkin_texts', 'require_attention'])
      assert.deepEqual(last[name], admitted[name], name)
    assert.equal((last.position as RowData).attendee_name, 'Ada')
  })

  it('can be taken back for as long as the server would do it, and are left out after that', async () => {
    await desk.scan('first')
    await desk.scan('second')
    const [second] = await recent()
    assert.equal((await desk.call('POST', '/api/v1/station/undo/', { nonce: second?.nonce })).status, 200)
    assert.deepEqual((await recent()).map(short), [['first', 'ok', null, true]])
    desk.env.pass(15 * 60_000 + 1)
    assert.deepEqual((await recent()).map(short), [['first', 'ok', null, false]])
    desk.env.pass(12 * 3_600_000)
    assert.deepEqual(await recent(), [])
  })

  it('are one where a reading was refused at first and admitted then', async () => {
    await desk.sell('unpaid', {}, { status: 'n' })
    const { body } = await desk.scan('unpaid')
    assert.equal(body.reason, 'unpaid')
    await desk.scan('unpaid', { ignore_unpaid: true, nonce: body.nonce })
    assert.deepEqual((await recent()).map(short), [['unpaid', 'ok', null, true]])
  })

  it('are those of its list, and none before it is set up', async () => {
    await desk.scan('first')
    const other = await desk.transactions.write((tx) => addList(tx, desk.place, 'Other'))
    await desk.setUp({ list: other })
    assert.deepEqual(await recent(), [])
    const fresh = await openDesk()
    assert.deepEqual((await fresh.call('GET', '/api/v1/station/scans/')).body, { results: [] })
    await fresh.close()
  })
})
