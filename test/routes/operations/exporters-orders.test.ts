import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { type ReadRow, readCsv, readXlsx, sumOf } from '../../support/mocha/tables.ts'
import { exported } from '../../support/ticketing/exports.ts'
import {
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

const words: Readonly<Record<string, string>> = { n: 'Pending', p: 'Paid', e: 'Expired', c: 'Canceled' }

const inHundredths = (amount: unknown): number => Math.round(Number(amount) * 100)

for (const engine of engines)
  describe(`exported orders on ${engine.name}`, () => {
    let server: ShopServer
    let orders: readonly ShownOrder[]

    before(async () => {
      server = await startShop(await engine.open())
      const { shop } = server
      const ticket = { item: shop.ticket }
      const asked = [
        { question: shop.allergies, answer: '=NUTS()', options: [] },
        { question: shop.meal, answer: 'Fish', options: [shop.fish] },
      ]
      await server.paidOrder({
        email: 'ada@example.org',
        comment: '+49 call first',
        positions: [
          { ...ticket, attendee_name_parts: { given_name: 'Ada', family_name: 'Löwe' }, answers: asked },
          { ...ticket, attendee_name: '=HYPERLINK("http://x")', company: 'A, "B" & C;D' },
        ],
        fees: [{ fee_type: 'shipping', value: '4.90', tax_rule: shop.taxRule }],
        invoice_address: {
          is_business: true,
          company: 'Löwe GmbH',
          name_parts: { given_name: 'Ida', family_name: 'Löwe' },
          street: 'Weg 1\nHof',
          zipcode: '01234',
          city: 'Berlin',
          country: 'DE',
          internal_reference: '',
          vat_id: '',
        },
      })
      await server.order({ status: 'n', positions: [{ item: shop.dinner, variation: shop.child }, ticket] })
      const canceled = await server.paidOrder()
      await server.ask(200, 'POST', `/orders/${canceled.code}/mark_canceled/`, { send_email: false })
      await server.order({
        status: 'p',
        testmode: true,
        positions: [{ item: shop.free }],
        payment_provider: 'free',
      })
      const partly = await server.paidOrder({
        positions: [ticket, { item: shop.dinner, variation: shop.adult }],
      })
      await server.ask(204, 'DELETE', `/orderpositions/${partly.positions[0].id}/`)
      const all = await server.ask<ShownPage<ShownOrder>>(
        200,
        'GET',
        '/orders/?include_canceled_positions=true&include_canceled_fees=true',
      )
      orders = all.results
      assert.equal(orders.length, 5)
    })
    after(() => server.close())

    const path = () => `${server.ev}/exporters/orderlist/`
    const csvOf = async (sheet: string, wishes: object = {}): Promise<readonly ReadRow[]> =>
      readCsv((await exported(server, path(), { _format: `${sheet}:default`, ...wishes })).bytes)
    const byCode = (rows: readonly ReadRow[], code: string) =>
      rows.filter((row) => row['Order code'] === code)
    const canceledFee = (fee: object): boolean => (fee as { canceled: boolean }).canceled

    it('are one row each, in the order in which they were made, with the totals of the interface', async () => {
      const rows = await csvOf('orders')
      assert.deepEqual(
        rows.map((row) => [
          row['Order code'],
          row.Status,
          row.Total,
          row.Email,
          row['Test mode'],
          row.Comment,
        ]),
        orders.map((order) => [
          order.code,
          words[order.status],
          order.total,
          order.email ?? '',
          order.testmode ? 'Yes' : 'No',
          order.comment === '' ? '' : `'${order.comment}`,
        ]),
      )
      for (const order of orders) {
        const [row = {}] = byCode(rows, order.code)
        const parts = [
          ...order.positions
            .filter(({ canceled }) => !canceled)
            .map(({ price, ...one }) => ({ ...one, value: price })),
          ...order.fees.filter((fee) => !canceledFee(fee)),
        ] as { value: string; tax_rate: string; tax_value: string }[]
        for (const rate of ['0.00', '19.00']) {
          const taxed = parts.filter((one) => one.tax_rate === rate)
          const gross = taxed.reduce((sum, one) => sum + inHundredths(one.value), 0)
          const tax = taxed.reduce((sum, one) => sum + inHundredths(one.tax_value), 0)
          assert.deepEqual(
            ['Gross', 'Net', 'Tax'].map((name) => inHundredths(row[`${name} at ${rate} %`])),
            [gross, gross - tax, tax],
            `${order.code} at ${rate}`,
          )
        }
        const fees = order.fees.filter((fee) => !canceledFee(fee)) as unknown as ReadRow[]
        assert.equal(inHundredths(row.Fees), sumOf(fees, 'value'))
        assert.equal(Number(row.Positions), order.positions.filter(({ canceled }) => !canceled).length)
      }
    })

    it('have the invoice address as it was given', async () => {
      const [row = {}] = await csvOf('orders')
      assert.deepEqual(
        ['company', 'name', 'address', 'ZIP code', 'city', 'country'].map((name) => row[`Invoice ${name}`]),
        ['Löwe GmbH', 'Ida Löwe', 'Weg 1\nHof', '01234', 'Berlin', 'DE'],
      )
    })

    it('tell the payments by provider where that is wished', async () => {
      const rows = await csvOf('orders', { include_payment_amounts: true })
      const shown = orders.flatMap(({ payments }) => payments).filter(({ state }) => state === 'confirmed')
      assert.equal(
        sumOf(rows, 'Paid by manual'),
        sumOf(
          shown.filter(({ provider }) => provider === 'manual'),
          'amount',
        ),
      )
      assert.ok(sumOf(rows, 'Paid by manual') > 0)
      assert.ok(!('Paid by manual' in ((await csvOf('orders'))[0] ?? {})))
    })

    it('have their positions in a table of their own, canceled ones marked', async () => {
      const rows = await csvOf('positions')
      assert.deepEqual(
        rows.map((row) => [
          row['Order code'],
          row.Position,
          row.Price,
          row.Tax,
          row['Ticket code'],
          row.Status,
        ]),
        orders.flatMap(({ code, status, positions }) =>
          positions.map((one) => [
            code,
            String(one.positionid),
            one.price,
            one.tax_value,
            one.secret,
            one.canceled ? 'Canceled' : words[status],
          ]),
        ),
      )
      const [first = {}, second = {}] = rows
      assert.deepEqual(
        ['Attendee name', 'Attendee name: given_name', 'Attendee name: family_name', 'allergies', 'meal'].map(
          (name) => first[name],
        ),
        ['Ada Löwe', 'Ada', 'Löwe', "'=NUTS()", 'fish'],
      )
      assert.deepEqual(
        [second['Attendee name'], second.Company, second.Product, second['Tax rule']],
        [`'=HYPERLINK("http://x")`, 'A, "B" & C;D', 'Ticket', 'VAT'],
      )
    })

    it('have their fees in a table of their own', async () => {
      const rows = await csvOf('fees')
      const fees = orders.flatMap(({ code, fees: own }) =>
        own.map((fee) => [code, fee.fee_type, fee.value, fee.tax_value]),
      )
      assert.deepEqual(
        rows.map((row) => [row['Order code'], row['Fee type'], row.Price, row.Tax]),
        fees,
      )
      assert.equal(fees.length, 1)
    })

    it('are a workbook of the three tables, with the same values as numbers and dates', async () => {
      const sheets = await readXlsx((await exported(server, path(), { _format: 'xlsx' })).bytes)
      assert.deepEqual(Object.keys(sheets), ['Orders', 'Positions', 'Fees'])
      for (const [name, column] of [
        ['Orders', 'Total'],
        ['Positions', 'Price'],
        ['Fees', 'Price'],
      ] as const) {
        const read = sheets[name] ?? []
        const plain = await csvOf(name.toLowerCase())
        assert.equal(read.length, plain.length)
        assert.equal(sumOf(read, column), sumOf(plain, column))
        for (const row of read) assert.equal(typeof row[column], 'number')
      }
      const [order = {}] = sheets.Orders ?? []
      const shown = orders[0]
      assert.ok(order['Order date'] instanceof Date)
      // Clocks in Berlin show one or two hours more than those of the world.
      const ahead =
        (order['Order date'].getTime() - Date.parse(`${String(shown?.datetime).slice(0, 19)}Z`)) / 3_600_000
      assert.ok([1, 2].includes(Math.round(ahead * 1000) / 1000), String(ahead))
      // A workbook carries out no texts.
      assert.equal(order.Comment, '+49 call first')
      assert.equal(sheets.Positions?.[0]?.allergies, '=NUTS()')
    })

    it('are chosen by state and by the days on which they were made', async () => {
      const paid = orders.filter(({ status }) => status === 'p').map(({ code }) => code)
      const codes = async (wishes: object) => (await csvOf('orders', wishes)).map((row) => row['Order code'])
      assert.deepEqual(await codes({ paid_only: true }), paid)
      assert.deepEqual(await codes({ date_to: '2020-01-01' }), [])
      assert.deepEqual((await codes({ date_from: '2020-01-01', date_to: '2999-12-31' })).length, 5)
      assert.deepEqual(await codes({ date_from: '2999-12-31' }), [])
    })

    it('are summed up in the accounting report', async () => {
      const report = await readXlsx(
        (await exported(server, `${server.ev}/exporters/accountingreport/`, { _format: 'xlsx' })).bytes,
      )
      const positions = await csvOf('positions')
      const fees = await csvOf('fees')
      for (const state of Object.values(words)) {
        const sold = (report.Sales ?? []).filter(({ Status }) => Status === state)
        const ofState = orders.filter(({ status }) => words[status] === state).map(({ code }) => code)
        const parts = [...positions, ...fees].filter(
          (row) => ofState.includes(String(row['Order code'])) && row.Status === state,
        )
        // The positions of a canceled order are not canceled themselves, unless they are marked.
        const counted = state === 'Canceled' ? sold : parts
        assert.equal(sumOf(sold, 'Gross'), sumOf(counted, state === 'Canceled' ? 'Gross' : 'Price'), state)
        const days = (report.Days ?? []).filter(({ Status }) => Status === state)
        assert.equal(
          days.reduce((sum, { Orders }) => sum + Number(Orders), 0),
          ofState.length,
        )
        assert.equal(
          sumOf(days, 'Total'),
          orders
            .filter(({ code }) => ofState.includes(code))
            .reduce((sum, { total }) => sum + inHundredths(total), 0),
        )
      }
      const payments = orders.flatMap(({ payments: own }) => own)
      assert.equal(
        sumOf(
          (report.Payments ?? []).filter(({ Kind }) => Kind === 'Payment'),
          'Amount',
        ),
        sumOf(payments, 'amount'),
      )
    })

    it('are all in the file of everything, as the interface shows them', async () => {
      const { text } = await exported(server, `${server.ev}/exporters/json/`, {})
      const everything = JSON.parse(text) as Readonly<Record<string, readonly { id: number }[]>>
      assert.deepEqual(everything.orders, JSON.parse(JSON.stringify(orders)))
      for (const [name, of] of [
        ['items', '/items/'],
        ['quotas', '/quotas/'],
        ['questions', '/questions/'],
        ['tax_rules', '/taxrules/'],
      ] as const) {
        const { results } = await server.ask<ShownPage<{ id: number }>>(200, 'GET', of)
        assert.deepEqual(everything[name]?.map(({ id }) => id).sort(), results.map(({ id }) => id).sort())
      }
      assert.equal((everything.event as unknown as { slug: string }).slug, 'gala')
    })
  })
