import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { shredderIds } from '../../../schema/actions/operations/shredders.ts'
import { verifyAudit } from '../../../server/services/operations/audit-verify.ts'
import { carryOutShredding, openShreddings } from '../../../server/services/operations/shreddings.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import { endOfExport } from '../../support/ticketing/exports.ts'
import { type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { unzip } from '../../support/ticketing/unzip.ts'

/** All that is personal in what the tests write has this in it. */
const personal = /qzxada/i

for (const engine of engines)
  describe(`the deletion of personal data on ${engine.name}`, () => {
    let server: ShopServer
    let code: string

    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        await addToken(tx, organizer, 'other', { all_events: true, can_change_orders: true })
        await addToken(tx, organizer, 'viewer', { all_events: true, can_view_orders: true })
        await addDevice(tx, organizer, 1, 'device')
      })
    })
    after(() => server.close())

    const at = () => `${server.ev}/shredders/`
    const ask = (method: string, path: string, body?: unknown, who = 'Token all') =>
      server.call(method, path, body, { Authorization: who })
    const pathOf = (address: string) => address.slice(server.url.length)
    const database = () => server.running.transactions.database

    /** Everything that the database holds. */
    async function stored(): Promise<string> {
      const names = await database().all<{ name: string }>(
        database().engine === 'sqlite'
          ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
          : sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
      )
      // The pages of the index can only be read through it.
      const tables = names.filter(({ name }) => !name.startsWith('position_search_'))
      const rows = await Promise.all(
        tables.map(async ({ name }) => [name, await database().all(sql`SELECT * FROM ${raw(`"${name}"`)}`)]),
      )
      return JSON.stringify(rows)
    }

    async function fill(): Promise<void> {
      await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'admin', waiting_list_enabled: true })
      const { shop } = server
      const order = await server.order({
        ...{
          email: 'qzxada@example.org',
          phone: '+49 30 qzxada',
          payment_provider: 'banktransfer',
          status: 'n',
        },
        invoice_address: { name_parts: { full_name: 'Qzxada B' }, street: 'Qzxada Street', country: 'DE' },
        positions: [
          {
            ...{ item: shop.ticket, attendee_name_parts: { full_name: 'Qzxada C' }, company: 'Qzxada Ltd' },
            attendee_email: 'qzxada-c@example.org',
            answers: [{ question: shop.allergies, answer: 'qzxada nuts', options: [] }],
          },
        ],
      })
      code = order.code
      await server.ask(201, 'POST', `/orders/${code}/create_invoice/`)
      await server.ask(200, 'PATCH', `/orders/${code}/`, {
        email: 'qzxada-new@example.org',
        phone: 'qzxada 2',
      })
      await server.ask(201, 'POST', '/orders/'.concat(code, '/payments/'), {
        ...{ state: 'confirmed', amount: '23.00', provider: 'banktransfer', info: { payer: 'Qzxada D' } },
      })
      await server.order({ positions: [{ item: shop.rare }, { item: shop.rare }] })
      await server.ask(201, 'POST', '/waitinglistentries/', {
        ...{ email: 'qzxada-w@example.org', name_parts: { full_name: 'Qzxada E' }, item: shop.rare },
      })
      await server.ask(200, 'PATCH', '/', { live: false, date_from: '2020-01-01T10:00:00Z' })
    }
    async function saved(shredders: readonly string[], who = 'Token all') {
      const { status, body } = await ask('POST', `${at()}export/`, { shredders }, who)
      assert.equal(status, 202, JSON.stringify(body))
      return body as { download: string; shred: string }
    }
    async function ended(status: string): Promise<{ readonly status: number; readonly body: unknown }> {
      for (;;) {
        const answer = await ask('GET', pathOf(status))
        if (answer.status !== 409) return answer
      }
    }

    it('has nine kinds, by their names', async () => {
      const { status, body } = await ask('GET', at())
      const { count, results } = body as { count: number; results: { identifier: string }[] }
      assert.deepEqual([status, count, results.map(({ identifier }) => identifier)], [200, 9, shredderIds])
      assert.deepEqual((await ask('GET', `${at()}invoices/`)).body, {
        ...{ identifier: 'invoices', verbose_name: 'Invoices' },
      })
      assert.equal((await ask('GET', `${at()}unknown/`)).status, 404)
    })

    it('is refused before an event is over, and while it is live', async () => {
      const { status, body } = await ask('POST', `${at()}export/`, { shredders: ['order_emails'] })
      assert.deepEqual([status, body], [400, ['Your event needs to be over to use this feature.']])
      const odd = await ask('POST', `${at()}export/`, { shredders: ['unknown'] })
      assert.deepEqual(Object.keys(odd.body as object), ['shredders'])
      await fill()
      await database().run(sql`UPDATE event SET live = 1 WHERE id = ${server.event}`)
      const live = await ask('POST', `${at()}export/`, { shredders: ['order_emails'] })
      assert.deepEqual(
        [live.status, live.body],
        [400, ['Your ticket shop needs to be offline to use this feature.']],
      )
      await database().run(sql`UPDATE event SET live = 0 WHERE id = ${server.event}`)
    })

    for (const [name, body] of [
      ['nothing', {}],
      ['an unknown kind', { shredders: ['unknown'] }],
      ['a text', { shredders: 'order_emails' }],
      ['null', { shredders: null }],
      ['a list', []],
    ] as const)
      it(`refuses ${name}`, async () => {
        assert.equal((await ask('POST', `${at()}export/`, body)).status, 400)
      })

    it('saves all of it into a file first, for who asked and for two hours', async () => {
      const { download } = await saved(shredderIds)
      const { status, bytes, headers } = await endOfExport(server, pathOf(download))
      assert.deepEqual([status, headers.get('content-disposition')], [200, 'attachment; filename="gala.zip"'])
      const files = unzip(bytes)
      const text = (name: string) => files[name]?.toString() ?? ''
      const index = JSON.parse(text('index.json'))
      assert.deepEqual([index.organizer, index.event, index.shredders], ['acme', 'gala', shredderIds])
      assert.equal(text('CONFIRM_CODE.txt'), index.confirm_code)
      assert.deepEqual(JSON.parse(text('emails-by-order.json')), { [code]: 'qzxada-new@example.org' })
      assert.deepEqual(JSON.parse(text('emails-by-attendee.json')), { [`${code}-1`]: 'qzxada-c@example.org' })
      assert.deepEqual(JSON.parse(text('phone-by-order.json')), { [code]: 'qzxada 2' })
      assert.equal(JSON.parse(text('attendee-info.json'))[`${code}-1`].company, 'Qzxada Ltd')
      assert.equal(JSON.parse(text('invoice-addresses.json'))[code].street, 'Qzxada Street')
      assert.equal(JSON.parse(text('question-answers.json'))[`${code}-1`][0].answer, 'qzxada nuts')
      assert.equal(JSON.parse(text('waiting-list.json'))[0].email, 'qzxada-w@example.org')
      assert.deepEqual(
        Object.keys(files).filter((name) => name.endsWith('.pdf')),
        ['invoices/GALA-00001.pdf'],
      )
      for (const who of ['Token other', 'Device device'])
        assert.equal((await ask('GET', pathOf(download), undefined, who)).status, 404)
      const { expires, created } = (await database().get<{ expires: string; created: string }>(
        sql`SELECT expires, created FROM export_run ORDER BY created DESC LIMIT 1`,
      )) ?? { expires: '', created: '' }
      assert.equal(Date.parse(expires) - Date.parse(created), 2 * 3_600_000)
    })

    it('is not among the exporters', async () => {
      assert.equal((await ask('POST', `${server.ev}/exporters/shredders/run/`, {})).status, 404)
      const { body } = await ask('GET', `${server.ev}/exporters/`)
      assert.ok(!JSON.stringify(body).includes('"shredders"'))
    })

    it('is not done where something has happened since', async () => {
      const { download, shred } = await saved(['order_emails'])
      await endOfExport(server, pathOf(download))
      await server.ask(200, 'PATCH', `/orders/${code}/`, { comment: 'Called' })
      const { status, body } = await ask('POST', pathOf(shred))
      assert.equal(status, 202)
      const answer = await ended((body as { status: string }).status)
      assert.deepEqual([answer.status, (answer.body as { status: string }).status], [417, 'failed'])
      assert.match(await stored(), personal)
    })

    it('deletes all of it, also from what is searched and from the audit trail, whose seals hold', async () => {
      assert.match(await stored(), personal)
      const { download, shred } = await saved(shredderIds)
      await endOfExport(server, pathOf(download))
      assert.equal((await ask('POST', pathOf(shred), undefined, 'Token other')).status, 404)
      const { status, body } = await ask('POST', pathOf(shred))
      assert.equal(status, 202)
      const { status: address } = body as { status: string }
      assert.deepEqual((await ended(address)).body, { status: 'ok', message: 'OK' })
      const left = await stored()
      assert.ok(!personal.test(left), left.slice(Math.max(0, left.search(personal) - 300)).slice(0, 600))
      const order = await server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)
      assert.deepEqual(
        [order.email, order.phone, order.invoice_address, order.total, order.status],
        [null, null, null, '23.00', 'p'],
      )
      const [position] = order.positions
      assert.deepEqual(
        [position.attendee_name, position.attendee_email, position.company, position.answers],
        [null, null, null, []],
      )
      assert.deepEqual((await verifyAudit(database())).problems, [])
      // The file is gone with it, and who else asks learns nothing.
      assert.equal((await ask('GET', pathOf(download))).status, 404)
      assert.equal((await ask('POST', pathOf(shred))).status, 404)
      assert.equal((await ask('GET', pathOf(address), undefined, 'Token other')).status, 410)
    })

    it('leaves invoices with their numbers and sums, and without a file', async () => {
      const { number } = (
        await server.ask<{ results: { number: string; invoice_to: string }[] }>(200, 'GET', '/invoices/')
      ).results[0] ?? { number: '' }
      assert.equal(number, 'GALA-00001')
      assert.equal((await ask('GET', `${server.ev}/invoices/${number}/download/`)).status, 403)
    })

    it('reaches stations as every change does', async () => {
      const rows = await database().all<{ resource: string }>(
        sql`SELECT DISTINCT resource FROM change WHERE organizer = ${server.organizer} AND op = 'put'`,
      )
      const names = rows.map(({ resource }) => resource)
      for (const name of ['order', 'order_position']) assert.ok(names.includes(name), name)
    })

    it('says what has become of it', async () => {
      const { download, shred } = await saved(['phone_numbers'])
      await endOfExport(server, pathOf(download))
      const enter = (state: string) =>
        database().run(
          sql`UPDATE export_run SET state = ${state}, message = 'No.' WHERE exporter = 'shredders'`,
        )
      const statuses = async () => [
        (await ask('GET', pathOf(download))).status,
        (await ask('POST', pathOf(shred))).status,
      ]
      await enter('running')
      assert.deepEqual(await statuses(), [409, 409])
      await enter('failed')
      assert.deepEqual(await statuses(), [410, 410])
      const status = pathOf(shred).replace('/shred/', '/status/')
      assert.equal((await ask('GET', status)).status, 410)
      await enter('finished')
      assert.equal((await ask('POST', pathOf(shred))).status, 202)
      await ended(`${server.url}${status}`)
      await database().run(sql`UPDATE shredding SET state = 'running' WHERE state = 'done'`)
      assert.equal((await ask('GET', status)).status, 409)
    })

    it('goes on after a server was stopped', async () => {
      const { transactions } = server.running
      const [row, ...others] = await openShreddings(database())
      assert.ok(row && others.length >= 0)
      await database().run(sql`UPDATE orders SET phone = 'qzxada' WHERE code = ${code}`)
      await carryOutShredding(transactions, { ...row, state: 'running', shredders: '["phone_numbers"]' })
      assert.ok(!personal.test(await stored()))
    })

    it('is for those who may change orders', async () => {
      assert.equal((await ask('GET', at(), undefined, 'Token viewer')).status, 403)
      const body = { shredders: ['order_emails'] }
      assert.equal((await ask('POST', `${at()}export/`, body, 'Token viewer')).status, 403)
    })
  })
