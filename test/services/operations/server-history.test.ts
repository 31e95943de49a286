import assert from 'node:assert/strict'
import type { Sql } from 'sql-template-tag'
import { followServer } from '../../../server/services/operations/server-history.ts'
import { type Queryable, StorageError } from '../../../server/storage/database.ts'

/** A connection to a server that says where it is, or fails; what was carried out on it. */
function connectionTo(place: string | Error, known: string | null) {
  const done: string[] = []
  const connection: Queryable = {
    engine: 'postgres',
    all: async () => [],
    get: async <T>(statement: Sql) => {
      if (!statement.text.includes('pg_control_system')) return { written_on: known } as T
      if (place instanceof Error) throw place
      return { place } as T
    },
    run: async (statement) => {
      done.push(statement.text)
      return 1
    },
    remembered: (_, load) => load(),
  }
  return { connection, done }
}

async function followed(place: string | Error, known: string | null) {
  const { connection, done } = connectionTo(place, known)
  let noticed = 0
  const chance = { uuid: () => 'fresh', randomBytes: (count: number) => new Uint8Array(count) }
  await followServer(chance, () => {
    noticed += 1
  })(connection)
  return { noticed, done, hasNewEpoch: done.some((text) => text.includes('SET epoch =')) }
}

describe('the server on which data were written', () => {
  it('is noted at first, and then left alone', async () => {
    const first = await followed('7/00000001', null)
    assert.deepEqual([first.noticed, first.hasNewEpoch, first.done.length], [0, false, 3])
    assert.deepEqual((await followed('7/00000001', '7/00000001')).done, [])
  })

  for (const other of ['7/00000002', '8/00000001'])
    it(`begins a new epoch where it is ${other} now`, async () => {
      const { noticed, hasNewEpoch, done } = await followed(other, '7/00000001')
      assert.deepEqual([noticed, hasNewEpoch, done.at(-1)], [1, true, 'COMMIT'])
    })

  it('is as good as lost while it takes no writes', async () => {
    await assert.rejects(
      followed('7/', '7/00000001'),
      (cause) => cause instanceof StorageError && cause.problem === 'lost',
    )
  })

  it('need not say where it is', async () => {
    const refused = Object.assign(new Error('permission denied'), { code: '42501' })
    assert.deepEqual((await followed(refused, '7/00000001')).done, [])
    await assert.rejects(followed(new Error('something else'), null), /something else/)
  })
})
