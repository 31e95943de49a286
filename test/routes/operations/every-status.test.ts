import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { smallLayout } from '../../fixtures/layout.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { assertDescribed, type Described, description } from '../../support/servers/described.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Described
}

const routes: readonly Route[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Described,
    })),
)

/** An address of a path at which there is nothing but the event itself. */
const addressOf = (path: string): string =>
  path
    .replace('{organizer}', 'acme')
    .replace('{event}', 'gala')
    .replace(/\{\w+\}/g, '999999999')

describe('every route of the description', () => {
  let server: TestServer
  const ask = asking(() => server)
  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write((tx) => addDevice(tx, server.organizer, 1, 'listener'))
  })
  after(() => server.close())

  const wrongOf = async (asked: readonly Route[], status: number, query: string): Promise<string[]> => {
    assert.ok(asked.length > 0)
    const wrong: string[] = []
    for (const { method, path } of asked) {
      const answer = await server.call(method, `${addressOf(path)}${query}`)
      if (answer.status !== status) wrong.push(`${method} ${path}: ${answer.status}`)
    }
    return wrong
  }

  it('refuses addresses that nothing can be looked for by', async () => {
    assert.deepEqual(await wrongOf(routes, 400, '?page=%00'), [])
  })

  it('answers 404 to a page that is not there, where it has pages', async () => {
    // What is below something that is not there has no pages either, and two lists need to be asked for more
    // precisely.
    const paged = routes.filter(
      ({ method, operation }) =>
        method === 'GET' &&
        operation.parameters?.some(({ name }) => name === 'page') &&
        operation.operationId !== 'checkin_search',
    )
    assert.ok(paged.length > 40)
    assert.deepEqual(await wrongOf(paged, 404, '?page=100000'), [])
  })

  it('answers with a stream of news, where there is one', async () => {
    const path = `${server.org}/sync/live/`
    const enough = new AbortController()
    const answer = await fetch(server.url + path, {
      headers: { Authorization: 'Device listener' },
      signal: enough.signal,
    })
    const type = answer.headers.get('content-type')
    assertDescribed({ method: 'GET', path, status: answer.status, type, body: '' })
    assert.equal(answer.status, 200)
    enough.abort()
  })

  it('shows one seat of a date', async () => {
    const series = `${server.org}/events/tour`
    const tour = { name: 'Tour', slug: 'tour', date_from: '2030-06-01T10:00:00Z', has_subevents: true }
    await ask('POST', `${server.org}/events/`, 201, tour)
    const layout = smallLayout(1, 2)
    const plan = await ask('POST', `${server.org}/seatingplans/`, 201, { name: 'Hall', layout })
    const date = await ask('POST', `${series}/subevents/`, 201, {
      name: 'Berlin',
      date_from: '2030-06-01T18:00:00Z',
      seating_plan: plan.id,
    })
    const path = `${series}/subevents/${date.id}/seats/`
    const [first] = resultsOf(await ask('GET', path, 200))
    assert.deepEqual(await ask('GET', `${path}${first?.id}/`, 200), first)
  })

  it('shows one of what is otherwise listed alone', async () => {
    const { org, ev } = server
    const item = await ask('POST', `${ev}/items/`, 201, { name: 'Ticket', default_price: '5.00' })
    await ask('POST', `${ev}/quotas/`, 201, { name: 'Q', size: null, items: [item.id] })
    const list = await ask('POST', `${ev}/checkinlists/`, 201, { name: 'Door' })
    const order = await ask('POST', `${ev}/orders/`, 201, {
      ...{ status: 'p', payment_provider: 'manual', positions: [{ item: item.id }] },
    })
    const [ticket] = order.positions as readonly RowData[]
    await ask('POST', `${org}/checkinrpc/redeem/`, 201, { secret: ticket?.secret, lists: [list.id] })
    const position = `${ev}/orderpositions/${ticket?.id}`
    await ask('POST', `${position}/add_block/`, 200, { name: 'admin' })
    await ask('POST', `${position}/regenerate_secrets/`, 200)
    const refund = { state: 'created', source: 'admin', amount: '1.00', provider: 'manual' }
    const path = `${ev}/orders/${order.code}/refunds/`
    const { local_id } = await ask('POST', path, 201, refund)
    assert.equal((await ask('GET', `${path}${local_id}/`, 200)).amount, '1.00')
    for (const kind of ['checkins', 'blockedsecrets', 'revokedsecrets']) {
      const [first] = resultsOf(await ask('GET', `${ev}/${kind}/`, 200))
      assert.ok(first, kind)
      assert.deepEqual(await ask('GET', `${ev}/${kind}/${first.id}/`, 200), first)
    }
  })

  it('says 404 of what it would do something with, were it there', async () => {
    const { org, ev } = server
    await ask('POST', `${ev}/orderpositions/99999999/add_block/`, 404, { name: 'admin' })
    await ask('POST', `${ev}/orders/NONE9/extend/`, 404, { expires: '2035-01-01' })
    await ask('POST', `${org}/events/tour/seats/bulk_unblock/`, 404, { ids: [1] })
    await ask('POST', `${org}/sync/leases/99999999/prolong/`, 404, {}, 'Device listener')
  })

  it('says 426 to messages of another version', async () => {
    const facts = { protocol: 99, boot: 'b', mono: 0, device_time: '', clock_offset: 0, facts: [] }
    await ask('POST', `${server.org}/sync/push/`, 426, facts, 'Device listener')
  })

  it('takes no body of more than its endpoint declares', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) })
    const answer = await server.call('POST', `${server.ev}/categories/`, body)
    assert.equal(answer.status, 413)
  })
})
