import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../server/storage/database.ts'
import { overheard, type Said } from '../bench/statements.ts'
import { type Door, openDoor } from '../routes/checkin/checkin-door.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { addEvent } from '../support/servers/servers.ts'
import { addItem, addList, addOrder, addQuestion, revoke } from '../support/ticketing/tickets.ts'

/** Tables that grow with the tickets and scans of an event, by the names that statements give them. */
const growing: Readonly<Record<string, string>> = {
  order_position: 'order_position',
  p: 'order_position',
  own: 'order_position',
  s: 'order_position',
  parent: 'order_position',
  orders: 'orders',
  o: 'orders',
  coded: 'orders',
  checkin: 'checkin',
  c: 'checkin',
  revoked_secret: 'revoked_secret',
  audit: 'audit',
  change: 'change',
}

/** What very many rows of a growing table have in common. */
const common = new Set(['organizer', 'event', 'list', 'type', 'status', 'successful', 'canceled'])

/** Why a step of a plan looks at more rows the more there are, or nothing. */
function complaint(step: string): string | undefined {
  const [, verb, name = '', rest = ''] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(step) ?? []
  if (verb === undefined || !(name in growing)) return undefined
  if (verb === 'SCAN') return step
  const columns = [...rest.matchAll(/"?(\w+)"?\s*[=<>]/g)].map((match) => String(match[1]).toLowerCase())
  return columns.some((column) => !common.has(column)) ? undefined : step
}

describe('statements that guests at the door wait for, on SQLite', () => {
  let door: Door
  let file: Database
  let listen: (work: () => Promise<void>) => Promise<readonly Said[]>
  before(async () => {
    file = await openMemory()
    const heard = overheard(file)
    listen = heard.listen
    door = await openDoor(heard.database)
  })
  after(() => door.server.close())

  const plansOf = async (said: readonly Said[]): Promise<string[]> => {
    const steps: string[] = []
    for (const text of new Set(said.map((one) => one.text))) {
      if (!/^\s*(SELECT|UPDATE|DELETE)/i.test(text)) continue
      const values = said.find((one) => one.text === text)?.values ?? []
      // The plus sign is what the engine says as well; plans are made without a look at the values.
      const filled = values.reduce<string>((sum, value) => sum.replace('?', () => `+${quoted(value)}`), text)
      const rows = await file.all<{ detail: string }>(sql`${raw(`EXPLAIN QUERY PLAN ${filled}`)}`)
      steps.push(...rows.map((row) => row.detail))
    }
    return steps
  }
  const quoted = (value: unknown): string =>
    typeof value === 'string'
      ? `'${value.replaceAll("'", "''").replaceAll('?', '')}'`
      : String(value ?? 'NULL')

  const call = (method: string, path: string, body?: unknown) => door.server.call(method, path, body)
  const scans: readonly [string, () => Promise<unknown>][] = [
    [
      'an admission, and the same again',
      async () => {
        await door.sell('good')
        await door.redeem('good', { nonce: 'a' })
        await door.redeem('good', { nonce: 'a' })
        await door.redeem('good', { nonce: 'b' })
      },
    ],
    ['an unknown code', () => door.redeem('nobody', { nonce: 'c' })],
    [
      'a revoked code',
      async () => {
        const ticket = await door.sell('now')
        await door.write((tx) => revoke(tx, door.place, 'before', ticket.id))
        await door.redeem('before', { nonce: 'd' })
        await door.redeem('before', { nonce: 'd', force: true })
      },
    ],
    [
      'a ticket with add-ons and questions',
      async () => {
        const item = await door.write(async (tx) => {
          const made = await addItem(tx, door.place, 'Asked')
          await addQuestion(tx, door.place, [made])
          await addOrder(tx, door.place, [
            { item: door.item, secret: 'parent' },
            { item: made, secret: 'child', addon_to: 0 },
          ])
          return made
        })
        const list = await door.makeList({ all_products: false, limit_products: [item], addon_match: true })
        await door.redeem('parent', { lists: [list], answers: {} })
        await door.redeem('parent', { lists: [list], questions_supported: false })
      },
    ],
    [
      'a position by its id, and a code with a plus sign',
      async () => {
        const ticket = await door.sell('by id')
        await door.redeemAt(door.list, ticket.id)
        await door.redeemAt(door.list, 'by+id')
      },
    ],
    [
      'an undone admission',
      async () => {
        await door.sell('undone')
        await door.redeem('undone', { nonce: 'e' })
        await call('POST', `${door.server.org}/checkinrpc/annul/`, { nonce: 'e', lists: [door.list] })
      },
    ],
    [
      'a scan refused elsewhere',
      () =>
        call('POST', `${door.server.ev}/checkinlists/${door.list}/failed_checkins/`, {
          raw_barcode: 'x',
          error_reason: 'error',
          nonce: 'f',
        }),
    ],
    [
      'a search for a name',
      () => call('GET', `${door.server.org}/checkinrpc/search/?list=${door.list}&search=miller`),
    ],
    [
      'a search for words in any order, by how well names fit them',
      () =>
        call(
          'GET',
          `${door.server.org}/checkinrpc/search/?list=${door.list}&search=miller+mi&any_order=true`,
        ),
    ],
    [
      'a search for two letters',
      () => call('GET', `${door.server.org}/checkinrpc/search/?list=${door.list}&search=mi`),
    ],
    [
      'a search on two lists for one product',
      async () => {
        const other = await door.write(async (tx) => {
          const ball = { ...door.place, event: await addEvent(tx, door.place.organizer, 'ball') }
          return addList(tx, ball, 'Ballroom')
        })
        for (const text of ['miller', 'm'])
          await call(
            'GET',
            `${door.server.org}/checkinrpc/search/?list=${door.list}&list=${other}&search=${text}&item=${door.item}&has_checkin=true`,
          )
      },
    ],
    [
      'a search among the positions of a list, by last name',
      () =>
        call(
          'GET',
          `${door.server.ev}/checkinlists/${door.list}/positions/?search=miller&ordering=attendee_name&attendee_name=x`,
        ),
    ],
    ...['miller', 'mi', 'gala-abc'].flatMap((text): [string, () => Promise<unknown>][] => [
      [
        `a search for "${text}" among the orders of an event`,
        () =>
          call('GET', `${door.server.ev}/orders/?search=${text}&status=p&item=${door.item}&ordering=-code`),
      ],
      [
        `a search for "${text}" among the orders of all events`,
        () => call('GET', `${door.server.org}/orders/?search=${text}`),
      ],
      [
        `a search for "${text}" among the positions of an event`,
        () =>
          call(
            'GET',
            `${door.server.ev}/orderpositions/?search=${text}&order__status=p&has_checkin=false&ordering=attendee_name`,
          ),
      ],
    ]),
    ...[1, 300].map((count): [string, () => Promise<unknown>] => [
      `a sale of ${count}`,
      async () => {
        const positions = Array.from({ length: count }, () => ({ item: door.item }))
        const sold = await call('POST', `${door.server.ev}/orders/`, { positions, force: true })
        assert.equal(sold.status, 201)
      },
    ]),
    ['one position', () => call('GET', `${door.server.ev}/checkinlists/${door.list}/positions/1/`)],
  ]
  for (const [what, scan] of scans)
    it(`look at no more rows the more there are, for ${what}`, async () => {
      const said = await listen(async () => void (await scan()))
      const steps = await plansOf(said)
      assert.ok(steps.length > 3)
      assert.deepEqual(
        steps.flatMap((step) => complaint(step) ?? []),
        [],
      )
    })

  it('are as many for a search that finds many orders as for one that finds one', async () => {
    await door.write(async (tx) => {
      for (let number = 0; number < 30; number += 1)
        await addOrder(tx, door.place, [
          {
            item: door.item,
            secret: `many${number}`,
            attendee_name: number === 0 ? 'Only One' : 'Many More',
          },
        ])
    })
    for (const list of ['orders', 'orderpositions']) {
      // Who asks and where is looked up by the first request alone.
      await call('GET', `${door.server.ev}/${list}/?search=nobody`)
      const counts: number[] = []
      for (const [text, found] of [
        ['only one', 1],
        ['many more', 29],
      ] as const) {
        const said = await listen(async () => {
          const { body } = await call('GET', `${door.server.ev}/${list}/?search=${text}`)
          assert.equal((body as { count: number }).count, found)
        })
        counts.push(said.length)
      }
      assert.equal(counts[0], counts[1], list)
    }
  })

  it('would be complained about otherwise', async () => {
    const bad = await plansOf([
      {
        text: 'SELECT id FROM checkin WHERE organizer = 1 AND nonce = 2 ORDER BY id LIMIT 1',
        values: [],
        rows: 0,
      },
      { text: 'SELECT count(*) FROM orders', values: [], rows: 0 },
    ])
    assert.equal(bad.flatMap((step) => complaint(step) ?? []).length, 2)
  })
})
