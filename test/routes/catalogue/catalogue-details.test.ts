import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

for (const engine of engines)
  describe(`the catalogue in detail on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const at = (path: string) => `${server.ev}/${path}/`
    const make = (path: string, body: RowData, status = 201) => ask('POST', at(path), status, body)
    const change = (path: string, body: RowData, status = 200) => ask('PATCH', at(path), status, body)

    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    it('has quotas without a limit and questions about nothing where nothing else is said', async () => {
      const { size, items } = await make('quotas', { name: 'Everybody' })
      assert.deepEqual([size, items], [null, []])
      assert.deepEqual((await make('questions', { question: 'Why?', type: 'S' })).items, [])
    })

    it('has exactly one tax rule that is the default', async () => {
      const defaults = async () =>
        resultsOf(await ask('GET', at('taxrules'), 200)).flatMap((row) => (row.default ? [row.id] : []))
      const rule = { name: 'VAT', rate: '7.00' }
      assert.deepEqual(Object.keys(await make('taxrules', { ...rule, default: false }, 400)), ['default'])
      const first = await make('taxrules', rule)
      assert.equal(first.default, true)
      const second = await make('taxrules', { ...rule, default: false })
      assert.deepEqual(await defaults(), [first.id])
      const third = await make('taxrules', { ...rule, default: true })
      assert.deepEqual(await defaults(), [third.id])
      await change(`taxrules/${second.id}`, { default: true })
      assert.deepEqual(await defaults(), [second.id])
      const refusal = await change(`taxrules/${second.id}`, { default: false }, 400)
      assert.deepEqual(Object.keys(refusal), ['default'])
      await ask('PUT', at(`taxrules/${second.id}`), 200, rule)
      assert.deepEqual(await defaults(), [second.id])
      await ask('DELETE', at(`taxrules/${second.id}`), 403)
      await ask('DELETE', at(`taxrules/${third.id}`), 204)
      await ask('DELETE', at(`taxrules/${first.id}`), 204)
      await ask('DELETE', at(`taxrules/${second.id}`), 204)
      const both = [0, 1].map(() => make('taxrules', { ...rule, default: true }))
      await Promise.all(both)
      assert.equal((await defaults()).length, 1)
    })

    it('personalizes what admits somebody, unless it says otherwise, and nothing else', async () => {
      const item = { name: 'Ticket', default_price: '1.00' }
      const shown = async (body: RowData) => (await make('items', { ...item, ...body })).personalized
      assert.equal(await shown({}), false)
      assert.equal(await shown({ admission: true }), true)
      assert.equal(await shown({ admission: true, personalized: false }), false)
      const refusal = await make('items', { ...item, personalized: true }, 400)
      assert.deepEqual(Object.keys(refusal), ['non_field_errors'])
      const ticket = await make('items', { ...item, admission: true })
      assert.equal((await change(`items/${ticket.id}`, { admission: false })).personalized, false)
      assert.equal((await change(`items/${ticket.id}`, { admission: true })).personalized, false)
      assert.equal((await change(`items/${ticket.id}`, { personalized: true })).personalized, true)
    })

    it('lists variations by their ids or positions, and in an item by their positions', async () => {
      const sizes = [3, 1, 2].map((position) => ({ value: 'S', position }))
      const item = await make('items', { name: 'Shirt', default_price: '1.00', variations: sizes })
      const forms = (item.variations as RowData[]).map(({ id }) => id).sort()
      const [last, first, middle] = forms
      const listed = async (query: string) =>
        valuesOf(await ask('GET', `${at(`items/${item.id}/variations`)}${query}`, 200), 'id')
      assert.deepEqual(await listed(''), forms)
      assert.deepEqual(await listed('?ordering=id'), forms)
      assert.deepEqual(await listed('?ordering=position'), [first, middle, last])
      assert.deepEqual(await listed('?ordering=-position'), [last, middle, first])
      const { variations } = await ask('GET', at(`items/${item.id}`), 200)
      assert.deepEqual(
        (variations as RowData[]).map(({ id }) => id),
        [first, middle, last],
      )
    })

    it('finds quotas by the items that they count', async () => {
      const items: number[] = []
      for (const name of ['A', 'B', 'C'])
        items.push(Number((await make('items', { name, default_price: '1.00' })).id))
      const [a = 0, b = 0, c = 0] = items
      const quotas: unknown[] = []
      for (const counted of [[a], [a, b], [b]])
        quotas.push((await make('quotas', { name: 'Q', size: 1, items: counted })).id)
      const found = async (text: string) =>
        valuesOf(await ask('GET', `${at('quotas')}?items__in=${text}`, 200), 'id')
      assert.deepEqual(await found(`${a}`), [quotas[0], quotas[1]])
      assert.deepEqual(await found(`${b}`), [quotas[1], quotas[2]])
      assert.deepEqual(await found(`${a},${b}`), quotas)
      assert.deepEqual(await found(`${c}`), [])
      assert.deepEqual(await found(String(a).slice(0, -1)), [])
      assert.deepEqual(Object.keys(await ask('GET', `${at('quotas')}?items__in=x`, 400)), ['items__in'])
    })

    it('lists seating plans by their names', async () => {
      const layout = {
        name: 'Hall',
        categories: [],
        zones: [],
        size: { width: 10, height: 10 },
      }
      for (const name of ['West', 'East', 'North'])
        await ask('POST', `${server.org}/seatingplans/`, 201, { name, layout })
      const { results } = await ask('GET', `${server.org}/seatingplans/`, 200)
      assert.deepEqual(
        (results as RowData[]).map(({ name }) => name),
        ['East', 'North', 'West'],
      )
    })

    it('keeps what a program notes about a change of a gift card', async () => {
      const card = await ask('POST', `${server.org}/giftcards/`, 201, { value: '10.00', currency: 'EUR' })
      const path = `${server.org}/giftcards/${card.id}`
      const info = { till: 'A', lines: [1, 2] }
      await ask('POST', `${path}/transact/`, 200, { value: '-1.00', info })
      await ask('POST', `${path}/transact/`, 200, { value: '-1.00' })
      const { results } = await ask('GET', `${path}/transactions/`, 200)
      assert.deepEqual(
        (results as RowData[]).map((row) => row.info),
        [null, info, {}],
      )
    })

    it('keeps the comment of a webhook', async () => {
      const body = { target_url: 'https://example.org/', all_events: true, action_types: [], comment: 'Till' }
      assert.equal((await ask('POST', `${server.org}/webhooks/`, 201, body)).comment, 'Till')
    })
  })
