import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import {
  carryOutBankImport,
  openBankImports,
} from '../../../server/services/bank-imports/carry-out-import.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addToken } from '../../support/servers/servers.ts'
import { type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'

interface ShownTransaction {
  readonly state: string
  readonly message: string
  readonly checksum: string
  readonly reference: string
  readonly amount: string
  readonly order: string | null
  readonly currency: string | null
}

interface ShownImport {
  readonly id: number
  readonly event: string | null
  readonly state: string
  readonly currency: string | null
  readonly transactions: readonly ShownTransaction[]
}

const transfer = (reference: string, amount = '23.00', more: object = {}) => ({
  ...{ payer: 'Ann', reference, amount, date: '2026-01-05' },
  ...more,
})

for (const engine of engines)
  describe(`bank imports on ${engine.name}`, () => {
    let server: ShopServer

    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        await addEvent(tx, organizer, 'fete')
        await addToken(tx, organizer, 'viewer', { all_events: true, can_view_orders: true })
        await addToken(tx, organizer, 'nothing', { all_events: true })
        const both = { can_view_orders: true, can_change_orders: true }
        await addToken(tx, organizer, 'fete-only', { limit_events: ['fete'], ...both })
      })
    })
    after(() => server.close())

    const at = () => `${server.org}/bankimportjobs/`
    const as = (token: string) => ({ Authorization: `Token ${token}` })
    const open = () =>
      server.order({
        ...{ email: 'ada@example.org', payment_provider: 'banktransfer', status: 'n' },
        positions: [{ item: server.shop.ticket }],
      })
    const shown = async (id: number, token = 'all'): Promise<ShownImport> => {
      const { status, body } = await server.call('GET', `${at()}${id}/`, undefined, as(token))
      assert.equal(status, 200, JSON.stringify(body))
      return body as ShownImport
    }

    /** Sends a statement and waits for what becomes of it. */
    async function imported(
      transactions: readonly object[],
      more: object = {},
      token = 'all',
    ): Promise<ShownImport> {
      const { status, body } = await server.call('POST', at(), { transactions, ...more }, as(token))
      assert.equal(status, 201, JSON.stringify(body))
      for (;;) {
        const found = await shown((body as ShownImport).id, token)
        if (found.state === 'completed') return found
        assert.match(found.state, /pending|running/)
      }
    }
    const outcomes = ({ transactions }: ShownImport) =>
      transactions.map(({ state, order, message }) => [state, order, message])
    const orderOf = (code: string) => server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)
    const paymentsOf = async (code: string) =>
      (await orderOf(code)).payments.map(({ state, amount, provider }) => `${state} ${amount} ${provider}`)

    it('pay the order that a reference names, in any form', async () => {
      const orders = [await open(), await open(), await open()]
      const [one, two, three] = orders.map(({ code }) => code)
      const job = await imported([
        transfer(`GALA-${one}`),
        transfer(`my ticket gala ${two?.toLowerCase()}`),
        transfer(`GALA${three?.slice(0, 3)}\n${three?.slice(3)}`),
      ])
      assert.deepEqual(outcomes(job), [
        ['valid', one, ''],
        ['valid', two, ''],
        ['valid', three, ''],
      ])
      assert.equal(job.currency, 'EUR')
      for (const { code } of orders) {
        assert.equal((await orderOf(code)).status, 'p')
        assert.deepEqual(await paymentsOf(code), ['confirmed 23.00 banktransfer'])
      }
    })

    it('tell the buyer what is missing of what was paid in part, and keep what was paid too much', async () => {
      const [part, much] = [await open(), await open()]
      await imported([transfer(`GALA ${part.code}`, '10.00'), transfer(`GALA ${much.code}`, '30.00')])
      assert.equal((await orderOf(part.code)).status, 'n')
      assert.deepEqual(await paymentsOf(part.code), [
        'canceled 23.00 banktransfer',
        'confirmed 10.00 banktransfer',
      ])
      const { text } = (await server.running.transactions.database.get<{ text: string }>(
        sql`SELECT "text" FROM mail WHERE "template" = 'order_incomplete_payment'`,
      )) ?? { text: '' }
      assert.match(text, /13\.00 EUR/)
      assert.equal((await orderOf(much.code)).status, 'p')
      assert.deepEqual(await paymentsOf(much.code), [
        'canceled 23.00 banktransfer',
        'confirmed 30.00 banktransfer',
      ])
      await imported([transfer(`GALA ${part.code} rest`, '13.00')])
      assert.equal((await orderOf(part.code)).status, 'p')
    })

    it('give up the last way of paying that somebody had chosen instead', async () => {
      const { code } = await server.order({
        ...{ email: 'ada@example.org', payment_provider: 'manual', status: 'n' },
        positions: [{ item: server.shop.ticket }],
      })
      await imported([transfer(`GALA ${code}`, '5.00')])
      assert.deepEqual(await paymentsOf(code), ['canceled 23.00 manual', 'confirmed 5.00 banktransfer'])
    })

    it('leave a payment in another way that is under way', async () => {
      const { code } = await server.order({
        ...{ email: 'ada@example.org', payment_provider: 'manual', status: 'n' },
        positions: [{ item: server.shop.ticket }],
      })
      const pending = { state: 'pending', amount: '18.00', provider: 'manual', info: {} }
      await server.ask(201, 'POST', `/orders/${code}/payments/`, pending)
      await imported([transfer(`GALA ${code}`, '5.00')])
      assert.deepEqual(await paymentsOf(code), [
        'created 23.00 manual',
        'pending 18.00 manual',
        'confirmed 5.00 banktransfer',
      ])
    })

    it('divide one transfer among several orders only where it is exactly what is due', async () => {
      const [one, two] = [await open(), await open()]
      const both = `GALA-${one.code} GALA-${two.code}`
      const wrong = await imported([transfer(both, '45.00')])
      assert.deepEqual(outcomes(wrong), [
        ['nomatch', one.code, 'Automatic split to multiple orders not possible.'],
      ])
      assert.deepEqual(outcomes(await imported([transfer(both, '46.00')])), [['valid', one.code, '']])
      for (const { code } of [one, two]) assert.equal((await orderOf(code)).status, 'p')
    })

    it('say what cannot be entered: unknown, paid, canceled, of another currency, of nothing', async () => {
      const [paid, canceled, other] = [await server.paidOrder(), await open(), await open()]
      await server.ask(200, 'POST', `/orders/${canceled.code}/mark_canceled/`, { send_email: false })
      const job = await imported([
        transfer('a present', '1.00'),
        transfer(`GALA ${paid.code}`, '2.00'),
        transfer(`GALA ${canceled.code}`, '3.00'),
        transfer('nothing', '0.00'),
      ])
      assert.deepEqual(outcomes(job), [
        ['nomatch', null, ''],
        ['already', paid.code, ''],
        ['error', canceled.code, 'The order has already been canceled.'],
        ['discarded', null, ''],
      ])
      const foreign = await imported([transfer(`GALA ${other.code}`)], { currency: 'CHF' })
      assert.deepEqual(outcomes(foreign), [['error', other.code, 'Currencies do not match.']])
    })

    it('take a transaction once, by its sum or by the id that the bank gave it', async () => {
      const { code } = await open()
      const first = transfer(`GALA ${code}`, '5.00', { external_id: 'bank-1' })
      assert.equal((await imported([first])).transactions.length, 1)
      assert.deepEqual((await imported([first])).transactions, [])
      const again = transfer(`GALA ${code} once more`, '5.00', { external_id: 'bank-1' })
      assert.deepEqual((await imported([again])).transactions, [])
      assert.deepEqual(await paymentsOf(code), ['canceled 23.00 banktransfer', 'confirmed 5.00 banktransfer'])
    })

    it('has the checksum that other servers have for the same transaction', async () => {
      const [row] = (await imported([transfer('nothing')])).transactions
      assert.equal(row?.checksum, '0bdd73da2f79885936dd34370148170f3412c27e')
    })

    it('enter money that went back as a refund that somebody looks at, or end one that was under way', async () => {
      const { code } = await open()
      await imported([transfer(`GALA ${code}`, '20.00')])
      const back = await imported([transfer(`GALA ${code} back`, '-20.00')])
      assert.deepEqual(outcomes(back), [['valid', code, '']])
      const { refunds } = await orderOf(code)
      assert.deepEqual(
        (refunds as { state: string; source: string; amount: string }[]).map(({ state, source, amount }) => [
          state,
          source,
          amount,
        ]),
        [['external', 'external', '20.00']],
      )
    })

    it('are found by the number of an invoice', async () => {
      await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'admin' })
      const { code } = await open()
      const { number } = await server.ask<{ number: string }>(
        201,
        'POST',
        `/orders/${code}/create_invoice/`,
        {},
      )
      const job = await imported([transfer(`invoice ${number.replace('-', ' ')}`)])
      assert.deepEqual(outcomes(job), [['valid', code, '']])
    })

    it('reach only events that the sender may change, and are shown only to those who see all of these', async () => {
      const { code } = await open()
      const job = await imported([transfer(`GALA ${code}`, '23.00', { payer: 'limited' })], {}, 'fete-only')
      assert.deepEqual(outcomes(job), [['nomatch', null, '']])
      assert.deepEqual(await paymentsOf(code), ['created 23.00 banktransfer'])
      const wide = await imported([transfer('wide', '1.00')])
      const hidden = await server.call('GET', `${at()}${wide.id}/`, undefined, as('fete-only'))
      assert.equal(hidden.status, 404)
      assert.equal((await shown(job.id, 'viewer')).id, job.id)
      const listed = await server.call('GET', at(), undefined, as('fete-only'))
      assert.equal((listed.body as { count: number }).count, 1)
      const gala = { transactions: [], event: 'gala' }
      assert.equal((await server.call('POST', at(), gala, as('fete-only'))).status, 400)
    })

    it('are listed by state and event', async () => {
      const job = await imported([transfer('of one event', '1.00')], { event: 'gala' })
      assert.deepEqual([job.event, job.currency, job.transactions[0]?.currency], ['gala', null, 'EUR'])
      const count = async (query: string) =>
        ((await server.call('GET', `${at()}?${query}`)).body as { count: number }).count
      assert.equal(await count('event=gala'), 1)
      assert.equal(await count('event=gala&state=error'), 0)
      assert.equal(await count('event=unknown'), 0)
      assert.equal((await server.call('GET', `${at()}?state=odd`)).status, 400)
    })

    it('go on after a server was stopped, and enter nothing twice where two go on with one', async () => {
      const { transactions } = server.running
      const { code } = await open()
      const { id } = await imported([transfer(`GALA ${code} interrupted`)])
      await server.ask(200, 'POST', `/orders/${code}/mark_pending/`, {})
      await transactions.database.run(sql`UPDATE bank_import SET state = 'running' WHERE id = ${id}`)
      await transactions.database.run(
        sql`UPDATE bank_transaction SET state = 'imported' WHERE bank_import = ${id}`,
      )
      const rows = await openBankImports(transactions.database)
      assert.deepEqual(
        rows.map((row) => row.id),
        [id],
      )
      await Promise.all([...rows, ...rows].map((row) => carryOutBankImport(transactions, row)))
      assert.deepEqual(outcomes(await shown(id)), [['valid', code, '']])
      assert.equal((await paymentsOf(code)).filter((one) => one.startsWith('confirmed')).length, 2)
    })

    it('are done one after the other', async () => {
      const { database } = server.running.transactions
      const { id } = await imported([])
      const enter = (state: string, created: string) =>
        database.run(sql`UPDATE bank_import SET state = ${state}, created = ${created} WHERE id = ${id}`)
      const statement = { transactions: [transfer('busy', '1.00')] }
      await enter('running', '2999-01-01T00:00:00.000000Z')
      const { status, body } = await server.call('POST', at(), statement)
      assert.deepEqual([status, body], [409, { error: ['A job is currently running.'] }])
      await enter('running', '2001-01-01T00:00:00.000000Z')
      assert.equal((await imported(statement.transactions)).transactions.length, 1)
    })

    for (const [name, body] of [
      ['nothing', {}],
      ['no list', { transactions: 'a' }],
      ['no object', { transactions: [1] }],
      ['no amount', { transactions: [transfer('x', 'a')] }],
      ['three decimals', { transactions: [transfer('x', '1.001')] }],
      ['no date', { transactions: [transfer('x', '1.00', { date: '' })] }],
      ['no payer', { transactions: [transfer('x', '1.00', { payer: null })] }],
      ['an unknown event', { transactions: [], event: 'unknown' }],
      ['an empty currency', { transactions: [], currency: '' }],
      ['a long currency', { transactions: [], currency: 'EUROPEANMONEY' }],
      ['too many', { transactions: Array.from({ length: 1001 }, () => ({})) }],
    ] as const)
      it(`refuse ${name}`, async () => {
        assert.equal((await server.call('POST', at(), body)).status, 400)
      })

    it('ask for the currency where events have several', async () => {
      await server.running.transactions.write((tx) =>
        addEvent(tx, server.organizer, 'swiss', { currency: 'CHF' }),
      )
      const { status, body } = await server.call('POST', at(), { transactions: [] })
      assert.deepEqual([status, Object.keys(body as object)], [400, ['currency']])
      assert.equal((await imported([], { currency: null })).currency, null)
    })

    it('are for those who may see and change orders', async () => {
      for (const [token, method, expected] of [
        ['nothing', 'GET', 403],
        ['nothing', 'POST', 403],
        ['viewer', 'GET', 200],
        ['viewer', 'POST', 403],
      ] as const) {
        const { status } = await server.call(
          method,
          at(),
          method === 'POST' ? { transactions: [] } : undefined,
          as(token),
        )
        assert.equal(status, expected, `${token} ${method}`)
      }
    })
  })
