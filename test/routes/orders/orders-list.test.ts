import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { bothEngines, engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import { addEvent, addToken } from '../../support/servers/servers.ts'
import {
  addCustomer,
  addSeries,
  type Series,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { addItem, addOrder } from '../../support/ticketing/tickets.ts'

for (const engine of bothEngines)
  describe(`a list of orders, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    before(async () => {
      server = await startShop(await engine.open(), neverTwice())
      series = await addSeries(server)
      await addCustomer(server, 'CUST1')
      const { ticket, dinner, child, rare } = server.shop
      await server.ask(200, 'PATCH', '/settings/', { locales: ['en', 'de'] })
      await server.order({
        ...{ code: 'ALPHA', email: 'Ann@Example.org', comment: 'Friend of the House', locale: 'de' },
        positions: [{ item: ticket, attendee_name: 'Jürgen Groß', attendee_email: 'jg@work.example' }],
      })
      await server.paidOrder({
        ...{ code: 'BRAVX', sales_channel: 'boxoffice', customer: 'CUST1' },
        invoice_address: { company: 'Schmidt & Söhne', name: 'Berta Beispiel' },
        positions: [
          { positionid: 1, item: dinner, variation: child, secret: 'secret-of-bravx' },
          { positionid: 2, item: ticket, addon_to: 1 },
        ],
      })
      await server.order({
        code: 'CHARX',
        testmode: true,
        require_approval: true,
        positions: [{ item: rare }],
      })
      for (const [code, subevent] of [
        ['DELTA', series.first],
        ['EKKEX', series.second],
      ])
        await server.call('POST', `${series.ev}/orders/`, {
          code,
          positions: [{ item: series.item, subevent }],
        })
    })
    after(() => server.close())

    const page = async (path: string): Promise<ShownPage<ShownOrder>> => {
      const answer = await server.call('GET', path)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as ShownPage<ShownOrder>
    }
    const codes = async (query: string, base = server.ev): Promise<string> => {
      const { results, count } = await page(`${base}/orders/?${query}`)
      assert.equal(count, results.length)
      return results.map(({ code }) => code).join(' ')
    }

    const cases: readonly (readonly [query: string | (() => string), found: string])[] = [
      ['', 'ALPHA BRAVX CHARX'],
      ['code=bravx', 'BRAVX'],
      ['code=BRA', ''],
      ['status=p', 'BRAVX'],
      ['status=n', 'ALPHA CHARX'],
      ['email=ann@example.ORG', 'ALPHA'],
      ['locale=de', 'ALPHA'],
      ['testmode=true', 'CHARX'],
      ['testmode=false', 'ALPHA BRAVX'],
      ['require_approval=true', 'CHARX'],
      ['sales_channel=boxoffice', 'BRAVX'],
      ['payment_provider=manual', 'BRAVX'],
      ['customer=CUST1', 'BRAVX'],
      [() => `item=${server.shop.ticket}`, 'ALPHA BRAVX'],
      [() => `variation=${server.shop.child}`, 'BRAVX'],
      [() => `item=${server.shop.rare}&testmode=false`, ''],
      ['created_since=2020-01-01T00:00:00Z', 'ALPHA BRAVX CHARX'],
      ['created_before=2020-01-01T00:00:00Z', ''],
      ['modified_since=2020-01-01T00:00:00Z', 'ALPHA BRAVX CHARX'],
      ['modified_since=2999-01-01T00:00:00%2B01:00', ''],
      ['ordering=-code', 'CHARX BRAVX ALPHA'],
      ['ordering=-datetime', 'CHARX BRAVX ALPHA'],
      ['ordering=status,-code', 'CHARX ALPHA BRAVX'],
      ['ordering=nonsense', 'ALPHA BRAVX CHARX'],
      ['search=alp', 'ALPHA'],
      ['search=GALA-alpha', 'ALPHA'],
      ['search=GALA-al', 'ALPHA'],
      ['search=la-alpha', 'ALPHA'],
      ['search=-alpha', 'ALPHA'],
      ['search=alph4', 'ALPHA'],
      ['search=gala-4lph', 'ALPHA'],
      ['search=gala-', 'ALPHA BRAVX CHARX'],
      ['search=g_la-alpha', ''],
      ['search=series-alpha', ''],
      ['search=al', 'ALPHA'],
      ['search=example.org', 'ALPHA'],
      ['search=gross', 'ALPHA'],
      ['search=JÜRGEN', 'ALPHA'],
      ['search=work.example', 'ALPHA'],
      ['search=friend of', 'ALPHA'],
      ['search=secret-of', 'BRAVX'],
      ['search=sohne', 'BRAVX'],
      ['search=beispiel', 'BRAVX'],
      ['search=%25', ''],
      ['search=nobody', ''],
      ['whatever=1', 'ALPHA BRAVX CHARX'],
    ]
    for (const [query, found] of cases)
      it(`finds ${found || 'nothing'} by ${typeof query === 'string' ? query || 'nothing' : query.toString().slice(6)}`, async () => {
        assert.equal(await codes(typeof query === 'string' ? query : query()), found)
      })

    it('finds orders by their notes as these are now, which find no positions', async () => {
      const found = async (text: string, list = 'orders') =>
        (await page(`${server.ev}/${list}/?search=${encodeURIComponent(text)}`)).count
      const note = (comment: string) => server.ask(200, 'PATCH', '/orders/CHARX/', { comment })
      await note('Ruft später an: 50% off\nReference: X-4711')
      assert.deepEqual(
        [await found('ruft spater'), await found('50% off'), await found('500 off'), await found('x-4711')],
        [1, 1, 0, 1],
      )
      assert.deepEqual(
        [await found('ruft spater', 'orderpositions'), await found('x-4711', 'orderpositions')],
        [0, 1],
      )
      await note('')
      assert.equal(await found('ruft spater'), 0)
    })

    it('finds orders by the dates of a series', async () => {
      for (const [query, found] of [
        [`subevent=${series.first}`, 'DELTA'],
        ['subevent_after=2030-06-01T10:00:00Z', 'EKKEX'],
        ['subevent_after=2030-05-01T10:00:00Z', 'DELTA EKKEX'],
        ['subevent_before=2030-06-02T10:00:00Z', 'DELTA'],
        ['subevent_before=2030-06-01T10:00:00Z', ''],
      ] as const)
        assert.equal(await codes(query, series.ev), found, query)
    })

    it('refuses values that are none', async () => {
      for (const query of [
        'testmode=maybe',
        'item=x',
        'modified_since=soon',
        'subevent_after=1',
        'subevent=x',
      ]) {
        const answer = await server.call('GET', `${server.ev}/orders/?${query}`)
        assert.equal(answer.status, 400, query)
        assert.deepEqual(Object.keys(answer.body as object), [query.split('=')[0]])
      }
    })

    it('holds the orders of all events below the organizer, with the event of each', async () => {
      assert.equal(await codes('', server.org), 'ALPHA BRAVX CHARX DELTA EKKEX')
      assert.equal(await codes(`subevent=${series.second}`, server.org), 'EKKEX')
      const { results } = await page(`${server.org}/orders/?ordering=-code`)
      assert.deepEqual(
        results.map(({ event }) => event),
        ['series', 'series', 'gala', 'gala', 'gala'],
      )
    })

    it('holds only orders of events that the caller may enter and look at', async () => {
      await server.running.transactions.write(async (tx) => {
        await addEvent(tx, server.organizer, 'empty')
        await addToken(tx, server.organizer, 'series-only', {
          limit_events: ['series'],
          can_view_orders: true,
        })
        await addToken(tx, server.organizer, 'no-event', { can_view_orders: true })
        await addToken(tx, server.organizer, 'no-orders', { all_events: true, can_change_orders: true })
      })
      const ask = (token: string, path: string) =>
        server.call('GET', path, undefined, { Authorization: `Token ${token}` })
      const seen = await ask('series-only', `${server.org}/orders/`)
      const { results } = seen.body as ShownPage<ShownOrder>
      assert.deepEqual(
        results.map(({ code }) => code),
        ['DELTA', 'EKKEX'],
      )
      assert.equal(((await ask('no-event', `${server.org}/orders/`)).body as ShownPage<ShownOrder>).count, 0)
      for (const path of [`${server.org}/orders/`, `${server.ev}/orders/`, `${server.ev}/orders/ALPHA/`])
        assert.equal((await ask('no-orders', path)).status, 403, path)
      assert.equal((await ask('series-only', `${server.ev}/orders/ALPHA/`)).status, 403)
      assert.equal((await ask('nobody', `${server.org}/orders/`)).status, 401)
    })

    it('shows only the fields that are asked for', async () => {
      const [whole] = (await page(`${server.ev}/orders/?code=bravx`)).results
      assert.ok(whole)
      const { positions: _, secret: __, ...rest } = whole
      const one = async (query: string) => (await page(`${server.ev}/orders/?code=bravx&${query}`)).results[0]
      assert.deepEqual(await one('exclude=positions&exclude=secret'), rest)
      assert.deepEqual(await one('include=code&include=total'), { code: 'BRAVX', total: '38.00' })
      const positions = [{ positionid: 1 }, { positionid: 2 }]
      const chosen =
        'include=code&include=positions.positionid&include=positions.secret&exclude=positions.secret'
      assert.deepEqual(await one(chosen), { code: 'BRAVX', positions })
    })

    it('says from when to continue, such that nothing is missed', async () => {
      const answer = await server.call('GET', `${server.ev}/orders/`)
      const generated = answer.headers.get('X-Page-Generated') ?? ''
      await server.order({ code: 'LATER', testmode: true, positions: [{ item: server.shop.ticket }] })
      const since = `modified_since=${encodeURIComponent(generated)}`
      assert.equal(await codes(since), 'LATER')
      await server.ask(204, 'DELETE', '/orders/LATER/')
      assert.equal(await codes(since), '')
    })

    it('comes in pages', async () => {
      const first = await page(`${server.ev}/orders/?page_size=2`)
      assert.deepEqual([first.count, first.results.length], [3, 2])
      assert.ok(first.next)
      const second = await page(first.next.slice(server.url.length))
      assert.deepEqual([second.results.map(({ code }) => code), second.next], [['CHARX'], null])
      assert.equal((await server.call('GET', `${server.ev}/orders/?page=9`)).status, 404)
    })

    it('knows no order of another event', async () => {
      await server.ask(404, 'GET', '/orders/DELTA/')
      await server.ask(404, 'PATCH', '/orders/DELTA/', {})
      await server.ask(404, 'DELETE', '/orders/DELTA/')
      await server.ask(404, 'POST', '/orders/DELTA/mark_paid/')
      await server.ask(404, 'GET', '/orders/NOSUCH/')
    })

    it('finds orders by the number of a card payment, as typed or as the terminal said it', async () => {
      const pay = async (provider: string, info: RowData) => {
        const { code } = await server.order({ positions: [{ item: server.shop.free }] })
        await server.ask(201, 'POST', `/orders/${code}/payments/`, {
          ...{ state: 'confirmed', amount: '1.00', provider, info },
        })
        return code
      }
      const typed = await pay('cardterminal', { reference: 'Bon_77%X' })
      const told = await pay('cardterminal', { reference: '12345678-9-4242', receipt: 9, trace: 4242 })
      await pay('boxoffice', { reference: 'Bon_77%X' })
      const by = (text: string) => codes(`payment_reference=${encodeURIComponent(text)}`)
      assert.equal(await by('bon_77%'), typed)
      assert.equal(await by('BonX77'), '')
      for (const text of ['4242', '9', '12345678-9', '0009']) assert.equal(await by(text), told, text)
      for (const text of ['424', '42429', 'nobody', '"']) assert.equal(await by(text), '', text)
    })

    // So many rows take an embedded database too long.
    if (engines.includes(engine))
      it('finds orders by a text that very many others hold, where these are not looked among', async () => {
        const { running, organizer, event } = server
        await running.transactions.write(async (tx) => {
          const crowd = await addEvent(tx, organizer, 'crowd')
          const place = { organizer, event: crowd }
          const product = await addItem(tx, place, 'Crowded')
          const guest = { item: product, attendee_name: 'Rosa Rot' }
          await addOrder(
            tx,
            place,
            Array.from({ length: 1001 }, (_, number) => ({ ...guest, secret: `crowd${number}` })),
          )
          const own = await addItem(tx, { organizer, event }, 'Own')
          await addOrder(
            tx,
            { organizer, event },
            [{ item: own, secret: 'late', attendee_name: 'Rosa Rot' }],
            {
              code: 'LATEX',
              testmode: true,
            },
          )
        })
        for (const text of ['rosa', 'ro']) assert.equal(await codes(`search=${text}`), 'LATEX')
        assert.equal(await codes('search=rosa&testmode=true', server.org), 'LATEX')
        const { results } = await page(`${server.ev}/orderpositions/?search=rosa`)
        assert.equal(results.length, 1)
        await server.ask(204, 'DELETE', '/orders/LATEX/')
      })
  })
