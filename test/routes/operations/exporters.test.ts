import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { engines } from '../../support/engines/engines.ts'
import { readCsv } from '../../support/mocha/tables.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'
import { endOfExport, exported, startExport } from '../../support/ticketing/exports.ts'
import { addRow, type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

interface ShownExporter {
  readonly identifier: string
  readonly verbose_name: string
  readonly input_parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly choices?: string[]
  }[]
}

for (const engine of engines)
  describe(`exporters on ${engine.name}`, () => {
    let server: ShopServer
    let series: number
    const as = (token: string) => ({ Authorization: `Token ${token}` })

    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        series = await addEvent(tx, organizer, 'series', { has_subevents: true })
        await addRow(
          tx,
          subevent,
          { organizer, event: series },
          { name: { en: 'Day' }, date_from: tx.now, last_modified: tx.now },
        )
        await addEvent(tx, organizer, 'fete')
        await addToken(tx, organizer, 'viewer', { all_events: true, can_view_orders: true })
        await addToken(tx, organizer, 'fete-only', { limit_events: ['fete'], can_view_orders: true })
        await addToken(tx, organizer, 'cards-only', { all_events: true, can_manage_gift_cards: true })
        await addToken(tx, organizer, 'nothing', { all_events: true })
        await addDevice(tx, organizer, 1, 'device')
        const foreign = await addOrganizer(tx, 'zenith')
        await addEvent(tx, foreign, 'gala')
        await addToken(tx, foreign, 'foreign', allRights)
      })
      await server.paidOrder()
    })
    after(() => server.close())

    const listed = async (path: string, token = 'all'): Promise<readonly ShownExporter[]> => {
      const { status, body } = await server.call('GET', path, undefined, as(token))
      assert.equal(status, 200)
      const { count, next, previous, results } = body as {
        count: number
        next: null
        previous: null
        results: ShownExporter[]
      }
      assert.deepEqual([count, next, previous], [results.length, null, null])
      return results
    }
    const namesOf = (found: readonly ShownExporter[]) => found.map(({ identifier }) => identifier).sort()
    const ofEvent = () => `${server.ev}/exporters/`
    const ofOrganizer = () => `${server.org}/exporters/`

    it('are listed for an event by their names, on one page', async () => {
      const found = await listed(ofEvent())
      assert.deepEqual(namesOf(found), [
        ...[
          'accountingreport',
          'answerfiles',
          'answerlist',
          'attendeelist',
          'badges',
          'checkinlist',
          'checkinlistpdf',
          'checkinlog',
        ],
        ...[
          'conflictlist',
          'dsfinvk',
          'giftcardredemptionlist',
          'json',
          'orderlist',
          'paymentlist',
          'quotalist',
          'receiptjournal',
          'receiptlist',
          'voucherlist',
        ],
        'waitinglist',
      ])
      const names = found.map((one) => one.verbose_name)
      assert.deepEqual(names, names.toSorted())
      assert.equal((await server.call('GET', `${ofEvent()}?page=2`)).status, 404)
    })

    it('are listed for an organizer with the events to choose', async () => {
      const found = await listed(ofOrganizer())
      assert.deepEqual(namesOf(found), [
        ...[
          'accountingreport',
          'answerlist',
          'attendeelist',
          'checkinlog',
          'conflictlist',
          'dsfinvk',
          'giftcardlist',
        ],
        ...['giftcardredemptionlist', 'orderlist', 'paymentlist', 'receiptjournal', 'receiptlist'],
        ...['voucherlist', 'waitinglist'],
      ])
      for (const { identifier, input_parameters: parameters } of found)
        assert.equal(
          parameters.some(({ name, required }) => name === 'events' && required),
          identifier !== 'giftcardlist',
          identifier,
        )
    })

    it('say what they can be asked for', async () => {
      const { status, body } = await server.call('GET', `${ofEvent()}orderlist/`)
      assert.equal(status, 200)
      const flag = (name: string) => ({ name, required: false })
      const csv = ['orders', 'positions', 'fees'].flatMap((name) =>
        ['default', 'excel', 'semicolon'].map((dialect) => `${name}:${dialect}`),
      )
      assert.deepEqual(body, {
        identifier: 'orderlist',
        verbose_name: 'Orders',
        input_parameters: [
          { name: '_format', required: true, choices: ['xlsx', ...csv] },
          ...['paid_only', 'include_payment_amounts', 'group_multiple_choice', 'date_from', 'date_to'].map(
            flag,
          ),
        ],
      })
      const found = await listed(ofEvent())
      const formats = found.find(({ identifier }) => identifier === 'paymentlist')?.input_parameters[0]
      assert.deepEqual(formats?.choices, ['xlsx', 'default', 'csv-excel', 'semicolon'])
      const pdf = found.find(({ identifier }) => identifier === 'checkinlistpdf')?.input_parameters
      assert.deepEqual(
        pdf?.map(({ name, required }) => `${name}${required ? '!' : ''}`),
        ['list!', 'attention_only', 'sort', 'questions'],
      )
      assert.deepEqual(pdf?.find(({ name }) => name === 'sort')?.choices, [
        ...['name', 'code', 'name:given_name', 'name:family_name'],
      ])
    })

    it('ask for days of dates only where there are dates', async () => {
      const names = async (path: string) => {
        const { body } = await server.call('GET', path)
        return (body as ShownExporter).input_parameters
          .map(({ name }) => name)
          .filter((name) => name.includes('date'))
      }
      const usual = ['date_from', 'date_to']
      const dated = [...usual, 'event_date_from', 'event_date_to']
      assert.deepEqual(await names(`${ofEvent()}orderlist/`), usual)
      assert.deepEqual(await names(`${server.org}/events/series/exporters/orderlist/`), dated)
      assert.deepEqual(await names(`${ofOrganizer()}orderlist/`), dated)
      assert.deepEqual(await names(`${server.org}/events/series/exporters/checkinlist/`), usual)
    })

    it('answer 404 where there is none, to what they cannot do 405', async () => {
      for (const base of [ofEvent(), ofOrganizer()]) {
        for (const [method, path] of [
          ['GET', 'nothing/'],
          ['POST', 'nothing/run/'],
          ['GET', 'nothing/download/a/b/'],
          ['GET', 'orderlist/download/a/b/'],
        ] as const)
          assert.equal(
            (await server.call(method, base + path, method === 'POST' ? {} : undefined)).status,
            404,
            path,
          )
        for (const [method, path] of [
          ['POST', ''],
          ['DELETE', 'orderlist/'],
          ['GET', 'orderlist/run/'],
          ['POST', 'orderlist/download/a/b/'],
        ] as const)
          assert.equal(
            (await server.call(method, base + path, method === 'POST' ? {} : undefined)).status,
            405,
            path,
          )
      }
      assert.equal((await server.call('POST', `${ofOrganizer()}json/run/`, { events: ['gala'] })).status, 404)
    })

    const foreignList = (): Promise<number> =>
      server.running.transactions.write((tx) =>
        addRow(tx, checkinList, { organizer: server.organizer, event: series }, { name: 'Elsewhere' }),
      )

    it('refuse what does not make sense, by parameter', async () => {
      const other = await foreignList()
      for (const [path, body, fields] of [
        ['orderlist', {}, ['_format']],
        [
          'orderlist',
          { _format: 'pdf', paid_only: 'perhaps', date_from: '2030-02-30' },
          ['_format', 'date_from', 'paid_only'],
        ],
        ['orderlist', { _format: 'default' }, ['_format']],
        ['orderlist', { _format: 'xlsx', date_from: '2030-02-02', date_to: '2030-02-01' }, ['date_to']],
        [
          'paymentlist',
          { _format: 'xlsx', payment_states: ['paid'], refund_states: 'done' },
          ['payment_states', 'refund_states'],
        ],
        ['checkinlist', { _format: 'xlsx' }, ['list']],
        ['checkinlist', { _format: 'xlsx', list: 'first' }, ['list']],
        ['checkinlist', { _format: 'xlsx', list: 999_999_999 }, ['list']],
        ['checkinlist', { _format: 'xlsx', list: other }, ['list']],
        [
          'checkinlistpdf',
          { list: null, sort: 'name:degree', questions: [1] },
          ['list', 'questions', 'sort'],
        ],
        ['waitinglist', { _format: 'xlsx', status: 'bored' }, ['status']],
      ] as const) {
        const answer = await server.call('POST', `${ofEvent()}${path}/run/`, body)
        assert.equal(answer.status, 400, path)
        assert.deepEqual(Object.keys(answer.body as object).sort(), fields, path)
      }
      const cards = await server.call('POST', `${ofOrganizer()}giftcardlist/run/`, {
        _format: 'xlsx',
        state: 'full',
      })
      assert.deepEqual(Object.keys(cards.body as object).sort(), ['date', 'state'])
      assert.equal((await server.call('POST', `${ofEvent()}orderlist/run/`, [])).status, 400)
    })

    it('want to know the events of an organizer, those alone that the caller may see', async () => {
      const wanted = { _format: 'orders:default' }
      for (const [token, more] of [
        ['all', {}],
        ['all', { events: [] }],
        ['all', { events: 'gala' }],
        ['all', { events: ['gala', 'nothing'] }],
        ['fete-only', { events: ['fete', 'gala'] }],
      ] as const) {
        const answer = await server.call(
          'POST',
          `${ofOrganizer()}orderlist/run/`,
          { ...wanted, ...more },
          as(token),
        )
        assert.equal(answer.status, 400)
        assert.deepEqual(Object.keys(answer.body as object), ['events'])
      }
      const rowsFor = async (token: string, more: object) => {
        const path = await startExport(
          server,
          `${ofOrganizer()}orderlist/`,
          { ...wanted, ...more },
          as(token),
        )
        const end = await endOfExport(server, path, as(token))
        assert.equal(end.status, 200, end.text)
        return readCsv(end.bytes).map(({ Event }) => Event)
      }
      assert.deepEqual(await rowsFor('all', { events: ['gala', 'fete'] }), ['gala'])
      assert.deepEqual(await rowsFor('all', { all_events: true }), ['gala'])
      assert.deepEqual(await rowsFor('fete-only', { all_events: true }), [])
    })

    it('are open to those who may see what they show', async () => {
      assert.ok(!namesOf(await listed(ofEvent(), 'viewer')).includes('voucherlist'))
      assert.deepEqual(await listed(ofOrganizer(), 'nothing'), [])
      assert.deepEqual(namesOf(await listed(ofOrganizer(), 'cards-only')), ['giftcardlist'])
      assert.ok(!namesOf(await listed(ofOrganizer(), 'viewer')).includes('giftcardlist'))
      const run = (path: string, token: string) =>
        server.call(
          'POST',
          `${path}run/`,
          { _format: 'xlsx', events: ['gala'], date: '2030-01-01' },
          as(token),
        )
      assert.equal((await run(`${ofEvent()}voucherlist/`, 'viewer')).status, 404)
      assert.equal((await run(`${ofOrganizer()}voucherlist/`, 'viewer')).status, 404)
      assert.equal((await run(`${ofOrganizer()}giftcardlist/`, 'viewer')).status, 404)
      assert.equal((await run(`${ofOrganizer()}orderlist/`, 'nothing')).status, 404)
      assert.equal((await run(`${ofEvent()}orderlist/`, 'nothing')).status, 403)
      assert.equal((await run(`${ofEvent()}orderlist/`, 'foreign')).status, 403)
    })

    it('give what came of them to the credential that asked, and to nobody else', async () => {
      const { path } = await exported(server, `${ofEvent()}orderlist/`, { _format: 'orders:default' })
      for (const [token, status] of [
        ['all', 200],
        ['viewer', 404],
        ['nothing', 403],
        ['foreign', 403],
        ['unknown', 401],
      ] as const)
        assert.equal((await fetch(server.url + path, { headers: as(token) })).status, status, token)
      const elsewhere = [
        path.replace('orderlist', 'paymentlist'),
        path.replace('/events/gala', '/events/fete'),
        path.replace('/events/gala', ''),
        path.replace(/.\/$/, 'x/'),
      ]
      for (const one of elsewhere) assert.equal((await server.call('GET', one)).status, 404, one)
      const device = { Authorization: 'Device device' }
      const own = await startExport(server, `${ofEvent()}orderlist/`, { _format: 'orders:default' }, device)
      assert.equal((await endOfExport(server, own, device)).status, 200)
      assert.equal((await server.call('GET', own)).status, 404)
    })

    it('answer with the file, its name and its size', async () => {
      for (const [identifier, wishes, type, name] of [
        [
          'orderlist',
          { _format: 'xlsx' },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          'gala_orderlist.xlsx',
        ],
        ['orderlist', { _format: 'fees:excel' }, 'text/csv; charset=utf-8', 'gala_orderlist_fees.csv'],
        ['quotalist', { _format: 'semicolon' }, 'text/csv; charset=utf-8', 'gala_quotalist.csv'],
        ['json', {}, 'application/json', 'gala_json.json'],
      ] as const) {
        const { headers, bytes } = await exported(server, `${ofEvent()}${identifier}/`, wishes)
        assert.ok(headers.get('content-type')?.startsWith(type), identifier)
        assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`)
        assert.equal(Number(headers.get('content-length')), bytes.length)
        assert.equal(headers.get('cache-control'), 'no-store')
      }
    })

    it('answer 409 until it is there', async () => {
      const path = await startExport(server, `${ofEvent()}orderlist/`, { _format: 'xlsx' })
      const { status, meanwhile } = await endOfExport(server, path)
      assert.equal(status, 200)
      for (const progress of meanwhile) {
        assert.deepEqual(Object.keys(progress).sort(), ['percentage', 'status'])
        assert.ok(
          progress.status === 'waiting' ? progress.percentage === null : progress.status === 'running',
        )
      }
    })

    it('answer 410 with the reason where there is nothing to export', async () => {
      const { id } = await server.ask<{ id: number }>(201, 'POST', '/checkinlists/', {
        name: 'Nobody',
        all_products: false,
        limit_products: [],
      })
      for (const [identifier, reason] of [
        ['answerfiles', 'Nobody has answered with a file.'],
        ['checkinlistpdf', 'There is nobody on this list.'],
        ['badges', 'There is nobody to make badges for.'],
      ] as const) {
        const path = await startExport(server, `${ofEvent()}${identifier}/`, { list: id })
        const { status, text } = await endOfExport(server, path)
        assert.equal(status, 410)
        assert.deepEqual(JSON.parse(text), { status: 'failed', message: reason })
        assert.equal((await server.call('GET', path)).status, 410)
      }
    })

    it('answer 410 for the organizer as well where a run has failed', async () => {
      const path = await startExport(server, `${ofOrganizer()}giftcardlist/`, {
        _format: 'xlsx',
        date: '2030-01-01',
      })
      assert.equal((await endOfExport(server, path)).status, 200)
      await server.running.transactions.database.run(
        sql`UPDATE export_run SET state = 'failed', message = 'The disk is full.' WHERE exporter = 'giftcardlist'`,
      )
      const { status, body } = await server.call('GET', path)
      assert.deepEqual([status, body], [410, { status: 'failed', message: 'The disk is full.' }])
    })

    it('are noted in the audit trail', async () => {
      await exported(server, `${ofEvent()}quotalist/`, { _format: 'xlsx' })
      const rows = await server.running.transactions.database.all<{ action: string; data: string }>(
        sql`SELECT action, data FROM audit WHERE resource = 'export_run' ORDER BY id DESC LIMIT 1`,
      )
      assert.equal(rows[0]?.action, 'ticketsvc.event.exporter.run')
      assert.deepEqual(JSON.parse(rows[0].data), {
        exporter: 'quotalist',
        events: [server.event],
        wishes: { _format: 'xlsx' },
      })
    })
  })
