import assert from 'node:assert/strict'
import { realEnv } from '../../../server/env.ts'
import { effectWithin } from '../../../server/http/forward.ts'
import { patient } from '../../support/mocha/patient.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, followed, makeDevice, startNode, startPair, until } from '../../support/servers/nodes.ts'
import { sellBySeat } from '../../support/ticketing/seats.ts'

const ev = '/api/v1/organizers/acme/events/gala'

/** A central with seats, and two tills below it. */
async function openHall() {
  const network = faultyNetwork(patient(realEnv, effectWithin))
  const { central, station: first, venue } = await startPair([], { env: network.env })
  await sellBySeat(central, venue.item, ['A1', 'A2'])
  const made = await central.call('POST', `${central.ev}/quotas/`, {
    ...{ name: 'Hall', size: 5, items: [venue.item], variations: [] },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const device = await makeDevice(central, 'South')
  const second = await startNode()
  await second.join(central.url, String(device.initialization_token))
  await followed(second)
  await second.setUp(venue.list)
  const hold = (node: typeof first, seat: string, cart: string) =>
    node.call('POST', `${ev}/cartpositions/?upstream=true`, {
      ...{ item: venue.item, price: '10.00', seat, cart_id: `${cart}@api` },
    })
  const sell = (node: typeof first, seat: string, carts: readonly string[]) =>
    node.call('POST', `${ev}/orders/?upstream=true`, {
      ...{ positions: [{ item: venue.item, seat }], status: 'p', payment_provider: 'boxoffice' },
      consume_carts: carts.map((cart) => `${cart}@api`),
    })
  const close = async () => {
    for (const node of [first, second]) await node.close()
    await central.close()
  }
  return { network, central, first, second, hold, sell, close }
}

describe('a seat at two tills', () => {
  it('is held by one, sold by it once, and seen as sold by the other', async () => {
    const { central, first, second, hold, sell, close } = await openHall()
    try {
      const held = await Promise.all([hold(first, 'A1', 'one'), hold(second, 'A1', 'two')])
      assert.deepEqual(held.map(({ status }) => status).sort(), [201, 400])
      const winner = held[0]?.status === 201
      const [own, other] = winner ? [first, second] : [second, first]
      const cart = winner ? 'one' : 'two'
      assert.equal((await sell(other, 'A1', [])).status, 400)
      const sold = await sell(own, 'A1', [cart])
      assert.equal(sold.status, 201, JSON.stringify(sold.body))
      assert.equal(await countOf(central.running, 'order_position', 'seat_id IS NOT NULL'), 1)
      for (const node of [first, second])
        await until('the sale is seen', async () => (await countOf(node, 'order_position')) === 1)
    } finally {
      await close()
    }
  })

  it('can be given back, and taken by the other', async () => {
    const { first, second, hold, close } = await openHall()
    try {
      const { body } = await hold(first, 'A2', 'one')
      assert.equal((await hold(second, 'A2', 'two')).status, 400)
      const { id } = body as { id: number }
      assert.equal((await first.call('DELETE', `${ev}/cartpositions/${id}/?upstream=true`)).status, 204)
      assert.equal((await hold(second, 'A2', 'two')).status, 201)
    } finally {
      await close()
    }
  })

  it('is sold by none that is cut off: it says so, and nothing is sold', async () => {
    const { network, central, first, sell, close } = await openHall()
    try {
      network.down = true
      await until('it knows that it is offline', async () => (await first.link()).state === 'alone')
      const refused = await sell(first, 'A1', [])
      assert.equal(refused.status, 503)
      assert.equal((refused.body as { reason: string }).reason, 'offline')
      assert.match((refused.body as { detail: string }).detail, /Seats and vouchers/)
      assert.equal(await countOf(central.running, 'order_position'), 0)
    } finally {
      await close()
    }
  })
})
