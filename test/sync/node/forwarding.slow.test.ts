import assert from 'node:assert/strict'
import { realEnv } from '../../../server/env.ts'
import { effectWithin, isForwarded } from '../../../server/http/forward.ts'
import { patient } from '../../support/mocha/patient.ts'
import { cutAfter, faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, startPair, until } from '../../support/servers/nodes.ts'

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`

const requests: readonly [method: string, path: string, station: boolean, hub: boolean][] = [
  ['GET', `${ev}/orders/`, false, false],
  ['GET', `${ev}/transactions/`, true, true],
  ['GET', `${org}/transactions/7/`, true, true],
  ['GET', `${org}/orderpositions/`, false, false],
  ['GET', `${ev}/invoices/`, true, true],
  ['GET', `${org}/invoices/R-1/`, true, true],
  ['GET', `${ev}/invoices/R-1/download/`, true, true],
  ['POST', `${ev}/orders/ABC/create_invoice/`, true, true],
  ['POST', `${org}/checkinrpc/redeem/`, false, false],
  ['POST', `${org}/checkinrpc/annul/`, false, false],
  ['POST', `${ev}/checkinlists/3/positions/abc/redeem/`, false, false],
  ['POST', `${ev}/checkinlists/3/failed_checkins/`, false, false],
  ['POST', `${ev}/orders/`, false, false],
  ['POST', `${ev}/cartpositions/`, false, false],
  ['POST', `${ev}/cartpositions/bulk_create/`, false, false],
  ['DELETE', `${ev}/cartpositions/7/`, false, false],
  ['POST', `${org}/sync/push/`, false, false],
  ['POST', '/api/v1/station/scan/', false, false],
  ['POST', '/somewhere/else', false, false],
  ['POST', `${ev}/checkinlists/`, true, true],
  ['PATCH', `${ev}/checkinlists/3/`, true, true],
  ['PATCH', `${ev}/items/3/`, true, true],
  ['PATCH', `${ev}/orders/ABC/`, true, true],
  ['POST', `${ev}/orders/ABC/mark_paid/`, true, true],
  ['DELETE', `${ev}/orderpositions/9/`, true, true],
  ['POST', `${org}/events/`, true, true],
  ['POST', '/api/v1/device/roll', true, false],
  ['POST', `${org}/devices/`, true, false],
]

describe('what a node below another one passes up', () => {
  for (const [method, path, station, hub] of requests)
    it(`${method} ${path}: a station ${station ? 'does' : 'does not'}, a hub ${hub ? 'does' : 'does not'}`, () => {
      assert.deepEqual(
        [isForwarded({ method, path }, 'station'), isForwarded({ method, path }, 'hub')],
        [station, hub],
      )
    })

  for (const [method, path] of [
    ['POST', `${ev}/orders/`],
    ['POST', `${ev}/cartpositions/`],
    ['DELETE', `${ev}/cartpositions/7/`],
  ] as const)
    it(`${method} ${path} is passed up where its caller asks for that`, () => {
      assert.equal(isForwarded({ method, path, upstream: true }, 'station'), true)
    })

  it('is nothing else because its caller asks for that', () => {
    assert.equal(
      isForwarded({ method: 'POST', path: `${org}/checkinrpc/redeem/`, upstream: true }, 'station'),
      false,
    )
  })

  it('is done upstream with the credential of the caller, and seen here at once', async () => {
    const { central, station } = await startPair(['A'], { env: patient(realEnv, effectWithin) })
    try {
      const made = await station.call(
        'POST',
        `${ev}/checkinlists/`,
        { name: 'Backstage', all_products: true },
        { Authorization: 'Token all' },
      )
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.equal(await countOf(central.running, 'checkin_list'), 2)
      assert.equal(await countOf(station, 'checkin_list'), 2)
      const wrong = await station.call('POST', `${ev}/checkinlists/`, {}, { Authorization: 'Token all' })
      assert.equal(wrong.status, 400)
      assert.ok('name' in (wrong.body as object))
      const stranger = await station.call(
        'POST',
        `${ev}/checkinlists/`,
        {},
        { Authorization: 'Token nobody' },
      )
      assert.equal(stranger.status, 401)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is done with what the machine itself may do where its own screens ask', async () => {
    const { central, station } = await startPair(['A'], { env: patient(realEnv, effectWithin) })
    try {
      const paid = await station.call('PATCH', `${ev}/orders/OA/`, { comment: 'VIP' })
      assert.equal(paid.status, 200, JSON.stringify(paid.body))
      assert.equal(await countOf(central.running, 'orders', "comment = 'VIP'"), 1)
      assert.equal(await countOf(station, 'orders', "comment = 'VIP'"), 1)
      // A device may not change the catalogue, so neither may its screens.
      assert.equal((await station.call('POST', `${ev}/checkinlists/`, { name: 'X' })).status, 403)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is refused with 503 and a reason while there is no upstream server', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A'], { env: network.env })
    try {
      network.down = true
      const late = await station.call('PATCH', `${ev}/orders/OA/`, { comment: 'VIP' })
      assert.equal(late.status, 503)
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      const answer = await station.call('PATCH', `${ev}/orders/OA/`, { comment: 'VIP' })
      assert.equal(answer.status, 503)
      assert.match((answer.body as { detail: string }).detail, /cannot be reached/)
      assert.equal(answer.headers.get('retry-after'), '10')
      assert.equal((await station.scan('A')).status, 'ok')
      assert.equal((await station.call('GET', `${ev}/orders/OA/`)).status, 200)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('says that no answer came where that breaks off in the middle', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A'], { env: network.env })
    try {
      network.spoil = (url, answer) => (url.pathname.endsWith('/orders/OA/') ? cutAfter(answer, 10) : answer)
      const answer = await station.call('PATCH', `${ev}/orders/OA/`, { comment: 'VIP' })
      assert.equal(answer.status, 503)
      assert.match((answer.body as { detail: string }).detail, /did not answer/)
      assert.equal(await countOf(central.running, 'orders', "comment = 'VIP'"), 1)
    } finally {
      await station.close()
      await central.close()
    }
  })
})
