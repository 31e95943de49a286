import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { scheduledExportInput } from '../../../schema/actions/operations/scheduled-exports.ts'
import { realEnv } from '../../../server/env.ts'
import { runScheduledExports, type ScheduleParts } from '../../../server/jobs/scheduled-exports.ts'
import { engines } from '../../support/engines/engines.ts'
import { addBearer, addPerson } from '../../support/servers/persons.ts'
import { addEvent, addToken, allRights } from '../../support/servers/servers.ts'
import { exported } from '../../support/ticketing/exports.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

interface ShownSchedule {
  readonly id: number
  readonly owner: string
  readonly export_form_data: Readonly<Record<string, unknown>>
  readonly schedule_next_run: string | null
  readonly error_counter: number
  readonly timezone?: string
}

interface QueuedMail {
  readonly recipient: string
  readonly template: string
  readonly subject: string
  readonly text: string
  readonly export: string | null
}

const usual = {
  export_identifier: 'orderlist',
  export_form_data: { _format: 'xlsx', paid_only: false },
  locale: 'en',
  mail_additional_recipients: 'a@example.org, b@example.org',
  mail_subject: 'Orders of {event}',
  mail_template: 'Here they are.',
  schedule_rrule: 'DTSTART:20230118T000000\nRRULE:FREQ=WEEKLY;BYDAY=TU,WE,TH',
  schedule_rrule_time: '04:00',
}

for (const engine of engines)
  describe(`scheduled exports on ${engine.name}`, () => {
    let server: ShopServer

    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        await addEvent(tx, organizer, 'fete')
        const rights = { all_events: true, can_view_orders: true }
        const persons = {
          boss: allRights,
          settings: { all_events: true, can_change_event_settings: true },
          viewer: rights,
          other: rights,
          fete: { ...rights, all_events: false, limit_events: ['fete'] },
        }
        for (const [name, given] of Object.entries(persons)) {
          const id = await addPerson(tx, name, organizer, given)
          await addBearer(tx, name, id, ['read', 'write'], [organizer])
        }
        await addToken(tx, organizer, 'no-settings', rights)
        await addDevice(tx, organizer, 1, 'device')
      })
      await server.paidOrder()
    })
    after(() => server.close())

    const ofEvent = () => `${server.ev}/scheduled_exports/`
    const ofOrganizer = () => `${server.org}/scheduled_exports/`
    const ask = (method: string, path: string, body?: unknown, who = 'Bearer boss') =>
      server.call(method, path, body, { Authorization: who })
    async function made(body: object = {}, path = ofEvent(), who = 'Bearer boss'): Promise<ShownSchedule> {
      const answer = await ask('POST', path, { ...usual, ...body }, who)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body as ShownSchedule
    }
    const shown = async ({ id }: ShownSchedule, path = ofEvent()) =>
      (await ask('GET', `${path}${id}/`)).body as ShownSchedule

    const database = () => server.running.transactions.database
    const mails = () =>
      database().all<QueuedMail>(
        sql`SELECT recipient, template, subject, text, export FROM mail WHERE template LIKE '%export%' ORDER BY id`,
      )
    const parts: ScheduleParts = {
      get transactions() {
        return server.running.transactions
      },
      env: realEnv,
      exports: { look: () => undefined, pathOf: (file) => `/nowhere/${file}`, stop: async () => undefined },
    }
    const makeDue = ({ id }: ShownSchedule) =>
      database().run(
        sql`UPDATE scheduled_export SET schedule_next_run = '2001-01-01T00:00:00.000000Z' WHERE id = ${id}`,
      )
    const run = () => runScheduledExports(parts, new Date().toISOString().replace('Z', '000Z'))
    /** Has a scheduled export made and mailed, however long it is until it is due. */
    async function carriedOut(schedule: ShownSchedule): Promise<QueuedMail[]> {
      await database().run(sql`DELETE FROM mail`)
      await makeDue(schedule)
      await run()
      const isOver = sql`schedule = ${schedule.id} AND state IN ('waiting', 'running')`
      // The server looks for exports when somebody asks for one.
      while (await database().get(sql`SELECT id FROM export_run WHERE ${isOver}`))
        await exported(server, `${server.ev}/exporters/quotalist/`, { _format: 'xlsx' })
      await run()
      return mails()
    }

    it('are shown as they are stored, with what comes next', async () => {
      const schedule = await made()
      const { id, schedule_next_run, ...rest } = schedule
      assert.deepEqual(rest, {
        ...usual,
        owner: 'boss@example.org',
        mail_additional_recipients: 'a@example.org,b@example.org',
        ...{ mail_additional_recipients_cc: '', mail_additional_recipients_bcc: '' },
        ...{ schedule_rrule_time: '04:00:00', error_counter: 0 },
      })
      assert.match(schedule_next_run ?? '', /T0[23]:00:00Z$/)
      assert.deepEqual(await shown(schedule), schedule)
      const { body } = await ask('GET', `${ofEvent()}?ordering=-id`)
      assert.equal((body as { results: { id: number }[] }).results[0]?.id, id)
    })

    it('are mailed with their file to the owner and all others, each by themselves', async () => {
      const found = await carriedOut(await made({ mail_additional_recipients_bcc: 'c@example.org' }))
      assert.deepEqual(
        found.map(({ recipient }) => recipient).toSorted(),
        ['a', 'b', 'boss', 'c'].map((name) => `${name}@example.org`),
      )
      for (const { template, subject, text, export: file } of found) {
        assert.deepEqual([template, subject, text], ['scheduled_export', 'Orders of gala', 'Here they are.'])
        assert.ok(file)
      }
      const stored = await database().get<{ file_name: string; expires: string }>(
        sql`SELECT file_name, expires FROM export_run WHERE id = ${found[0]?.export}`,
      )
      assert.equal(stored?.file_name, 'gala_orderlist.xlsx')
      assert.ok(Date.parse(stored?.expires ?? '') - Date.now() > 6 * 86_400_000)
    })

    it('are made once for each time, and one after the other', async () => {
      const schedule = await made()
      await makeDue(schedule)
      await Promise.all([run(), run()])
      await makeDue(schedule)
      await run()
      const rows = await database().all(sql`SELECT id FROM export_run WHERE schedule = ${schedule.id}`)
      assert.equal(rows.length, 1)
      assert.ok(((await shown(schedule)).schedule_next_run ?? '') > new Date().toISOString())
    })

    it('tell their owner what went wrong, and are given up after five errors until they are changed', async () => {
      const schedule = await made({ mail_subject: 'Broken' })
      const rules = sql`UPDATE scheduled_export SET export_identifier = 'unknown' WHERE id = ${schedule.id}`
      await database().run(rules)
      for (const errors of [1, 2, 3, 4, 5]) {
        const found = await carriedOut(schedule)
        assert.deepEqual(
          found.map(({ recipient, template }) => [recipient, template]),
          [['boss@example.org', 'export_failed']],
        )
        assert.match(found[0]?.text ?? '', /Broken[\s\S]*no such export/)
        assert.equal((await shown(schedule)).error_counter, errors)
      }
      assert.deepEqual(await carriedOut(schedule), [])
      const change = { export_identifier: 'orderlist' }
      const { status, body } = await ask('PATCH', `${ofEvent()}${schedule.id}/`, change)
      assert.deepEqual([status, (body as ShownSchedule).error_counter], [200, 0])
      const sent = (await carriedOut(schedule)).filter(({ subject }) => subject === 'Broken')
      assert.equal(sent.length, 3)
    })

    it('are made with what their owner may do at that time', async () => {
      const schedule = await made({}, ofEvent(), 'Bearer viewer')
      const member = sql`SELECT m.team FROM team_member m JOIN app_user u ON u.id = m."user" WHERE u.email = 'viewer@example.org'`
      await database().run(sql`UPDATE team SET can_view_orders = 0 WHERE id IN (${member})`)
      assert.match((await carriedOut(schedule))[0]?.text ?? '', /may not use it any more/)
      await database().run(sql`UPDATE app_user SET disabled = 'closed' WHERE email = 'viewer@example.org'`)
      // Nobody reads the mail of an account that is closed.
      assert.deepEqual(await carriedOut(schedule), [])
      assert.equal((await shown(schedule)).error_counter, 2)
      await database().run(sql`UPDATE app_user SET disabled = NULL WHERE email = 'viewer@example.org'`)
      await database().run(sql`UPDATE team SET can_view_orders = 1 WHERE id IN (${member})`)
    })

    it('of an organizer are made of the events that their owner may see, in a time zone of their own', async () => {
      // Schedules of the tests before may have become due by now as well.
      const sent = await carriedOut(await made({ timezone: 'Europe/Berlin' }, ofOrganizer()))
      assert.deepEqual(
        sent.filter(({ subject }) => subject !== 'Orders of gala').map(({ subject }) => subject),
        Array(3).fill('Orders of {event}'),
      )
      const schedule = await made({ schedule_rrule: 'FREQ=DAILY', timezone: 'Asia/Tokyo' }, ofOrganizer())
      assert.match(schedule.schedule_next_run ?? '', /T19:00:00/)
      assert.equal(schedule.timezone, 'Asia/Tokyo')
      assert.deepEqual(await shown(schedule, ofOrganizer()), schedule)
      const some = { export_form_data: { _format: 'xlsx', events: ['gala'] } }
      const refused = await ask('POST', ofOrganizer(), { ...usual, ...some }, 'Bearer fete')
      assert.deepEqual([refused.status, Object.keys(refused.body as object)], [400, ['export_form_data']])
      await made({ export_form_data: { _format: 'xlsx', events: ['fete'] } }, ofOrganizer(), 'Bearer fete')
    })

    it('are made by persons only, and shown to them and to those who may change settings', async () => {
      const own = await made({}, ofEvent(), 'Bearer viewer')
      const one = `${ofEvent()}${own.id}/`
      for (const [who, expected] of [
        ['Bearer viewer', { GET: 200, PATCH: 200 }],
        ['Bearer boss', { GET: 200, PATCH: 200 }],
        ['Token all', { GET: 200, PATCH: 200, POST: 403 }],
        ['Bearer other', { GET: 404, PATCH: 404, DELETE: 404 }],
        // Who cannot make it themselves cannot have it sent to them.
        ['Bearer settings', { GET: 200, PATCH: 403 }],
        ['Bearer fete', { GET: 403, PATCH: 403, POST: 403, DELETE: 403 }],
        ['Token no-settings', { GET: 403, PATCH: 403, POST: 403, DELETE: 403 }],
        ['Device device', { GET: 403, PATCH: 403, POST: 403, DELETE: 403 }],
      ] as const)
        for (const [method, status] of Object.entries(expected)) {
          const path = method === 'POST' ? ofEvent() : one
          const body = method === 'POST' ? usual : method === 'PATCH' ? { mail_subject: 'Mine' } : undefined
          assert.equal((await ask(method, path, body, who)).status, status, `${who} ${method}`)
        }
      const listed = await ask('GET', ofEvent(), undefined, 'Bearer other')
      assert.equal((listed.body as { count: number }).count, 0)
      assert.equal((await ask('GET', ofEvent(), undefined, 'Token no-settings')).status, 403)
      assert.equal((await ask('DELETE', one)).status, 204)
      assert.equal((await ask('GET', one)).status, 404)
      assert.equal((await ask('GET', `${ofOrganizer()}${own.id}/`)).status, 404)
    })

    it('are replaced as a whole', async () => {
      const one = `${ofEvent()}${(await made({ locale: 'de' })).id}/`
      const { status, body } = await ask('PUT', one, { ...usual, mail_subject: 'New' })
      assert.deepEqual(
        [status, (body as typeof usual).mail_subject, (body as typeof usual).locale],
        [200, 'New', 'en'],
      )
      const empty = await ask('PUT', one, {})
      assert.equal(empty.status, 400)
    })

    it('need all but the recipients, the language and the time zone', async () => {
      const { status, body } = await ask('POST', ofEvent(), {})
      assert.equal(status, 400)
      const optional = [
        'locale',
        ...Object.keys(scheduledExportInput).filter((name) => /recipients/.test(name)),
      ]
      assert.deepEqual(
        Object.keys(body as object).toSorted(),
        Object.keys(scheduledExportInput)
          .filter((name) => !optional.includes(name))
          .toSorted(),
      )
    })

    for (const [name, field, value] of [
      ['an unknown export', 'export_identifier', 'unknown'],
      ['no parameters', 'export_form_data', {}],
      ['a wrong parameter', 'export_form_data', { _format: 'unknown' }],
      ['parameters that are none', 'export_form_data', []],
      ['an unknown language', 'locale', 'xx'],
      ['no address', 'mail_additional_recipients', 'a'],
      ['one address that is none', 'mail_additional_recipients_cc', 'a@example.org,'],
      ['null as recipients', 'mail_additional_recipients_bcc', null],
      ['too many', 'mail_additional_recipients', Array.from({ length: 26 }, (_, n) => `a${n}@b.org`).join()],
      ['no subject', 'mail_subject', ''],
      ['a long subject', 'mail_subject', 'x'.repeat(251)],
      ['no text', 'mail_template', ''],
      ['a text in several languages', 'mail_template', { en: 'a' }],
      ['no rule', 'schedule_rrule', ''],
      ['a rule that is none', 'schedule_rrule', 'sometimes'],
      ['a rule by the hour', 'schedule_rrule', 'FREQ=HOURLY'],
      ['no time', 'schedule_rrule_time', ''],
      ['a time that is none', 'schedule_rrule_time', '24:00'],
    ] as const)
      it(`refuse ${name}`, async () => {
        const { status, body } = await ask('POST', ofEvent(), { ...usual, [field]: value })
        assert.deepEqual([status, Object.keys(body as object)], [400, [field]])
      })

    it('refuse an unknown time zone', async () => {
      const { status, body } = await ask('POST', ofOrganizer(), { ...usual, timezone: 'Nowhere' })
      assert.deepEqual([status, Object.keys(body as object)], [400, ['timezone']])
    })
  })
