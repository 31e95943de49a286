import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { revoke } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, verdict } from './checkin-door.ts'
import { openSignedDoor, type SignedDoor, signCode, trustKey } from './signed-door.ts'

const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '000Z')

for (const engine of engines)
  describe(`a signed ticket where the orders are held as well, on ${engine.name}`, () => {
    const doors: SignedDoor[] = []
    const open = async (above: Parameters<typeof openSignedDoor>[1]): Promise<SignedDoor> => {
      const door = await openSignedDoor(engine, { with_orders: true, ...above })
      doors.push(door)
      return door
    }
    after(async () => {
      for (const door of doors) await door.server.close()
    })

    const scheme = 'gatehouse_1'

    it('is a new sale when it was issued after the data came, and off the list when before', async () => {
      const door = await open({ last_data: minutesAgo(60) })
      const fresh = door.sign({ issued: minutesAgo(59) }, scheme)
      assert.equal(verdict(await door.redeem(fresh)), '201 ok')
      const close = door.sign({ issued: minutesAgo(61) }, scheme)
      assert.equal(verdict(await door.redeem(close)), '201 ok')
      const old = door.sign({ issued: minutesAgo(63) }, scheme)
      const answer = await door.redeem(old)
      assert.equal(verdict(answer), '400 error revoked')
      assert.equal(bodyOf(answer).reason_explanation, 'A genuine ticket, but not on the guest list any more')
      assert.equal(verdict(await door.redeem(old, { force: true })), '201 ok')
      assert.equal((await scansOf(door, old)).at(-1)?.forced, 1)
    })

    it('without a time of issue is a new sale only while the data is old', async () => {
      const old = await open({ last_data: minutesAgo(10) })
      assert.equal(verdict(await old.redeem(old.sign())), '201 ok')
      const fresh = await open({ last_data: minutesAgo(0) })
      assert.equal(verdict(await fresh.redeem(fresh.sign())), '400 error revoked')
      const none = await open({ last_data: null })
      assert.equal(verdict(await none.redeem(none.sign())), '201 ok')
    })

    it('is admitted or refused whenever it was issued, if that is what the station is set to', async () => {
      const open1 = await open({ last_data: minutesAgo(0), settings: { signed_unknown: 'accept' } })
      assert.equal(verdict(await open1.redeem(open1.sign({ issued: minutesAgo(600) }, scheme))), '201 ok')
      const closed = await open({ last_data: null, settings: { signed_unknown: 'refuse' } })
      assert.equal(
        verdict(await closed.redeem(closed.sign({ issued: minutesAgo(0) }, scheme))),
        '400 error revoked',
      )
    })

    it('is judged by its order where that is known', async () => {
      const door = await open({ last_data: minutesAgo(0) })
      const code = door.sign()
      const ticket = await door.sell(code, {}, { status: 'n' })
      const answer = await door.redeem(code)
      assert.equal(verdict(answer), '400 error unpaid')
      assert.equal((bodyOf(answer).position as RowData).id, ticket.id)
      assert.ok(!('signed' in bodyOf(answer)))
    })
  })

for (const engine of engines)
  describe(`a signed ticket where every order is known, on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open())
      await trustKey(door, door.place, 1)
    })
    after(() => door.server.close())

    it('is unknown without its order, also to force, and noted with what it was for', async () => {
      const code = signCode({ item: door.item, variation: 8, subevent: 9 })
      const answer = await door.redeem(code)
      assert.equal(verdict(answer), '404 error invalid')
      assert.equal(bodyOf(answer).detail, 'Not found.')
      const [stored] = await door.database.all(
        sql`SELECT raw_item, raw_variation, raw_subevent, "position", successful FROM checkin WHERE raw_barcode = ${code}`,
      )
      const raw = { raw_item: door.item, raw_variation: 8, raw_subevent: 9 }
      assert.deepEqual(stored, { ...raw, position: null, successful: 0 })
      assert.equal(verdict(await door.redeem(code, { force: true })), '404 error invalid')
    })

    it('is revoked when its code is on the list, though its order is gone', async () => {
      const code = signCode({ item: door.item })
      await door.write((tx) => revoke(tx, door.place, code))
      assert.equal(verdict(await door.redeem(code, { force: true })), '400 error revoked')
    })

    it('that was admitted elsewhere before its order was known here is not admitted again', async () => {
      const code = signCode({ item: door.item })
      await door.write((tx) =>
        insertRow(tx, checkin, door.place, {
          ...blankRow(checkin),
          id: tx.nextId(),
          position: null,
          raw_barcode: code,
          list: door.list,
          datetime: tx.now,
          created: tx.now,
          type: 'entry',
        }),
      )
      await door.sell(code)
      assert.equal(verdict(await door.redeem(code)), '400 error already_redeemed')
    })
  })
