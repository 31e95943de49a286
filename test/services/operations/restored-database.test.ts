import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { type GivenOut, markRestored } from '../../../server/services/operations/restored-database.ts'
import type { Database } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'

interface NodeRow extends GivenOut {
  readonly epoch: string
}

/** What an organizer with many stations takes between two restores. */
const sitesTaken = 50
const idsTaken = 100_000

for (const engine of engines)
  describe(`a database that was brought back on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
      await openData(database, realEnv)
    })
    after(() => database.close())

    async function look(): Promise<NodeRow> {
      const row = await database.get<NodeRow>(sql`SELECT epoch, next_id, next_site FROM node`)
      assert.ok(row)
      return row
    }

    /** Brings the same copy back, in which that much was given out, and says where it goes on. */
    async function restore(chance: number, before?: GivenOut): Promise<NodeRow> {
      await database.run(sql`UPDATE node SET epoch = 'copied', next_id = 5000, next_site = 7`)
      await markRestored(database, { epoch: `after ${chance}`, chance, before })
      return look()
    }

    it('gives nothing out again that was given out after the copy was made', async () => {
      const after = await restore(0)
      assert.equal(after.epoch, 'after 0')
      assert.ok(after.next_id >= 10_000_000 && after.next_site >= 1000)
    })

    it('gives nothing out again where the same copy is brought back twice', async () => {
      const [first, second] = [await restore(0.25), await restore(0.75)]
      const apart = { ids: second.next_id - first.next_id, sites: second.next_site - first.next_site }
      assert.ok(apart.ids > idsTaken * 100, `${apart.ids} ids apart`)
      assert.ok(apart.sites > sitesTaken * 100, `${apart.sites} sites apart`)
    })

    it('hits what the first restore has given out about once in a thousand times', async () => {
      const window = { low: await restore(0), high: await restore(0.999_999) }
      assert.ok((2 * idsTaken) / (window.high.next_id - window.low.next_id) < 0.001)
      assert.ok((2 * sitesTaken) / (window.high.next_site - window.low.next_site) < 0.001)
    })

    it('leaves room for as many restores as anybody needs', async () => {
      await restore(0.999_999)
      for (let time = 1; time < 20; time++)
        await markRestored(database, { epoch: 'again', chance: 0.999_999 })
      const { next_id, next_site } = await look()
      assert.ok(next_id < 2 ** 32 * 0.8, `${next_id}`)
      assert.ok(next_site < 2_097_152 * 0.8, `${next_site}`)
    })

    it('goes on behind what the replaced data had given out, where that is known', async () => {
      const before = { next_id: 30_000_000, next_site: 500_000 }
      const after = await restore(0, before)
      assert.ok(after.next_id > before.next_id && after.next_site > before.next_site)
    })
  })
