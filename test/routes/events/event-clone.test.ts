import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import {
  addEvent,
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

const partsOf = (row: RowData | undefined, name: string): RowData[] => (row?.[name] ?? []) as RowData[]

for (const engine of engines)
  describe(`an event made after another one on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const copy = () => `${server.org}/events/copy`
    const rows = async (event: string, kind: string) => resultsOf(await ask('GET', `${event}/${kind}/`, 200))
    let gate: unknown
    let made: RowData

    before(async () => {
      server = await startTestServer(await engine.open())
      const { ev } = server
      const post = async (path: string, body: RowData) => (await ask('POST', `${ev}/${path}/`, 201, body)).id
      await ask('POST', `${server.org}/event_meta_properties/`, 201, { name: 'genre' })
      await ask('PATCH', `${ev}/`, 200, {
        testmode: true,
        is_public: false,
        currency: 'CHF',
        meta_data: { genre: 'folk' },
        item_meta_properties: { colour: '' },
        sales_channels: ['web', 'boxoffice'],
        location: 'Hall',
      })
      await ask('PATCH', `${ev}/settings/`, 200, { reservation_time: 7, name_scheme: 'full' })
      const tickets = await post('categories', { name: 'Tickets' })
      const food = await post('categories', { name: 'Food' })
      const rule = await post('taxrules', { name: 'VAT', rate: '19' })
      const cup = await post('items', { name: 'Cup', default_price: '2', meta_data: { colour: 'red' } })
      const item = await ask('POST', `${ev}/items/`, 201, {
        name: 'Ticket',
        default_price: '23',
        category: tickets,
        tax_rule: rule,
        variations: [{ value: 'Day' }, { value: 'Night', default_price: '30' }],
        addons: [{ addon_category: food }],
        bundles: [{ bundled_item: cup }],
      })
      const [, night] = item.variations as { id: number }[]
      const limit = await post('quotas', {
        name: 'Nights',
        size: 9,
        items: [item.id, cup],
        variations: [night?.id],
        closed: true,
      })
      await ask('PATCH', `${ev}/items/${cup}/`, 200, { hidden_if_available: limit })
      const later = await post('questions', {
        question: 'Which?',
        type: 'S',
        items: [item.id],
        identifier: 'which',
      })
      const first = await post('questions', {
        question: 'Any?',
        type: 'C',
        items: [item.id],
        options: [{ answer: 'Yes', identifier: 'yes' }, { answer: 'No' }],
      })
      await ask('PATCH', `${ev}/questions/${later}/`, 200, {
        dependency_question: first,
        dependency_values: ['yes'],
      })
      gate = (await ask('POST', `${server.org}/gates/`, 201, { name: 'North' })).id
      const lookup = (kind: string, id: unknown) => ({ lookup: [kind, String(id), 'X'] })
      await post('checkinlists', {
        name: 'Door',
        all_products: false,
        limit_products: [item.id],
        rules: {
          or: [
            { inList: [{ var: 'product' }, { objectList: [lookup('product', cup)] }] },
            { inList: [{ var: 'variation' }, { objectList: [lookup('variation', night?.id)] }] },
            { inList: [{ var: 'gate' }, { objectList: [lookup('gate', gate)] }] },
          ],
        },
      })
      const body = { name: 'Copy', slug: 'copy', date_from: '2031-01-01T10:00:00Z' }
      made = await ask('POST', `${ev}/clone/`, 201, body)
    })
    after(() => server.close())

    it('takes over how the other one is sold, but not when and where', () => {
      assert.deepEqual(
        [made.slug, made.live, made.testmode, made.is_public, made.currency, made.timezone, made.location],
        ['copy', false, true, false, 'CHF', 'Europe/Berlin', null],
      )
      assert.deepEqual([made.meta_data, made.item_meta_properties], [{ genre: 'folk' }, { colour: '' }])
      assert.deepEqual([made.sales_channels, made.date_to], [['web', 'boxoffice'], null])
    })

    it('takes over its settings', async () => {
      const settings = await ask('GET', `${copy()}/settings/`, 200)
      assert.deepEqual([settings.reservation_time, settings.name_scheme], [7, 'full'])
    })

    it('has rows of its own, each pointing at its own', async () => {
      const own = Object.fromEntries(
        await Promise.all(
          ['categories', 'taxrules', 'items', 'quotas', 'questions', 'checkinlists'].map(
            async (kind) => [kind, await rows(copy(), kind)] as const,
          ),
        ),
      )
      const [cup, ticket] = own.items ?? []
      const [day, night] = partsOf(ticket, 'variations')
      const [tickets, food] = own.categories ?? []
      assert.deepEqual([ticket?.category, ticket?.tax_rule], [tickets?.id, own.taxrules?.[0]?.id])
      assert.deepEqual([day?.price, night?.price], ['23.00', '30.00'])
      assert.equal(partsOf(ticket, 'addons')[0]?.addon_category, food?.id)
      assert.equal(partsOf(ticket, 'bundles')[0]?.bundled_item, cup?.id)
      const [limit] = own.quotas ?? []
      assert.deepEqual(
        [limit?.items, limit?.variations, limit?.closed],
        [[ticket?.id, cup?.id], [night?.id], false],
      )
      assert.deepEqual([cup?.hidden_if_available, cup?.meta_data], [limit?.id, { colour: 'red' }])
      const [which, any] = own.questions ?? []
      assert.deepEqual([which?.identifier, which?.dependency_question], ['which', any?.id])
      assert.deepEqual([which?.items, which?.dependency_values], [[ticket?.id], ['yes']])
      const [yes] = partsOf(any, 'options')
      assert.equal(yes?.identifier, 'yes')
      const [door] = own.checkinlists ?? []
      assert.deepEqual(door?.limit_products, [ticket?.id])
      assert.deepEqual(door?.rules, {
        or: [
          { inList: [{ var: 'product' }, { objectList: [{ lookup: ['product', String(cup?.id), 'X'] }] }] },
          {
            inList: [
              { var: 'variation' },
              { objectList: [{ lookup: ['variation', String(night?.id), 'X'] }] },
            ],
          },
          { inList: [{ var: 'gate' }, { objectList: [{ lookup: ['gate', String(gate), 'X'] }] }] },
        ],
      })
    })

    it('leaves the other one as it was', async () => {
      const [cup, ticket] = await rows(server.ev, 'items')
      const [theirs] = await rows(copy(), 'items')
      assert.notEqual(cup?.id, theirs?.id)
      await ask('DELETE', `${copy()}/items/${theirs?.id}/`, 204)
      assert.equal((await rows(server.ev, 'items')).length, 2)
      assert.equal(partsOf(ticket, 'bundles').length, 1)
    })

    it('takes what the request says instead', async () => {
      const body = {
        name: 'Series',
        slug: 'series',
        date_from: '2031-01-01T10:00:00Z',
        has_subevents: true,
        testmode: false,
        timezone: 'Asia/Tokyo',
      }
      const row = await ask('POST', `${server.ev}/clone/`, 201, body)
      assert.deepEqual([row.has_subevents, row.testmode, row.timezone], [true, false, 'Asia/Tokyo'])
    })

    it('is what a new event can be made as, too', async () => {
      const path = `${server.org}/events/`
      const body = { name: 'New', slug: 'new', date_from: '2031-01-01T10:00:00Z' }
      const row = await ask('POST', `${path}?clone_from=gala`, 201, body)
      assert.deepEqual([row.currency, row.testmode, row.slug], ['CHF', true, 'new'])
      assert.equal((await rows(`${path}new`, 'items')).length, 2)
      const again = { ...body, slug: 'newer' }
      await ask('POST', `${path}?clone_from=acme/gala`, 201, again)
      assert.equal((await rows(`${path}newer`, 'items')).length, 2)
      assert.deepEqual(Object.keys(await ask('POST', `${path}?clone_from=gala`, 400, again)), ['slug'])
      const plain = await ask('POST', `${path}?clone_from=`, 201, { ...body, slug: 'plain' })
      assert.deepEqual([plain.currency, (await rows(`${path}plain`, 'items')).length], ['EUR', 0])
    })

    it('is only made after one that the caller may enter', async () => {
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'outside', { ...allRights, all_events: false })
        await addToken(tx, server.organizer, 'reader', { all_events: true })
        const other = await addOrganizer(tx, 'other')
        await addEvent(tx, other, 'theirs')
      })
      const body = { name: 'New', slug: 'never', date_from: '2031-01-01T10:00:00Z' }
      const make = (from: string, token: string) =>
        ask('POST', `${server.org}/events/?clone_from=${from}`, 403, body, `Token ${token}`)
      for (const from of ['nowhere', 'theirs', 'other/theirs', 'other/gala']) await make(from, 'all')
      await make('gala', 'outside')
      await make('gala', 'reader')
    })

    for (const [what, body, key] of [
      ['a slug that is taken', { name: 'C', slug: 'gala', date_from: '2031-01-01T10:00:00Z' }, 'slug'],
      ['no date', { name: 'C', slug: 'c' }, 'date_from'],
      ['being live', { name: 'C', slug: 'c', date_from: '2031-01-01T10:00:00Z', live: true }, 'live'],
      ['a list', [], 'non_field_errors'],
    ] as const)
      it(`is refused with ${what}`, async () => {
        assert.deepEqual(Object.keys(await ask('POST', `${server.ev}/clone/`, 400, body)), [key])
      })
  })
