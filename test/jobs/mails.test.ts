import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import sql from 'sql-template-tag'
import type { MailTemplate } from '../../schema/mail-templates.ts'
import type { Env } from '../../server/env.ts'
import { instantOf, realEnv } from '../../server/env.ts'
import { type MailRoute, openMailer } from '../../server/jobs/mailer.ts'
import { startMails } from '../../server/jobs/mails.ts'
import { silentLog } from '../../server/log.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { eventById } from '../../server/services/events/events.ts'
import { queueMail, queueText } from '../../server/services/notifications/mail-queue.ts'
import { mailOrder } from '../../server/services/notifications/order-mails.ts'
import { addExport } from '../../server/services/operations/export-runs.ts'
import { engines } from '../support/engines/engines.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { type ShopServer, type ShownOrder, type ShownPage, startShop } from '../support/ticketing/orders.ts'

interface Stored {
  readonly state: string
  readonly attempts: number
  readonly trouble: string | null
  readonly text: string
}

/** A sender whose time moves only when a test says so. */
function sending(server: ShopServer, route: MailRoute | null, folder = '/nowhere') {
  let ahead = 0
  let look = (): void => {}
  let looked = Promise.withResolvers<void>()
  const env: Env = {
    ...realEnv,
    now: () => Date.now() + ahead,
    after(_milliseconds, callback) {
      look = callback
      looked.resolve()
      return () => {}
    },
  }
  const stop = startMails({
    transactions: server.running.transactions,
    env,
    log: silentLog,
    mailer: route && openMailer(route),
    from: 'tickets@example.org',
    pathOfExport: (file) => join(folder, file),
  })
  /** Resolves when everything that is due was tried. */
  async function idle(): Promise<void> {
    await looked.promise
    const { database } = server.running.transactions
    // What a server claimed that was killed is nobody's for longer.
    const claimed = sql`"state" = 'sending' AND "due" < ${instantOf(env.now() + 1_000_000)}`
    while (await database.get(sql`SELECT id FROM mail WHERE ${claimed}`)) await turn()
  }
  return {
    idle,
    /** Looks again some minutes later. */
    async later(minutes: number) {
      ahead += minutes * 60_000
      looked = Promise.withResolvers()
      look()
      await idle()
    },
    stop,
  }
}

for (const engine of engines)
  describe(`mails on ${engine.name}`, () => {
    let server: ShopServer
    let post: MailServer

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    beforeEach(async () => {
      post = await startMailServer()
      await server.running.transactions.database.run(sql`DELETE FROM mail`)
    })
    afterEach(() => post.close())

    const stored = () =>
      server.running.transactions.database.all<Stored>(
        sql`SELECT "state", "attempts", "trouble", "text" FROM mail ORDER BY id`,
      )
    const place = () => ({ organizer: server.organizer, event: server.event })
    const write = (to: string, values: Record<string, string> = { url: 'https://example.org/a?b=1&c=2' }) =>
      server.running.transactions.write((tx) =>
        queueMail(tx, place(), {
          to,
          template: 'password_reset',
          locale: 'en',
          values: { email: to, ...values },
        }),
      )
    async function about(order: ShownOrder, template: MailTemplate): Promise<boolean> {
      const { transactions } = server.running
      const event = await eventById(transactions.database, server.organizer, server.event)
      if (!event) throw new Error('The event is gone.')
      const row = await transactions.database.get<{ id: number }>(
        sql`SELECT id FROM orders WHERE organizer = ${server.organizer} AND code = ${order.code}`,
      )
      return transactions.write((tx) =>
        mailOrder(tx, { place: place(), event }, Number(row?.id), { template: template }),
      )
    }
    async function sent(): Promise<void> {
      const sender = sending(server, { kind: 'smtp', address: post.address })
      await sender.idle()
      await sender.stop()
    }

    it('sends what was exported with its file, and waits where the file is not there', async () => {
      const { transactions } = server.running
      const run = { organizer: server.organizer, id: 'run', file: 'stored', event: 0, exporter: 'orderlist' }
      await transactions.write(async (tx) => {
        await addExport(tx, { ...run, task: '{}', credential: 'user 1', schedule: 1 })
        await tx.run(
          sql`UPDATE export_run SET state = 'finished', mailed = 1, file_name = 'gala.csv', media_type = 'text/csv'`,
        )
        const words = {
          template: 'scheduled_export',
          locale: 'en',
          subject: 'Orders',
          text: 'Here they are.',
        }
        await queueText(tx, place(), { ...words, to: 'a@example.org', export: 'run' })
      })
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mails-'))
      const sender = sending(server, { kind: 'smtp', address: post.address }, folder)
      await sender.idle()
      assert.deepEqual([post.received.length, (await stored())[0]?.state], [0, 'waiting'])
      await writeFile(join(folder, 'stored'), 'Order,Total\n')
      // The worker may not be done with the first try, so that it looks again a moment later.
      while (post.received.length === 0) await sender.later(60)
      await sender.stop()
      const [file] = post.received[0]?.attachments ?? []
      assert.deepEqual([file?.filename, file?.mimeType], ['gala.csv', 'text/csv'])
      await rm(folder, { recursive: true })
    })

    it('sends a paid order with its tickets, in its language, from its organizer', async () => {
      await server.ask(200, 'PATCH', '/settings/', {
        mail_from_name: 'Fest, "Team"',
        mail_reply_to: 'hilfe@example.org',
        locales: ['en', 'de'],
      })
      const order = await server.paidOrder({ send_email: false, email: 'anna@example.org', locale: 'de' })
      assert.equal(await about(order, 'order_paid'), true)
      await sent()
      const [mail, ...others] = post.received
      assert.deepEqual([others.length, mail?.recipients], [0, ['anna@example.org']])
      assert.match(mail?.subject ?? '', /^Ihre Tickets für /)
      assert.deepEqual(mail?.from, { name: 'Fest, "Team"', address: 'tickets@example.org' })
      assert.equal(mail?.replyTo?.[0]?.address, 'hilfe@example.org')
      assert.match(mail?.text ?? '', new RegExp(`Bestellung ${order.code}: 23,00\\s€`))
      assert.match(mail?.html ?? '', new RegExp(`<html lang="de">[^]*Bestellung ${order.code}`))
      const [tickets] = mail?.attachments ?? []
      assert.equal(tickets?.mimeType, 'application/pdf')
      assert.match(Buffer.from(tickets?.content as ArrayBuffer).toString('latin1'), /^%PDF/)
      assert.deepEqual(await stored(), [{ state: 'sent', attempts: 1, trouble: null, text: '' }])
    })

    it('uses the words of the organizer, and says nothing where there is no address', async () => {
      await server.ask(200, 'PATCH', '/settings/', {
        mail_subject_order_canceled: { en: 'Gone: {code}\r\nBcc: x@example.org' },
        mail_text_order_canceled: {
          en: '<b>{code}</b> & {unknown}\n{comment}\n\nhttps://example.org/x?a=1&b=2.',
        },
      })
      const order = await server.paidOrder({ send_email: false, email: 'bob@example.org' })
      assert.equal(
        await about(await server.paidOrder({ send_email: false, email: null }), 'order_canceled'),
        false,
      )
      await about(order, 'order_canceled')
      await sent()
      const [mail, ...others] = post.received
      assert.equal(others.length, 0)
      assert.equal(mail?.subject, `Gone: ${order.code} Bcc: x@example.org`)
      assert.deepEqual([mail?.bcc ?? [], mail?.recipients], [[], ['bob@example.org']])
      assert.match(mail?.html ?? '', new RegExp(`&lt;b&gt;${order.code}&lt;/b&gt; &amp; \\{unknown\\}`))
      assert.match(mail?.html ?? '', /<a href="https:\/\/example.org\/x\?a=1&amp;b=2">/)
      assert.deepEqual(mail?.attachments, [])
    })

    it('sends the invoices that are made with what it tells of, and notes that they arrived', async () => {
      await server.ask(200, 'PATCH', '/settings/', {
        ...{ invoice_generate: 'True', invoice_email_organizer: 'books@example.org, tax@example.org' },
      })
      const { code } = await server.order({
        ...{ email: 'cleo@example.org', positions: [{ item: server.shop.ticket }] },
      })
      await server.ask(200, 'POST', `/orders/${code}/mark_paid/`)
      await server.ask(200, 'POST', `/orders/${code}/mark_canceled/`)
      await sent()
      const files = (to: string) =>
        post.received
          .filter(({ recipients }) => recipients.includes(to))
          .map(({ attachments }) => attachments.map(({ filename }) => filename).toSorted())
          .toSorted()
      assert.deepEqual(files('cleo@example.org'), [[], ['GALA-00001.pdf'], ['GALA-00002.pdf']])
      assert.deepEqual(files('tax@example.org'), [['GALA-00001.pdf'], ['GALA-00002.pdf']])
      assert.deepEqual(files('books@example.org'), files('tax@example.org'))
      const { results } = await server.ask<ShownPage<RowData>>(200, 'GET', '/invoices/')
      assert.deepEqual(
        results.map((row) => [row.transmission_status, row.transmission_provider]),
        Array(2).fill(['completed', 'email_pdf']),
      )
      await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'False', invoice_email_organizer: '' })
    })

    it('sends an invoice by itself, once or again, and notes where it did not arrive', async () => {
      await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'admin' })
      post.refusals.set('nobody', 550)
      const invoiced = async (email: string | null) => {
        const order = await server.order({
          email,
          positions: [{ item: server.shop.ticket }],
          send_email: false,
        })
        return server.ask<RowData>(201, 'POST', `/orders/${order.code}/create_invoice/`)
      }
      const state = async ({ number }: RowData) =>
        (await server.ask<RowData>(200, 'GET', `/invoices/${number}/`)).transmission_status
      const transmit = (status: number, { number }: RowData, action: string) =>
        server.ask(status, 'POST', `/invoices/${number}/${action}/`)
      const made = [
        await invoiced('dora@example.org'),
        await invoiced('nobody@example.org'),
        await invoiced(null),
      ]
      for (const row of made) await transmit(204, row, 'transmit')
      await sent()
      assert.deepEqual(await Promise.all(made.map(state)), ['completed', 'failed', 'failed'])
      const [first = {}, second = {}] = made
      await transmit(403, first, 'transmit')
      await transmit(204, first, 'retransmit')
      assert.equal(await state(first), 'pending')
      await transmit(204, second, 'retransmit')
      await sent()
      assert.deepEqual(await Promise.all(made.map(state)), ['completed', 'failed', 'failed'])
      const [mail, again] = post.received
      assert.equal(mail?.subject, `Invoice ${first.number}`)
      for (const one of [mail, again])
        assert.deepEqual(
          one?.attachments.map(({ filename }) => filename),
          [`${first.number}.pdf`],
        )
    })

    it('notes an address that is refused, and does not let it hold up others', async () => {
      post.refusals.set('gone', 550)
      const order = await server.paidOrder({ send_email: false, email: 'gone@example.org' })
      await about(order, 'order_paid')
      await write('not an address')
      await write('eva@example.org')
      await sent()
      assert.deepEqual(
        (await stored()).map(({ state, attempts }) => [state, attempts]),
        [
          ['refused', 1],
          ['refused', 0],
          ['sent', 1],
        ],
      )
      assert.deepEqual(
        post.received.map(({ recipients }) => recipients),
        [['eva@example.org']],
      )
      assert.deepEqual(
        (await stored()).map(({ text }) => text),
        ['', '', ''],
      )
      assert.equal((await server.trail(order.code)).at(-1), 'email.error')
      await sent()
      assert.equal((await stored())[0]?.attempts, 1)
    })

    it('tries again later what a server does not take now, and gives up in the end', async () => {
      post.refusals.set('busy', 451)
      await write('busy@example.org')
      const sender = sending(server, { kind: 'smtp', address: post.address })
      await sender.idle()
      assert.deepEqual(
        (await stored()).map(({ state, attempts }) => [state, attempts]),
        [['waiting', 1]],
      )
      await sender.later(0.5)
      assert.equal((await stored())[0]?.attempts, 1)
      // The worker may have stored how a try went and not be done with it, so that it looks again a moment later.
      const tried = async (times: number): Promise<void> => {
        await sender.later(800)
        while (((await stored())[0]?.attempts ?? 0) < times) await turn()
        await sender.idle()
      }
      for (let times = 2; times <= 10; times += 1) await tried(times)
      assert.deepEqual(
        (await stored()).map(({ state, attempts }) => [state, attempts]),
        [['waiting', 10]],
      )
      await tried(11)
      const [last] = await stored()
      assert.deepEqual([last?.state, last?.attempts], ['given up', 11])
      assert.match(last?.trouble ?? '', /No such mailbox/)
      await sender.later(800)
      assert.equal((await stored())[0]?.attempts, 11)
      await sender.stop()
    })

    it('waits for a server that is not there, or wants another password', async () => {
      const closed = await startMailServer()
      await closed.close()
      const strict = await startMailServer({ user: 'a', pass: 'b' })
      await write('eva@example.org')
      for (const address of [closed.address, strict.address.replace('a:b', 'a:c')]) {
        const sender = sending(server, { kind: 'smtp', address })
        await sender.later(10)
        await sender.stop()
      }
      const [mail] = await stored()
      assert.equal(mail?.state, 'waiting')
      const sender = sending(server, { kind: 'smtp', address: strict.address })
      await sender.later(60)
      await sender.stop()
      assert.equal(strict.received.length, 1)
      await strict.close()
    })

    it('sends again what was under way when the server was stopped, as the same mail', async () => {
      await write('eva@example.org')
      post.stall(true)
      const sender = sending(server, { kind: 'smtp', address: post.address })
      await post.stalled
      await sender.stop()
      assert.deepEqual(
        (await stored()).map(({ state, attempts }) => [state, attempts]),
        [['waiting', 0]],
      )
      post.stall(false)
      await sent()
      assert.equal(post.received.length, 1)
      assert.match(post.received[0]?.messageId ?? '', /^<mail-\d+-\d+@example.org>$/)
    })

    it('shares the mails with another server on the same data, and each is sent once', async () => {
      const senders = [0, 1].map(() => sending(server, { kind: 'smtp', address: post.address }))
      for (const { idle } of senders) await idle()
      const wanted = Array.from({ length: 20 }, (_, number) => `a${number}@example.org`)
      for (const to of wanted) await write(to)
      while (post.received.length < wanted.length) await Promise.all(senders.map(({ later }) => later(0)))
      for (const { stop } of senders) await stop()
      assert.deepEqual(post.received.flatMap(({ recipients }) => recipients).sort(), wanted.sort())
    })

    it('sends what a server had begun with that was killed, after a while or at its own start', async () => {
      await write('eva@example.org')
      const sender = sending(server, null)
      await sender.idle()
      const { database } = server.running.transactions
      const claimed = sql`UPDATE mail SET "state" = 'sending', "due" = '2036-05-10T12:00:00.000000Z'`
      await database.run(claimed)
      await sender.stop()
      const next = sending(server, { kind: 'smtp', address: post.address })
      await next.idle()
      assert.equal(post.received.length, database.engine === 'sqlite' ? 1 : 0)
      await next.later(60 * 24 * 366 * 20)
      await next.stop()
      assert.equal(post.received.length, 1)
    })

    it('keeps mails while there is no way for them to go', async () => {
      await write('eva@example.org')
      const nowhere = sending(server, null)
      await nowhere.idle()
      await nowhere.stop()
      assert.equal((await stored())[0]?.state, 'waiting')
      await sent()
      assert.equal(post.received.length, 1)
    })

    it('puts mails into a folder for those who try things out', async () => {
      const folder = join(await mkdtemp(join(tmpdir(), 'gatehouse mails ')), 'new')
      await write('eva@example.org', { url: 'https://example.org/reset' })
      const sender = sending(server, { kind: 'folder', folder })
      await sender.idle()
      await sender.stop()
      const files = await readdir(folder)
      assert.equal(files.length, 1)
      const file = join(folder, String(files[0]))
      const mail = await new PostalMime().parse(await readFile(file))
      assert.match(mail.text ?? '', /https:\/\/example\.org\/reset/)
      assert.equal((await stat(file)).mode & 0o077, 0)
      await rm(join(folder, '..'), { recursive: true })
    })
  })
