import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { sendDueRules } from '../../../server/services/notifications/email-rule-sending.ts'
import type { Queryable } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

interface Queued {
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

for (const engine of engines)
  describe(`automated mails on ${engine.name}`, () => {
    let server: ShopServer

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    // What one test leaves behind gets no mail in the next.
    afterEach(async () => {
      for (const statement of [
        sql`DELETE FROM mail`,
        sql`DELETE FROM email_rule_turn`,
        sql`DELETE FROM email_rule`,
        sql`UPDATE orders SET status = 'c'`,
      ])
        await server.running.transactions.database.run(statement)
    })

    // Long after anything that the server's own job could find due.
    const day = (text: string) => `2036-05-${text}:00.000000Z`
    const run = (at: string) => sendDueRules(server.running.transactions, day(at))
    const queued = () =>
      server.running.transactions.database.all<Queued>(
        sql`SELECT "recipient", "subject", "text" FROM mail WHERE "template" = 'email_rule' ORDER BY id`,
      )
    const recipients = async () => (await queued()).map(({ recipient }) => recipient)
    const recent = (tx: Queryable) => tx.all(sql`SELECT id FROM orders`)
    const rule = (values: RowData = {}) =>
      server.ask<{ id: number }>(201, 'POST', '/sendmail_rules/', {
        subject: { en: 'Soon: {event}', de: 'Bald: {event}' },
        template: { en: 'Hello {name}, {code}', de: 'Hallo {name}, {code}' },
        send_date: '2036-05-10T12:00:00Z',
        ...values,
      })
    const order = (email: string, values: RowData = {}, position: RowData = {}) =>
      server.order({
        email,
        locale: 'en',
        status: 'p',
        sales_channel: 'web',
        payment_provider: 'manual',
        positions: [{ item: server.shop.ticket, attendee_name: 'Ada', ...position }],
        ...values,
      })

    it('are sent once, when they are due, to those who have paid', async () => {
      await server.ask(200, 'PATCH', '/settings/', { locales: ['en', 'de'] })
      await rule()
      const paid = await order('a@example.org', { locale: 'de' })
      await order('b@example.org', { status: 'n' })
      assert.equal(await run('10T11:59'), 0)
      assert.equal(await run('10T12:00'), 1)
      assert.equal(await run('10T12:01'), 0)
      assert.deepEqual(await queued(), [
        { recipient: 'a@example.org', subject: 'Bald: gala', text: `Hallo Ada, ${paid.code}` },
      ])
    })

    it('are sent to unpaid orders too where the rule says so, and only for its products', async () => {
      await rule({ include_pending: true, all_products: false, limit_products: [server.shop.ticket] })
      await order('a@example.org', { status: 'n' })
      await order('b@example.org', {}, { item: server.shop.rare })
      await order('c@example.org', { status: 'n', require_approval: true })
      await run('10T12:00')
      assert.deepEqual(await recipients(), ['a@example.org'])
    })

    it('are sent to attendees', async () => {
      await rule({ send_to: 'both' })
      await order('a@example.org', {}, { attendee_email: 'eve@example.org', attendee_name: 'Eve' })
      await run('10T12:00')
      assert.deepEqual(
        (await queued()).map(({ recipient, text }) => [recipient, text.split(',')[0]]),
        [
          ['a@example.org', 'Hello Eve'],
          ['eve@example.org', 'Hello Eve'],
        ],
      )
    })

    it('are not made up for when the rule was not enabled, or the server stood still for days', async () => {
      const { id } = await rule({ enabled: false })
      await order('a@example.org')
      await run('10T12:00')
      await server.ask(200, 'PATCH', `/sendmail_rules/${id}/`, { enabled: true })
      assert.equal(await run('10T12:01'), 0)
      await rule({ send_date: '2036-05-01T12:00:00Z' })
      assert.equal(await run('10T12:02'), 0)
      await server.ask(200, 'PATCH', `/sendmail_rules/${id}/`, { send_date: '2036-05-10T13:00:00Z' })
      assert.equal(await run('10T13:00'), 1)
    })

    it('are queued once where two servers look at the same time', async () => {
      await rule()
      for (let number = 0; number < 5; number += 1) await order(`a${number}@example.org`)
      // Nobody is first because the others have to connect.
      const { transactions } = server.running
      await Promise.all([0, 1, 2].map(() => transactions.write((tx) => recent(tx))))
      const counts = await Promise.all([run('10T12:00'), run('10T12:00'), run('10T12:00')])
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        5,
      )
      assert.equal((await recipients()).length, 5)
    })

    it('are sent to nobody once the only products of the rule are gone', async () => {
      const { id } = await server.ask<{ id: number }>(201, 'POST', '/items/', {
        name: { en: 'Tour' },
        default_price: '5.00',
      })
      await rule({ all_products: false, limit_products: [id] })
      await order('a@example.org')
      await server.ask(204, 'DELETE', `/items/${id}/`)
      assert.equal(await run('10T12:00'), 0)
    })

    it('are sent though another rule fails', async () => {
      const broken = await rule()
      await rule()
      await order('a@example.org')
      const { transactions } = server.running
      const { database } = transactions
      await database.run(sql`UPDATE email_rule SET subject = 'unreadable' WHERE id = ${broken.id}`)
      await assert.rejects(run('10T12:00'), SyntaxError)
      assert.deepEqual(await recipients(), ['a@example.org'])
    })

    it('begin no transaction for what was settled before', async () => {
      await rule({ enabled: false })
      await run('10T12:00')
      const { transactions } = server.running
      const watched = { ...transactions, write: () => assert.fail('begun again') } as typeof transactions
      assert.equal(await sendDueRules(watched, day('10T12:00')), 0)
    })

    it('go on behind the last order when they were interrupted', async () => {
      await rule()
      for (let number = 0; number < 105; number += 1)
        await order(`a${number}@example.org`, {}, { item: server.shop.free })
      const { transactions } = server.running
      let writes = 0
      const broken = {
        ...transactions,
        write: (work: Parameters<typeof transactions.write>[0]) => {
          writes += 1
          if (writes > 1) throw new Error('The power is out.')
          return transactions.write(work)
        },
      } as typeof transactions
      await assert.rejects(sendDueRules(broken, day('10T12:00')), /power/)
      assert.equal((await recipients()).length, 100)
      assert.equal(await run('14T12:00'), 5)
      assert.equal(new Set(await recipients()).size, 105)
    })
  })
