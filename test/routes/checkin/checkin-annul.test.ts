import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, verdict } from './checkin-door.ts'

for (const engine of engines)
  describe(`undoing a check-in on ${engine.name}`, () => {
    let door: Door
    const first = { Authorization: 'Device first' }
    const second = { Authorization: 'Device second' }
    before(async () => {
      door = await openDoor(await engine.open())
      await door.write(async (tx) => {
        await addDevice(tx, door.place.organizer, 1, 'first')
        await addDevice(tx, door.place.organizer, 2, 'second')
      })
    })
    after(() => door.server.close())

    const annul = (nonce: unknown, more: RowData = {}, headers = first) =>
      door.server.call(
        'POST',
        `${door.server.org}/checkinrpc/annul/`,
        { nonce, lists: [door.list], ...more },
        headers,
      )
    const enter = async (secret: string, nonce: string, more: RowData = {}, headers = first) => {
      await door.sell(secret)
      assert.equal(verdict(await door.redeem(secret, { nonce, ...more }, headers)), '201 ok')
    }

    it('answers 200, and keeps the scan as annulled with what was said', async () => {
      await enter('oops', 'oops-1')
      const answer = await annul('oops-1', { error_explanation: 'wrong person' })
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }])
      const [scan] = await scansOf(door, 'oops')
      assert.deepEqual(
        [scan?.successful, scan?.error_reason, scan?.error_explanation],
        [0, 'annulled', 'wrong person'],
      )
    })

    it('lets the ticket in again, as an entry of its own', async () => {
      await enter('once more', 'more-1')
      await annul('more-1')
      const answer = await door.redeem('once more', { nonce: 'more-2' })
      assert.equal(verdict(answer), '201 ok')
      assert.equal((bodyOf(answer).position as { checkins: unknown[] }).checkins.length, 1)
      assert.deepEqual(
        (await scansOf(door, 'once more')).map((scan) => scan.ordinal),
        [1, 2],
      )
    })

    it('writes the audit trail and the feed, and touches the order', async () => {
      await enter('traced', 'traced-1')
      const [scan] = await scansOf(door, 'traced')
      const changeOf = () =>
        door.database.get<{ seq: number }>(
          sql`SELECT seq FROM change WHERE resource = 'checkin' AND row_id = ${Number(scan?.id)}`,
        )
      const before = await changeOf()
      await annul('traced-1')
      assert.ok(Number((await changeOf())?.seq) > Number(before?.seq))
      const row = await door.database.get<{ action: string }>(
        sql`SELECT action FROM audit ORDER BY id DESC LIMIT 1`,
      )
      assert.equal(row?.action, 'ticketsvc.event.checkin.reverted')
    })

    it('answers 404 where there is no such check-in on these lists', async () => {
      await enter('elsewhere', 'elsewhere-1')
      const other = await door.makeList()
      for (const answer of [await annul('never seen'), await annul('elsewhere-1', { lists: [other] })]) {
        assert.equal(answer.status, 404)
        assert.deepEqual(Object.keys(answer.body as object), ['detail'])
      }
    })

    const refused: readonly [string, () => Promise<{ status: number; body: unknown }>][] = [
      [
        'what was undone before',
        async () => {
          await enter('undone twice', 'twice-1')
          await annul('twice-1')
          return annul('twice-1')
        },
      ],
      [
        'a scan that was refused',
        async () => {
          await door.sell('unpaid', {}, { status: 'n' })
          await door.redeem('unpaid', { nonce: 'unpaid-1' }, first)
          return annul('unpaid-1')
        },
      ],
      [
        'a scan that nobody knew',
        async () => {
          await door.redeem('stranger', { nonce: 'stranger-1' }, first)
          return annul('stranger-1')
        },
      ],
      [
        'the check-in of another device',
        async () => {
          await enter('not yours', 'yours-1')
          return annul('yours-1', {}, second)
        },
      ],
      [
        "a device's check-in for somebody without a device",
        async () => {
          await enter('not theirs', 'theirs-1')
          return annul('theirs-1', {}, { Authorization: 'Token all' })
        },
      ],
      [
        'a check-in after more than fifteen minutes',
        async () => {
          await enter('too late', 'late-1', { datetime: '2030-06-01T10:00:00Z' })
          return annul('late-1', { datetime: '2030-06-01T10:15:01Z' })
        },
      ],
      [
        'what was scanned long ago, when no time is said',
        async () => {
          await enter('long ago', 'long-1', { datetime: '2024-06-01T10:00:00Z' })
          return annul('long-1')
        },
      ],
      [
        'a nonce that several check-ins have',
        async () => {
          await enter('several a', 'several-1')
          await enter('several b', 'several-1')
          return annul('several-1')
        },
      ],
    ]
    for (const [what, act] of refused)
      it(`refuses ${what} with 400`, async () => {
        const answer = await act()
        assert.equal(answer.status, 400)
        assert.deepEqual(Object.keys(answer.body as object), ['non_field_errors'])
      })

    it('allows exactly fifteen minutes', async () => {
      await enter('just in time', 'just-1', { datetime: '2030-06-01T10:00:00Z' })
      assert.equal((await annul('just-1', { datetime: '2030-06-01T10:15:00Z' })).status, 200)
    })

    it('refuses a request without its parts', async () => {
      const bad: readonly RowData[] = [
        { nonce: undefined },
        { nonce: '' },
        { nonce: 5 },
        { lists: undefined },
        { lists: [] },
        { lists: [999999] },
        { datetime: 'soon' },
        { error_explanation: 5 },
      ]
      for (const more of bad) assert.equal((await annul('x', more)).status, 400, JSON.stringify(more))
    })

    it('undoes an exit as well, so that the guest is inside again', async () => {
      await enter('leaves', 'leaves-1', { datetime: '2030-06-01T10:00:00Z' })
      const at = '2030-06-01T10:01:00Z'
      await door.redeem('leaves', { nonce: 'leaves-2', type: 'exit', datetime: at }, first)
      assert.equal((await annul('leaves-2', { datetime: at })).status, 200)
      assert.equal(verdict(await door.redeem('leaves', {}, first)), '400 error already_redeemed')
    })
  })
