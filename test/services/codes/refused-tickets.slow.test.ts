import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { insertRow, insertRows } from '../../../server/resource/store.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import { overheard } from '../../bench/statements.ts'
import { openDoor } from '../../routes/checkin/checkin-door.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import {
  countOf,
  makeDevice,
  startPair,
  type TestNode,
  until,
  type Venue,
} from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'
import { type Sale, saleSent } from '../../support/ticketing/sale-sent.ts'

const site = 500

describe('a ticket of a sale that a device reported which may not sell', () => {
  let central: TestServer
  let station: TestNode
  let venue: Venue
  let device: number
  beforeEach(async () => {
    const pair = await startPair(['A'])
    central = pair.central
    station = pair.station
    venue = pair.venue
    device = Number((await makeDevice(central, 'Till', { security_profile: 'gate' })).device_id)
    await central.running.transactions.database.run(
      sql`UPDATE device SET token_hash = ${hashToken('till')}, initialized = created, site = ${site}
          WHERE device_id = ${device}`,
    )
  })
  afterEach(async () => {
    await station.close()
    await central.close()
  })

  const day = '2030-06-01T10:00:00.000000Z'
  async function report(nonce: string, change: Sale): Promise<RowData> {
    const clock = { boot: 'b', mono: 1, device_time: day, clock_offset: 0 }
    const { event } = central
    const payload = saleSent(venue.item, site, change)
    const fact = {
      nonce,
      kind: 'order',
      event,
      site,
      site_seq: Number(nonce),
      device: null,
      ...clock,
      payload,
    }
    const push = { protocol: 1, ...clock, facts: [fact] }
    const answer = await central.call('POST', `${central.org}/sync/push/`, push, {
      Authorization: 'Device till',
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return (answer.body as { results: RowData[] }).results[0] ?? {}
  }
  const redeem = async (secret: string, language = 'en') => {
    const path = `${central.org}/checkinrpc/redeem/`
    const answer = await central.call(
      'POST',
      path,
      { secret, lists: [venue.list] },
      { 'Accept-Language': language },
    )
    const { status, reason, reason_explanation: why } = answer.body as RowData
    return [answer.status, status, reason ?? null, why ?? null]
  }
  const decide = (action: string, nonces: readonly string[]) =>
    central.call('POST', `${central.org}/sync/quarantine/apply/`, { action, nonces })
  const atStation = (count: number) =>
    until('the station knows', async () => (await countOf(station, 'refused_ticket')) === count)
  const sentence = 'Reported by a device that may not sell – call a supervisor'
  const refused = [400, 'error', 'blocked', sentence]
  const unknown = [404, 'error', 'invalid', null]

  it('is refused at every door with a sentence that says so, and admitted once a person has taken the sale in', async () => {
    assert.equal((await report('1', { position: { secret: 'SOLD' } })).status, 'quarantined')
    assert.deepEqual(await redeem('SOLD'), refused)
    assert.deepEqual(await redeem('SOLE'), unknown)
    await atStation(1)
    const scanned = await station.scan('SOLD')
    assert.deepEqual(
      [scanned.status, scanned.reason, scanned.reason_explanation],
      ['error', 'blocked', sentence],
    )
    assert.equal((await decide('apply', ['1'])).status, 200)
    await until('the station has the order', async () => (await station.scan('SOLD')).status === 'ok')
    await atStation(0)
    assert.equal((await redeem('SOLD'))[2], 'already_redeemed')
  })

  it('is refused at the station that sold it as well, which has it, except by force', async () => {
    await central.running.transactions.database.run(
      sql`UPDATE device SET security_profile = 'gate' WHERE name = 'North'`,
    )
    const { organizer, event } = central
    const place = { organizer, event }
    const payload = saleSent(venue.item, station.transactions.site, { position: { secret: 'OWN' } })
    const sold = payload as { order: StoredRow<typeof order>; positions: StoredRow<typeof orderPosition>[] }
    await station.transactions.write(async (tx) => {
      await insertRow(tx, order, place, sold.order)
      await insertRows(tx, orderPosition, place, sold.positions)
      tx.fact(place, null, { kind: 'order', payload })
    })
    await atStation(1)
    if ((await countOf(station, 'order_position', "secret = 'OWN'")) === 0)
      await station.transactions.write(async (tx) => {
        await insertRow(tx, order, place, sold.order)
        await insertRows(tx, orderPosition, place, sold.positions)
      })
    const scanned = await station.scan('OWN')
    assert.deepEqual([scanned.reason, scanned.reason_explanation], ['blocked', sentence])
    const forced = await station.call('POST', `${central.org}/checkinrpc/redeem/`, {
      ...{ secret: 'OWN', lists: [venue.list], force: true },
    })
    assert.equal((forced.body as RowData).status, 'ok', JSON.stringify(forced.body))
  })

  it('is refused likewise where its box office was revoked before it could report, until somebody decides', async () => {
    await central.running.transactions.database.run(
      sql`UPDATE device SET security_profile = 'boxoffice', revoked = 1 WHERE device_id = ${device}`,
    )
    const words = 'Sold by a device that was shut out – call a supervisor'
    assert.equal((await report('1', { position: { secret: 'SOLD' } })).status, 'quarantined')
    assert.equal((await report('2', { position: { secret: 'GONE' } })).status, 'quarantined')
    assert.deepEqual(await redeem('SOLD'), [400, 'error', 'blocked', words])
    await atStation(2)
    assert.equal((await station.scan('SOLD')).reason_explanation, words)
    await decide('apply', ['1'])
    await decide('discard', ['2'])
    assert.equal((await redeem('SOLD'))[1], 'ok')
    assert.deepEqual(await redeem('GONE'), unknown)
    await atStation(0)
  })

  it('is unknown once the sale is discarded', async () => {
    await report('1', { position: { secret: 'SOLD' } })
    await atStation(1)
    await decide('discard', ['1'])
    assert.deepEqual(await redeem('SOLD'), unknown)
    await atStation(0)
  })

  it('is noted once, however often the sale is reported', async () => {
    await report('1', { position: { secret: 'SOLD' } })
    await report('1', { position: { secret: 'SOLD' } })
    assert.equal(await countOf(central.running, 'refused_ticket'), 1)
  })

  it('keeps nobody else out whose code it names', async () => {
    await report('1', { position: { secret: 'A' } })
    assert.equal((await redeem('A'))[1], 'ok')
    assert.equal(await countOf(central.running, 'refused_ticket'), 0)
  })
})

describe('whether a code is of a refused sale, on SQLite', () => {
  it('is asked of unknown codes only, by an index', async () => {
    const file = await openMemory()
    const { database, listen } = overheard(file)
    const door = await openDoor(database)
    await door.sell('A')
    const asked = async (code: string, status: number) => {
      const said = await listen(async () => assert.equal((await door.redeem(code)).status, status))
      assert.ok(said.length > 0)
      return said.filter(({ text }) => text.includes('refused_ticket'))
    }
    assert.deepEqual(await asked('A', 201), [])
    const [only, ...others] = await asked('B', 404)
    assert.deepEqual(others, [])
    const plan = await file.all<{ detail: string }>(
      sql`${raw(`EXPLAIN QUERY PLAN ${only?.text.replaceAll('?', "'x'")}`)}`,
    )
    assert.match(plan.map(({ detail }) => detail).join(), /USING INDEX refused_by_secret/)
    await door.server.close()
  })
})
