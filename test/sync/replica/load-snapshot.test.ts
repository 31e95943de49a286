import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openSqlite, openSqliteToFill } from '../../../server/storage/sqlite.ts'
import { beginLoad } from '../../../server/sync/replica/load-snapshot.ts'
import { beginLoadInThread } from '../../../server/sync/replica/load-thread.ts'
import { Mangled } from '../../../server/sync/replica/snapshot-lines.ts'

const columns = {
  order: ['event', 'id', 'code', 'email', 'comment'],
  order_position: ['event', 'id', 'order_id', 'positionid', 'attendee_name', 'secret'],
}
const count = 120

const frame = (resource: string, rows: readonly unknown[], spoil = false): string => {
  const sha256 = hash('sha256', JSON.stringify(rows))
  return `${JSON.stringify({ resource, rows: spoil ? rows.slice(1) : rows, sha256 })}\n`
}
const head = `${JSON.stringify({ protocol: 1, epoch: 'above', cursor: 'c', total: 2 * count, before: 0, columns })}\n`
const orders = Array.from({ length: count }, (_, index) => [
  4,
  index + 1,
  `C${index}`,
  'same@example.org',
  '',
])
// What differs between these rows is another set of columns in each third of them.
const positions = Array.from({ length: count }, (_, index) => [
  4,
  1000 + index,
  index + 1,
  1,
  index < 40 ? null : index < 80 ? 'Käthe "rows": Söhn' : `Guest ,"sha256":" ${index}`,
  `secret${index}`,
])
const lines = [
  head,
  frame('order', orders),
  frame('order_position', positions.slice(0, 40)),
  frame('order_position', positions.slice(40, 80)),
  frame('order_position', positions.slice(80)),
  `${JSON.stringify({ end: true, total: 2 * count })}\n`,
]
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const identity = { organizer: 1, site: 5, siteEnd: 6, epoch: 'own' }

describe('a snapshot that is loaded', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-load-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('holds every row as it was sent, can be searched, and tells how far it is', async () => {
    const file = join(folder, 'next.sqlite')
    const filled = openSqliteToFill(file)
    const load = await beginLoad(filled, identity)
    const all = bytes(lines.join(''))
    for (let first = 0; first < all.length; first += 1000) await load.feed(all.subarray(first, first + 1000))
    const parts: number[] = []
    await load.finish((part) => parts.push(part))
    assert.ok(parts.length > 10, `${parts.length} times`)
    assert.deepEqual(
      parts,
      [...parts].sort((a, b) => a - b),
    )
    assert.equal(parts.at(-1), 1)
    // Neither the event nor the product of these came along.
    assert.ok((await load.countDangling()) > 0)
    await filled.close()

    const database = openSqlite(file)
    const stored = await database.all<Record<string, unknown>>(
      sql`SELECT organizer, event, id, order_id, positionid, attendee_name, secret FROM order_position ORDER BY id`,
    )
    assert.deepEqual(
      stored.map((row) => Object.values(row)),
      positions.map((row) => [1, ...row]),
    )
    const found = await database.all(
      sql`SELECT rowid FROM position_search WHERE position_search MATCH '"kathe"'`,
    )
    assert.equal(found.length, 40)
    assert.equal((await database.all(sql`SELECT rowid FROM position_search`)).length, count)
    const kept = await database.all(
      sql`SELECT k, v FROM position_search_config WHERE k IN ('hashsize', 'automerge') ORDER BY k`,
    )
    assert.deepEqual(kept, [
      { k: 'automerge', v: 4 },
      { k: 'hashsize', v: 2 ** 20 },
    ])
    assert.deepEqual(await database.get(sql`PRAGMA journal_mode`), { journal_mode: 'wal' })
    await database.close()
  })

  it('takes no row of a frame that was changed on its way, and goes on behind the last good one', async () => {
    const database = openSqliteToFill(join(folder, 'next.sqlite'))
    const load = await beginLoad(database, identity)
    const [first = '', second = ''] = lines
    const good = await load.feed(bytes(first + second))
    assert.deepEqual([good.rows, good.after], [count, `order:${count}`])
    await assert.rejects(load.feed(bytes(frame('order_position', positions, true))), Mangled)
    await load.restart()
    const rows = await database.all(sql`SELECT id FROM order_position`)
    assert.equal(rows.length, 0)
    const again = await load.feed(bytes(lines.slice(0, 1).concat(lines.slice(2)).join('')))
    assert.ok(again.complete)
    assert.equal((await database.all(sql`SELECT id FROM order_position`)).length, count)
    await database.close()
  })

  it('can be searched as well where a thread of its own makes it findable, and nothing of that is left', async () => {
    const file = join(folder, 'next.sqlite')
    const load = beginLoadInThread({ file, identity, gently: false })
    // The last ticket stands before the one that it belongs to.
    const withAddons = positions.map((row, index) => [...row, index === count - 2 ? 1000 + count - 1 : null])
    const named = { ...columns, order_position: [...columns.order_position, 'addon_to'] }
    const all = [
      lines[0]?.replace(JSON.stringify(columns), JSON.stringify(named)),
      lines[1],
      frame('order_position', withAddons.slice(0, 50)),
      frame('order_position', withAddons.slice(50)),
      lines.at(-1),
    ]
    assert.ok(all[0]?.includes('addon_to'))
    const whole = bytes(all.join(''))
    for (let first = 0; first < whole.length; first += 3000) await load.feed(whole.slice(first, first + 3000))
    const parts: number[] = []
    await load.finish((part) => parts.push(part))
    assert.equal(parts.at(-1), 1)
    await load.close()
    assert.deepEqual(await readdir(folder), ['next.sqlite'])
    const database = openSqlite(file)
    const found = async (text: string): Promise<number[]> =>
      (
        await database.all<{ id: number }>(
          sql`SELECT rowid AS id FROM position_search WHERE position_search MATCH ${`"${text.replaceAll('"', '""')}"`} ORDER BY rowid`,
        )
      ).map(({ id }) => id)
    assert.equal((await found('kathe')).length, 40)
    assert.deepEqual(await found(`sha256":" ${count - 1}`), [1000 + count - 2, 1000 + count - 1])
    assert.equal((await database.all(sql`SELECT rowid FROM position_search`)).length, count)
    await database.script(
      "INSERT INTO position_search (position_search, rank) VALUES ('integrity-check', 1);",
    )
    await database.run(sql`DELETE FROM position_search WHERE rowid = 1000`)
    assert.equal((await found('same@example')).length, count - 1)
    await database.close()
  })

  it('is refused where what arrives is not text', async () => {
    const database = openSqliteToFill(join(folder, 'next.sqlite'))
    const load = await beginLoad(database, identity)
    await assert.rejects(load.feed(Uint8Array.from([123, 0xff, 0xfe, 125, 10])), Mangled)
    await database.close()
  })
})
