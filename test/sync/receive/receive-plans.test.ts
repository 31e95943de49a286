import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import type { SentFact } from '../../../schema/sync.ts'
import type { Database } from '../../../server/storage/database.ts'
import { appendForwarded } from '../../../server/sync/outbox/outbox.ts'
import { unknownOf } from '../../../server/sync/receive/known-facts.ts'
import { overheard, type Said } from '../../bench/statements.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { scanOf, tellAbove } from './reported-facts.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

/** Tables that grow with what is reported, by the names that statements give them. */
const growing: Readonly<Record<string, string>> = {
  seen_fact: 'seen_fact',
  quarantine: 'quarantine',
  outbox: 'outbox',
  conflict: 'conflict',
  checkin: 'checkin',
  c: 'checkin',
  order_position: 'order_position',
  p: 'order_position',
  orders: 'orders',
  o: 'orders',
  change: 'change',
  audit: 'audit',
}

/** What very many rows have in common: an index of these alone finds too many. */
const common = new Set(['organizer', 'event', 'list', 'type', 'successful', 'state', 'site'])

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''").replaceAll('?', '')}'` : String(value ?? 'NULL')

/** The steps in which a statement looks at more rows the more there are. */
async function slowSteps(database: Database, { text, values }: Said): Promise<string[]> {
  const filled = values.reduce<string>((sum, value) => sum.replace('?', () => `+${quoted(value)}`), text)
  const plan = await database.all<{ detail: string }>(sql`${raw(`EXPLAIN QUERY PLAN ${filled}`)}`)
  return plan
    .map(({ detail }) => detail)
    .filter((step) => {
      const [, verb, name = '', rest = ''] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(step) ?? []
      if (verb === undefined || !(name in growing)) return false
      // The end of an index is found at once.
      if (/^SELECT coalesce\(max\(\w+\), 0\) AS \w+ FROM \w+$/.test(text.trim())) return false
      const columns = [...rest.matchAll(/"?(\w+)"?\s*[=<>]/g)].map((match) => String(match[1]).toLowerCase())
      return verb === 'SCAN' || !columns.some((column) => !common.has(column))
    })
}

describe('what a server looks for when it is told something, on SQLite', () => {
  let file: Database
  let above: UpstreamNode
  let listen: (work: () => Promise<void>) => Promise<readonly Said[]>
  beforeEach(async () => {
    file = await openMemory()
    const heard = overheard(file)
    listen = heard.listen
    above = await openUpstreamNode(heard.database)
  })
  afterEach(() => above.close())

  /** Looks at every statement of some work. */
  async function assertQuick(work: () => Promise<void>): Promise<void> {
    const said = await listen(work)
    assert.ok(said.length > 0)
    const slow: string[] = []
    for (const one of new Map(said.map((statement) => [statement.text, statement])).values())
      if (/^\s*(SELECT|UPDATE|DELETE)/i.test(one.text))
        for (const step of await slowSteps(file, one)) slow.push(`${step}: ${one.text}`)
    assert.deepEqual(slow, [])
  }

  it('takes no longer the more it was told before: admissions, the same again, and contradictions', async () => {
    const ticket = await above.sell('code')
    const scanned = (nonce: string, station = above.north): SentFact =>
      above.scanned({ station, position: ticket.id, secret: 'code', clock: '10:00', nonce }).fact
    const [first, second] = [scanned('a'), scanned('b', above.south)]
    await assertQuick(async () => {
      await tellAbove(above, above.north, [first, scanOf(above, above.north)])
      await tellAbove(above, above.north, [first])
      const [contradicted] = await tellAbove(above, above.south, [second])
      assert.equal(contradicted?.status, 'conflict')
    })
  })

  it('takes no longer for scans that were undone, whose nonce is looked for', async () => {
    const ticket = await above.sell('code')
    const { fact } = above.scanned({
      ...{ station: above.north, position: ticket.id, secret: 'code', clock: '10:00' },
      ...{ nonce: 'n', row: { nonce: 'n' } },
    })
    const undone = above.fact('annulment', above.north, {
      ...{ checkin: 0, nonce: 'n', at: dayAt('10:01'), explanation: null },
    })
    await tellAbove(above, above.north, [fact])
    await assertQuick(async () => {
      const [result] = await tellAbove(above, above.north, [undone])
      assert.equal(result?.status, 'applied')
    })
  })

  it('takes no longer where it passes on what it is told, and is asked what it knows', async () => {
    await assertQuick(async () => {
      await above.transactions.write((tx) =>
        appendForwarded(tx, above.place.organizer, [scanOf(above, above.north)]),
      )
      assert.deepEqual(await unknownOf(above.database, above.place.organizer, ['x']), ['x'])
    })
  })
})
