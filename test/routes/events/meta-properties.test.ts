import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'

for (const engine of engines)
  describe(`meta properties on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const define = (body: RowData) => ask('POST', `${server.org}/event_meta_properties/`, 201, body)
    const say = (meta_data: RowData, status = 200, authorization?: string) =>
      ask('PATCH', `${server.ev}/`, status, { meta_data }, authorization)
    const events = async (query: string) =>
      valuesOf(await ask('GET', `${server.org}/events/?${query}`, 200), 'slug')
    const series = () => `${server.org}/events/tour`
    const dates = async (query: string) =>
      valuesOf(await ask('GET', `${series()}/subevents/?${query}`, 200), 'id')

    before(async () => {
      server = await startTestServer(await engine.open())
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'planner', { ...allRights, can_change_organizer_settings: false }),
      )
      const tour = { name: 'Tour', slug: 'tour', date_from: '2030-01-01T10:00:00Z', has_subevents: true }
      await ask('POST', `${server.org}/events/`, 201, tour)
    })
    after(() => server.close())

    it('are all that can be said of events and dates', async () => {
      assert.deepEqual(Object.keys(await say({ mood: 'good' }, 400)), ['meta_data'])
      const date = { name: 'Date', date_from: '2030-01-01T10:00:00Z', meta_data: { mood: 'good' } }
      assert.deepEqual(Object.keys(await ask('POST', `${series()}/subevents/`, 400, date)), ['meta_data'])
      await define({ name: 'mood' })
      assert.deepEqual((await say({ mood: 'good' })).meta_data, { mood: 'good' })
      assert.deepEqual((await ask('POST', `${series()}/subevents/`, 201, date)).meta_data, { mood: 'good' })
    })

    it('may offer a choice, and be for those alone who may change the organizer', async () => {
      await define({ name: 'size', choices: [{ key: 'S' }, { key: 'L' }] })
      assert.equal((await define({ name: 'weight', default: '5', choices: [] })).choices, null)
      await define({ name: 'budget', protected: true })
      assert.deepEqual(Object.keys(await say({ size: 'M' }, 400)), ['meta_data'])
      await say({ size: 'L', budget: '5' })
      const whole = { size: 'S', budget: '5' }
      for (const meta of [{ size: 'S', budget: '6' }, { size: 'S' }, whole])
        assert.deepEqual((await say(meta, 200, 'Token planner')).meta_data, whole)
      const copy = { name: 'Copy', slug: 'copy', date_from: '2030-01-01T10:00:00Z' }
      const made = await ask('POST', `${server.ev}/clone/`, 201, copy, 'Token planner')
      assert.deepEqual(made.meta_data, { size: 'S', budget: '5' })
    })

    it('decide for events and dates that say nothing', async () => {
      await define({ name: 'genre', default: 'folk' })
      await say({ genre: 'rock' })
      assert.deepEqual(await events('attr[genre]=rock'), ['gala'])
      assert.ok((await events('attr[genre]=folk')).includes('tour'))
      assert.ok(!(await events('attr[genre]=folk')).includes('gala'))
      assert.deepEqual(await events('attr[genre]='), [])
      const date = { name: 'Date', date_from: '2030-01-01T10:00:00Z' }
      const plain = await ask('POST', `${series()}/subevents/`, 201, date)
      const own = await ask('POST', `${series()}/subevents/`, 201, { ...date, meta_data: { genre: 'jazz' } })
      assert.ok((await dates('attr[genre]=folk')).includes(plain.id))
      assert.deepEqual(await dates('attr[genre]=jazz'), [own.id])
      await ask('PATCH', `${series()}/`, 200, { meta_data: { genre: 'pop' } })
      assert.ok((await dates('attr[genre]=pop')).includes(plain.id))
      assert.deepEqual(await dates('attr[genre]=folk'), [])
    })

    it('take what was said with them when they are renamed or deleted', async () => {
      const property = await define({ name: 'colour' })
      const path = `${server.org}/event_meta_properties/${property.id}/`
      await say({ colour: 'red' })
      const date = { name: 'Date', date_from: '2030-01-01T10:00:00Z', meta_data: { colour: 'blue' } }
      const { id } = await ask('POST', `${series()}/subevents/`, 201, date)
      const said = async () => [
        (await ask('GET', `${server.ev}/`, 200)).meta_data,
        (await ask('GET', `${series()}/subevents/${id}/`, 200)).meta_data,
      ]
      await ask('PATCH', path, 200, { name: 'paint' })
      assert.deepEqual(await said(), [{ paint: 'red' }, { paint: 'blue' }])
      await ask('DELETE', path, 204)
      assert.deepEqual(await said(), [{}, {}])
    })

    it('that are required keep an event from going live while nothing is said', async () => {
      await define({ name: 'licence', required: true })
      const item = await ask('POST', `${server.ev}/items/`, 201, { name: 'Ticket', default_price: '1' })
      await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: 1, items: [item.id] })
      assert.deepEqual(Object.keys(await ask('PATCH', `${server.ev}/`, 400, { live: true })), ['live'])
      await ask('PATCH', `${server.ev}/`, 200, { live: true, meta_data: { licence: '4711' } })
    })
  })

for (const engine of engines)
  describe(`meta properties of items on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const path = () => `${server.ev}/item_meta_properties/`
    const define = (body: RowData) => ask('POST', path(), 201, body)
    const item = (meta_data: RowData, status = 201) =>
      ask('POST', `${server.ev}/items/`, status, { name: 'Cup', default_price: '2', meta_data })
    const shown = async () => (await ask('GET', `${server.ev}/`, 200)).item_meta_properties

    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    it('are those that the event shows with their defaults, wherever they are changed', async () => {
      const { id } = await define({ name: 'colour', default: 'red' })
      await define({ name: 'size' })
      assert.deepEqual(await shown(), { colour: 'red', size: '' })
      await ask('PATCH', `${path()}${id}/`, 200, { default: 'blue' })
      assert.deepEqual(await shown(), { colour: 'blue', size: '' })
      await ask('PATCH', `${server.ev}/`, 200, { item_meta_properties: { colour: 'green', shape: 'round' } })
      const rows = (await ask('GET', path(), 200)).results as RowData[]
      assert.deepEqual(
        rows.map(({ name, default: usual }) => [name, usual]),
        [
          ['colour', 'green'],
          ['shape', 'round'],
        ],
      )
      assert.equal(rows[0]?.id, id)
      const wrong = await ask('PATCH', `${server.ev}/`, 400, { item_meta_properties: { 'a b': '' } })
      assert.deepEqual(Object.keys(wrong), ['item_meta_properties'])
    })

    it('are all that can be said of products, of a few values or of any', async () => {
      await define({ name: 'heat', allowed_values: ['mild', 'hot'] })
      for (const said of [{ mood: 'good' }, { heat: 'warm' }])
        assert.deepEqual(Object.keys(await item(said, 400)), ['meta_data'])
      assert.deepEqual((await item({ heat: 'hot', shape: 'odd' })).meta_data, { heat: 'hot', shape: 'odd' })
    })

    it('keep what was said where the choice is narrowed later', async () => {
      const { id } = await define({ name: 'place', allowed_values: ['bar', 'hall'] })
      const cup = await item({ place: 'hall' })
      await ask('PATCH', `${path()}${id}/`, 200, { allowed_values: ['bar'] })
      const one = `${server.ev}/items/${cup.id}/`
      await ask('PATCH', one, 200, { position: 3 })
      await ask('PATCH', one, 200, { meta_data: { place: 'hall', shape: 'odd' } })
      await ask('PATCH', one, 400, { meta_data: { place: 'yard' } })
    })

    it('that are required have to be said of what is made or said anew, unless there is a default', async () => {
      const before = await item({})
      const { id } = await define({ name: 'maker', required: true })
      assert.deepEqual(Object.keys(await item({}, 400)), ['meta_data'])
      await item({ maker: 'us' })
      const one = `${server.ev}/items/${before.id}/`
      await ask('PATCH', one, 200, { position: 4 })
      await ask('PATCH', one, 400, { meta_data: { shape: 'odd' } })
      await ask('PATCH', `${path()}${id}/`, 200, { default: 'them' })
      await item({})
    })

    it('take what was said with them when they are renamed or deleted', async () => {
      const { id } = await define({ name: 'paper' })
      const cup = await item({ paper: 'thick' })
      const said = async () => (await ask('GET', `${server.ev}/items/${cup.id}/`, 200)).meta_data
      await ask('PATCH', `${path()}${id}/`, 200, { name: 'board' })
      assert.deepEqual(await said(), { board: 'thick' })
      assert.ok(Object.hasOwn((await shown()) as object, 'board'))
      await ask('DELETE', `${path()}${id}/`, 204)
      assert.deepEqual(await said(), {})
      assert.ok(!Object.hasOwn((await shown()) as object, 'board'))
    })

    it('are copied with the event, but for those that the request leaves out', async () => {
      const body = { name: 'Copy', slug: 'copy', date_from: '2031-01-01T10:00:00Z' }
      await ask('POST', `${server.ev}/clone/`, 201, body)
      const there = `${server.org}/events/copy/item_meta_properties/`
      const [here, copied] = [await ask('GET', path(), 200), await ask('GET', there, 200)]
      const bare = (page: RowData) => (page.results as RowData[]).map(({ id: _, ...rest }) => rest)
      assert.deepEqual(bare(copied), bare(here))
      const other = { ...body, slug: 'other', item_meta_properties: { colour: 'pink' } }
      await ask('POST', `${server.ev}/clone/`, 201, other)
      const few = await ask('GET', `${server.org}/events/other/item_meta_properties/`, 200)
      assert.deepEqual(
        (few.results as RowData[]).map(({ name, default: usual }) => [name, usual]),
        [['colour', 'pink']],
      )
    })
  })
