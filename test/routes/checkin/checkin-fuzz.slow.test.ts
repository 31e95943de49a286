import assert from 'node:assert/strict'
import sql, { join, raw } from 'sql-template-tag'
import { unknownPathPage } from '../../../server/pages/unknown-path.ts'
import type { Database } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import { type Answer, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { seeded } from '../../support/ticketing/messy-guest-list.ts'
import { addItem, addList, addOrder, addQuestion, revoke } from '../../support/ticketing/tickets.ts'

type Draw = () => number

const pick = <T>(draw: Draw, values: readonly T[]): T => values[Math.floor(draw() * values.length)] as T

const sqlText = "'; DROP TABLE checkin; --"
const html = '<img src=x onerror="alert(1)"><script>x</script>'
const nasty: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  -1e300,
  2 ** 53,
  2 ** 63,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u0007\u001b[31m',
  '😀ä€\u0301',
  sqlText,
  html,
  '%',
  '%_\\',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  'x'.repeat(300),
  'y'.repeat(20_000),
  '9007199254740993',
  '-9223372036854775809',
  '2030-13-45T99:99:99Z',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01',
  'true',
  'NaN',
  [],
  [null],
  [[[[]]]],
  ['x', 1, null, {}],
  {},
  { en: 5 },
  { '': '' },
  { '<': [{ var: 'entries_number' }, 3] },
  { and: [{ or: [] }, { '==': 1 }] },
]

interface Known {
  readonly words: readonly unknown[]
  readonly ids: readonly number[]
}

interface Target {
  readonly methods: readonly string[]
  path(part: () => string): string
  readonly fields: readonly string[]
}

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`
const scanFields = [
  'secret',
  'lists',
  'type',
  'datetime',
  'force',
  'ignore_unpaid',
  'questions_supported',
  'canceled_supported',
  'nonce',
  'answers',
  'use_order_locale',
  'source_type',
]

const targets: readonly Target[] = [
  { methods: ['POST'], path: () => `${org}/checkinrpc/redeem/`, fields: scanFields },
  {
    methods: ['POST'],
    path: (part) => `${ev}/checkinlists/${part()}/positions/${part()}/redeem/`,
    fields: scanFields,
  },
  {
    methods: ['POST'],
    path: (part) => `${ev}/checkinlists/${part()}/failed_checkins/`,
    fields: [
      'raw_barcode',
      'error_reason',
      'datetime',
      'type',
      'position',
      'raw_item',
      'raw_variation',
      'nonce',
    ],
  },
  {
    methods: ['POST'],
    path: () => `${org}/checkinrpc/annul/`,
    fields: ['nonce', 'lists', 'datetime', 'error_explanation'],
  },
  {
    methods: ['GET'],
    path: (part) => `${org}/checkinrpc/search/?list=${part()}&search=${part()}`,
    fields: [],
  },
  {
    methods: ['GET'],
    path: (part) =>
      `${ev}/checkinlists/${part()}/positions/?item=${part()}&ordering=${part()}&page=${part()}&has_checkin=${part()}`,
    fields: [],
  },
  {
    methods: ['GET'],
    path: (part) =>
      `${ev}/checkinlists/${part()}/positions/?search=${part()}&order__status=${part()}&attendee_name=${part()}&item__in=${part()}`,
    fields: [],
  },
  {
    methods: ['GET'],
    path: (part) => `${ev}/checkinlists/${part()}/positions/${part()}/?expand=${part()}`,
    fields: [],
  },
  { methods: ['GET'], path: (part) => `${ev}/checkinlists/${part()}/status/`, fields: [] },
  {
    methods: ['POST'],
    path: () => '/api/v1/station/scan/',
    fields: ['code', 'source', 'type', 'answers', 'ignore_unpaid', 'force', 'nonce', 'datetime', 'symbology'],
  },
  { methods: ['POST'], path: () => '/api/v1/station/undo/', fields: ['nonce'] },
  {
    methods: ['PUT'],
    path: () => '/api/v1/station/settings/',
    fields: ['organizer', 'event', 'list', 'direction', 'gate', 'name', 'locale', 'sound', 'camera'],
  },
  { methods: ['PUT'], path: () => '/api/v1/station/scanners/', fields: ['name', 'connected'] },
  {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: (part) => `${ev}/categories/${part()}/`,
    fields: ['name', 'internal_name', 'description', 'position', 'is_addon'],
  },
  {
    methods: ['POST'],
    path: () => `${ev}/categories/`,
    fields: ['name', 'internal_name', 'description', 'position', 'is_addon'],
  },
  {
    methods: ['POST', 'GET'],
    path: (part) => `${ev}/checkinlists/?subevent=${part()}&ordering=${part()}&ends_after=${part()}`,
    fields: [
      'name',
      'all_products',
      'limit_products',
      'subevent',
      'rules',
      'exit_all_at',
      'auto_checkin_sales_channels',
    ],
  },
  {
    methods: ['POST', 'GET'],
    path: (part) => `${org}/gates/?page=${part()}`,
    fields: ['name', 'identifier'],
  },
  {
    methods: ['POST', 'GET'],
    path: (part) => `${ev}/taxrules/?page_size=${part()}`,
    fields: ['name', 'rate', 'home_country', 'price_includes_tax'],
  },
  {
    methods: ['GET'],
    path: (part) => `/api/v1/organizers/${part()}/events/${part()}/categories/`,
    fields: [],
  },
]

/** What was asked, as it is shown when it goes wrong. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

function draft(draw: Draw, known: Known): Asked {
  const any = (): unknown => (draw() < 0.5 ? pick(draw, [...known.words, ...known.ids]) : pick(draw, nasty))
  const part = (): string => {
    const value = draw() < 0.6 ? pick(draw, [...known.ids, ...known.words]) : any()
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return encodeURIComponent(text.toWellFormed().slice(0, 500))
  }
  const target = pick(draw, targets)
  const method = pick(draw, target.methods)
  const path = target.path(part)
  if (method === 'GET' || method === 'DELETE') return { method, path, body: undefined }
  if (draw() < 0.05)
    return { method, path, body: pick(draw, ['', '{', 'null', '[]', '"x"', '5', '{"a":1}x', html]) }
  const fields = target.fields.filter((_, index) => index < 2 || draw() < 0.4)
  const body = Object.fromEntries(
    fields.map((name) => {
      const isFitting = draw() < 0.75
      if (isFitting && name === 'lists') return [name, [pick(draw, known.ids)]]
      if (isFitting && ['secret', 'code', 'raw_barcode', 'nonce'].includes(name))
        return [name, pick(draw, known.words)]
      if (isFitting && name === 'source') return [name, 'keyboard']
      if (isFitting && name === 'name') return [name, { en: 'x' }]
      return [name, any()]
    }),
  )
  return { method, path, body: JSON.stringify(body) }
}

/** How many rows each table holds. */
async function rowCounts(database: Database, tables: readonly string[]): Promise<string> {
  const counts = tables.map(
    (table) => sql`SELECT ${table} AS name, count(*) AS count FROM ${raw(`"${table}"`)}`,
  )
  const rows = await database.all<{ name: string; count: number }>(
    sql`SELECT name, count FROM (${join(counts, ' UNION ALL ')}) counted ORDER BY name`,
  )
  return rows.map((row) => `${row.name} ${row.count}`).join('\n')
}

/** All tables but the seals of the audit trail, which are made each minute whatever is asked. */
const tablesOf = async (database: Database): Promise<string[]> =>
  (
    await database.all<{ name: string }>(
      database.engine === 'sqlite'
        ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'position_search_%'`
        : sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    )
  )
    .map((row) => row.name)
    .filter((name) => !name.startsWith('audit_seal'))

for (const engine of engines)
  describe(`requests out of nowhere, on ${engine.name}`, () => {
    const requests = engine.name === 'SQLite in memory' ? 2000 : 400
    let server: TestServer
    let database: Database
    let known: Known
    before(async () => {
      server = await startTestServer(await engine.open(), 'station-key')
      const { transactions } = server.running
      database = transactions.database
      const place = { organizer: server.organizer, event: server.event }
      known = await transactions.write(async (tx) => {
        const item = await addItem(tx, place, 'Ticket')
        const lists = [
          await addList(tx, place, 'One'),
          await addList(tx, place, 'Two', { include_pending: true }),
        ]
        const question = await addQuestion(tx, place, [item], { required: true })
        const sold = await addOrder(tx, place, [
          { item, secret: 'one' },
          { item, secret: 'two words' },
          { item, secret: sqlText },
          { item, secret: html },
        ])
        const pending = await addOrder(tx, place, [{ item, secret: 'pending' }], { status: 'n' })
        await revoke(tx, place, 'revoked', Number(sold.positions[0]))
        return {
          words: [
            'one',
            'two words',
            sqlText,
            html,
            'pending',
            'revoked',
            'entry',
            'exit',
            'acme',
            'gala',
            'nonce',
            'invalid',
          ],
          ids: [...lists, ...lists, ...lists, item, question, ...sold.positions, ...pending.positions],
        }
      })
      const station = { organizer: 'acme', event: 'gala', list: known.ids[0], direction: 'entry' }
      await server.call('PUT', '/api/v1/station/settings/', station, { Authorization: 'Station station-key' })
    })
    after(() => server.close())

    const ask = ({ method, path, body }: Asked): Promise<Answer> =>
      server.call(method, path, body, {
        ...(path.startsWith('/api/v1/station/') ? { Authorization: 'Station station-key' } : {}),
      })

    it(`are answered understandably, all ${requests} of them, and leave nothing half done`, async () => {
      const draw = seeded(4711)
      const tables = await tablesOf(database)
      const statuses = new Map<number, number>()
      for (let index = 0; index < requests; index += 1) {
        const asked = draft(draw, known)
        const before = await rowCounts(database, tables)
        const answer = await ask(asked)
        const shown = `${JSON.stringify(asked).slice(0, 2000)} -> ${answer.status} ${JSON.stringify(answer.body)}`
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        assert.ok(answer.status < 500, shown)
        if (answer.status < 400) continue
        // Where a part of the address is empty there is nothing.
        const isNowhere = answer.status === 404 && answer.body === unknownPathPage('en')
        assert.ok(isNowhere || (typeof answer.body === 'object' && answer.body !== null), shown)
        assert.ok(!isNowhere || asked.path.includes('//'), shown)
        assert.ok(Object.keys(answer.body ?? {}).length > 0, shown)
        // A scan that was judged and refused is stored as such.
        if (typeof answer.body === 'object' && answer.body && 'status' in answer.body) continue
        assert.equal(await rowCounts(database, tables), before, shown)
      }
      for (const status of [200, 201, 400, 403, 404])
        assert.ok((statuses.get(status) ?? 0) > 0, `${status}: ${[...statuses].join(' ')}`)
    })

    it('have not changed how tickets are judged', async () => {
      const list = await server.running.transactions.write((tx) =>
        addList(tx, { organizer: server.organizer, event: server.event }, 'Fresh'),
      )
      for (const secret of [sqlText, html]) {
        const redeem = { secret, lists: [list], questions_supported: false }
        assert.equal((await server.call('POST', `${org}/checkinrpc/redeem/`, redeem)).status, 201)
      }
      const rows = await database.all<{ raw_barcode: string }>(
        sql`SELECT raw_barcode FROM checkin WHERE list = ${list} ORDER BY id`,
      )
      assert.deepEqual(
        rows.map((row) => row.raw_barcode),
        [sqlText, html],
      )
    })
  })
