import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'

for (const engine of engines)
  describe(`the dates of a series on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const series = (slug = 'tour') => `${server.org}/events/${slug}`
    const dates = () => `${series()}/subevents/`
    const make = (name: string, body: RowData = {}, slug?: string) =>
      ask('POST', `${series(slug)}/subevents/`, 201, { name, date_from: '2031-01-01T10:00:00Z', ...body })
    const names = async (path: string, query: string, authorization?: string): Promise<string[]> => {
      const found = valuesOf(await ask('GET', `${path}?${query}`, 200, undefined, authorization), 'name')
      return (found as { en: string }[]).map(({ en }) => en).sort()
    }

    before(async () => {
      server = await startTestServer(await engine.open())
      await ask('POST', `${server.org}/event_meta_properties/`, 201, { name: 'genre' })
      for (const [slug, body] of [
        ['tour', { meta_data: { genre: 'rock' } }],
        ['fair', { sales_channels: ['boxoffice'] }],
      ] as const)
        await ask('POST', `${server.org}/events/`, 201, {
          name: slug,
          slug,
          date_from: '2030-01-01T10:00:00Z',
          has_subevents: true,
          ...body,
        })
      await make('ended', {
        date_from: '2020-01-01T10:00:00Z',
        date_to: '2020-01-02T10:00:00Z',
        active: true,
      })
      await make('running', { date_from: '2020-01-01T10:00:00Z', date_to: '2999-01-01T10:00:00Z' })
      await make('open', {
        location: 'The Yard',
        date_from: '2020-01-01T10:00:00Z',
        meta_data: { genre: 'folk' },
      })
      await make('later', { active: true, is_public: false, meta_data: { genre: '' } })
      await make('stall', { active: true }, 'fair')
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'fair', { ...allRights, all_events: false, limit_events: ['fair'] }),
      )
    })
    after(() => server.close())

    for (const [query, found] of [
      ['is_future=true', ['later', 'running']],
      ['is_future=false', ['ended', 'open']],
      ['is_past=true', ['ended', 'open']],
      ['is_past=false', ['later', 'running']],
      ['ends_after=2020-01-02T10:00:00Z', ['ended', 'later', 'running']],
      ['active=true&is_past=true', ['ended']],
      ['date_from_after=2020-01-01T10:00:01Z', ['later']],
      ['date_from_before=2020-01-01T10:00:00Z', ['ended', 'open', 'running']],
      ['date_to_after=2021-01-01T00:00:00Z', ['running']],
      ['date_to_before=2021-01-01T00:00:00Z', ['ended']],
      ['search=NN', ['running']],
      ['search=yard', ['open']],
      ['search=name', []],
      ['is_public=false', ['later']],
      ['event__live=false', ['ended', 'later', 'open', 'running']],
      ['event__live=true', []],
      ['sales_channel=boxoffice', []],
      ['sales_channel=nope', []],
      ['attr[genre]=rock', ['ended', 'running']],
      ['attr[genre]=folk', ['open']],
      ['attr[genre]=', ['later']],
      ['attr[mood]=', ['ended', 'later', 'open', 'running']],
    ] as const)
      it(`are chosen by ${query}, in the series and in the organizer`, async () => {
        assert.deepEqual(await names(dates(), query), found)
        const everywhere = await names(`${server.org}/subevents/`, query)
        assert.deepEqual(
          everywhere.filter((name) => name !== 'stall'),
          found,
        )
      })

    it('are listed for the whole organizer, of the events that the caller may enter', async () => {
      const path = `${server.org}/subevents/`
      assert.deepEqual(await names(path, ''), ['ended', 'later', 'open', 'running', 'stall'])
      assert.deepEqual(await names(path, '', 'Token fair'), ['stall'])
      assert.deepEqual(await names(path, 'sales_channel=web'), ['ended', 'later', 'open', 'running'])
      assert.deepEqual(await names(path, 'event__live=true'), [])
      assert.deepEqual(await names(path, 'search=FAI'), ['stall'])
      assert.equal((await names(path, 'event__live=false')).length, 5)
      const [stall] = (await ask('GET', `${path}?ordering=-id`, 200)).results as RowData[]
      const own = await ask('GET', `${series('fair')}/subevents/${stall?.id}/`, 200)
      assert.deepEqual(stall, own)
      assert.equal(own.event, 'fair')
      await ask('POST', path, 405, {})
    })

    it('are sold in a channel that nobody knows where their series is sold in all of them', async () => {
      await ask('PATCH', `${series('fair')}/`, 200, { all_sales_channels: true, limit_sales_channels: [] })
      assert.deepEqual(await names(`${series('fair')}/subevents/`, 'sales_channel=nope'), ['stall'])
      assert.deepEqual(await names(`${server.org}/subevents/`, 'sales_channel=nope'), ['stall'])
      await ask('PATCH', `${series('fair')}/`, 200, { sales_channels: ['boxoffice'] })
      assert.deepEqual(await names(`${series('fair')}/subevents/`, 'sales_channel=nope'), [])
    })

    it('exist in series only', async () => {
      const path = `${server.ev}/subevents/`
      assert.equal((await ask('GET', path, 200)).count, 0)
      const refused = await ask('POST', path, 400, { name: 'A', date_from: '2031-01-01T10:00:00Z' })
      assert.deepEqual(Object.keys(refused), ['non_field_errors'])
    })

    it('are made by who may create events, and changed by who may change their settings', async () => {
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'maker', { all_events: true, can_create_events: true })
        await addToken(tx, server.organizer, 'keeper', { all_events: true, can_change_event_settings: true })
      })
      const body = { name: 'A', date_from: '2031-01-01T10:00:00Z' }
      await ask('POST', dates(), 403, body, 'Token keeper')
      const { id } = await ask('POST', dates(), 201, body, 'Token maker')
      await ask('PATCH', `${dates()}${id}/`, 403, { active: true }, 'Token maker')
      await ask('PATCH', `${dates()}${id}/`, 200, { active: true }, 'Token keeper')
      await ask('DELETE', `${dates()}${id}/`, 403, undefined, 'Token maker')
      await ask('DELETE', `${dates()}${id}/`, 204, undefined, 'Token keeper')
    })

    it('replace their prices as a whole, and say for each what is wrong with it', async () => {
      const item = await ask('POST', `${series()}/items/`, 201, {
        name: 'T',
        default_price: '5',
        variations: [{ value: 'A' }],
      })
      const [form] = item.variations as { id: number }[]
      const row = await make('priced', {
        item_price_overrides: [{ item: item.id, price: 3 }],
        variation_price_overrides: [{ variation: form?.id, available_from: '2030-01-01T00:00:00+01:00' }],
      })
      assert.deepEqual(row.item_price_overrides, [
        { item: item.id, disabled: false, available_from: null, available_until: null, price: '3.00' },
      ])
      const path = `${dates()}${row.id}/`
      const [override] = row.variation_price_overrides as RowData[]
      assert.equal(override?.available_from, '2029-12-31T23:00:00Z')
      const refused = await ask('PATCH', path, 400, {
        item_price_overrides: [{ item: item.id }, { price: '1' }, { item: item.id, disabled: 'perhaps' }],
      })
      assert.deepEqual(
        (refused.item_price_overrides as object[]).map((errors) => Object.keys(errors)),
        [[], ['item'], ['disabled']],
      )
      await ask('PATCH', path, 200, { item_price_overrides: [] })
      const left = await ask('GET', path, 200)
      assert.deepEqual(
        [left.item_price_overrides, left.variation_price_overrides],
        [[], row.variation_price_overrides],
      )
      await ask('DELETE', `${series()}/items/${item.id}/`, 204)
      assert.deepEqual((await ask('GET', path, 200)).variation_price_overrides, [])
      await ask('PATCH', path, 200, { active: true })
    })

    it('note when they were changed, and not that they were left alone', async () => {
      const row = await make('noted')
      const path = `${dates()}${row.id}/`
      const same = await ask('PATCH', path, 200, { active: false, date_from: '2031-01-01T11:00:00+01:00' })
      assert.equal(same.last_modified, row.last_modified)
      const since = encodeURIComponent(
        String((await ask('PATCH', path, 200, { active: true })).last_modified),
      )
      assert.ok((await names(dates(), `modified_since=${since}`)).includes('noted'))
    })

    it('stay once they are ordered, and else take their quotas and lists with them', async () => {
      const item = await ask('POST', `${series()}/items/`, 201, { name: 'T', default_price: '5' })
      const [sold, free] = [await make('sold'), await make('free')]
      for (const { id } of [sold, free]) {
        await ask('POST', `${series()}/quotas/`, 201, { name: 'Q', size: 5, items: [item.id], subevent: id })
        await ask('POST', `${series()}/checkinlists/`, 201, { name: 'L', subevent: id })
      }
      const order = { positions: [{ item: item.id, price: '5.00', subevent: sold.id }] }
      await ask('POST', `${series()}/orders/`, 201, order)
      assert.deepEqual(Object.keys(await ask('DELETE', `${dates()}${sold.id}/`, 403)), ['detail'])
      await ask('DELETE', `${dates()}${free.id}/`, 204)
      for (const kind of ['quotas', 'checkinlists']) {
        assert.equal((await ask('GET', `${series()}/${kind}/?subevent=${sold.id}`, 200)).count, 1)
        assert.equal((await ask('GET', `${series()}/${kind}/?subevent=${free.id}`, 200)).count, 0)
      }
    })
  })
