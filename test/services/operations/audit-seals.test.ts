import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { instantOf, realEnv } from '../../../server/env.ts'
import { startJobs } from '../../../server/jobs/runner.ts'
import { silentLog } from '../../../server/log.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import { type SealHead, sealAudit } from '../../../server/services/operations/audit-seals.ts'
import { type AuditProblem, verifyAudit } from '../../../server/services/operations/audit-verify.ts'
import { engines } from '../../support/engines/engines.ts'
import { makeHandEnv } from '../../support/servers/hand-env.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

const somebody: Actor = {
  kind: 'token',
  id: 7,
  name: 'somebody',
  organizer: null,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: null,
}

for (const { name, open } of engines)
  describe(`the seals of the audit trail, on ${name}`, () => {
    let server: TestServer
    let now: number
    beforeEach(async () => {
      now = Date.UTC(2031, 0, 1)
      server = await startTestServer(await open(), null, { env: { ...realEnv, now: () => now } })
    })
    afterEach(() => server.close())

    const note = async (count: number, data: unknown = { name: 'a' }): Promise<void> => {
      const place = { organizer: server.organizer, event: server.event }
      for (let index = 0; index < count; index += 1) {
        now += 10
        await server.running.transactions.write(async (tx) => {
          tx.audit(place, somebody, {
            action: 'ticketsvc.test.done',
            resource: 'item',
            row: index,
            data,
          })
        })
      }
      now += 1000
    }
    const run = (statement: string) => server.running.transactions.database.run(raw(statement))
    /** Seals once what the server does by itself at the same time is done, which would keep later entries from being sealed. */
    const seal = async () => {
      const { transactions } = server.running
      while (transactions.horizon() < instantOf(now)) await turn()
      return sealAudit(transactions)
    }
    const verify = (heads: readonly SealHead[] = []) =>
      verifyAudit(server.running.transactions.database, heads)
    const ids = async () =>
      (
        await server.running.transactions.database.all<{ id: number }>(
          sql`SELECT id FROM audit WHERE resource = 'item' ORDER BY id`,
        )
      ).map(({ id }) => id)
    const first = async (heads: readonly SealHead[] = []): Promise<AuditProblem | undefined> =>
      (await verify(heads)).problems[0]

    it('say that nothing was changed where nothing was', async () => {
      await note(12)
      const [head] = await seal()
      assert.equal(head?.number, 1)
      await note(3)
      assert.equal((await seal())[0]?.number, 2)
      assert.deepEqual(await seal(), [])
      await note(2)
      const found = await verify(head ? [head] : [])
      assert.deepEqual(
        { ...found, heads: found.heads.length },
        { seals: 2, entries: 15, unsealed: 2, forgotten: 0, problems: [], heads: 1 },
      )
    })

    it('take in what becomes visible late', async () => {
      await note(2)
      await seal()
      const [one = 0] = await ids()
      await run(
        `INSERT INTO audit SELECT organizer, ${one + 900}, event, at, actor_kind, actor, action, resource, row_id, data FROM audit WHERE id = ${one}`,
      )
      assert.equal((await seal())[0]?.number, 2)
      assert.deepEqual((await verify()).problems, [])
    })

    it('name the first entry of which anything was changed', async () => {
      await note(6)
      await seal()
      const [, , third = 0, fourth = 0] = await ids()
      const changes = [
        "at = '2031-01-01T00:00:00.000001Z'",
        'event = 0',
        "actor_kind = 'device'",
        'actor = 8',
        "action = 'ticketsvc.test.undone'",
        "resource = 'quota'",
        'row_id = 99',
        `data = '{"name":"b"}'`,
        'data = NULL',
      ]
      const database = server.running.transactions.database
      for (const change of changes) {
        const [before] = await database.all(sql`SELECT * FROM audit WHERE id = ${third}`)
        assert.ok(before)
        await run(`UPDATE audit SET ${change} WHERE id IN (${third}, ${fourth})`)
        const found = await verify()
        assert.deepEqual(
          found.problems.map(({ what, entry }) => [what, entry]),
          [
            ['changed', third],
            ['changed', fourth],
          ],
          change,
        )
        for (const id of [third, fourth])
          await database.run(
            sql`UPDATE audit SET at = ${before.at}, event = ${before.event}, actor_kind = ${before.actor_kind},
                actor = ${before.actor}, action = ${before.action}, resource = ${before.resource},
                row_id = ${Number(before.row_id) + (id === fourth ? 1 : 0)}, data = ${before.data} WHERE id = ${id}`,
          )
        // The moments of the two differ.
        await run(
          `UPDATE audit SET at = '${new Date(Date.parse(String(before.at)) + 10).toISOString().slice(0, -1)}000Z' WHERE id = ${fourth}`,
        )
        assert.deepEqual((await verify()).problems, [], change)
      }
    })

    it('name an entry that was removed, or put in the place of another', async () => {
      await note(4)
      await seal()
      const [one = 0, two = 0, three = 0] = await ids()
      await run(`DELETE FROM audit WHERE id = ${three}`)
      assert.deepEqual(await first(), { organizer: server.organizer, what: 'removed', entry: three, seal: 1 })
      await run(`UPDATE audit SET id = ${three} WHERE id = ${two}`)
      await run(`UPDATE audit SET id = ${two} WHERE id = ${one}`)
      assert.deepEqual(
        (await verify()).problems.map(({ what, entry }) => [what, entry]),
        [
          ['removed', one],
          ['changed', two],
          ['changed', three],
        ],
      )
    })

    it('name an entry that was added later', async () => {
      await note(3)
      await seal()
      now += 600_000
      await note(1)
      await seal()
      const [one = 0] = await ids()
      await run(
        `INSERT INTO audit SELECT organizer, ${one + 900}, event, at, actor_kind, 9, action, resource, row_id, data FROM audit WHERE id = ${one}`,
      )
      assert.deepEqual(await first(), {
        organizer: server.organizer,
        what: 'added',
        entry: one + 900,
        seal: null,
      })
    })

    it('show when they were changed or taken away themselves', async () => {
      for (let round = 0; round < 3; round += 1) {
        await note(2)
        await seal()
      }
      const { heads } = await verify()
      const [one = 0] = await ids()
      await run('CREATE TABLE audit_seal_kept AS SELECT * FROM audit_seal')
      const restore = async () => {
        await run('DELETE FROM audit_seal')
        await run('INSERT INTO audit_seal SELECT * FROM audit_seal_kept')
      }
      const what = async (statement: string, expected: readonly SealHead[] = heads) => {
        await run(statement)
        const problem = await first(expected)
        await restore()
        return problem && [problem.what, problem.seal]
      }
      assert.deepEqual(await what('DELETE FROM audit_seal WHERE number = 2'), ['seal removed', 2])
      assert.deepEqual(await what(`UPDATE audit_seal SET entries = 'none' WHERE number = 2`), [
        'seal changed',
        2,
      ])
      assert.deepEqual(
        await what(
          `UPDATE audit_seal SET entries = replace(entries, '${one}', '${one + 5}') WHERE number = 1`,
        ),
        ['seal changed', 1],
      )
      assert.deepEqual(await what(`UPDATE audit_seal SET "upto" = 'soon' WHERE number = 3`), [
        'seal changed',
        3,
      ])
      // What only somebody who noted the head can tell.
      assert.deepEqual(await what('DELETE FROM audit_seal WHERE number = 3'), ['seal removed', 3])
      assert.equal(await what('DELETE FROM audit_seal WHERE number = 3', []), undefined)
      const [head] = heads
      assert.ok(head)
      const other = [{ ...head, hash: `${head.hash.slice(0, -1)}${head.hash.endsWith('A') ? 'B' : 'A'}` }]
      assert.deepEqual(await what('DELETE FROM audit_seal WHERE number = 99', other), ['another head', 3])
      await run('DROP TABLE audit_seal_kept')
    })

    it('hold though a customer was forgotten, and only what was said of them', async () => {
      const path = `${server.org}/customers/`
      const made = await server.call('POST', path, {
        email: 'ada@example.org',
        name_parts: { full_name: 'Ada' },
      })
      const { identifier } = made.body as { identifier: string }
      now += 1000
      await seal()
      assert.equal((await server.call('POST', `${path}${identifier}/anonymize/`, {})).status, 200)
      now += 1000
      await seal()
      const found = await verify()
      assert.deepEqual([found.problems, found.forgotten], [[], 1])
      const rows = await server.running.transactions.database.all(sql`SELECT data FROM audit`)
      assert.ok(!JSON.stringify(rows).includes('Ada'))
    })

    it('are made every minute while the server runs, and written to the log', async () => {
      await note(3)
      const env = makeHandEnv()
      const logged: unknown[] = []
      const stop = startJobs({
        transactions: server.running.transactions,
        env,
        log: {
          ...silentLog,
          info: (event, fields) => void (event === 'audit trail sealed' && logged.push(fields)),
        },
      })
      const rest = async () => {
        for (let look = 0; env.waiting === 0 && look < 1e6; look += 1) await turn()
      }
      for (let quarter = 0; quarter < 4; quarter += 1) {
        await rest()
        assert.deepEqual(logged, [])
        env.pass(15_000)
      }
      await rest()
      await stop()
      const { heads, entries } = await verify()
      assert.deepEqual([logged, entries], [heads, 3])
    })

    it('are made once where two are at it, and in batches', async () => {
      await note(40)
      const place = { organizer: server.organizer, event: server.event }
      await server.running.transactions.write(async (tx) => {
        for (let row = 0; row < 1100; row += 1)
          tx.audit(place, somebody, { action: 'ticketsvc.test.done', resource: 'item', row })
      })
      now += 1000
      await Promise.all([seal(), seal()])
      await seal()
      const found = await verify()
      assert.deepEqual([found.entries, found.problems], [1140, []])
      assert.ok(found.seals >= 3)
    })
  })
