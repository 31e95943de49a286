import assert from 'node:assert/strict'
import type { Sql } from 'sql-template-tag'
import { followServer } from '../../../server/services/operations/server-history.ts'
import { type Queryable, StorageError } from '../../../server/storage/database.ts'

/** A connection to a server that says where it is, or fails; what was carried out on it. */
function connectionTo(place: string | Error, known: string | null, moved: string | null) {
  const done: string[] = []
  const connection: Queryable = {
    engine: 'postgres',
    all: async () => [],
    get: async <T>(statement: Sql) => {
      const isAsked = statement.text.includes('pg_control_system')
      if (isAsked && place instanceof Error) throw place
      return { place: isAsked ? place : null, written_on: known, moved_to: moved } as T
    },
    run: async (statement) => {
      done.push(statement.text)
      return 1
    },
    remembered: (_, load) => load(),
  }
  return { connection, done }
}

async function followed(place: string | Error, known: string | null, moved: string | null = null) {
  const { connection, done } = connectionTo(place, known, moved)
  let noticed = 0
  const chance = { uuid: () => 'fresh', randomBytes: (count: number) => new Uint8Array(count) }
  await followServer(chance, () => {
    noticed += 1
  })(connection)
  return { noticed, done, hasNewEpoch: done.some((text) => text.includes('SET epoch =')) }
}

const refused = Object.assign(new Error('permission denied'), { code: '42501' })

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

  it('is as good as lost once the data were moved away, whether or not it says where it is', async () => {
    for (const place of ['7/00000001', refused])
      await assert.rejects(
        followed(place, '7/00000001', 'postgres://elsewhere/gatehouse'),
        (cause) => cause instanceof StorageError && /moved to postgres:..elsewhere/.test(cause.message),
      )
  })

  it('need not say where it is', async () => {
    assert.deepEqual((await followed(refused, '7/00000001')).done, [])
    await assert.rejects(followed(new Error('something else'), null), /something else/)
  })
})
