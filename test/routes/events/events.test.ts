import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`events on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const events = () => `${server.org}/events/`
    const make = (slug: string, values = {}, authorization?: string) =>
      ask(
        'POST',
        events(),
        201,
        { name: slug, slug, date_from: '2031-01-01T10:00:00Z', ...values },
        authorization,
      )
    const slugs = async (query: string, authorization?: string): Promise<unknown[]> =>
      valuesOf(await ask('GET', `${events()}?${query}`, 200, undefined, authorization), 'slug')

    before(async () => {
      server = await startTestServer(await engine.open())
      for (const name of ['genre', 'Genre'])
        await ask('POST', `${server.org}/event_meta_properties/`, 201, { name })
      await make('ended', { date_from: '2020-01-01T10:00:00Z', date_to: '2020-01-02T10:00:00Z' })
      await make('running', { date_from: '2020-01-01T10:00:00Z', date_to: '2999-01-01T10:00:00Z' })
      await make('open', { date_from: '2020-01-01T10:00:00Z' })
      await make('tour', { has_subevents: true, date_from: '2020-01-01T10:00:00Z' })
      await make('named', {
        name: { en: 'Winter 100%', de: 'Der Frühling "im" Park' },
        location: { en: 'Long_Hall' },
        date_from: '2020-03-01T10:00:00Z',
        date_to: '2020-03-02T10:00:00Z',
        sales_channels: [],
        has_subevents: true,
      })
      await make('door', { sales_channels: ['boxoffice'], meta_data: { genre: 'folk', Genre: 'pop' } })
    })
    after(() => server.close())

    for (const [query, found] of [
      ['is_future=true', ['door', 'gala', 'running']],
      ['is_future=false', ['ended', 'named', 'open', 'tour']],
      ['is_past=true', ['ended', 'open']],
      ['is_past=false', ['door', 'gala', 'named', 'running', 'tour']],
      ['ends_after=2020-01-02T10:00:00Z', ['door', 'ended', 'gala', 'running']],
      ['ends_after=2020-01-02T11:00:00%2B01:00', ['door', 'ended', 'gala', 'running']],
      ['ends_after=2031-01-01T10:00:01Z', ['running']],
      ['sales_channel=boxoffice', ['door']],
      ['sales_channel=web', ['ended', 'gala', 'open', 'running', 'tour']],
      ['has_subevents=true', ['named', 'tour']],
      ['live=true', []],
      ['attr[genre]=folk', ['door']],
      ['attr[genre]=pop', []],
      ['attr[genre]=', ['ended', 'gala', 'named', 'open', 'running', 'tour']],
      ['attr[Genre]=pop', ['door']],
      ['attr[genre]=folk&is_past=true', []],
      ['search=OPE', ['open']],
      ['search=winTER', ['named']],
      ['search=im%22%20park', ['named']],
      ['search=100%25', ['named']],
      ['search=0%2525', []],
      ['search=g_h', ['named']],
      ['search=l_n', []],
      ['search=en', ['ended', 'open']],
      ['search=', ['door', 'ended', 'gala', 'named', 'open', 'running', 'tour']],
      ['date_from_after=2031-01-01T10:00:00Z', ['door']],
      ['date_from_after=2030-06-01T10:00:00Z', ['door', 'gala']],
      ['date_from_before=2020-03-01T10:00:00Z&date_from_after=2020-01-01T10:00:01Z', ['named']],
      ['date_to_after=2020-03-02T10:00:00Z', ['named', 'running']],
      ['date_to_before=2020-03-02T10:00:00Z', ['ended', 'named']],
    ] as const)
      it(`are chosen by ${query}`, async () => assert.deepEqual(await slugs(query), found))

    for (const name of ['is_future', 'is_past', 'ends_after', 'live', 'date_from_after', 'date_to_before'])
      it(`refuse a strange ${name}`, async () =>
        assert.deepEqual(Object.keys(await ask('GET', `${events()}?${name}=perhaps`, 400)), [name]))

    it('show the keys for signed codes in the detail view alone', async () => {
      assert.deepEqual((await ask('GET', `${server.ev}/`, 200)).valid_keys, { pretix_sig1: [] })
      const plugins = ['pretix.plugins.badges', 'pretix_printing']
      assert.deepEqual((await ask('PATCH', `${server.ev}/`, 200, { plugins })).plugins, plugins)
      assert.deepEqual((await ask('GET', `${server.ev}/`, 200)).plugins, plugins)
      const [first] = (await ask('GET', events(), 200)).results as object[]
      assert.ok(first && !('valid_keys' in first))
    })

    it('go live only when there is something to sell, and say so in the audit trail', async () => {
      await make('fresh')
      const path = `${events()}fresh/`
      assert.deepEqual(Object.keys(await ask('PATCH', path, 400, { live: true })), ['live'])
      const item = await ask('POST', `${path}items/`, 201, { name: 'Ticket', default_price: '5' })
      await ask('POST', `${path}quotas/`, 201, { name: 'All', size: 5, items: [item.id] })
      assert.equal((await ask('PATCH', path, 200, { live: true })).live, true)
      await ask('PATCH', path, 200, { live: false, testmode: true })
      const found = await server.running.transactions.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE resource = 'event' AND row_id = (SELECT id FROM event WHERE slug = 'fresh')`,
      )
      assert.deepEqual(found.map(({ action }) => action.replace('ticketsvc.event.', '')).sort(), [
        'added',
        'changed',
        'changed',
        'live.activated',
        'live.deactivated',
        'testmode.activated',
      ])
    })

    it('are seen by those who may enter them, in lists too', async () => {
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'two', {
          ...allRights,
          all_events: false,
          limit_events: ['gala', 'tour'],
        })
        await addToken(tx, server.organizer, 'none', { ...allRights, all_events: false })
        await addDevice(tx, server.organizer, 1, 'scanner', { all_events: false, limit_events: ['gala'] })
      })
      assert.deepEqual(await slugs('', 'Token two'), ['gala', 'tour'])
      assert.deepEqual(await slugs('', 'Token none'), [])
      assert.deepEqual(await slugs('', 'Device scanner'), ['gala'])
    })

    it('let in the team that has made them', async () => {
      await make('mine', {}, 'Token two')
      assert.deepEqual(await slugs('', 'Token two'), ['gala', 'mine', 'tour'])
      await ask('GET', `${events()}mine/`, 200, undefined, 'Token two')
      await ask(
        'POST',
        `${events()}mine/clone/`,
        201,
        { name: 'Copy', slug: 'copy', date_from: '2031-01-01T10:00:00Z' },
        'Token two',
      )
      assert.deepEqual(await slugs('', 'Token two'), ['copy', 'gala', 'mine', 'tour'])
      assert.deepEqual(await slugs('', 'Token none'), [])
    })

    it('take everything with them when they are deleted, also the access to their name', async () => {
      const path = `${events()}copy/`
      const item = await ask('POST', `${path}items/`, 201, {
        name: 'T',
        default_price: '5',
        variations: [{ value: 'A' }],
      })
      const first = await ask('POST', `${path}questions/`, 201, {
        question: 'Q',
        type: 'B',
        items: [item.id],
      })
      await ask('POST', `${path}questions/`, 201, {
        question: 'Q',
        type: 'S',
        items: [],
        dependency_question: first.id,
      })
      await ask('POST', `${path}checkinlists/`, 201, { name: 'Door' })
      await ask('DELETE', path, 204)
      await ask('GET', path, 403)
      await make('copy')
      await ask('GET', path, 403, undefined, 'Token two')
      assert.deepEqual((await ask('GET', `${path}items/`, 200)).count, 0)
    })

    it('are not deleted once somebody has ordered', async () => {
      const path = `${events()}fresh/`
      const { results } = await ask('GET', `${path}items/`, 200)
      const [item] = results as { id: number }[]
      const order = { positions: [{ item: item?.id, price: '5.00' }] }
      await ask('POST', `${path}orders/`, 201, order)
      assert.deepEqual(Object.keys(await ask('DELETE', path, 403)), ['detail'])
      await ask('GET', path, 200)
    })
  })
