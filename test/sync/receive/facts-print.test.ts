import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { isForwarded } from '../../../server/http/forward.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { lockPosition } from '../../../server/services/orders/position-lock.ts'
import { printsOf } from '../../../server/services/orders/print-logs.ts'
import { readPrint, recordPrint } from '../../../server/services/orders/print-record.ts'
import { restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { engines } from '../../support/engines/engines.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

const siteSpan = 2 ** 32

for (const engine of engines)
  describe(`a print that a station tells of, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
    })
    afterEach(() => upstream.close())

    const printed = (position: number, row: RowData = {}) => ({
      row: {
        ...{ id: 101 * siteSpan + 5, position, datetime: dayAt('09:00'), created: dayAt('09:01') },
        ...{ source: 'till', type: 'ticket', info: { tray: 1 }, successful: true, device: 3 },
        ...row,
      },
      secret: 'code',
    })
    const tell = (payload: RowData, station = upstream.north) =>
      upstream.apply(upstream.fact('print', station, payload), { at: dayAt('09:02') })
    const prints = async (id: number) =>
      (await printsOf(upstream.database, upstream.place.organizer, [id])).get(id) ?? []

    it('is kept with its id, its time and its device, once', async () => {
      const { id, order } = await upstream.sell('code')
      const { last_modified: before } = (await upstream.database.get<{ last_modified: string }>(
        sql`SELECT last_modified FROM orders WHERE id = ${order}`,
      )) ?? { last_modified: '' }
      assert.deepEqual(await tell(printed(id)), { status: 'applied' })
      assert.deepEqual(await tell(printed(id)), { status: 'applied' })
      assert.deepEqual(await prints(id), [
        {
          ...{ id: 101 * siteSpan + 5, successful: true, datetime: '2030-06-01T09:00:00Z', source: 'till' },
          ...{ type: 'ticket', info: { tray: 1 }, device_id: 1 },
        },
      ])
      const after = await upstream.database.get<{ last_modified: string }>(
        sql`SELECT last_modified FROM orders WHERE id = ${order}`,
      )
      assert.ok((after?.last_modified ?? '') > before)
      const audited = await upstream.database.all(
        sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.order.print'`,
      )
      assert.equal(audited.length, 1)
    })

    it('has the right time where the station gave it its own', async () => {
      const { id } = await upstream.sell('code')
      await tell(printed(id, { datetime: dayAt('09:01') }))
      assert.equal((await prints(id))[0]?.datetime, '2030-06-01T09:02:00Z')
    })

    it('gets another id where its own is taken or not of its site', async () => {
      const { id } = await upstream.sell('code')
      await tell(printed(id))
      assert.deepEqual(await tell(printed(id, { source: 'other' })), { status: 'applied', rejoin: true })
      assert.deepEqual(await tell(printed(id, { id: 7 })), { status: 'applied' })
      assert.equal(new Set((await prints(id)).map((row) => row.id)).size, 3)
    })

    it('waits for a ticket that may be on its way, and is refused for one that is not', async () => {
      const sold = await tell(printed(102 * siteSpan + 1))
      assert.deepEqual([sold.status, sold.reason], ['rejected', 'unknown_order'])
      const fresh = upstream.fact('print', upstream.north, printed(102 * siteSpan + 1))
      const waiting = await upstream.apply(fresh, { at: dayAt('09:59') })
      assert.deepEqual([waiting.status, waiting.reason], ['retry', 'unknown_order'])
    })

    it('is refused when it says nothing', async () => {
      const { id } = await upstream.sell('code')
      for (const row of [{ type: 'poster' }, { datetime: 'soon' }, { id: 0 }, { info: 'x' }])
        await assert.rejects(tell(printed(id, row)), /Refusal/)
      await assert.rejects(tell({}), /Refusal/)
      assert.deepEqual(await prints(id), [])
    })
  })

for (const engine of engines)
  describe(`a print at a station, on ${engine.name}`, () => {
    let station: UpstreamNode
    before(async () => {
      station = await openUpstreamNode(await engine.open(), 100)
    })
    after(() => station.close())

    it('happens there, is reported, and is put back into a fresh copy', async () => {
      const path = '/api/v1/organizers/acme/events/gala/orderpositions/7/printlog/'
      assert.equal(isForwarded({ method: 'POST', path }, 'station'), false)
      const { transactions, database, place, north } = station
      const { organizer } = place
      const { id } = await station.sell('code')
      const device = { id: north.device, gate: null, profile: 'full' }
      const actor: Actor = {
        ...{ kind: 'station', id: north.device, name: 'North', organizer, device },
        ...{ permissions: new Set(), allEvents: true, events: new Set() },
      }
      await transactions.write(async (tx) => {
        const found = await lockPosition(tx, place, id)
        return recordPrint(tx, { actor, place }, found, readPrint({ source: 'till', type: 'badge' }))
      })
      const shown = async () => (await printsOf(database, organizer, [id])).get(id) ?? []
      const before = await shown()
      assert.equal(before.length, 1)
      const [fact] = await database.all<{ kind: string; device: number | null; payload: string }>(
        sql`SELECT kind, device, payload FROM outbox WHERE kind = 'print'`,
      )
      assert.ok(fact)
      assert.equal(JSON.parse(fact.payload).secret, 'code')
      await database.run(sql`DELETE FROM print_log`)
      await transactions.write((tx) => restoreFacts(tx, [{ ...place, ...fact }]))
      assert.deepEqual(await shown(), before)
      await transactions.write((tx) => restoreFacts(tx, [{ ...place, ...fact }]))
      assert.equal((await shown()).length, 1)
    })
  })
