import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, type Ticket, verdict } from './checkin-door.ts'

for (const engine of engines)
  describe(`a scan that is sent again, on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open())
    })
    after(() => door.server.close())

    const cancel = (ticket: Ticket) =>
      door.database.run(sql`UPDATE orders SET status = 'c' WHERE id = ${ticket.order}`)
    const annul = (nonce: string) =>
      door.server.call('POST', `${door.server.org}/checkinrpc/annul/`, { nonce, lists: [door.list] })

    it('is answered as the first time and stored once', async () => {
      await door.sell('again')
      const first = await door.redeem('again', { nonce: 'n1' })
      const second = await door.redeem('again', { nonce: 'n1' })
      assert.equal(verdict(first), '201 ok')
      assert.deepEqual([second.status, second.body], [first.status, first.body])
      assert.equal((await scansOf(door, 'again')).length, 1)
      assert.equal(verdict(await door.redeem('again', { nonce: 'n2' })), '400 error already_redeemed')
    })

    it('is answered as the first time on the endpoint of one list, by id and by code', async () => {
      const ticket = await door.sell('old way')
      assert.equal(verdict(await door.redeemAt(door.list, ticket.id, { nonce: 'o1' })), '201 ok')
      assert.equal(verdict(await door.redeemAt(door.list, ticket.id, { nonce: 'o1' })), '201 ok')
      assert.equal(verdict(await door.redeemAt(door.list, 'old way', { nonce: 'o1' })), '201 ok')
      const stored = await door.database.all(sql`SELECT id FROM checkin WHERE "position" = ${ticket.id}`)
      assert.equal(stored.length, 1)
    })

    it('is admitted also after the ticket was canceled meanwhile', async () => {
      const ticket = await door.sell('canceled after')
      await door.redeem('canceled after', { nonce: 'c1' })
      await cancel(ticket)
      assert.equal(verdict(await door.redeem('canceled after', { nonce: 'c1' })), '201 ok')
      assert.equal(verdict(await door.redeem('canceled after', { nonce: 'c2' })), '400 error canceled')
    })

    it('is admitted also after it was undone, and does not undo the undoing', async () => {
      await door.sell('undone')
      await door.redeem('undone', { nonce: 'u1' })
      assert.equal((await annul('u1')).status, 200)
      assert.equal(verdict(await door.redeem('undone', { nonce: 'u1' })), '201 ok')
      assert.deepEqual(
        (await scansOf(door, 'undone')).map((scan) => scan.successful),
        [0],
      )
      assert.equal(verdict(await door.redeem('undone', { nonce: 'u2' })), '201 ok')
    })

    it('is a scan of its own on another position', async () => {
      await door.sell('left one')
      await door.sell('right one')
      assert.equal(verdict(await door.redeem('left one', { nonce: 'same' })), '201 ok')
      assert.equal(verdict(await door.redeem('right one', { nonce: 'same' })), '201 ok')
      assert.equal((await scansOf(door, 'right one')).length, 1)
    })

    it('is a scan of its own on another list', async () => {
      const list = await door.makeList()
      await door.sell('two doors')
      assert.equal(verdict(await door.redeem('two doors', { nonce: 'd1' })), '201 ok')
      assert.equal(verdict(await door.redeem('two doors', { nonce: 'd1', lists: [list] })), '201 ok')
      assert.equal((await scansOf(door, 'two doors')).length, 2)
    })

    it('is stored once when it failed, however often it is sent', async () => {
      const list = await door.makeList({ all_products: false })
      await door.sell('fails')
      for (let time = 0; time < 3; time += 1)
        assert.equal(verdict(await door.redeem('fails', { nonce: 'f1', lists: [list] })), '400 error product')
      assert.equal((await scansOf(door, 'fails')).length, 1)
      for (let time = 0; time < 3; time += 1) await door.redeem('unknown again', { nonce: 'f2' })
      assert.equal((await scansOf(door, 'unknown again')).length, 1)
      await door.redeem('unknown again', { nonce: 'f3' })
      assert.equal((await scansOf(door, 'unknown again')).length, 2)
    })

    it('is judged anew when it failed before', async () => {
      const ticket = await door.sell('paid meanwhile', {}, { status: 'n' })
      assert.equal(verdict(await door.redeem('paid meanwhile', { nonce: 'p1' })), '400 error unpaid')
      await door.database.run(sql`UPDATE orders SET status = 'p' WHERE id = ${ticket.order}`)
      assert.equal(verdict(await door.redeem('paid meanwhile', { nonce: 'p1' })), '201 ok')
      assert.equal(verdict(await door.redeem('paid meanwhile', { nonce: 'p1' })), '201 ok')
      assert.deepEqual(
        (await scansOf(door, 'paid meanwhile')).map((scan) => scan.successful),
        [0, 1],
      )
    })

    it('is stored every time where it carries no nonce', async () => {
      for (const nonce of [undefined, null, '']) await door.redeem('no nonce', { nonce })
      assert.equal((await scansOf(door, 'no nonce')).length, 3)
    })

    it('is a replay for other devices too, but a way out is not a way in', async () => {
      await door.write((tx) => addDevice(tx, door.place.organizer, 1, 'gate-a'))
      const headers = { Authorization: 'Device gate-a' }
      await door.sell('in and out')
      assert.equal(verdict(await door.redeem('in and out', { nonce: 'x' }, headers)), '201 ok')
      const out = await door.redeem('in and out', { nonce: 'y', type: 'exit' }, headers)
      assert.equal(verdict(out), '201 ok')
      assert.equal(verdict(await door.redeem('in and out', { nonce: 'x' }, headers)), '201 ok')
      const scans = await scansOf(door, 'in and out')
      assert.deepEqual(
        scans.map((scan) => scan.type),
        ['entry', 'exit'],
      )
    })

    it('leaves no trace in the audit trail, the feed or the order', async () => {
      const ticket = await door.sell('quiet')
      await door.redeem('quiet', { nonce: 'q1' })
      const traces = async () => [
        await door.database.all(sql`SELECT id FROM audit`),
        await door.database.all(sql`SELECT seq FROM feed ORDER BY event`),
        await door.database.all(sql`SELECT last_modified FROM orders WHERE id = ${ticket.order}`),
      ]
      const before = await traces()
      const answer = await door.redeem('quiet', { nonce: 'q1' })
      assert.equal(bodyOf(answer).status, 'ok')
      assert.deepEqual(await traces(), before)
    })
  })
