import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Database } from '../../server/storage/database.ts'
import { overheard } from '../bench/statements.ts'
import { type Door, openDoor } from '../routes/checkin/checkin-door.ts'
import { openServerPostgres } from '../support/engines/server-postgres.ts'
import { type Answer, addEvent } from '../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'
import { type PlanStep, plain, planOf, stepsOf } from './explained.ts'

/** How many rows a step has looked at. */
const lookedAt = (step: PlanStep): number =>
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0)) *
  step['Actual Loops']

/** So many orders with a ticket each; one in fifty is not paid. */
const orders = 2000

const growing = ['orders', 'order_position', 'checkin', 'change', 'audit', 'feed', 'cart_position', 'voucher']

/** Has an order, its ticket and its admission many times; every other ticket is scanned. */
async function multiply(database: Database, order: number, from: number): Promise<void> {
  const copy = async (table: string, where: string, more: Readonly<Record<string, string>>) => {
    const columns = await database.all<{ name: string }>(
      sql`SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER'`,
    )
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const values = columns.map(({ name }) => more[name] ?? `t."${name}"`).join(', ')
    const numbers = `generate_series(${from + 1}, ${from + orders}) n`
    await database.run(
      plain(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} t, ${numbers} WHERE ${where}`),
    )
  }
  const status = `CASE WHEN n % 50 = 0 THEN 'n' ELSE 'p' END`
  await copy('orders', `t.id = ${order}`, { id: 'n', code: `'X' || n`, secret: `'x' || n`, status })
  await copy('order_position', `t.order_id = ${order}`, {
    ...{ id: 'n', order_id: 'n', secret: `'ticket-' || n`, pseudonymization_id: `'P' || n` },
    web_secret: `'w' || n`,
  })
  await copy(
    'checkin',
    `n % 2 = 0 AND t."position" IN (SELECT id FROM order_position WHERE order_id = ${order})`,
    { id: 'n', position: 'n', nonce: `'n' || n` },
  )
}

const statistics: readonly [name: string, spoil: (database: Database) => Promise<void>][] = [
  [
    'without statistics',
    async (database) => {
      await database.run(plain('DELETE FROM pg_statistic WHERE starelid >= 16384'))
      await database.run(
        plain(
          `UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relkind IN ('r', 'i') AND oid >= 16384`,
        ),
      )
    },
  ],
  ['with those of another event', async () => undefined],
  ['with those of now', (database) => database.script('ANALYZE;\n')],
]

for (const [name, spoil] of statistics)
  describe(`statements on PostgreSQL, ${name}`, () => {
    let door: Door
    let file: Database
    let listen: ReturnType<typeof overheard>['listen']
    let quota: number
    before(async () => {
      file = await openServerPostgres(String(process.env.GATEHOUSE_TEST_POSTGRES))
      for (const table of growing)
        await file.run(plain(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`))
      const heard = overheard(file)
      listen = heard.listen
      door = await openDoor(heard.database)
      const other = await door.write((tx) => addEvent(tx, door.place.organizer, 'ball'))
      const before = { ...door.place, event: other }
      const sold = await door.write(async (tx) => {
        const item = await addItem(tx, before, 'Ball')
        return {
          ...(await addOrder(tx, before, [{ item, secret: 'ball' }])),
          list: await addList(tx, before, 'Ballroom'),
        }
      })
      assert.equal((await door.redeem('ball', { lists: [sold.list] })).status, 201)
      await multiply(file, sold.id, 1_000_000)
      await file.script('ANALYZE;\n')
      const made = await door.server.call('POST', `${door.server.ev}/quotas/`, {
        ...{ name: 'All', size: 100_000, items: [door.item], variations: [], release_after_exit: true },
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      quota = (made.body as { id: number }).id
      const first = await door.sell('first')
      assert.equal((await door.redeem('first')).status, 201)
      await multiply(file, first.order, 2_000_000)
      await spoil(file)
    })
    after(async () => {
      await door.server.close()
    })

    const call = (method: string, path: string, body?: unknown) => door.server.call(method, path, body)
    const asked: readonly [what: string, () => Promise<Answer>, status?: number][] = [
      ['a scan', () => door.redeem('ticket-2000007'), 201],
      ['another scan of it', () => door.redeem('ticket-2000007'), 400],
      ['an unknown code', () => door.redeem('nobody'), 404],
      [
        'a sale',
        () =>
          call('POST', `${door.server.ev}/orders/`, {
            positions: [{ item: door.item, price: '10.00' }],
            payment_provider: 'manual',
            status: 'p',
          }),
        201,
      ],
      [
        'a cart position',
        () => call('POST', `${door.server.ev}/cartpositions/`, { item: door.item, price: '10.00' }),
        201,
      ],
      ['what is left of a quota', () => call('GET', `${door.server.ev}/quotas/${quota}/availability/`)],
      [
        'all quotas with what is left of them',
        () => call('GET', `${door.server.ev}/quotas/?with_availability=true`),
      ],
      ['the status of a list', () => call('GET', `${door.server.ev}/checkinlists/${door.list}/status/`)],
      ['a page of lists', () => call('GET', `${door.server.ev}/checkinlists/?expand=subevent`)],
      ['a page of orders', () => call('GET', `${door.server.ev}/orders/`)],
      ['a deep page of orders', () => call('GET', `${door.server.ev}/orders/?page=30`)],
      ['orders of a product', () => call('GET', `${door.server.ev}/orders/?item=${door.item}&status=n`)],
      [
        'a page of positions',
        () => call('GET', `${door.server.ev}/orderpositions/?order__status=p&has_checkin=true`),
      ],
      [
        'the positions of a list',
        () => call('GET', `${door.server.ev}/checkinlists/${door.list}/positions/`),
      ],
      [
        'a search at the door',
        () => call('GET', `${door.server.org}/checkinrpc/search/?list=${door.list}&search=ticket-77`),
      ],
      [
        'a search at the door by how well names fit',
        () =>
          call(
            'GET',
            `${door.server.org}/checkinrpc/search/?list=${door.list}&search=ticket-77&any_order=true`,
          ),
      ],
      ['a search among orders', () => call('GET', `${door.server.ev}/orders/?search=X77`)],
      ['the check-ins', () => call('GET', `${door.server.ev}/checkins/`)],
    ]
    for (const [what, ask, expected = 200] of asked)
      it(`look at each row a few times at most, for ${what}`, async () => {
        const said = await listen(async () => {
          const { status, body } = await ask()
          assert.equal(status, expected, JSON.stringify(body))
        })
        const tooMany: string[] = []
        for (const text of new Set(said.map((one) => one.text))) {
          const one = said.find((other) => other.text === text)
          if (!one || !/^\s*(SELECT|WITH)/i.test(text)) continue
          for (const mode of ['force_custom_plan', 'force_generic_plan']) {
            const plan = await file.transaction((tx) => planOf(tx, one, { mode }))
            const most = Math.max(...stepsOf(plan).map(lookedAt))
            if (most > 4 * orders) tooMany.push(`${mode}: ${most} rows for ${text}`)
          }
        }
        assert.deepEqual(tooMany, [])
      })
  })
