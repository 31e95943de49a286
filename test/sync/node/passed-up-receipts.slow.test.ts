import assert from 'node:assert/strict'
import { realEnv } from '../../../server/env.ts'
import { effectWithin } from '../../../server/http/forward.ts'
import { patient } from '../../support/mocha/patient.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, startPair } from '../../support/servers/nodes.ts'

const ev = '/api/v1/organizers/acme/events/gala'

/** A till below central whose reports do not arrive, though everything else does, until they are wanted to. */
async function openTill() {
  const network = faultyNetwork(patient(realEnv, effectWithin))
  const { central, station, venue } = await startPair([], { env: network.env })
  const quota = { name: 'Hall', size: 50, items: [venue.item], variations: [] }
  assert.equal((await central.call('POST', `${central.ev}/quotas/`, quota)).status, 201)
  const lost = { reports: true }
  network.instead = (url) =>
    lost.reports && url.pathname.endsWith('/sync/push/')
      ? new Response('Bad gateway', { status: 502 })
      : undefined
  const sell = (upstream: boolean) =>
    station.call('POST', `${ev}/orders/${upstream ? '?upstream=true' : ''}`, {
      ...{ positions: [{ item: venue.item }], status: 'p', payment_provider: 'boxoffice' },
    })
  const done = async (path: string, body: object) => {
    const answer = await station.call('POST', `${ev}/drawers/${path}`, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as { id: number }
  }
  const close = async () => {
    await station.close()
    await central.close()
  }
  return { network, central, station, lost, sell, done, close }
}

describe('a sale that a till passes up', () => {
  it('has its receipt in the drawer that was opened a moment before', async () => {
    const { central, lost, sell, done, close } = await openTill()
    try {
      const { id } = await done('', { float: '0.00' })
      assert.equal(await countOf(central.running, 'drawer'), 0)
      lost.reports = false
      const sold = await sell(true)
      assert.equal(sold.status, 201, JSON.stringify(sold.body))
      assert.equal(await countOf(central.running, 'receipt', `"type" = 'sale' AND "drawer" = ${id}`), 1)
    } finally {
      await close()
    }
  })

  it('is not in a drawer that was closed a moment before', async () => {
    const { central, lost, sell, done, close } = await openTill()
    try {
      lost.reports = false
      const first = await done('', { float: '0.00' })
      assert.equal((await sell(true)).status, 201)
      lost.reports = true
      await done(`${first.id}/close/`, { counted: '10.00' })
      const second = await done('', { float: '0.00' })
      lost.reports = false
      assert.equal((await sell(true)).status, 201)
      for (const { id } of [first, second])
        assert.equal(await countOf(central.running, 'receipt', `"type" = 'sale' AND "drawer" = ${id}`), 1)
    } finally {
      await close()
    }
  })

  it('is refused with a sentence, and not made, while the drawer cannot be reported', async () => {
    const { central, lost, sell, done, close } = await openTill()
    try {
      await done('', { float: '0.00' })
      const refused = await sell(true)
      assert.equal(refused.status, 503)
      assert.match(String((refused.body as { detail: string }).detail), /drawer .* try again/i)
      assert.equal(await countOf(central.running, 'orders'), 0)
      lost.reports = false
      assert.equal((await sell(true)).status, 201)
    } finally {
      await close()
    }
  })
})
