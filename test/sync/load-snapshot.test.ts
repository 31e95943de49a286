import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openSqlite, openSqliteToFill } from '../../server/storage/sqlite.ts'
import { beginLoad, Mangled } from '../../server/sync/load-snapshot.ts'

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
})
