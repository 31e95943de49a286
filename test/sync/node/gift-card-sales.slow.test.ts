import assert from 'node:assert/strict'
import { realEnv } from '../../../server/env.ts'
import { effectWithin } from '../../../server/http/forward.ts'
import { patient } from '../../support/mocha/patient.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, startPair, until } from '../../support/servers/nodes.ts'

const ev = '/api/v1/organizers/acme/events/gala'

/** A till below central, and a gift card of 50.00 that both know. */
async function openShop() {
  const network = faultyNetwork(patient(realEnv, effectWithin))
  const { central, station, venue } = await startPair([], { env: network.env })
  const quota = { name: 'Hall', size: null, items: [venue.item], variations: [] }
  assert.equal((await central.call('POST', `${central.ev}/quotas/`, quota)).status, 201)
  const card = { secret: 'FIFTY', value: '50.00', currency: 'EUR' }
  assert.equal((await central.call('POST', `${central.org}/giftcards/`, card)).status, 201)
  await until('the card is known', async () => (await countOf(station, 'gift_card')) === 1)
  const sell = async (key: string) => {
    const part = { provider: 'giftcard', amount: '10.00', info: { gift_card_secret: 'FIFTY' } }
    const body = { positions: [{ item: venue.item, price: '10.00' }], status: 'p', paid_by: [part] }
    const headers = { 'x-idempotency-key': key }
    const answer = await station.call('POST', `${ev}/orders/?upstream=reachable`, body, headers)
    return { status: answer.status, body: answer.body as { code?: string; reason?: string; detail?: string } }
  }
  const offline = () =>
    until('it knows that it is offline', async () => (await station.link()).state === 'alone')
  const close = async () => {
    await station.close()
    await central.close()
  }
  return { network, central, station, sell, offline, close }
}

describe('a gift card at a till below central', () => {
  it('is taken without a limit while central can be asked, and refused in words when it cannot', async () => {
    const { network, central, sell, offline, close } = await openShop()
    try {
      const sold = await sell('first')
      assert.equal(sold.status, 201, JSON.stringify(sold.body))
      assert.equal(await countOf(central.running, 'gift_card', 'value = 4000'), 1)
      network.down = true
      await offline()
      const refused = await sell('second')
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body), /Take another way of paying/)
    } finally {
      await close()
    }
  })

  it('is taken once where the answer is lost and the network goes: nobody says that nothing was done', async () => {
    const { network, central, sell, offline, close } = await openShop()
    try {
      network.spoil = (url, answer) => {
        if (!url.pathname.endsWith('/orders/')) return answer
        network.down = true
        throw new TypeError('The answer is lost.')
      }
      assert.equal((await sell('first')).status, 503)
      await offline()
      const unknown = await sell('first')
      assert.deepEqual([unknown.status, unknown.body.reason], [503, undefined])
      assert.match(String(unknown.body.detail), /did not arrive/)
      network.spoil = (_, answer) => answer
      network.down = false
      await until('it is sold', async () => (await sell('first')).status === 201)
      assert.equal(await countOf(central.running, 'orders'), 1)
      assert.equal(await countOf(central.running, 'gift_card', 'value = 4000'), 1)
    } finally {
      await close()
    }
  })
})
