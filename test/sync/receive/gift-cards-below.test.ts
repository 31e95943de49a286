import assert from 'node:assert/strict'
import { smallLayout } from '../../fixtures/layout.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import {
  countOf,
  followed,
  makeDevice,
  startNode,
  startPair,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`
const everything = { Authorization: 'Token all' }

describe('below another server', () => {
  let central: TestServer
  let station: TestNode
  let gate: TestNode
  const ask = asking(() => central)
  before(async () => {
    ;({ central, station } = await startPair(['A']))
    const device = await makeDevice(central, 'Gate', { security_profile: 'gate' })
    gate = await startNode()
    await gate.join(central.url, String(device.initialization_token))
    await followed(gate)
  })
  after(async () => {
    await gate.close()
    await station.close()
    await central.close()
  })

  it('gift cards are spent upstream and seen here with their history, but not at a gate', async () => {
    const card = await ask('POST', `${org}/giftcards/`, 201, { currency: 'EUR', value: '20.00' })
    const path = `${org}/giftcards/${card.id}/`
    await until('the card has arrived', async () => (await countOf(station, 'gift_card')) === 1)
    const spent = await station.call('POST', `${path}transact/`, { value: '-5', text: 'Bar' }, everything)
    assert.deepEqual([spent.status, (spent.body as { value: string }).value], [200, '15.00'])
    const refused = await station.call('POST', `${path}transact/`, { value: '-15.01' }, everything)
    assert.deepEqual([refused.status, Object.keys(refused.body as object)], [409, ['value']])
    await until(
      'the history has arrived',
      async () => (await countOf(station, 'gift_card_transaction')) === 2,
    )
    const upstream = resultsOf(await ask('GET', `${path}transactions/`, 200))
    const here = (await station.call('GET', `${path}transactions/`)).body
    assert.deepEqual(here, { count: 2, next: null, previous: null, results: upstream })
    assert.equal(((await station.call('GET', path)).body as { value: string }).value, '15.00')
    assert.equal(await countOf(gate, 'gift_card'), 0)
    assert.equal(await countOf(gate, 'gift_card_transaction'), 0)
  })

  it('seats are there everywhere, as the plan upstream says', async () => {
    const body = { name: 'Hall', layout: smallLayout(2, 2) }
    const plan = await ask('POST', `${org}/seatingplans/`, 201, body)
    await ask('PATCH', `${ev}/`, 200, { seating_plan: plan.id })
    for (const node of [station, gate])
      await until('the seats have arrived', async () => (await countOf(node, 'seat')) === 4)
    const [first] = resultsOf((await station.call('GET', `${ev}/seats/`)).body as Record<string, unknown>)
    assert.equal(first?.seat_guid, '1-1')
  })
})
