import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { checkin } from '../../schema/resources/checkin/checkin.ts'
import type { SentFact } from '../../schema/sync.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import type { Database } from '../../server/storage/database.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { overheard, type Said } from '../bench/statements.ts'
import { type Door, openDoor } from '../routes/checkin/checkin-door.ts'
import { addNode, nodeOf } from '../routes/sync/node.ts'
import { type Distribution, distributionOf } from '../support/engines/partitioned.ts'
import { openBareServerPostgres, openPartitionedPostgres } from '../support/engines/server-postgres.ts'
import { addOrganizer } from '../support/servers/servers.ts'
import { planOf, stepsOf } from './explained.ts'

const address = String(process.env.GATEHOUSE_TEST_POSTGRES)

/** What is not an organizer's: people and their ways in, this server and this machine, and what is counted across all. */
const global = [
  ...['app_user', 'user_session', 'password_reset', 'recovery_code', 'sign_in_attempt'],
  ...['oauth_application', 'oauth_code', 'oauth_grant', 'oauth_token'],
  ...['migration', 'node', 'feed_start', 'free_site', 'lease_clock', 'lease_ledger', 'moved'],
  ...[
    'station',
    'upstream',
    'outbox',
    'print_job',
    'kept_answer',
    'mail',
    'organizer',
    'kiosk_fault',
    'rate_use',
    'organizer_move',
  ],
]

describe('the tables on PostgreSQL', () => {
  let found: Distribution
  before(async () => {
    const database = await openBareServerPostgres(address)
    await migrate(database)
    found = await distributionOf(database)
    await database.close()
  })

  it('have the organizer in all that is unique in them, but for a few that are nobody’s', () => {
    assert.deepEqual(
      found.global.filter((table) => !global.includes(table)),
      [],
    )
    assert.ok(found.spread.length > 80, `${found.spread.length}`)
    for (const table of [
      'orders',
      'order_position',
      'checkin',
      'change',
      'quota',
      'audit',
      'receipt',
      'device',
    ])
      assert.ok(found.spread.includes(table), table)
  })

  it('refer to each other within their organizer', () => assert.deepEqual(found.crossing, []))
})

/** Who asks is not known before they are found: their credential is looked for in all parts, each time by its index. */
const findsCredential = /\btoken_hash = \?/

/** How each server hears every second what others have stored: one row for each event, from all parts. */
const watchesFeeds = /^SELECT organizer, event, seq FROM feed$/

/** The parts of tables that a statement touches, by the table. */
async function partsTouched(database: Database, said: Said): Promise<Map<string, Set<string>>> {
  const isRead = /^\s*(SELECT|WITH)/i.test(said.text) && !/\bFOR UPDATE\b/.test(said.text)
  const touched = new Map<string, Set<string>>()
  const plan = await database.transaction((tx) =>
    planOf(tx, said, { mode: 'force_custom_plan', how: isRead ? 'ANALYZE' : 'COSTS OFF' }),
  )
  for (const step of stepsOf(plan)) {
    const [, table = '', part] = /^(.+)_(\d)$/.exec(step['Relation Name'] ?? '') ?? []
    if (part === undefined || (isRead && step['Actual Loops'] === 0)) continue
    touched.set(table, (touched.get(table) ?? new Set()).add(part))
  }
  return touched
}

describe('statements on tables that are spread by their organizer', () => {
  let door: Door
  let file: Database
  let device: number
  let listen: ReturnType<typeof overheard>['listen']
  before(async () => {
    file = await openPartitionedPostgres(address)
    const heard = overheard(file)
    listen = heard.listen
    door = await openDoor(heard.database)
    await door.write((tx) => addOrganizer(tx, 'rival'))
    await door.write((tx) => tx.run(sql`UPDATE node SET next_site = 100 WHERE id = 1`))
    device = await addNode(door.server, 9, 'station', { site: 50, site_end: 51 })
    const made = await door.server.call('POST', `${door.server.ev}/quotas/`, {
      ...{ name: 'All', size: 1000, items: [door.item], variations: [] },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    for (const secret of ['first', 'second', 'third']) await door.sell(secret)
  })
  after(() => door.server.close())

  it('are on tables that have parts', async () => {
    const counted = await file.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM pg_inherits WHERE inhparent = 'orders'::regclass`,
    )
    assert.equal(counted?.count, 4)
  })

  const moment = '2024-06-01T10:00:00.000000Z'
  const clock = { boot: 'b', mono: 1, device_time: moment, clock_offset: 0 }
  /** The report of an unknown code. */
  const unknownCode = (device: number): SentFact => ({
    ...{ nonce: 'reported', kind: 'checkin', event: door.server.event, site: 50, site_seq: 1, device },
    ...clock,
    payload: {
      row: {
        ...blankRow(checkin),
        ...{
          id: 50 * 2 ** 32 + 1,
          successful: false,
          error_reason: 'invalid',
          datetime: moment,
          created: moment,
        },
        ...{ list: door.list, device, type: 'entry', nonce: 'scan 1', raw_barcode: 'nobody', site: 50 },
      },
      secret: null,
    },
  })
  const station = () => nodeOf(door.server, 'station')
  let cursor = ''
  const asked: readonly [what: string, () => Promise<{ readonly status: number }>, status: number][] = [
    ['a scan', () => door.redeem('first'), 201],
    ['another scan of it', () => door.redeem('first'), 400],
    ['an unknown code', () => door.redeem('nobody'), 404],
    [
      'a sale',
      () =>
        door.server.call('POST', `${door.server.ev}/orders/`, {
          positions: [{ item: door.item }],
          payment_provider: 'manual',
          status: 'p',
        }),
      201,
    ],
    [
      'a first load',
      async () => {
        const { head } = await station().snapshot()
        cursor = head.cursor
        return { status: 200 }
      },
      200,
    ],
    ['what has changed', () => station().get(`changes/?after=${encodeURIComponent(cursor)}`), 200],
    [
      'what a station reports',
      async () => {
        const answer = await station().post('push/', { protocol: 1, ...clock, facts: [unknownCode(device)] })
        assert.deepEqual(answer.body.results, [{ nonce: 'reported', status: 'applied' }])
        return answer
      },
      200,
    ],
  ]
  for (const [what, ask, status] of asked)
    it(`touch one part of each, for ${what}`, async () => {
      const said = await listen(async () => {
        const answer = await ask()
        assert.equal(answer.status, status, JSON.stringify(answer))
      })
      assert.ok(said.length > 3, `${said.length} statements`)
      assert.ok(said.filter(({ text }) => findsCredential.test(text)).length <= 1)
      const many: string[] = []
      for (const text of new Set(said.map((one) => one.text))) {
        const one = said.find((other) => other.text === text)
        if (
          !one ||
          findsCredential.test(text) ||
          watchesFeeds.test(text) ||
          !/^\s*(SELECT|WITH|UPDATE|DELETE)/i.test(text)
        )
          continue
        for (const [table, parts] of await partsTouched(file, one))
          if (parts.size > 1) many.push(`${parts.size} parts of ${table} for ${text}`)
      }
      assert.deepEqual(many, [])
    })
})
