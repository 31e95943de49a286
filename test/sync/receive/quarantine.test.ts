import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { mostQuarantinedBytes, mostQuarantinedFacts, type SentFact } from '../../../schema/sync.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { decideQuarantine } from '../../../server/sync/receive/decide-quarantine.ts'
import { quarantined } from '../../../server/sync/receive/quarantine.ts'
import { overheard } from '../../bench/statements.ts'
import { engines } from '../../support/engines/engines.ts'
import { clockNow, inShort, reportUpstream, rowsIn, scanOf, scansOf } from './reported-facts.ts'
import { openUpstreamNode, type ReportingDevice, type UpstreamNode } from './upstream-node.ts'

for (const engine of engines)
  describe(`what waits in quarantine, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let listen: ReturnType<typeof overheard>['listen']
    beforeEach(async () => {
      const heard = overheard(await engine.open())
      listen = heard.listen
      upstream = await openUpstreamNode(heard.database)
      await upstream.database.run(
        sql`UPDATE device SET revoked = 1 WHERE id IN (${upstream.north.device}, ${upstream.south.device})`,
      )
    })
    afterEach(() => upstream.close())

    const report = async (station: ReportingDevice, ...facts: unknown[]) =>
      inShort(await reportUpstream(upstream, station, facts))

    const decide = (action: 'apply' | 'discard', nonces: readonly string[] | null = null) =>
      decideQuarantine(
        {
          transactions: upstream.transactions,
          env: { ...upstream.env, after: realEnv.after },
          log: silentLog,
        },
        upstream.place.organizer,
        commandActor,
        { action, nonces },
      )

    const listed = (size = 50, offset = 0) =>
      quarantined(upstream.database, upstream.place.organizer, 'waiting', { offset, size })

    const scanWith = (code: string): SentFact => {
      const fact = scanOf(upstream, upstream.north)
      const { row } = fact.payload as { row: object }
      return { ...fact, payload: { row: { ...row, raw_barcode: code }, secret: null } }
    }

    it('is of a fact only what belongs to it', async () => {
      const facts = scansOf(upstream, upstream.north, 100).map((fact) => ({
        ...fact,
        more: 'x'.repeat(5000),
      }))
      const clock = { ...clockNow(upstream), facts }
      await reportUpstream(upstream, upstream.north, facts, { clock })
      const stored = await upstream.database.get<{ bytes: number; said: number }>(
        sql`SELECT sum(length(fact)) AS bytes, sum(bytes) AS said FROM quarantine`,
      )
      const own = JSON.stringify(facts.map(({ more: _, ...fact }) => fact)).length
      assert.ok(Number(stored?.bytes) < 1.5 * own, `${stored?.bytes} bytes are stored of ${own}`)
      assert.equal(Number(stored?.said), Number(stored?.bytes))
    })

    it(`is no more than ${mostQuarantinedFacts} facts of a device; the rest stays at it until something is decided`, async () => {
      const fact = scanOf(upstream, upstream.north)
      const numbers = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mostQuarantinedFacts})`
      await upstream.database.run(
        sql`INSERT INTO quarantine (organizer, nonce, device, received, fact, state, shown, bytes)
            ${numbers} SELECT CAST(${upstream.place.organizer} AS BIGINT), 'n ' || i, CAST(${upstream.north.device} AS BIGINT),
              '2030-06-01T10:00:00.000000Z', '{}', 'waiting', '{}', 2 FROM n`,
      )
      assert.deepEqual(await report(upstream.north, fact), ['retry quarantine_full'])
      assert.deepEqual(await report(upstream.south, scanOf(upstream, upstream.south)), ['quarantined'])
      const { facts } = await listed(2)
      assert.match(facts.find(({ nonce }) => nonce === 'n 1')?.detail ?? '', /the rest stays at it until/)
      assert.equal(facts.find(({ device }) => device === upstream.south.device)?.detail, null)
      assert.equal((await decide('discard', ['n 1'])).discarded, 1)
      assert.deepEqual(await report(upstream.north, fact), ['quarantined'])
      assert.deepEqual(await report(upstream.north, fact), ['quarantined'])
    })

    it('is no more than so many bytes of a device', async () => {
      const [first, second] = scansOf(upstream, upstream.north, 2)
      assert.deepEqual(await report(upstream.north, first), ['quarantined'])
      assert.equal((await listed()).facts[0]?.detail, null)
      await upstream.database.run(sql`UPDATE quarantine SET bytes = ${mostQuarantinedBytes}`)
      assert.deepEqual(await report(upstream.north, second, first), ['retry quarantine_full', 'quarantined'])
      assert.equal((await decide('discard')).discarded, 1)
      assert.deepEqual(await report(upstream.north, second), ['quarantined'])
    })

    it('has no text and no fact that is larger than anything a station stores', async () => {
      const facts = [
        scanWith('x'.repeat(64 * 1024)),
        scanWith('x'.repeat(64 * 1024 + 1)),
        { ...scanOf(upstream, upstream.north), payload: { texts: Array(5).fill('x'.repeat(60_000)) } },
        { ...scanOf(upstream, upstream.north), more: 'x'.repeat(64 * 1024 + 1) },
      ]
      assert.deepEqual(await report(upstream.north, ...facts), [
        'quarantined',
        ...Array(3).fill('rejected too_large'),
      ])
      await upstream.database.run(sql`UPDATE device SET revoked = 0`)
      assert.deepEqual(await report(upstream.north, facts[1]), ['rejected too_large'])
    })

    it('is taken in with few statements, as many for the last facts as for the first', async () => {
      const said: number[] = []
      for (let push = 0; push < 3; push += 1) {
        const facts = scansOf(upstream, upstream.north, 500)
        const heard = await listen(async () => {
          await report(upstream.north, ...facts)
        })
        said.push(heard.filter(({ text }) => /quarantine|seen_fact/.test(text)).length)
      }
      assert.equal(await rowsIn(upstream.database, 'quarantine'), 1500)
      assert.ok(
        said.every((count) => count > 0 && count <= 30),
        `${said} statements for 500 facts`,
      )
      assert.equal(new Set(said).size, 1)
    })

    it('is listed in pages, without its facts', async () => {
      await report(upstream.north, ...scansOf(upstream, upstream.north, 7), scanWith('long'.repeat(10_000)))
      const said = await listen(async () => {
        const { count, facts } = await listed(3, 3)
        assert.deepEqual([count, facts.length], [8, 3])
      })
      assert.ok(said.length > 0)
      assert.deepEqual(
        said.filter(({ text }) => /\*|\bfact\b/.test(text.replace(/count\(\*\)/g, ''))),
        [],
      )
      const { facts } = await listed()
      assert.equal(new Set(facts.map(({ nonce }) => nonce)).size, 8)
      assert.ok(facts.every(({ text }) => text.length <= 200))
    })

    it('is shown also where it came before there were summaries', async () => {
      await report(upstream.north, scanOf(upstream, upstream.north))
      const { facts } = await listed()
      await upstream.database.run(sql`UPDATE quarantine SET shown = NULL`)
      assert.deepEqual((await listed()).facts, facts)
    })

    it('is applied a few at a time, in the order in which it happened, and leaves what lists show', async () => {
      const facts = scansOf(upstream, upstream.north, 620)
      await report(upstream.north, ...facts.slice(1).reverse())
      await report(upstream.south, scanOf(upstream, upstream.south))
      const decision = await decide('apply')
      assert.deepEqual([decision.applied, decision.results.length], [620, 620])
      assert.deepEqual(
        decision.results.map(({ nonce }) => nonce).slice(0, 619),
        facts.slice(1).map(({ nonce }) => nonce),
      )
      assert.equal(await rowsIn(upstream.database, 'checkin'), 620)
      const left = await upstream.database.get<{ bytes: number }>(
        sql`SELECT sum(length(fact)) AS bytes FROM quarantine`,
      )
      assert.equal(Number(left?.bytes), 620 * 2)
      assert.equal((await decide('apply')).applied, 0)
      assert.equal((await listed()).count, 0)
    })

    it('is read in parts that fit into memory, however large it is', async () => {
      const texts = Array(4).fill('x'.repeat(60_000))
      const facts = scansOf(upstream, upstream.north, 20).map((fact) => ({
        ...fact,
        payload: { ...(fact.payload as object), texts },
      }))
      await report(upstream.north, ...facts)
      const said = await listen(async () => {
        assert.equal((await decide('apply')).applied, 20)
      })
      const together = said
        .filter(({ text }) => /SELECT fact FROM quarantine/.test(text))
        .map(({ values }) => values.length - 1)
      assert.equal(
        together.reduce((sum, count) => sum + count, 0),
        20,
      )
      assert.ok(Math.max(...together) * 250_000 <= 2.1 * 1024 * 1024, `${together}`)
    })

    it('stays where it cannot be applied, and is decided once', async () => {
      const unknown = { ...scanOf(upstream, upstream.north), event: 4711 }
      const [one, two] = scansOf(upstream, upstream.north, 2)
      await report(upstream.north, unknown, one, two)
      const { applied, results } = await decide('apply')
      assert.deepEqual([applied, inShort(results)], [2, ['rejected unknown_event', 'applied', 'applied']])
      assert.deepEqual([(await decide('discard')).discarded, (await decide('discard')).discarded], [1, 0])
    })
  })
