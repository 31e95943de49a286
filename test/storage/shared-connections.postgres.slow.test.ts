import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/storage/postgres-server.ts'

const address = process.env.GATEHOUSE_TEST_POSTGRES ?? ''

/** Opens the database as if PgBouncer stood there; with what its timers will call, which is called by hand. */
function openShared() {
  const timers: (() => void)[] = []
  const shared = new URL(address)
  shared.searchParams.set('pgbouncer', 'true')
  return { database: openPostgres(shared.href, (_, callback) => timers.push(callback)), timers }
}

describe('connections that PgBouncer shares', () => {
  it('are asked again where they lead after a while', async () => {
    const { database, timers } = openShared()
    try {
      let examined = 0
      database.onConnect?.(async (connection) => {
        examined += 1
        await connection.get(sql`SELECT 1 AS one`)
      })
      const look = () => database.get(sql`SELECT 2 AS two`)
      await look()
      await look()
      assert.equal(examined, 1)
      for (const call of timers.splice(0)) call()
      await look()
      await look()
      assert.equal(examined, 2)
    } finally {
      await database.close()
    }
  })

  it('have statements that leave nothing behind, and wait for locks as long as others', async () => {
    const { database } = openShared()
    try {
      const [waits] = await database.transaction((tx) =>
        tx.all<{ wait: string }>(sql`SELECT current_setting('lock_timeout') AS wait`),
      )
      assert.equal(waits?.wait, '10s')
      const left = await database.all(sql`SELECT name FROM pg_prepared_statements`)
      assert.deepEqual(left, [])
    } finally {
      await database.close()
    }
  })
})
