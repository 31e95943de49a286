import assert from 'node:assert/strict'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addOrder } from '../../support/ticketing/tickets.ts'

describe('sales channels', () => {
  let server: TestServer
  const ask = asking(() => server)
  const channels = () => `${server.org}/saleschannels/`
  const make = (name: string) =>
    ask('POST', channels(), 201, { identifier: `api.${name}`, label: name, position: 9 })
  const identifiers = async (query = '') =>
    valuesOf(await ask('GET', `${channels()}?${query}`, 200), 'identifier')

  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  it('are the built-in ones, and those that an organizer adds', async () => {
    assert.deepEqual(await identifiers(), ['web', 'boxoffice'])
    const made = await make('partner')
    assert.deepEqual(made, { identifier: 'api.partner', label: { en: 'partner' }, type: 'api', position: 9 })
    assert.deepEqual(await identifiers(), ['web', 'boxoffice', 'api.partner'])
    assert.deepEqual(await identifiers('ordering=-position'), ['api.partner', 'boxoffice', 'web'])
    assert.deepEqual(await identifiers('ordering=identifier'), ['api.partner', 'boxoffice', 'web'])
    const web = await ask('GET', `${channels()}web/`, 200)
    assert.deepEqual(web, { identifier: 'web', label: { en: 'Online shop' }, type: 'web', position: 0 })
  })

  it('that are built in can be renamed, but neither deleted nor made again', async () => {
    const named = await ask('PATCH', `${channels()}boxoffice/`, 200, {
      label: { de: 'Kasse' },
      identifier: 'api.x',
    })
    assert.deepEqual([named.identifier, named.label, named.type], ['boxoffice', { de: 'Kasse' }, 'boxoffice'])
    await ask('PATCH', `${channels()}boxoffice/`, 200, { position: 5 })
    assert.deepEqual(await ask('GET', `${channels()}boxoffice/`, 200), {
      identifier: 'boxoffice',
      label: { de: 'Kasse' },
      type: 'boxoffice',
      position: 5,
    })
    assert.deepEqual(await identifiers(), ['web', 'boxoffice'])
    await ask('DELETE', `${channels()}boxoffice/`, 403)
    assert.deepEqual(Object.keys(await ask('PATCH', `${channels()}web/`, 400, { position: 'x' })), [
      'position',
    ])
    assert.deepEqual(Object.keys(await ask('PUT', `${channels()}web/`, 400, {})), ['label'])
    assert.deepEqual(Object.keys(await ask('POST', channels(), 400, { identifier: 'web', label: 'W' })), [
      'identifier',
    ])
  })

  it('can be sold through once they are added', async () => {
    const sold = { sales_channels: ['web', 'api.partner'] }
    assert.deepEqual(Object.keys(await ask('PATCH', `${server.ev}/`, 400, sold)), ['sales_channels'])
    await make('partner')
    assert.deepEqual((await ask('PATCH', `${server.ev}/`, 200, sold)).sales_channels, sold.sales_channels)
    const item = await ask('POST', `${server.ev}/items/`, 201, { name: 'T', default_price: '1', ...sold })
    const list = { name: 'Door', auto_checkin_sales_channels: ['api.partner'] }
    await ask('POST', `${server.ev}/checkinlists/`, 201, list)
    assert.deepEqual(item.sales_channels, sold.sales_channels)
    await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: 5, items: [item.id] })
    const cart = (sales_channel: string, status: number) =>
      ask('POST', `${server.ev}/cartpositions/`, status, { item: item.id, price: '1.00', sales_channel })
    const order = (sales_channel: string, status: number) =>
      ask('POST', `${server.ev}/orders/`, status, { sales_channel, positions: [{ item: item.id }] })
    for (const sell of [cart, order]) {
      assert.deepEqual(Object.keys(await sell('api.stranger', 400)), ['sales_channel'])
      await sell('api.partner', 201)
    }
  })

  it('are deleted while nothing is sold through them', async () => {
    await make('unused')
    await ask('DELETE', `${channels()}api.unused/`, 204)
    await ask('GET', `${channels()}api.unused/`, 404)
    await make('used')
    await make('usedup')
    await ask('POST', `${server.ev}/checkinlists/`, 201, {
      name: 'Door',
      auto_checkin_sales_channels: ['api.usedup'],
    })
    const place = { organizer: server.organizer, event: server.event }
    await server.running.transactions.write(async (tx) => {
      const item = await addItem(tx, place, 'Ticket')
      await addOrder(tx, place, [{ item, secret: 's' }], { sales_channel: 'api.used' })
    })
    for (const name of ['used', 'usedup'])
      assert.deepEqual(Object.keys(await ask('DELETE', `${channels()}api.${name}/`, 403)), ['detail'])
  })
})
