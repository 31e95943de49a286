import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { addDevice, addGate, addList, addSubevent } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, type Ticket, verdict } from './checkin-door.ts'

interface AuditRow {
  readonly action: string
  readonly actor_kind: string
  readonly actor: number
  readonly resource: string
  readonly row_id: number
  readonly data: string
}

for (const engine of engines)
  describe(`what a scan leaves behind on ${engine.name}`, () => {
    let door: Door
    let gate: number
    let device: number
    const scanner = { Authorization: 'Device north-1' }
    before(async () => {
      door = await openDoor(await engine.open(), neverTwice())
      const { organizer } = door.place
      await door.write(async (tx) => {
        gate = await addGate(tx, organizer, 'North')
        device = await addDevice(tx, organizer, 7, 'north-1', { gate })
      })
    })
    after(() => door.server.close())

    const lastAudit = async (): Promise<AuditRow> => {
      const row = await door.database.get<AuditRow>(sql`SELECT * FROM audit ORDER BY id DESC LIMIT 1`)
      assert.ok(row)
      return row
    }
    const feedOf = async () =>
      Number(
        (
          await door.database.get<{ seq: number }>(
            sql`SELECT seq FROM feed WHERE organizer = ${door.place.organizer} AND event = ${door.place.event}`,
          )
        )?.seq,
      )
    const modified = async (ticket: Ticket) =>
      (
        await door.database.get<{ last_modified: string }>(
          sql`SELECT last_modified FROM orders WHERE id = ${ticket.order}`,
        )
      )?.last_modified

    it('is a check-in with its device and gate', async () => {
      const ticket = await door.sell('at the gate')
      const answer = await door.redeem('at the gate', { nonce: 'g1' }, scanner)
      assert.equal(verdict(answer), '201 ok')
      const [scan] = await scansOf(door, 'at the gate')
      assert.deepEqual([scan?.device, scan?.gate, scan?.nonce], [device, gate, 'g1'])
      assert.deepEqual([scan?.position, scan?.list, scan?.type], [ticket.id, door.list, 'entry'])
      const { checkins } = bodyOf(answer).position as { checkins: Record<string, unknown>[] }
      assert.deepEqual(
        [checkins[0]?.gate, checkins[0]?.device, checkins[0]?.device_id, checkins[0]?.id],
        [gate, device, 7, scan?.id],
      )
    })

    it('is an entry in the audit trail about the order', async () => {
      const ticket = await door.sell('audited')
      await door.redeem('audited', { datetime: '2030-06-01T10:00:00Z' }, scanner)
      const row = await lastAudit()
      assert.deepEqual(
        [row.action, row.actor_kind, row.actor, row.resource, row.row_id],
        ['ticketsvc.event.checkin', 'device', device, 'order', ticket.order],
      )
      assert.deepEqual(JSON.parse(row.data), {
        position: ticket.id,
        positionid: 1,
        list: door.list,
        type: 'entry',
        datetime: '2030-06-01T10:00:00.000000Z',
        first_checkin: true,
        forced: false,
      })
      await door.redeem('audited', { type: 'exit' })
      assert.equal(JSON.parse((await lastAudit()).data).first_checkin, false)
    })

    it('is a change in the feed', async () => {
      await door.sell('fed')
      const before = await feedOf()
      await door.redeem('fed')
      const [scan] = await scansOf(door, 'fed')
      const change = await door.database.get<{ seq: number; op: string }>(
        sql`SELECT seq, op FROM change WHERE resource = 'checkin' AND row_id = ${Number(scan?.id)}`,
      )
      assert.deepEqual(change && { ...change }, { seq: before + 1, op: 'put' })
      assert.equal(await feedOf(), before + 1)
    })

    it('is a change of the order', async () => {
      const ticket = await door.sell('modified')
      const before = String(await modified(ticket))
      await door.redeem('modified')
      assert.ok(String(await modified(ticket)) > before)
    })

    it('is a failed scan with its reason when it is refused, and no change of the order', async () => {
      const ticket = await door.sell('refused', {}, { status: 'n' })
      const before = await modified(ticket)
      await door.redeem('refused', { nonce: 'r1', type: 'exit' }, scanner)
      const [scan] = await scansOf(door, 'refused')
      assert.deepEqual(
        [scan?.successful, scan?.error_reason, scan?.position, scan?.list, scan?.type, scan?.ordinal],
        [0, 'unpaid', ticket.id, door.list, 'exit', null],
      )
      assert.deepEqual([scan?.device, scan?.gate, scan?.nonce], [device, gate, 'r1'])
      assert.equal(await modified(ticket), before)
      const row = await lastAudit()
      assert.deepEqual(
        [row.action, row.resource, row.row_id],
        ['ticketsvc.event.checkin.denied', 'order', ticket.order],
      )
      assert.equal(JSON.parse(row.data).reason, 'unpaid')
    })

    it('is a failed scan on the first list when nobody knows the code', async () => {
      const other = await door.write(async (tx) => {
        const { organizer } = door.place
        const event = await addEvent(tx, organizer, 'second')
        return addList(tx, { organizer, event }, 'Second')
      })
      await door.redeem('who is it', { lists: [other, door.list] })
      const [scan] = await scansOf(door, 'who is it')
      assert.deepEqual([scan?.list, scan?.position, scan?.error_reason], [other, null, 'invalid'])
      const row = await lastAudit()
      assert.deepEqual(
        [row.action, row.resource, row.row_id],
        ['ticketsvc.event.checkin.unknown', 'checkin_list', other],
      )
    })

    it('is a failed scan on the list that was scanned on, when the ticket is of another date', async () => {
      const [friday, saturday] = await door.write(async (tx) => [
        await addSubevent(tx, door.place, 'Friday'),
        await addSubevent(tx, door.place, 'Saturday'),
      ])
      const list = await door.makeList({ subevent: friday })
      const ticket = await door.sell('wrong day', { subevent: saturday })
      await door.redeem('wrong day', { lists: [list] })
      const [scan] = await scansOf(door, 'wrong day')
      assert.deepEqual([scan?.list, scan?.position, scan?.error_reason], [list, ticket.id, 'product'])
    })

    it('keeps the explanation of a refusal', async () => {
      const list = await door.makeList({ rules: { '<': [{ var: 'entries_number' }, 0] } })
      await door.sell('explained')
      const answer = await door.redeem('explained', { lists: [list] })
      const [scan] = await scansOf(door, 'explained')
      assert.ok(scan?.error_explanation)
      assert.equal(scan?.error_explanation, bodyOf(answer).reason_explanation)
    })
  })
