import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

interface Queued {
  readonly template: string
  readonly recipient: string
  readonly tickets: number
  readonly text: string
}

for (const engine of engines)
  describe(`mails about orders on ${engine.name}`, () => {
    let server: ShopServer

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    beforeEach(() => server.running.transactions.database.run(sql`DELETE FROM mail`))

    const queued = () =>
      server.running.transactions.database.all<Queued>(
        sql`SELECT "template", "recipient", "tickets", "text" FROM mail ORDER BY id`,
      )
    const templates = async () => (await queued()).map(({ template }) => template)
    const order = (values: RowData = {}) =>
      server.order({
        email: 'ada@example.org',
        locale: 'en',
        status: 'n',
        payment_provider: 'manual',
        positions: [{ item: server.shop.ticket }],
        ...values,
      })

    const creations: readonly (readonly [string, RowData, string[]])[] = [
      ['the sales channel is mailed by itself', {}, ['order_placed']],
      ['it is paid', { status: 'p' }, ['order_paid']],
      ['the request says no', { send_email: false }, []],
      ['the request says so in the old words', { send_mail: false }, []],
      ['there is no address', { email: null, send_email: true }, []],
      ['it is only tried', { simulate: true, send_email: true }, []],
    ]
    for (const [when, values, expected] of creations)
      it(`are ${expected.join() || 'none'} for a new order when ${when}`, async () => {
        await order(values)
        assert.deepEqual(await templates(), expected)
      })

    for (const [locale, said] of [
      ['de_DE', 'Guten Tag'],
      ['de-informal', 'Guten Tag'],
      ['xx', 'Hello'],
      ['!', 'Hello'],
      ['constructor', 'Hello'],
    ])
      it(`are in a language that there is for an order in ${locale}`, async () => {
        const { code } = await order({ send_email: false })
        // As it may have come from elsewhere: new orders have a language that is known here.
        await server.running.transactions.database.run(
          sql`UPDATE orders SET locale = ${locale} WHERE code = ${code}`,
        )
        await server.ask(204, 'POST', `/orders/${code}/resend_link/`)
        const [mail] = await queued()
        assert.ok(mail?.text.startsWith(String(said)), mail?.text)
      })

    it('follow the sales channel where the request leaves it open', async () => {
      await server.ask(200, 'PATCH', '/settings/', { mail_sales_channels: [] })
      await order()
      assert.deepEqual(await templates(), [])
      await order({ send_email: true })
      assert.deepEqual(await templates(), ['order_placed'])
      await server.ask(200, 'PATCH', '/settings/', { mail_sales_channels: null })
    })

    it('tell of payment with the tickets, of cancellation with the comment, and of denial', async () => {
      const { code } = await order({ send_email: false })
      await server.ask(200, 'POST', `/orders/${code}/mark_paid/`, {})
      await server.ask(200, 'POST', `/orders/${code}/mark_canceled/`, { comment: 'It rains.' })
      const waiting = await order({ send_email: false, require_approval: true })
      await server.ask(200, 'POST', `/orders/${waiting.code}/deny/`, { comment: 'Full.' })
      const other = await order({ send_email: false, require_approval: true })
      await server.ask(200, 'POST', `/orders/${other.code}/approve/`, {})
      const [paid, canceled, denied, approved, ...more] = await queued()
      assert.deepEqual(
        [paid, canceled, denied, approved].map((mail) => [mail?.template, mail?.tickets]),
        [
          ['order_paid', 1],
          ['order_canceled', 0],
          ['order_denied', 0],
          ['order_approved', 0],
        ],
      )
      assert.match(canceled?.text ?? '', /It rains\./)
      assert.match(denied?.text ?? '', /Full\./)
      assert.deepEqual(more, [])
    })

    it('are not sent where an action is told not to', async () => {
      const { code } = await order({ send_email: false })
      const quiet = { send_email: false }
      await server.ask(200, 'POST', `/orders/${code}/mark_paid/`, quiet)
      await server.ask(200, 'POST', `/orders/${code}/change/`, {})
      await server.ask(200, 'POST', `/orders/${code}/mark_canceled/`, quiet)
      assert.deepEqual(await templates(), [])
    })

    it('tell once that payments have paid an order', async () => {
      const { code, total } = await order({ send_email: false, payment_provider: null })
      const pay = (amount: string) =>
        server.ask(201, 'POST', `/orders/${code}/payments/`, {
          state: 'confirmed',
          amount,
          provider: 'manual',
        })
      await pay('1.00')
      assert.deepEqual(await templates(), [])
      await pay(total)
      await pay('1.00')
      assert.deepEqual(await templates(), ['order_paid'])
    })

    it('tell of a refused action nothing', async () => {
      const { code } = await order({ send_email: false })
      await server.ask(400, 'POST', `/orders/${code}/approve/`, {})
      assert.deepEqual(await templates(), [])
    })

    it('are sent once more on request, or refused without an address', async () => {
      const { code } = await order({ send_email: false, status: 'p' })
      await server.ask(204, 'POST', `/orders/${code}/resend_link/`)
      assert.deepEqual(await templates(), ['order_tickets'])
      const silent = await order({ email: null })
      await server.ask(400, 'POST', `/orders/${silent.code}/resend_link/`)
    })
  })
