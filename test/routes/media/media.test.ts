import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { addEvent, addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor } from '../checkin/checkin-door.ts'

for (const engine of engines)
  describe(`reusable media on ${engine.name}`, () => {
    let door: Door
    let n = 0
    const ask = asking(() => door.server)
    const all = () => `${door.server.org}/reusablemedia/`
    const make = (body: RowData = {}, status = 201) =>
      ask('POST', all(), status, { type: 'barcode', identifier: `BAND${n++}`, ...body })
    const list = async (query: string) =>
      resultsOf(await ask('GET', `${all()}?${query}`, 200)).map(({ id }) => id)

    before(async () => {
      door = await openDoor(await engine.open())
    })
    after(() => door.server.close())

    it('stand for tickets, as a list or as one', async () => {
      const [first, second] = [await door.sell('stands 1'), await door.sell('stands 2')]
      const one = await make({ linked_orderposition: first.id })
      assert.deepEqual([one.linked_orderpositions, one.linked_orderposition], [[first.id], first.id])
      const two = await make({ linked_orderpositions: [first.id, second.id] })
      assert.deepEqual(two.linked_orderpositions, [first.id, second.id])
      assert.equal('linked_orderposition' in two, false)
      const path = `${all()}${two.id}/`
      assert.deepEqual(Object.keys(await ask('PATCH', path, 400, { linked_orderposition: null })), [
        'linked_orderposition',
      ])
      const both = { linked_orderposition: first.id, linked_orderpositions: [first.id] }
      await ask('PATCH', path, 400, both)
      const none = await ask('PATCH', path, 200, { linked_orderpositions: [] })
      assert.equal(none.linked_orderposition, null)
      assert.ok(String(none.updated) > String(two.updated))
      assert.deepEqual(await list(`linked_orderposition=${first.id}`), [one.id])
    })

    it('are there once for each type, are never deleted, and keep what they are read as', async () => {
      const row = await make()
      const { type, identifier } = row
      assert.deepEqual(await make({ type, identifier }, 400), {
        identifier: ['A medium with the same identifier and type already exists in your organizer account.'],
      })
      await make({ type: 'nfc_uid', identifier })
      await ask('DELETE', `${all()}${row.id}/`, 405)
    })

    it('are found by what was read of them, with what was asked to be seen', async () => {
      const ticket = await door.sell('found')
      const { server } = door
      const card = await ask('POST', `${server.org}/giftcards/`, 201, { value: '5.00', currency: 'EUR' })
      const row = await make({ linked_orderpositions: [ticket.id], linked_giftcard: card.id })
      const read = { type: row.type, identifier: row.identifier }
      assert.deepEqual(await ask('POST', `${all()}lookup/`, 200, read), { result: row })
      const expand = '?expand=linked_giftcard&expand=linked_orderpositions'
      const { result } = await ask('POST', `${all()}lookup/${expand}`, 200, read)
      const { linked_giftcard, linked_orderpositions } = result as RowData
      assert.deepEqual(linked_giftcard, card)
      const [position] = linked_orderpositions as RowData[]
      assert.deepEqual([position?.id, position?.order], [ticket.id, { code: ticket.code, event: 'gala' }])
      assert.deepEqual(await ask('POST', `${all()}lookup/`, 200, { ...read, type: 'nfc_uid' }), {
        result: null,
      })
      assert.deepEqual(Object.keys(await ask('POST', `${all()}lookup/`, 400, {})), ['type', 'identifier'])
    })

    it('are seen by who may manage them, and show gift cards and customers to who may see those', async () => {
      const { server } = door
      await door.write(async (tx) => {
        await addToken(tx, server.organizer, 'media', { all_events: true, can_manage_reusable_media: true })
        await addToken(tx, server.organizer, 'cards', { all_events: true, can_manage_gift_cards: true })
      })
      const ticket = await door.sell('rights')
      const row = await make({ linked_orderpositions: [ticket.id] })
      const as = (token: string) => ({ Authorization: `Token ${token}` })
      const look = (query: string, token = 'media') =>
        server.call('GET', `${all()}${row.id}/?${query}`, undefined, as(token))
      assert.equal((await look('', 'cards')).status, 403)
      assert.deepEqual((await look('')).body, row)
      assert.equal((await look('expand=linked_giftcard')).status, 403)
      assert.equal((await look('expand=customer')).status, 403)
      const { linked_orderpositions } = (await look('expand=linked_orderpositions')).body as RowData
      assert.deepEqual(linked_orderpositions, [{ id: ticket.id }])
    })

    it('are pointed to tickets of events that the caller may enter, and keep the others', async () => {
      const sold = await door.sell('elsewhere')
      const { running, organizer } = door.server
      await running.transactions.write(async (tx) => {
        await addEvent(tx, organizer, 'other')
        const rights = { can_manage_reusable_media: true, all_events: false, limit_events: ['other'] }
        await addToken(tx, organizer, 'of-other', rights)
      })
      const linked_orderpositions = [sold.id]
      const elsewhere = { Authorization: 'Token of-other' }
      const body = { type: 'barcode', identifier: 'ELSEWHERE', linked_orderpositions }
      const refused = await door.server.call('POST', all(), body, elsewhere)
      assert.deepEqual(
        [refused.status, refused.body],
        [400, { linked_orderpositions: [`Invalid pk "${sold.id}" - object does not exist.`] }],
      )
      const { id } = await make({ linked_orderpositions })
      const change = { linked_orderpositions, notes: 'Found' }
      assert.equal((await door.server.call('PATCH', `${all()}${id}/`, change, elsewhere)).status, 200)
    })

    it('are listed by what has changed, and say from when the list is', async () => {
      const row = await make({ active: false })
      const since = encodeURIComponent(String(row.updated))
      assert.deepEqual(await list(`updated_since=${since}&active=false`), [row.id])
      assert.deepEqual(await list(`identifier=${row.identifier}&type=nfc_uid`), [])
      const answer = await door.server.call('GET', all())
      assert.ok(answer.headers.get('x-page-generated'))
    })

    it('admit the ticket that they stand for, each by its own type', async () => {
      const ticket = await door.sell('admits')
      const { identifier } = await make({ type: 'nfc_uid', linked_orderpositions: [ticket.id] })
      const unknown = await door.redeem(String(identifier))
      assert.deepEqual([unknown.status, (unknown.body as RowData).reason], [404, 'invalid'])
      const { status, body } = await door.redeem(String(identifier), { source_type: 'nfc_uid' })
      assert.deepEqual([status, (body as RowData).status], [201, 'ok'])
      assert.equal(((body as RowData).position as RowData).id, ticket.id)
      const again = (await door.redeem(ticket.secret)).body as RowData
      assert.equal(again.reason, 'already_redeemed')
    })

    it('admit nobody once they are not active, or have expired', async () => {
      const ticket = await door.sell('over')
      for (const over of [{ active: false }, { expires: '2020-01-01T00:00:00Z' }]) {
        const { identifier } = await make({ ...over, linked_orderpositions: [ticket.id] })
        assert.equal(((await door.redeem(String(identifier))).body as RowData).reason, 'invalid')
      }
    })

    it('mean the ticket of the list, or the one that is valid by now', async () => {
      const { server, write, place } = door
      const other = await write((tx) => addItem(tx, place, 'Backstage'))
      const backstage = await door.makeList({ all_products: false, limit_products: [other] })
      const [old, now, pass] = [
        await door.sell('old', { valid_until: '2020-01-01T00:00:00.000000Z' }),
        await door.sell('now'),
        await door.sell('pass', { item: other }),
      ]
      const linked = { linked_orderpositions: [old.id, now.id, pass.id] }
      const { identifier } = await make(linked)
      const admitted = async (lists: number[]) => {
        const { body } = await server.call('POST', `${server.org}/checkinrpc/redeem/`, {
          ...{ secret: identifier, lists },
        })
        const { position, reason } = body as RowData
        return (position as RowData | undefined)?.id ?? reason
      }
      assert.equal(await admitted([backstage]), pass.id)
      const doors = await door.makeList({ all_products: false, limit_products: [door.item] })
      assert.equal(await admitted([doors]), now.id)
    })

    it('say that they are for another event where they are', async () => {
      const { server, write } = door
      const event = await write((tx) => addEvent(tx, server.organizer, `other-${n}`))
      const place = { organizer: server.organizer, event }
      const sold = await write(async (tx) => {
        const item = await addItem(tx, place, 'Elsewhere')
        await addList(tx, place, 'Elsewhere')
        return addOrder(tx, place, [{ item, secret: 'elsewhere' }])
      })
      const { identifier } = await make({ linked_orderpositions: [Number(sold.positions[0])] })
      const { status, body } = await door.redeem(String(identifier))
      const { reason, reason_explanation } = body as RowData
      assert.deepEqual([status, reason], [404, 'invalid'])
      assert.match(String(reason_explanation), /another event/)
    })
  })

describe('reusable media at a station', () => {
  let folder: string
  let central: TestServer
  let node: TestNode
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'media-'))
    central = await startTestServer()
    node = await startNode({ database: folder })
  })
  afterEach(async () => {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('admit while nothing upstream can be reached, and hold no more than a profile is given', async () => {
    const venue = await openVenue(central, ['A'])
    const ask = asking(() => central)
    const all = `${central.org}/reusablemedia/`
    const device = await makeDevice(central, 'North', { security_profile: 'scan' })
    await node.join(central.url, String(device.initialization_token))
    await followed(node)
    await node.setUp(venue.list)
    const medium = { type: 'barcode', identifier: 'BAND', linked_orderpositions: venue.positions }
    await ask('POST', all, 201, { ...medium, label: 'B 1', notes: 'crew' })
    await until('it has come', async () => (await countOf(node, 'reusable_medium')) === 1)
    await central.close()
    const { body } = await node.call('POST', `${all}lookup/`, { type: 'barcode', identifier: 'BAND' })
    const { label, notes, linked_orderpositions } = (body as RowData).result as RowData
    assert.deepEqual([label, notes, linked_orderpositions], ['B 1', null, venue.positions])
    assert.equal((await node.scan('BAND')).status, 'ok')
    assert.equal((await node.scan('A')).reason, 'already_redeemed')
  })

  it('are reported as the tickets that they admitted', async () => {
    const venue = await openVenue(central, ['A'])
    const ask = asking(() => central)
    const device = await makeDevice(central, 'North', { security_profile: 'scan' })
    await ask('POST', `${central.org}/reusablemedia/`, 201, {
      ...{ type: 'barcode', identifier: 'BAND', linked_orderpositions: venue.positions },
    })
    await node.join(central.url, String(device.initialization_token))
    await followed(node)
    await node.setUp(venue.list)
    assert.equal((await node.scan('BAND')).status, 'ok')
    await until('it is reported', async () => (await countOf(central.running, 'checkin')) === 1)
    const path = `${central.ev}/checkinlists/${venue.list}/positions/?has_checkin=true`
    const [position] = resultsOf(await ask('GET', path, 200))
    assert.equal(position?.id, venue.positions[0])
    assert.equal(await countOf(central.running, 'conflict'), 0)
    await central.close()
  })
})
