import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import { dayAt } from '../sync/receive/upstream-node.ts'
import { type LinkedStation, openLinkedStation } from './linked-station.ts'

interface ShownPosition {
  readonly checkins: readonly RowData[]
}

describe('a scan at a station below a server', () => {
  let station: LinkedStation
  beforeEach(async () => {
    station = await openLinkedStation()
    await station.data.sell('ticket')
  })
  afterEach(() => station.close())

  const short = ({ status, reason, offline, confirmed }: RowData) => [status, reason, offline, confirmed]
  const lost = (kind: string) => async () => ({
    status: 'conflict' as const,
    conflicts: [
      { id: 1, kind, lost: true, other: { datetime: dayAt('09:30'), device: 'South', gate: 'South gate' } },
    ],
  })
  const stored = () =>
    station.data.database.all(sql`SELECT successful, error_reason FROM checkin ORDER BY id`)

  it('is confirmed', async () => {
    const result = await station.scan('ticket')
    assert.deepEqual(short(result), ['ok', null, false, true])
    const [fact] = await station.facts()
    assert.deepEqual(station.upstream.awaited, [{ nonce: fact?.nonce, milliseconds: 400 }])
  })

  it('is confirmed when the upstream server knew it already', async () => {
    station.upstream.result = async () => ({ status: 'duplicate' })
    assert.deepEqual(short(await station.scan('ticket')), ['ok', null, false, true])
  })

  it('is shown all the same when nobody confirms it', async () => {
    for (const result of [
      null,
      { status: 'retry' },
      { status: 'rejected' },
      { status: 'quarantined' },
    ] as const) {
      station.upstream.result = async () => result
      const code = `ticket ${result?.status}`
      await station.data.sell(code)
      assert.deepEqual(short(await station.scan(code)), ['ok', null, true, false])
    }
  })

  it('does not wait where nobody is to be reached, or nobody wants to wait', async () => {
    station.upstream.isOffline = true
    assert.deepEqual(short(await station.scan('ticket')), ['ok', null, true, false])
    station.upstream.isOffline = false
    station.upstream.settings = { ...station.upstream.settings, confirm_ms: 0 }
    await station.data.sell('second')
    assert.deepEqual(short(await station.scan('second')), ['ok', null, true, false])
    assert.deepEqual(station.upstream.awaited, [])
  })

  it('does not wait when it is refused', async () => {
    assert.deepEqual(short(await station.scan('nobody')), ['error', 'invalid', false, false])
    station.upstream.isOffline = true
    assert.deepEqual(short(await station.scan('nobody else')), ['error', 'invalid', true, false])
    assert.deepEqual(station.upstream.awaited, [])
  })

  it('stays refused while what the upstream server knows is yet to come, and nobody is to be reached', async () => {
    const other = { datetime: dayAt('09:30'), device: 'South', gate: null }
    const pass = { id: 7, type: 'entry', nonce: 'n7', device: station.data.south.device, gate: null } as const
    station.upstream.result = async () => ({
      status: 'conflict',
      conflicts: [{ id: 1, kind: 'double_entry', lost: true, other: { ...other, pass } }],
    })
    await station.scan('ticket')
    station.upstream.isOffline = true
    station.data.env.pass(10_000)
    assert.deepEqual(short(await station.scan('ticket')), ['error', 'already_redeemed', true, false])
  })

  it('stays refused until news of the ticket comes that the upstream server knows something against', async () => {
    for (const [kind, reason] of [
      ['revoked_used', 'revoked'],
      ['canceled_used', 'canceled'],
    ] as const) {
      station.upstream.isOffline = false
      station.upstream.result = lost(kind)
      const { id, order } = await station.data.sell(kind)
      await station.scan(kind)
      station.upstream.isOffline = true
      station.data.env.pass(10_000)
      assert.deepEqual(short(await station.scan(kind)), ['error', reason, true, false])
      const forced = await station.scan(kind, { force: true })
      assert.equal(forced.status, 'ok')
      await station.data.database.run(sql`DELETE FROM checkin WHERE "position" = ${id}`)
      await station.data.database.run(sql`UPDATE orders SET valid_if_pending = 1 WHERE id = ${order}`)
      station.data.env.pass(10_000)
      assert.deepEqual(short(await station.scan(kind)), ['ok', null, true, false])
    }
  })

  it('is refused after all when the upstream server knows of another entry, and is taken back', async () => {
    station.upstream.result = lost('double_entry')
    const result = await station.scan('ticket', { nonce: 'n' })
    assert.deepEqual(short(result), ['error', 'already_redeemed', false, true])
    assert.equal(result.can_undo, false)
    assert.deepEqual((result.position as ShownPosition).checkins, [
      {
        datetime: dayAt('09:30'),
        type: 'entry',
        gate: 'South gate',
        device: 'South',
        auto_checked_in: false,
      },
    ])
    assert.deepEqual(await stored(), [{ successful: 0, error_reason: 'annulled' }])
    const facts = await station.facts()
    assert.deepEqual(
      facts.map(({ kind }) => kind),
      ['checkin', 'annulment'],
    )
    assert.equal(facts[1]?.payload.nonce, 'n')
  })

  it('that was read an hour ago is taken back as well', async () => {
    station.upstream.result = lost('double_entry')
    const result = await station.scan('ticket', { at: dayAt('09:00') })
    assert.deepEqual(short(result), ['error', 'already_redeemed', false, true])
    assert.deepEqual(await stored(), [{ successful: 0, error_reason: 'annulled' }])
  })

  it('shows the other entry once when it has come here meanwhile', async () => {
    station.upstream.result = async (nonce) => {
      const { database, place, list } = station.data
      await database.run(
        sql`INSERT INTO checkin (organizer, event, id, successful, "position", datetime, created, list, auto_checked_in, "type", forced, force_sent, site)
            SELECT organizer, event, 77, 1, id, ${dayAt('09:30')}, ${dayAt('09:30')}, ${list}, 0, 'entry', 0, 0, 0
            FROM order_position WHERE organizer = ${place.organizer} AND secret = 'ticket'`,
      )
      return { ...(await lost('double_entry')()), nonce }
    }
    const result = await station.scan('ticket')
    assert.equal((result.position as ShownPosition).checkins.length, 1)
  })

  for (const [kind, reason] of [
    ['revoked_used', 'revoked'],
    ['canceled_used', 'canceled'],
    ['blocked_used', 'blocked'],
    ['unpaid_used', 'unpaid'],
    ['rule_violation', 'rules'],
  ] as const)
    it(`is refused as ${reason} when the upstream server says ${kind}`, async () => {
      station.upstream.result = lost(kind)
      assert.deepEqual(short(await station.scan('ticket')), ['error', reason, false, true])
      assert.deepEqual(await stored(), [{ successful: 0, error_reason: 'annulled' }])
    })

  it('stands when it is the other one that loses', async () => {
    station.upstream.result = async () => ({
      status: 'applied',
      conflicts: [{ id: 1, kind: 'double_entry', lost: false }],
    })
    assert.deepEqual(short(await station.scan('ticket')), ['ok', null, false, true])
  })

  it('stands when somebody has forced it', async () => {
    station.upstream.result = lost('double_entry')
    assert.deepEqual(short(await station.scan('ticket', { force: true })), ['ok', null, false, true])
    assert.deepEqual(await stored(), [{ successful: 1, error_reason: null }])
  })

  it('is refused once and for all by the answer that came with it', async () => {
    station.upstream.result = lost('double_entry')
    const first = await station.scan('ticket', { source: 'hid' })
    const second = await station.scan('ticket', { source: 'hid' })
    assert.deepEqual([second.repeated, second.reason], [true, first.reason])
    assert.equal(station.upstream.awaited.length, 1)
  })

  it('keeps nobody else waiting', async () => {
    await station.data.sell('second')
    let confirm: (() => void) | undefined
    station.upstream.result = () => new Promise((resolve) => (confirm = () => resolve({ status: 'applied' })))
    const first = station.scan('ticket')
    while (station.upstream.awaited.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const open = confirm
    station.upstream.result = async () => ({ status: 'applied' })
    assert.deepEqual(short(await station.scan('second')), ['ok', null, false, true])
    open?.()
    assert.deepEqual(short(await first), ['ok', null, false, true])
  })
})
