import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Changes, RowsOf } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { Change, Transactions } from '../../../server/resource/transactions.ts'
import { type ApplyParts, applyChanges } from '../../../server/sync/replica/apply-changes.ts'
import { joiningRow } from '../../../server/sync/upstream/joining.ts'
import { readUpstream, writeUpstream } from '../../../server/sync/upstream/upstream.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'

const at = '2030-06-01T10:00:00.000000Z'
const organizer = 1
const event = 10

/** Rows as they travel, from rows by column. */
const rowsOf = (...rows: readonly Record<string, string | number | null>[]): RowsOf => {
  const columns = Object.keys(rows[0] ?? {})
  return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
}

const page = (values: Partial<Changes>): Changes => ({
  protocol: 1,
  epoch: 'e',
  cursor: 'c1',
  more: false,
  rows: {},
  gone: {},
  lost: [],
  ...values,
})

const order = (id: number, values: Record<string, string | number | null> = {}) => ({
  event,
  id,
  code: `CODE${id}`,
  status: 'p',
  email: `${id}@example.org`,
  datetime: at,
  expires: at,
  last_modified: at,
  ...values,
})

const ticket = (id: number, values: Record<string, string | number | null> = {}) => ({
  event,
  id,
  order_id: 100,
  positionid: id,
  item: 20,
  secret: `s${id}`,
  attendee_name: `Guest ${id}`,
  answers: '[]',
  addon_to: null,
  ...values,
})

const catalogue = {
  organizer: rowsOf({ id: organizer, slug: 'acme', name: 'Acme', settings: '{}' }),
  event: rowsOf({ id: event, slug: 'gala', name: '{"en":"Gala"}', date_from: at, timezone: 'UTC' }),
  item: rowsOf({ event, id: 20, name: '{"en":"Day"}', active: 1 }),
  checkin_list: rowsOf({ event, id: 30, name: 'Doors', all_products: 1 }),
  order: rowsOf(order(100)),
}

interface Copy {
  readonly transactions: Transactions
  readonly reconciled: string[]
  readonly commits: Change[][]
  apply(values: Partial<Changes>, requested?: string): Promise<boolean>
  close(): Promise<void>
}

/** A copy of site 5 that holds an event with an order and no tickets. */
async function openCopy(): Promise<Copy> {
  const database = await openMemory()
  const first = await openData(database, realEnv)
  await first.release()
  await database.run(sql`UPDATE node SET site = 5 WHERE id = 1`)
  const transactions = await openData(database, realEnv)
  const pairing = { url: 'http://127.0.0.1:1', token: 't', role: 'station' as const }
  const device = { organizer: 'acme', api_token: 't', name: 'North', security_profile: 'full' }
  await writeUpstream(database, { ...joiningRow(pairing, device), organizer, device: 40, state: 'following' })
  const reconciled: string[] = []
  const commits: Change[][] = []
  const parts: ApplyParts = {
    transactions,
    env: realEnv,
    log: silentLog,
    organizer,
    device: 40,
    forgotten: new Set(),
    async reconcile(_, place, list, position) {
      reconciled.push(`${place.event}/${list}/${position}`)
    },
  }
  const copy: Copy = {
    transactions,
    reconciled,
    commits,
    apply: (values, requested = at) => applyChanges(parts, page(values), requested),
    close: () => database.close(),
  }
  assert.equal(await copy.apply({ rows: catalogue, cursor: 'c0' }), true)
  transactions.onCommit((changes) => commits.push([...changes]))
  return copy
}

const all = <T>(copy: Copy, statement: ReturnType<typeof sql>): Promise<T[]> =>
  copy.transactions.database.all<T>(statement)

const secrets = async (copy: Copy): Promise<string[]> =>
  (
    await all<{ id: number; secret: string }>(copy, sql`SELECT id, secret FROM order_position ORDER BY id`)
  ).map((row) => `${row.id} ${row.secret}`)

describe('a page of changes', () => {
  let copy: Copy
  beforeEach(async () => {
    copy = await openCopy()
  })
  afterEach(() => copy.close())

  it('is applied with its cursor, and fills what was kept from this node', async () => {
    await copy.apply({ rows: { order_position: rowsOf(ticket(1), ticket(2)) }, cursor: 'c7' })
    assert.deepEqual(await secrets(copy), ['1 s1', '2 s2'])
    assert.equal((await readUpstream(copy.transactions.database))?.cursor, 'c7')
    const [row] = await all(
      copy,
      sql`SELECT price, organizer, attendee_email FROM order_position WHERE id = 1`,
    )
    assert.deepEqual(row, { price: 0, organizer, attendee_email: null })
  })

  it('changes nothing when it comes again', async () => {
    const rows = { order_position: rowsOf(ticket(1)) }
    await copy.apply({ rows })
    const before = copy.commits.length
    await copy.apply({ rows, cursor: 'c2' })
    assert.equal(copy.commits.length, before)
  })

  it('enters what it changes in the feed of this node, for those below', async () => {
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)) } })
    assert.deepEqual(copy.commits.flat(), [
      { place: { organizer, event }, resource: 'order_position', row: 1, op: 'put' },
    ])
  })

  it('keeps guests findable under what they are called now', async () => {
    const found = async (text: string): Promise<number> =>
      (await all(copy, sql`SELECT rowid FROM position_search WHERE position_search MATCH ${`"${text}"`}`))
        .length
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)) } })
    assert.equal(await found('guest 1'), 1)
    await copy.apply({ rows: { order_position: rowsOf(ticket(1, { attendee_name: 'Maria' })) } })
    assert.deepEqual([await found('guest 1'), await found('maria')], [0, 1])
    await copy.apply({ rows: { order: rowsOf(order(100, { email: 'new@example.org' })) } })
    assert.equal(await found('new@example'), 1)
    await copy.apply({ gone: { order_position: [1] } })
    assert.deepEqual([await found('maria'), (await secrets(copy)).length], [0, 0])
  })

  it('may exchange the codes of two tickets', async () => {
    await copy.apply({ rows: { order_position: rowsOf(ticket(1), ticket(2)) } })
    const rows = { order_position: rowsOf(ticket(1, { secret: 's2' }), ticket(2, { secret: 's1' })) }
    assert.equal(await copy.apply({ rows }), true)
    assert.deepEqual(await secrets(copy), ['1 s2', '2 s1'])
  })

  it('may give the code of a deleted ticket to another one', async () => {
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)) } })
    const rows = { order_position: rowsOf(ticket(3, { secret: 's1' })) }
    assert.equal(await copy.apply({ rows, gone: { order_position: [1] } }), true)
    assert.deepEqual(await secrets(copy), ['3 s1'])
  })

  it('may hold a ticket before the one that it belongs to', async () => {
    assert.equal(
      await copy.apply({ rows: { order_position: rowsOf(ticket(1, { addon_to: 2 }), ticket(2)) } }),
      true,
    )
    assert.deepEqual(await secrets(copy), ['1 s1', '2 s2'])
  })

  it('asks for a new copy when it contradicts what is here, and leaves that as it is', async () => {
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)) } })
    const wrong = { order_position: rowsOf(ticket(2, { order_id: 999 })) }
    assert.equal(await copy.apply({ rows: wrong, cursor: 'c9' }), false)
    const taken = { order_position: rowsOf(ticket(3, { secret: 's1' })) }
    assert.equal(await copy.apply({ rows: taken, cursor: 'c9' }), false)
    assert.deepEqual(await secrets(copy), ['1 s1'])
    assert.equal((await readUpstream(copy.transactions.database))?.cursor, 'c1')
  })

  it('has contradictions looked for after check-ins of others, and its own only where their time turns out otherwise', async () => {
    const pass = (id: number, site: number, datetime = at) => ({
      event,
      id,
      position: 1,
      list: 30,
      datetime,
      created: at,
      successful: 1,
      type: 'entry',
      site,
    })
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)), checkin: rowsOf(pass(1, 5)) } })
    assert.deepEqual(copy.reconciled, [])
    await copy.apply({ rows: { checkin: rowsOf(pass(2, 6), pass(3, 7)) } })
    assert.deepEqual(copy.reconciled, [`${event}/30/1`])
    await copy.apply({ rows: { checkin: rowsOf(pass(1, 5, '2030-06-01T09:00:00.000000Z')) } })
    assert.equal(copy.reconciled.length, 2)
  })

  it('keeps answers that were given here since it was asked for', async () => {
    const answer = (question: number, text: string) => ({ question, answer: text, options: [] })
    await copy.apply({ rows: { order_position: rowsOf(ticket(1)) } })
    await copy.transactions.write(async (tx) => {
      tx.fact({ organizer, event }, 40, {
        kind: 'answers',
        payload: { position: 1, answers: [answer(1, 'vegan')], removed: [3] },
      })
      await tx.run(
        sql`UPDATE order_position SET answers = ${JSON.stringify([answer(1, 'vegan')])} WHERE id = 1`,
      )
    })
    const upstream = [answer(1, 'meat'), answer(2, 'M'), answer(3, 'old')]
    const rows = { order_position: rowsOf(ticket(1, { answers: JSON.stringify(upstream) })) }
    const answers = async () => {
      const [row] = await all<{ answers: string }>(copy, sql`SELECT answers FROM order_position WHERE id = 1`)
      return JSON.parse(String(row?.answers))
    }
    await copy.apply({ rows })
    assert.deepEqual(await answers(), [answer(2, 'M'), answer(1, 'vegan')])
    // Once the upstream server has known of them before it was asked, its word counts.
    await copy.transactions.database.run(sql`UPDATE outbox SET state = 'done', done_at = ${at}`)
    await copy.apply({ rows }, '2030-06-01T10:00:01.000000Z')
    assert.deepEqual(await answers(), upstream)
  })

  it('keeps a name that was corrected here since it was asked for', async () => {
    const named = (name: string) => ({
      attendee_name: name,
      attendee_name_parts: JSON.stringify({ full_name: name }),
    })
    await copy.apply({ rows: { order_position: rowsOf(ticket(1, named('Anna'))) } })
    await copy.transactions.write(async (tx) => {
      const payload = {
        position: 1,
        secret: 's1',
        before: { full_name: 'Ana' },
        parts: { full_name: 'Anna' },
      }
      tx.fact({ organizer, event }, 40, { kind: 'attendee_name', payload })
    })
    const name = async () =>
      (
        await all<{ name: string }>(copy, sql`SELECT attendee_name AS name FROM order_position WHERE id = 1`)
      )[0]?.name
    const rows = { order_position: rowsOf(ticket(1, named('Ana'))) }
    await copy.apply({ rows })
    assert.equal(await name(), 'Anna')
    await copy.transactions.database.run(sql`UPDATE outbox SET state = 'done', done_at = ${at}`)
    await copy.apply({ rows }, '2030-06-01T10:00:01.000000Z')
    assert.equal(await name(), 'Ana')
  })

  it('ignores resources and columns that a newer upstream server sends', async () => {
    const rows = {
      order_position: rowsOf({ ...ticket(1), colour: 'red' }),
      hologram: rowsOf({ event, id: 1, depth: 3 }),
    }
    assert.equal(await copy.apply({ rows }), true)
    assert.deepEqual(await secrets(copy), ['1 s1'])
  })

  it('lets others in between when it is long', async () => {
    const rows = {
      order_position: rowsOf(...Array.from({ length: 4000 }, (_, index) => ticket(1000 + index))),
    }
    const order: string[] = []
    let decided = 0
    const applying = copy.apply({ rows }).then(() => order.push('page'))
    while (order.length === 0 && decided < 1000) {
      await copy.transactions.write(async (tx) => tx.run(sql`UPDATE node SET epoch = epoch WHERE id = 1`))
      decided += 1
    }
    await applying
    assert.ok(decided >= 3, `only ${decided} others had their turn`)
    assert.equal((await secrets(copy)).length, 4000)
  })

  it('loses an event with everything in it', async () => {
    await copy.apply({
      rows: { order_position: rowsOf(...Array.from({ length: 500 }, (_, n) => ticket(n + 1))) },
    })
    await copy.apply({ lost: [event], cursor: 'c5' })
    for (const table of ['event', 'item', 'orders', 'order_position', 'checkin_list', 'position_search'])
      assert.deepEqual(await all(copy, sql([`SELECT count(*) AS n FROM ${table}`])), [{ n: 0 }], table)
    assert.equal((await readUpstream(copy.transactions.database))?.cursor, 'c5')
  })
})
