import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { failedReasons } from '../../../schema/bodies/redeem.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { addDevice, addGate, addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor, scansOf } from './checkin-door.ts'

for (const engine of engines)
  describe(`telling of a scan that was refused elsewhere, on ${engine.name}`, () => {
    let door: Door
    let gate: number
    let device: number
    let foreignList: number
    let foreignPosition: number
    let foreignItem: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { organizer } = door.place
      await door.write(async (tx) => {
        gate = await addGate(tx, organizer, 'North')
        device = await addDevice(tx, organizer, 1, 'north', { gate })
        const place = { organizer, event: await addEvent(tx, organizer, 'ball') }
        foreignList = await addList(tx, place, 'Ball')
        const item = await addItem(tx, place, 'Ball')
        foreignItem = item
        const sold = await addOrder(tx, place, [{ item, secret: 'ball' }])
        foreignPosition = Number(sold.positions[0])
      })
    })
    after(() => door.server.close())

    const tell = (body: unknown, list: number | string = door.list, token = 'Token all') =>
      door.server.call('POST', `${door.server.ev}/checkinlists/${list}/failed_checkins/`, body, {
        Authorization: token,
      })

    it('stores it with everything said, by whom and where, and gives it back', async () => {
      const body = {
        raw_barcode: 'all said',
        error_reason: 'rules',
        error_explanation: 'too early',
        datetime: '2030-06-01T10:00:00+02:00',
        type: 'exit',
        raw_item: door.item,
        raw_variation: null,
        raw_subevent: null,
        nonce: 'all-1',
      }
      const answer = await tell(body, door.list, 'Device north')
      assert.deepEqual(
        [answer.status, answer.body],
        [201, { ...body, datetime: '2030-06-01T08:00:00Z', position: null }],
      )
      const [scan] = await scansOf(door, 'all said')
      const { id, created, ...stored } = { ...scan } as RowData
      assert.ok(id && created)
      assert.deepEqual(stored, {
        ...stored,
        organizer: door.place.organizer,
        event: door.place.event,
        successful: 0,
        error_reason: 'rules',
        error_explanation: 'too early',
        position: null,
        datetime: '2030-06-01T08:00:00.000000Z',
        list: door.list,
        gate,
        device,
        type: 'exit',
        nonce: 'all-1',
        forced: 1,
        force_sent: 1,
        raw_item: door.item,
        raw_variation: null,
        raw_subevent: null,
        ordinal: null,
      })
    })

    it('refuses times that no database should hold, and marks those that are years away', async () => {
      for (const datetime of ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'])
        assert.equal((await tell({ raw_barcode: 'no clock', error_reason: 'error', datetime })).status, 400)
      assert.deepEqual(await scansOf(door, 'no clock'), [])
      const datetime = '2045-06-01T12:00:00Z'
      assert.equal((await tell({ raw_barcode: 'odd clock', error_reason: 'error', datetime })).status, 201)
      const [scan] = await scansOf(door, 'odd clock')
      assert.equal(scan?.datetime, '2045-06-01T12:00:00.000000Z')
      const mark = await door.database.get(sql`SELECT kind FROM conflict WHERE checkin = ${scan?.id}`)
      assert.equal(mark?.kind, 'clock_skew')
    })

    it('finds the position by the code where none is said', async () => {
      const ticket = await door.sell('known code')
      await tell({ raw_barcode: 'known code', error_reason: 'unpaid' })
      const [scan] = await scansOf(door, 'known code')
      assert.deepEqual([scan?.position, scan?.type], [ticket.id, 'entry'])
    })

    it('refuses a product, variation or date that is not of the event', async () => {
      for (const name of ['raw_item', 'raw_variation', 'raw_subevent']) {
        const answer = await tell({ raw_barcode: 'foreign', error_reason: 'product', [name]: foreignItem })
        assert.deepEqual(
          [answer.status, answer.body],
          [400, { [name]: [`Invalid pk "${foreignItem}" - object does not exist.`] }],
        )
      }
      assert.deepEqual(await scansOf(door, 'foreign'), [])
    })

    it('takes the position that is said', async () => {
      const ticket = await door.sell('said')
      const answer = await tell({ raw_barcode: 'unreadable', error_reason: 'error', position: ticket.id })
      assert.equal((answer.body as { position: number }).position, ticket.id)
      const [scan] = await scansOf(door, 'unreadable')
      assert.equal(scan?.position, ticket.id)
    })

    it('takes every reason there is', async () => {
      for (const error_reason of failedReasons)
        assert.equal((await tell({ raw_barcode: 'reasons', error_reason })).status, 201, error_reason)
    })

    it('stores a nonce once for each code, and without a nonce every time', async () => {
      for (const barcode of ['repeated', 'repeated', 'repeated too', 'repeated'])
        assert.equal(
          (await tell({ raw_barcode: barcode, error_reason: 'invalid', nonce: 'rep-1' })).status,
          201,
        )
      assert.equal((await scansOf(door, 'repeated')).length, 1)
      assert.equal((await scansOf(door, 'repeated too')).length, 1)
      for (const nonce of [undefined, null])
        await tell({ raw_barcode: 'plain', error_reason: 'error', nonce })
      assert.equal((await scansOf(door, 'plain')).length, 2)
    })

    it('stores a nonce once for a position, whatever its code', async () => {
      const ticket = await door.sell('by position')
      const body = { error_reason: 'error', position: ticket.id, nonce: 'pos-1' }
      await tell({ ...body, raw_barcode: 'first reading' })
      await tell({ ...body, raw_barcode: 'second reading' })
      assert.equal((await scansOf(door, 'first reading')).length, 1)
      assert.equal((await scansOf(door, 'second reading')).length, 0)
    })

    it('does not change what the ticket may do', async () => {
      await door.sell('still good')
      await tell({ raw_barcode: 'still good', error_reason: 'product' })
      assert.equal((await door.redeem('still good')).status, 201)
    })

    const refused: readonly [string, () => unknown, readonly string[]][] = [
      ['no code', () => ({ error_reason: 'invalid' }), ['raw_barcode']],
      ['an empty code', () => ({ error_reason: 'invalid', raw_barcode: '' }), ['raw_barcode']],
      [
        'a code without end',
        () => ({ error_reason: 'invalid', raw_barcode: 'x'.repeat(8193) }),
        ['raw_barcode'],
      ],
      ['no reason', () => ({ raw_barcode: 'bad' }), ['error_reason']],
      ['an unknown reason', () => ({ raw_barcode: 'bad', error_reason: 'mood' }), ['error_reason']],
      [
        'the reason of an undone scan',
        () => ({ raw_barcode: 'bad', error_reason: 'annulled' }),
        ['error_reason'],
      ],
      ['nothing at all', () => ({}), ['error_reason', 'raw_barcode']],
      ['a list', () => [], ['non_field_errors']],
      [
        'a position of another event',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', position: foreignPosition }),
        ['position'],
      ],
      [
        'an unknown position',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', position: 999999 }),
        ['position'],
      ],
      [
        'a time that is none',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', datetime: 'x' }),
        ['datetime'],
      ],
      [
        'a strange product',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', raw_item: 'x' }),
        ['raw_item'],
      ],
      [
        'a product beyond every number',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', raw_item: 1e300 }),
        ['raw_item'],
      ],
      [
        'a position beyond every number',
        () => ({ raw_barcode: 'bad', error_reason: 'invalid', position: 2 ** 53 }),
        ['position'],
      ],
    ]
    for (const [what, body, fields] of refused)
      it(`refuses ${what} with 400 on the field, and stores nothing`, async () => {
        const answer = await tell(body())
        assert.equal(answer.status, 400)
        assert.deepEqual(Object.keys(answer.body as object).sort(), fields)
        assert.deepEqual(await scansOf(door, 'bad'), [])
      })

    it('answers 404 for a list that is not of the event', async () => {
      for (const list of [999999, foreignList, 'x'])
        assert.equal((await tell({ raw_barcode: 'bad', error_reason: 'invalid' }, list)).status, 404)
    })
  })
