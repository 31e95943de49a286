import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

interface ShownLine extends RowData {
  readonly gross_value: string
  readonly tax_value: string
}

interface ShownInvoice extends RowData {
  readonly number: string
  readonly order: string
  readonly is_cancellation: boolean
  readonly refers: string | null
  readonly lines: readonly ShownLine[]
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const totalOf = ({ lines }: ShownInvoice): number =>
  lines.reduce((sum, { gross_value }) => sum + cents(gross_value), 0)

for (const engine of engines)
  describe(`invoices, on ${engine.name}`, () => {
    let server: ShopServer
    beforeEach(async () => {
      server = await startShop(await engine.open())
    })
    afterEach(() => server.close())

    const set = (values: RowData) => server.ask(200, 'PATCH', '/settings/', values)
    const invoices = async (query = '') =>
      (await server.ask<ShownPage<ShownInvoice>>(200, 'GET', `/invoices/${query}`)).results
    const create = (order: ShownOrder, status = 201) =>
      server.ask<ShownInvoice>(status, 'POST', `/orders/${order.code}/create_invoice/`)
    const act = (order: ShownOrder, action: string, body?: unknown) =>
      server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/${action}/`, body)
    const one = () => ({ positions: [{ item: server.shop.ticket }] })
    const told = (rows: readonly ShownInvoice[]) =>
      rows.map((row) => `${row.number}${row.refers === null ? '' : ` cancels ${row.refers}`} ${totalOf(row)}`)

    it('are made by hand once the event has them, one for an order', async () => {
      const order = await server.order(one())
      assert.deepEqual(await create(order, 400), { detail: 'You cannot generate an invoice for this order.' })
      await set({ invoice_generate: 'admin' })
      const made = await create(order)
      assert.equal(made.number, 'GALA-00001')
      assert.deepEqual(await server.ask(200, 'GET', '/invoices/GALA-00001/'), made)
      assert.deepEqual(await invoices(), [made])
      assert.deepEqual(await create(order, 400), { detail: 'An invoice for this order already exists.' })
      assert.equal(totalOf(made), cents(order.total))
      await server.ask(404, 'POST', '/orders/NONE7/create_invoice/', {})
      await server.ask(405, 'GET', `/orders/${order.code}/create_invoice/`)
      await server.ask(404, 'GET', '/invoices/GALA-00002/')
      await server.ask(405, 'POST', '/invoices/', {})
      await server.ask(405, 'PATCH', '/invoices/GALA-00001/', {})
      await server.ask(405, 'DELETE', '/invoices/GALA-00001/')
    })

    it('are not made for what is free, awaits approval, or is for whom none are made', async () => {
      await set({ invoice_generate: 'True' })
      for (const body of [
        { positions: [{ item: server.shop.free }] },
        { ...one(), require_approval: true },
      ]) {
        const order = await server.order(body)
        await create(order, 400)
      }
      for (const values of [
        { invoice_generate_only_business: true },
        { invoice_generate_sales_channels: ['other'] },
      ]) {
        await set(values)
        await create(await server.order(one()), 400)
      }
      assert.deepEqual(await invoices(), [])
    })

    it('say who sells, who buys, what and when', async () => {
      await set({
        ...{ invoice_generate: 'True', invoice_event_location: true, locales: ['en', 'de'] },
        ...{ invoice_address_from_name: 'Events Ltd', invoice_address_from: 'Street 1' },
        ...{ invoice_address_from_zipcode: '12345', invoice_address_from_city: 'Town' },
        ...{ invoice_address_from_country: 'DE', invoice_address_from_vat_id: 'DE123' },
        ...{
          invoice_introductory_text: { en: 'Hello', de: 'Hallo\nWelt' },
          invoice_footer_text: { en: 'Foot' },
        },
      })
      const address = { is_business: true, company: 'ACME', name: 'Ann B', street: 'S 2', zipcode: '99' }
      await server.order({
        locale: 'de',
        invoice_address: {
          ...address,
          city: 'Praha',
          country: 'CZ',
          vat_id: 'CZ1',
          internal_reference: 'ref',
        },
        positions: [
          { item: server.shop.ticket, attendee_name_parts: { _scheme: 'full', full_name: 'Zoe' } },
          { item: server.shop.free },
        ],
        fees: [{ fee_type: 'shipping', value: '2.00', description: 'DHL' }],
      })
      const [row] = await invoices()
      assert.ok(row)
      assert.deepEqual(
        [row.invoice_from_name, row.invoice_from_country, row.invoice_to_country, row.locale],
        ['Events Ltd', 'DE', 'CZ', 'de'],
      )
      assert.equal(row.invoice_to, 'ACME\nAnn B\nS 2\n99 Praha\nTschechien\nUSt-IdNr.: CZ1')
      assert.equal(row.introductory_text, 'Hallo<br />Welt')
      assert.equal(row.internal_reference, 'ref')
      assert.deepEqual(
        row.lines.map(({ position, description, gross_value, tax_value, tax_rate, tax_name, fee_type }) => ({
          position,
          said: [description, gross_value, tax_value, tax_rate, tax_name, fee_type],
        })),
        [
          { position: 1, said: ['Ticket<br />Teilnehmer: Zoe', '23.00', '3.67', '19.00', 'VAT', null] },
          { position: 2, said: ['Free', '0.00', '0.00', '0.00', '', null] },
          { position: 3, said: ['Versandkosten - DHL', '2.00', '0.00', '0.00', '', 'shipping'] },
        ],
      )
      assert.ok(row.lines.every(({ period_start }) => typeof period_start === 'string'))
      await set({ invoice_include_free: false, invoice_attendee_name: false })
      await server.order({
        positions: [
          { item: server.shop.free },
          { item: server.shop.ticket, attendee_name_parts: { _scheme: 'full', full_name: 'Zoe' } },
        ],
      })
      const second = (await invoices()).at(-1)
      assert.deepEqual(
        second?.lines.map(({ position, description, attendee_name }) => [
          position,
          description,
          attendee_name,
        ]),
        [[2, 'Ticket', null]],
      )
    })

    it('say who owes the tax, where that is the buyer', async () => {
      await set({ invoice_generate: 'True' })
      await server.ask(200, 'PATCH', `/taxrules/${server.shop.taxRule}/`, {
        ...{ eu_reverse_charge: true, home_country: 'DE' },
      })
      const buyer = { is_business: true, company: 'ACME', name: 'Ann', street: '', zipcode: '', city: '' }
      for (const [country, vat_id_validated, code] of [
        ['AT', true, 'AE'],
        ['AT', false, null],
        ['CH', false, 'O'],
        ['DE', true, null],
      ] as const) {
        const { code: order } = await server.order({
          ...one(),
          invoice_address: { ...buyer, country, vat_id: 'X1', vat_id_validated },
        })
        const [row] = await invoices(`?order=${order}`)
        assert.deepEqual(
          row?.lines.map(({ tax_code }) => tax_code),
          [code],
          country,
        )
        assert.equal(String(row?.additional_text).includes('Reverse charge'), code === 'AE')
      }
    })

    it('say when something is provided, as the settings say', async () => {
      await set({ invoice_generate: 'True' })
      for (const [invoice_period, isEvent] of [
        ['auto', true],
        ['event_date', true],
        ['auto_no_event', false],
        ['order_date', false],
        ['invoice_date', false],
      ] as const) {
        await set({ invoice_period })
        const { code, datetime } = await server.order(one())
        const moment = isEvent ? '2030-06-01T10:00:00Z' : datetime
        const [line] = (await invoices(`?order=${code}`))[0]?.lines ?? []
        assert.deepEqual([line?.period_start, line?.event_date_to], [moment, moment], invoice_period)
      }
    })

    it('go with an order of the test mode that is deleted', async () => {
      await set({ invoice_generate: 'True' })
      const order = await server.order({ ...one(), testmode: true })
      await act(order, 'mark_canceled')
      assert.deepEqual(
        (await invoices()).map((row) => row.number),
        ['GALA-TEST-00001', 'GALA-TEST-00002'],
      )
      await server.ask(204, 'DELETE', `/orders/${order.code}/`)
      assert.deepEqual(await invoices(), [])
    })

    it('follow the order: paid, canceled, back again, expired, prolonged', async () => {
      await set({ invoice_generate: 'paid' })
      const order = await server.order(one())
      assert.deepEqual(await invoices(), [])
      await act(order, 'mark_paid')
      assert.deepEqual(told(await invoices()), ['GALA-00001 2300'])
      assert.equal((await invoices())[0]?.payment_provider_stamp, 'paid')
      await act(order, 'mark_canceled')
      await act(order, 'reactivate')
      await act(order, 'mark_pending')
      await act(order, 'mark_expired')
      await act(order, 'extend', { expires: '2035-07-01' })
      assert.deepEqual(told(await invoices()), [
        'GALA-00001 2300',
        'GALA-00002 cancels GALA-00001 -2300',
        'GALA-00003 2300',
        'GALA-00004 cancels GALA-00003 -2300',
        'GALA-00005 2300',
      ])
    })

    it('follow the order that is canceled for a fee, approved or denied', async () => {
      await set({ invoice_generate: 'True' })
      await act(await server.paidOrder(), 'mark_canceled', { cancellation_fee: '5.00' })
      assert.deepEqual(told(await invoices()), [
        'GALA-00001 2300',
        'GALA-00002 cancels GALA-00001 -2300',
        'GALA-00003 500',
      ])
      await act(await server.order({ ...one(), require_approval: true }), 'approve')
      await act(await server.order({ ...one(), require_approval: true }), 'deny')
      assert.equal((await invoices()).length, 4)
    })

    it('are made anew where an order is changed, unless the request says not to', async () => {
      await set({ invoice_generate: 'True' })
      const order = await server.order(one())
      const [position] = order.positions
      const change = (body: RowData) => act(order, 'change', body)
      await change({
        patch_positions: [{ position: position.id, body: { attendee_email: 'a@example.org' } }],
      })
      assert.equal((await invoices()).length, 1)
      await change({ patch_positions: [{ position: position.id, body: { price: '20.00' } }] })
      await change({ create_positions: [{ item: server.shop.ticket }], reissue_invoice: false })
      assert.deepEqual(told(await invoices()), [
        'GALA-00001 2300',
        'GALA-00002 cancels GALA-00001 -2300',
        'GALA-00003 2000',
      ])
      await change({ patch_positions: [{ position: position.id, body: { price: '21.00' } }] })
      assert.deepEqual(told((await invoices()).slice(3)), [
        'GALA-00004 cancels GALA-00003 -2000',
        'GALA-00005 4400',
      ])
    })

    it('are split with their order', async () => {
      await set({ invoice_generate: 'True' })
      const order = await server.order({
        positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }],
      })
      await act(order, 'change', { split_positions: [{ position: order.positions[1]?.id }] })
      const all = await invoices()
      assert.deepEqual(told(all).toSorted(), [
        'GALA-00001 4600',
        'GALA-00002 2300',
        'GALA-00003 cancels GALA-00001 -4600',
        'GALA-00004 2300',
      ])
      assert.equal(new Set(all.map((row) => row.order)).size, 2)
    })

    it('are reissued, once each, and regenerated only where that is allowed', async () => {
      await set({ invoice_generate: 'True' })
      const order = await server.order(one())
      const ask = (status: number, number: string, action: string) =>
        server.ask(status, 'POST', `/invoices/${number}/${action}/`)
      await ask(204, 'GALA-00001', 'reissue')
      assert.deepEqual(told(await invoices()), [
        'GALA-00001 2300',
        'GALA-00002 cancels GALA-00001 -2300',
        'GALA-00003 2300',
      ])
      const before = (await invoices()).map((row) => row.lines[0])
      for (const action of ['reissue', 'regenerate'])
        assert.deepEqual(await ask(400, 'GALA-00001', action), ['The invoice has already been canceled.'])
      assert.deepEqual(await ask(403, 'GALA-00003', 'regenerate'), {
        detail: 'Invoice may not be regenerated.',
      })
      await set({ invoice_regenerate_allowed: true, invoice_address_from_name: 'New name' })
      await ask(204, 'GALA-00003', 'regenerate')
      const after = await invoices()
      assert.deepEqual(
        after.map((row) => row.lines[0]),
        before,
      )
      assert.deepEqual(
        after.map((row) => row.invoice_from_name),
        ['', '', 'New name'],
      )
      await ask(204, 'GALA-00002', 'regenerate')
      assert.deepEqual(told(await invoices()), told(after))
      await ask(404, 'GALA-00009', 'reissue')
      await act(order, 'mark_canceled')
      await server.ask(405, 'GET', '/invoices/GALA-00003/reissue/')
    })

    it('are found by number, order, what they cancel, language and kind, in any case', async () => {
      await set({ invoice_generate: 'True' })
      const order = await server.order(one())
      await server.order(one())
      await act(order, 'mark_canceled')
      const numbers = async (query: string) => (await invoices(query)).map((row) => row.number)
      const all = ['GALA-00001', 'GALA-00002', 'GALA-00003']
      for (const [query, found] of [
        [`order=${order.code.toLowerCase()}`, [all[0], all[2]]],
        ['number=gala-00002', [all[1]]],
        ['number=GALA-00001&number=GALA-00003', [all[0], all[2]]],
        ['refers=gala-00001', [all[2]]],
        ['is_cancellation=true', [all[2]]],
        ['is_cancellation=false', [all[0], all[1]]],
        ['locale=de', []],
        ['order=NONE7', []],
        ['ordering=-nr', all.toReversed()],
        ['ordering=date', all],
        ['ordering=nothing', all],
      ] as const)
        assert.deepEqual(await numbers(`?${query}`), found, query)
      const orders = await server.ask<ShownPage<ShownOrder>>(200, 'GET', '/orders/?search=gala-00003')
      assert.deepEqual(
        orders.results.map(({ code }) => code),
        [order.code],
      )
    })

    it('are numbered by the settings, together with other events of the same prefix', async () => {
      await set({
        invoice_generate: 'True',
        invoice_numbers_prefix: 'R%Y-%m-',
        invoice_numbers_counter_length: 3,
      })
      const [year = '', month = ''] = new Date().toISOString().split('-')
      const order = await server.order(one())
      await set({ invoice_numbers_prefix_cancellations: 'C' })
      await act(order, 'mark_canceled')
      await server.order({ ...one(), testmode: true })
      await set({ invoice_numbers_consecutive: false })
      const named = await server.order(one())
      const again = await server.order(one())
      const numbers = (await invoices()).map((row) => row.number)
      assert.deepEqual(
        numbers,
        [
          `R${year}-${month}-001`,
          'C001',
          `R${year}-${month}-TEST-001`,
          `R${year}-${month}-${named.code}-1`,
          `R${year}-${month}-${again.code}-1`,
        ].toSorted(),
      )
      await server.ask(400, 'PATCH', '/settings/', { invoice_numbers_prefix: 'ö' })
      await server.ask(400, 'PATCH', '/settings/', { invoice_generate: 'sometimes' })
    })

    it('are seen in all events that a caller may see, and in no other', async () => {
      await set({ invoice_generate: 'True' })
      await server.order(one())
      const token = 'elsewhere'
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, token, { can_view_orders: true, can_change_orders: true }),
      )
      const answer = async (status: number, method: string, path: string, who = server.token) => {
        const got = await server.call(method, server.org + path, undefined, { Authorization: `Token ${who}` })
        assert.equal(got.status, status, JSON.stringify(got.body))
        return got.body as ShownPage<ShownInvoice>
      }
      assert.deepEqual((await answer(200, 'GET', '/invoices/')).results, await invoices())
      assert.equal((await answer(200, 'GET', '/invoices/', token)).count, 0)
      await answer(200, 'GET', '/invoices/GALA-00001/')
      await answer(404, 'GET', '/invoices/GALA-00001/', token)
      await answer(404, 'GET', '/invoices/GALA-00001/download/', token)
      await answer(404, 'POST', '/invoices/GALA-00001/reissue/', token)
      await answer(204, 'POST', '/invoices/GALA-00001/reissue/')
      assert.equal((await invoices()).length, 3)
      await set({ invoice_regenerate_allowed: true })
      await answer(204, 'POST', '/invoices/GALA-00003/regenerate/')
      await answer(200, 'GET', '/invoices/GALA-00003/download/')
    })

    it('are for devices that sell everything, and for no other device', async () => {
      await set({ invoice_generate: 'True' })
      await server.order(one())
      const profiles = ['full', 'scan', 'kiosk', 'gate', 'boxoffice'] as const
      const answers: number[] = []
      for (const [index, profile] of profiles.entries()) {
        await server.running.transactions.write((tx) =>
          addDevice(tx, server.organizer, index + 1, profile, { security_profile: profile }),
        )
        for (const path of ['/invoices/', '/invoices/GALA-00001/', '/invoices/GALA-00001/download/'])
          answers.push(
            (await server.call('GET', server.ev + path, undefined, { Authorization: `Device ${profile}` }))
              .status,
          )
      }
      assert.deepEqual(answers, [...Array(3).fill(200), ...Array(12).fill(403)])
    })

    it('are files that are the same each time', async () => {
      await set({ invoice_generate: 'True' })
      await server.order(one())
      const file = async () => {
        const answer = await fetch(`${server.url}${server.ev}/invoices/GALA-00001/download/`, {
          headers: { Authorization: `Token ${server.token}` },
        })
        assert.deepEqual(
          [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
          [200, 'application/pdf', 'attachment; filename="GALA-00001.pdf"'],
        )
        return Buffer.from(await answer.arrayBuffer())
      }
      assert.deepEqual(await file(), await file())
    })
  })
