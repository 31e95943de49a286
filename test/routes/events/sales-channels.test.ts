import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
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
    assert.deepEqual(Object.keys(await ask('PATCH', `${channels()}web/`, 400, { position: -1 })), [
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

  describe('are named in either spelling', () => {
    const everywhere = ['api.partner', 'boxoffice', 'web']
    const spelled = (row: RowData) => [row.all_sales_channels, row.limit_sales_channels, row.sales_channels]
    const made = [
      [{}, [false, ['web'], ['web']]],
      [{ sales_channels: ['web'] }, [false, ['web'], ['web']]],
      [{ sales_channels: [] }, [false, [], []]],
      [{ sales_channels: everywhere }, [true, [], everywhere]],
      [{ sales_channels: everywhere, all_sales_channels: false }, [true, [], everywhere]],
      [{ all_sales_channels: true }, [true, [], everywhere]],
      [{ all_sales_channels: true, limit_sales_channels: ['web'] }, [true, [], everywhere]],
      [{ all_sales_channels: true, sales_channels: everywhere }, [true, [], everywhere]],
      [{ all_sales_channels: false }, [false, [], []]],
      [{ all_sales_channels: false, limit_sales_channels: ['web'] }, [false, ['web'], ['web']]],
      [{ all_sales_channels: false, limit_sales_channels: everywhere }, [false, everywhere, everywhere]],
      [{ limit_sales_channels: ['boxoffice'] }, [false, ['boxoffice'], ['boxoffice']]],
      [{ limit_sales_channels: ['web'], sales_channels: ['web'] }, [false, ['web'], ['web']]],
      [{ limit_sales_channels: [], sales_channels: ['web'] }, [false, ['web'], ['web']]],
    ] as const
    const refused = [
      [{ sales_channels: null }, 'sales_channels'],
      [{ all_sales_channels: null }, 'all_sales_channels'],
      [{ limit_sales_channels: null }, 'limit_sales_channels'],
      [{ limit_sales_channels: 'web' }, 'limit_sales_channels'],
      [{ limit_sales_channels: ['api.nobody'] }, 'limit_sales_channels'],
      [{ sales_channels: ['api.nobody'] }, 'sales_channels'],
      [{ all_sales_channels: true, sales_channels: ['web'] }, 'all_sales_channels'],
      [{ limit_sales_channels: ['web'], sales_channels: everywhere }, 'limit_sales_channels'],
    ] as const
    const item = (body: RowData) => ({ name: 'T', default_price: '1.00', ...body })
    const wholes = {
      items: item,
      discounts: (body: RowData) => ({ internal_name: 'D', condition_min_count: 2, ...body }),
    }

    beforeEach(() => make('partner'))

    for (const [name, bodyOf] of Object.entries(wholes))
      it(`by ${name}, and contradictions are refused`, async () => {
        for (const [body, shown] of made)
          assert.deepEqual(spelled(await ask('POST', `${server.ev}/${name}/`, 201, bodyOf(body))), shown)
        for (const [body, field] of refused)
          assert.deepEqual(
            Object.keys(await ask('POST', `${server.ev}/${name}/`, 400, bodyOf(body))),
            [field],
            JSON.stringify(body),
          )
      })

    it('by variations, alone and with their item', async () => {
      const whole = await ask('POST', `${server.ev}/items/`, 201, {
        ...item({}),
        variations: made.map(([body]) => ({ value: 'V', ...body })),
      })
      const forms = whole.variations as RowData[]
      assert.deepEqual(
        forms.map(spelled),
        made.map(([, shown]) => shown),
      )
      for (const [body, field] of refused)
        assert.deepEqual(
          await ask('POST', `${server.ev}/items/`, 400, item({ variations: [{ value: 'V', ...body }] })).then(
            ({ variations }) => (variations as RowData[]).map((one) => Object.keys(one)),
          ),
          [[field]],
        )
      const below = `${server.ev}/items/${whole.id}/variations/`
      const one = await ask('POST', below, 201, { value: 'W', all_sales_channels: true })
      assert.deepEqual(spelled(one), [true, [], everywhere])
      assert.deepEqual(spelled(await ask('GET', `${below}${one.id}/`, 200)), [true, [], everywhere])
    })

    it('by an event, which is found and copied by them, and by what is changed', async () => {
      const change = (body: RowData) => ask('PATCH', `${server.ev}/`, 200, body).then(spelled)
      assert.deepEqual(await change({ all_sales_channels: true }), [true, [], everywhere])
      assert.deepEqual(await change({ live: false }), [true, [], everywhere])
      const found = await ask('GET', `${server.org}/events/?sales_channel=api.partner`, 200)
      assert.deepEqual((found.results as RowData[]).map(spelled), [[true, [], everywhere]])
      await make('later')
      const later = [...everywhere, 'api.later']
      assert.deepEqual(spelled(await ask('GET', `${server.ev}/`, 200)), [true, [], later])
      const clone = (slug: string, body: RowData) =>
        ask('POST', `${server.ev}/clone/`, 201, {
          ...{ name: 'C', date_from: '2030-01-01T10:00:00Z' },
          slug,
          ...body,
        })
      assert.deepEqual(spelled(await clone('all', {})), [true, [], later])
      assert.deepEqual(spelled(await clone('some', { sales_channels: ['web'] })), [false, ['web'], ['web']])
      await ask('DELETE', `${channels()}api.later/`, 204)
      assert.deepEqual(spelled(await ask('GET', `${server.ev}/`, 200)), [true, [], everywhere])
      assert.deepEqual(await change({ limit_sales_channels: ['web'] }), [false, ['web'], ['web']])
      assert.deepEqual(await change({ all_sales_channels: true }), [true, [], everywhere])
      assert.deepEqual(await change({ all_sales_channels: false }), [false, [], []])
      assert.deepEqual(await change({ limit_sales_channels: ['web'] }), [false, ['web'], ['web']])
      assert.deepEqual(await change({ all_sales_channels: false }), [false, ['web'], ['web']])
    })
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
