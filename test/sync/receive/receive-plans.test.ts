import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import type { SentFact } from '../../../schema/sync.ts'
import type { Database } from '../../../server/storage/database.ts'
import { appendForwarded } from '../../../server/sync/outbox/outbox.ts'
import { unknownOf } from '../../../server/sync/receive/known-facts.ts'
import { overheard, type Said } from '../../bench/statements.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { saleSent } from '../../support/ticketing/sale-sent.ts'
import { reportUpstream, scanOf } from './reported-facts.ts'
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
  refused_ticket: 'refused_ticket',
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

describe('what a server looks for when something is reported to it, on SQLite', () => {
  let file: Database
  let upstream: UpstreamNode
  let listen: (work: () => Promise<void>) => Promise<readonly Said[]>
  beforeEach(async () => {
    file = await openMemory()
    const heard = overheard(file)
    listen = heard.listen
    upstream = await openUpstreamNode(heard.database)
  })
  afterEach(() => upstream.close())

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

  it('takes no longer the more it received before: admissions, the same again, and contradictions', async () => {
    const ticket = await upstream.sell('code')
    const scanned = (nonce: string, station = upstream.north): SentFact =>
      upstream.scanned({ station, position: ticket.id, secret: 'code', clock: '10:00', nonce }).fact
    const [first, second] = [scanned('a'), scanned('b', upstream.south)]
    await assertQuick(async () => {
      await reportUpstream(upstream, upstream.north, [first, scanOf(upstream, upstream.north)])
      await reportUpstream(upstream, upstream.north, [first])
      const [contradicted] = await reportUpstream(upstream, upstream.south, [second])
      assert.equal(contradicted?.status, 'conflict')
    })
  })

  it('takes no longer for what a revoked device reports', async () => {
    await upstream.database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${upstream.north.device}`)
    const facts = [scanOf(upstream, upstream.north), scanOf(upstream, upstream.north)]
    await assertQuick(async () => {
      const results = await reportUpstream(upstream, upstream.north, facts)
      assert.ok(results.every(({ status }) => status === 'quarantined'))
    })
  })

  it('takes no longer for a sale that is refused', async () => {
    await upstream.database.run(
      sql`UPDATE device SET security_profile = 'gate' WHERE id = ${upstream.north.device}`,
    )
    const payload = saleSent(upstream.item, upstream.north.site)
    await assertQuick(async () => {
      const [result] = await reportUpstream(upstream, upstream.north, [
        upstream.fact('order', upstream.north, payload),
      ])
      assert.equal(result?.status, 'quarantined')
    })
  })

  it('takes no longer for scans that were undone, whose nonce is looked for', async () => {
    const ticket = await upstream.sell('code')
    const { fact } = upstream.scanned({
      ...{ station: upstream.north, position: ticket.id, secret: 'code', clock: '10:00' },
      ...{ nonce: 'n', row: { nonce: 'n' } },
    })
    const undone = upstream.fact('annulment', upstream.north, {
      ...{ checkin: 0, nonce: 'n', at: dayAt('10:01'), explanation: null },
    })
    await reportUpstream(upstream, upstream.north, [fact])
    await assertQuick(async () => {
      const [result] = await reportUpstream(upstream, upstream.north, [undone])
      assert.equal(result?.status, 'applied')
    })
  })

  it('takes no longer where it passes on what is reported to it, and is asked what it knows', async () => {
    await assertQuick(async () => {
      await upstream.transactions.write((tx) =>
        appendForwarded(tx, upstream.place.organizer, [scanOf(upstream, upstream.north)]),
      )
      assert.deepEqual(await unknownOf(upstream.database, upstream.place.organizer, ['x']), ['x'])
    })
  })
})
