import assert from 'node:assert/strict'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { openTransactions } from '../../server/resource/open-transactions.ts'
import type { Transactions } from '../../server/resource/transactions.ts'
import { type Database, StorageError } from '../../server/storage/database.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'

/** A database on which other transactions are quicker, as often as is said, and take a value that one has seen free. */
function contested(database: Database, engine: Database['engine']) {
  const contest = { left: 0, begun: 0 }
  const same: Database = {
    engine,
    all: (statement) => database.all(statement),
    get: (statement) => database.get(statement),
    run: (statement) => database.run(statement),
    remembered: (key, load) => database.remembered(key, load),
    transaction: (work, turn) =>
      database.transaction(async (tx) => {
        contest.begun += 1
        const value = await work(tx)
        if (contest.left === 0) return value
        contest.left -= 1
        throw new StorageError('unique', new Error('taken'))
      }, turn),
    script: (text) => database.script(text),
    close: () => database.close(),
  }
  return { contest, database: same }
}

describe('a transaction whose values others take', () => {
  const place = { organizer: 1, event: 0 }
  const limits = [
    ['sqlite', 2],
    ['postgres', 12],
  ] as const
  for (const [engine, limit] of limits)
    describe(`on ${engine}`, () => {
      let contest: { left: number; begun: number }
      let transactions: Transactions
      let heard: number[]
      beforeEach(async () => {
        const inner = await openMemory()
        await openData(inner, realEnv)
        const made = contested(inner, engine)
        contest = made.contest
        transactions = await openTransactions(made.database, {
          instant: () => '2030-06-01T10:00:00.000000Z',
          randomBytes: realEnv.randomBytes,
        })
        heard = []
        transactions.onCommit((changes) => heard.push(changes.length))
        // The first one fetches ids in a transaction of its own.
        await transactions.write(async (tx) => tx.nextId())
        contest.begun = 0
      })
      afterEach(() => transactions.database.close())

      const change = () =>
        transactions.write(async (tx) => {
          tx.changed(place, 'gate', tx.nextId(), 'put')
          return 'done'
        })

      it(`looks again up to ${limit} times, and tells of its changes once`, async () => {
        contest.left = limit - 1
        assert.equal(await change(), 'done')
        assert.deepEqual([contest.begun, heard], [limit, [1]])
      })

      it('says that they are taken when that does not end', async () => {
        contest.left = limit
        await assert.rejects(change(), { name: 'StorageError', problem: 'unique' })
        assert.deepEqual([contest.begun, contest.left, heard], [limit, 0, []])
      })
    })
})
