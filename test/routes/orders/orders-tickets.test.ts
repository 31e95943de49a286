import assert from 'node:assert/strict'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { event } from '../../../schema/resources/events/event.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { assertDescribed } from '../../support/servers/described.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addList,
  addSeries,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`tickets of orders, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const fetchFile = async (path: string) => {
      const answer = await fetch(server.url + server.ev + path, { headers: { Authorization: 'Token all' } })
      const { status, headers } = answer
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = headers.get('content-type')
      const body = type?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes
      assertDescribed({ method: 'GET', path: server.ev + path, status, type, body })
      return { status, headers, bytes }
    }
    const statusOf = async (path: string) => (await fetchFile(path)).status
    const set = (settings: RowData) => server.ask(200, 'PATCH', '/settings/', settings)
    const setItem = (id: number, values: RowData) =>
      server.running.transactions.write((tx) =>
        updateRow(tx, item, { organizer: server.organizer, event: server.event }, { id, ...values }),
      )
    const look = (order: ShownOrder) => server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/`)
    const outputs = (row: RowData) => (row.downloads as { output: string }[]).map(({ output }) => output)

    it('are listed with their addresses, and are files by these', async () => {
      const order = await server.paidOrder()
      const [position] = order.positions
      const base = `${server.url}${server.ev}`
      assert.deepEqual(order.downloads, [
        { output: 'pdf', url: `${base}/orders/${order.code}/download/pdf/` },
        { output: 'roll', url: `${base}/orders/${order.code}/download/roll/` },
      ])
      assert.deepEqual(position.downloads, [
        { output: 'pdf', url: `${base}/orderpositions/${position.id}/download/pdf/` },
        { output: 'roll', url: `${base}/orderpositions/${position.id}/download/roll/` },
      ])
      const single = await server.ask<RowData>(200, 'GET', `/orderpositions/${position.id}/`)
      assert.deepEqual(single.downloads, position.downloads)
      for (const [row, name] of [
        [order, `GALA-${order.code}`],
        [position as RowData, `GALA-${order.code}-1`],
      ] as const)
        for (const { output, url } of row.downloads as { output: string; url: string }[]) {
          const file = await fetchFile(url.slice(base.length))
          assert.deepEqual(
            [file.status, file.headers.get('content-type'), file.headers.get('content-disposition')],
            [200, 'application/pdf', `attachment; filename="${name}-${output}.pdf"`],
          )
          assert.equal(file.bytes.subarray(0, 5).toString(), '%PDF-')
        }
    })

    it('are named to those at the door as well', async () => {
      const order = await server.paidOrder()
      const [{ id, secret, downloads }] = order.positions
      assert.deepEqual(outputs(order.positions[0]), ['pdf', 'roll'])
      const list = await addList(server)
      const at = `/checkinlists/${list}/positions/`
      const { results } = await server.ask<ShownPage<RowData>>(200, 'GET', `${at}?order=${order.code}`)
      assert.deepEqual(results[0]?.downloads, downloads)
      assert.deepEqual((await server.ask<RowData>(200, 'GET', `${at}${id}/`)).downloads, downloads)
      const rpc = `${server.org}/checkinrpc`
      const found = await server.call('GET', `${rpc}/search/?list=${list}&order=${order.code}`)
      assert.deepEqual((found.body as ShownPage<RowData>).results[0]?.downloads, downloads)
      const scan = await server.call('POST', `${rpc}/redeem/`, { lists: [list], secret })
      assert.deepEqual((scan.body as { position: RowData }).position.downloads, downloads)
      const again = await server.ask<{ position: RowData }>(400, 'POST', `${at}${id}/redeem/`, {})
      assert.deepEqual(again.position.downloads, downloads)
    })

    it('are refused where there are none, and unknown forms are not found', async () => {
      const order = await server.paidOrder()
      const paths = [`/orders/${order.code}/download`, `/orderpositions/${order.positions[0].id}/download`]
      for (const path of paths) {
        assert.equal(await statusOf(`${path}/passbook/`), 404)
        await server.ask(405, 'POST', `${path}/pdf/`)
      }
      for (const path of ['/orders/NONE7/download/pdf/', '/orderpositions/999999/download/pdf/'])
        assert.equal(await statusOf(path), 404)
      for (const action of ['mark_pending', 'mark_canceled']) {
        const after = await server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/${action}/`)
        assert.deepEqual([outputs(after), outputs(after.positions[0])], [[], []])
        for (const path of paths) assert.equal(await statusOf(`${path}/pdf/`), 403)
      }
    })

    it('are there for pending orders where the event or the order says so', async () => {
      const order = await server.order({ positions: [{ item: server.shop.ticket }] })
      const path = `/orders/${order.code}/download/pdf/`
      assert.equal(await statusOf(path), 403)
      await set({ ticket_download_pending: true })
      assert.deepEqual([await statusOf(path), outputs(await look(order))], [200, ['pdf', 'roll']])
      await set({ ticket_download_pending: false })
      await server.ask(200, 'PATCH', `/orders/${order.code}/`, { valid_if_pending: true })
      assert.equal(await statusOf(path), 200)
      const waiting = await server.order({
        ...{ require_approval: true, valid_if_pending: true },
        positions: [{ item: server.shop.ticket }],
      })
      assert.equal(await statusOf(`/orders/${waiting.code}/download/pdf/`), 403)
    })

    it('are not made for products that have none, and for add-ons only where that is set', async () => {
      const order = await server.paidOrder({
        positions: [
          { positionid: 1, item: server.shop.ticket },
          { positionid: 2, item: server.shop.free, addon_to: 1 },
        ],
      })
      const [first, second] = order.positions
      assert.deepEqual([outputs(first), outputs(second ?? {})], [['pdf', 'roll'], []])
      const path = `/orderpositions/${second?.id}/download/pdf/`
      assert.equal(await statusOf(path), 403)
      await set({ ticket_download_addons: true })
      assert.equal(await statusOf(path), 200)
      await set({ ticket_download_nonadm: false })
      assert.equal(await statusOf(path), 403)
      await set({ ticket_download_addons: false, ticket_download_nonadm: true })
      await setItem(server.shop.free, { generate_tickets: true })
      assert.equal(await statusOf(path), 200)
      await setItem(server.shop.ticket, { generate_tickets: false })
      await setItem(server.shop.free, { generate_tickets: false })
      assert.equal(await statusOf(`/orders/${order.code}/download/pdf/`), 403)
      for (const id of [server.shop.ticket, server.shop.free]) await setItem(id, { generate_tickets: null })
    })

    it('can be drawn by others with what a position tells of itself when asked', async () => {
      const place = { organizer: server.organizer, event: 0 }
      await server.running.transactions.write((tx) =>
        updateRow(tx, event, place, {
          id: server.event,
          name: { en: 'Gala night', de: 'Galaabend' },
          location: { de: 'Halle' },
        }),
      )
      await set({ locales: ['en', 'de'] })
      const order = await server.paidOrder({
        ...{ locale: 'de', invoice_address: { name: 'Ann Archer', company: 'ACME' } },
        positions: [
          {
            ...{ item: server.shop.dinner, variation: server.shop.child, price: '7.00' },
            attendee_name_parts: { given_name: 'Bo', family_name: 'Bell' },
          },
        ],
      })
      const data = (row: ShownOrder | undefined) => row?.positions[0].pdf_data as RowData
      const plain = await look(order)
      assert.equal('pdf_data' in plain.positions[0], false)
      const one = data(await server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/?pdf_data=true`))
      const expected = {
        ...{ order: order.code, positionid: '1', secret: order.positions[0].secret, price: '7,00 €' },
        ...{
          organizer: 'acme',
          event_series_name: 'Galaabend',
          email: '',
          invoice_city: '',
          valid_from_date: '',
        },
        ...{ attendee_name: 'Bo Bell', attendee_name_given_name: 'Bo', event_name: 'Galaabend' },
        ...{ addons: '', event_date_range: '1. Juni 2030', event_begin_weekday: 'Samstag' },
        ...{ itemvar: 'Dinner – Child', invoice_company: 'ACME', event_location: 'Halle', seat: '' },
      }
      for (const [name, value] of Object.entries(expected)) assert.equal(one[name], value, name)
      const list = await server.ask<ShownPage<ShownOrder>>(
        200,
        'GET',
        `/orders/?pdf_data=true&code=${order.code}`,
      )
      assert.deepEqual(data(list.results[0]), one)
      const positions = await server.ask<ShownPage<RowData>>(
        200,
        'GET',
        `/orderpositions/?pdf_data=true&order=${order.code}`,
      )
      assert.deepEqual(positions.results[0]?.pdf_data, one)
      const everywhere = await server.call('GET', `${server.org}/orders/?pdf_data=true&code=${order.code}`)
      const [shown] = (everywhere.body as ShownPage<ShownOrder>).results
      assert.equal('pdf_data' in (shown?.positions[0] ?? {}), false)
      assert.deepEqual(outputs(shown ?? {}), ['pdf', 'roll'])
    })

    it('can be drawn at the door, by whoever may look at orders', async () => {
      const order = await server.paidOrder()
      const [{ id, secret }] = order.positions
      const door = await addList(server, { allow_multiple_entries: true })
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'door', { all_events: true, can_checkin_orders: true }),
      )
      await server.running.transactions.write((tx) =>
        addDevice(tx, server.organizer, 9, 'gate', { security_profile: 'gate' }),
      )
      const at = `${server.ev}/checkinlists/${door}/positions/`
      const asked: readonly (readonly [method: string, path: string, body?: RowData])[] = [
        ['GET', `${at}?search=${secret}&pdf_data=true`],
        ['GET', `${at}${id}/?pdf_data=true`],
        ['POST', `${at}${id}/redeem/?pdf_data=true`, {}],
        ['POST', `${server.org}/checkinrpc/redeem/?pdf_data=true`, { lists: [door], secret }],
      ]
      for (const [method, path, body] of asked) {
        const shown = async (token: string, address = path) => {
          const answer = await server.call(method, address, body, { Authorization: `Token ${token}` })
          const found = answer.body as { results?: RowData[]; position?: RowData }
          return found.results?.[0] ?? found.position ?? (answer.body as RowData)
        }
        const row = await shown('all')
        assert.equal((row.pdf_data as RowData).order, order.code, path)
        const plain = await shown('door')
        assert.deepEqual([plain.id, 'pdf_data' in plain], [id, false], path)
        if (path.includes('checkinrpc')) {
          const gate = await server.call(method, path, body, { Authorization: 'Device gate' })
          const seen = (gate.body as { position: RowData }).position
          const { order: code, order_email, invoice_name } = seen.pdf_data as RowData
          assert.deepEqual([seen.id, code, order_email, invoice_name], [id, order.code, '', ''])
        }
        assert.equal('pdf_data' in (await shown('all', path.replace('pdf_data=true', 'x=1'))), false)
      }
    })

    it('tell the date of a series', async () => {
      const series = await addSeries(server)
      const bought = { status: 'p', payment_provider: 'manual' }
      const made = await server.call('POST', `${series.ev}/orders/`, {
        ...bought,
        positions: [{ item: series.item, subevent: series.second }],
      })
      const { code } = made.body as ShownOrder
      const answer = await server.call('GET', `${series.ev}/orders/${code}/?pdf_data=true`)
      const [position] = (answer.body as ShownOrder).positions
      assert.equal((position.pdf_data as RowData).event_name, 'Day 2')
    })

    it('come with what is asked in their answers, also inside of orders', async () => {
      const { ticket, meal, vegan } = server.shop
      const order = await server.paidOrder({
        positions: [
          { positionid: 1, item: ticket, answers: [{ question: meal, answer: '', options: [vegan] }] },
          { positionid: 2, item: server.shop.dinner, variation: server.shop.adult },
        ],
      })
      const asked = (row: RowData) => (row.answers as { question: RowData }[])[0]?.question
      const whole = await server.ask<RowData>(200, 'GET', `/questions/${meal}/`)
      const { id, secret } = order.positions[0]
      const one = await server.ask<RowData>(200, 'GET', `/orderpositions/${id}/?expand=answers.question`)
      assert.deepEqual(asked(one), whole)
      const query =
        'expand=positions.item&expand=positions.answers.question&expand=positions.nonsense&expand=x'
      const single = await server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/?${query}`)
      const list = await server.ask<ShownPage<ShownOrder>>(200, 'GET', `/orders/?code=${order.code}&${query}`)
      const everywhere = await server.call('GET', `${server.org}/orders/?code=${order.code}&${query}`)
      for (const shown of [single, list.results[0], (everywhere.body as ShownPage<ShownOrder>).results[0]]) {
        const positions = (shown?.positions ?? []) as readonly RowData[]
        assert.deepEqual(
          positions.map((row) => [(row.item as RowData).id, row.variation]),
          [
            [ticket, null],
            [server.shop.dinner, server.shop.adult],
          ],
        )
        assert.deepEqual(asked(positions[0] ?? {}), whole)
      }
      const door = await addList(server)
      const scan = await server.call('POST', `${server.org}/checkinrpc/redeem/?expand=answers.question`, {
        ...{ lists: [door], secret },
      })
      assert.deepEqual(asked((scan.body as { position: RowData }).position), whole)
      const { question } = (order.positions[0].answers as { question: unknown }[])[0] ?? {}
      assert.equal(question, meal)
    })

    it('come with what their ids point at, and without what nobody wants', async () => {
      const order = await server.paidOrder({
        positions: [{ item: server.shop.dinner, variation: server.shop.adult }],
      })
      const path = `/orderpositions/${order.positions[0].id}/`
      const one = await server.ask<RowData>(
        200,
        'GET',
        `${path}?expand=item&expand=variation&exclude=answers`,
      )
      assert.deepEqual(
        [(one.item as RowData).id, (one.variation as RowData).id, 'answers' in one],
        [server.shop.dinner, server.shop.adult, false],
      )
      const list = await server.ask<ShownPage<RowData>>(
        200,
        'GET',
        `/orderpositions/?order=${order.code}&expand=item&include=item.default_price&include=id`,
      )
      assert.deepEqual(list.results, [{ id: order.positions[0].id, item: { default_price: '40.00' } }])
    })
  })
