import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { type Database, StorageError } from '../../server/storage/database.ts'
import { type PostgresClient, postgresOn } from '../../server/storage/postgres.ts'
import { everyEngine } from '../support/engines/engines.ts'

const problemOf = async (failing: Promise<unknown>) => {
  const [result] = await Promise.allSettled([failing])
  assert.equal(result?.status, 'rejected')
  assert.ok(result.reason instanceof StorageError, String(result.reason))
  return result.reason.problem
}

for (const engine of everyEngine)
  describe(`failures of the database on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.openBare()
      await database.script(
        'CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT UNIQUE);\nCREATE TABLE reply (id BIGINT NOT NULL PRIMARY KEY, note BIGINT REFERENCES note (id));\n',
      )
      await database.run(sql`INSERT INTO note (id, text) VALUES (1, 'one')`)
    })
    after(() => database.close())

    it('have a name where a value is taken', async () => {
      assert.equal(await problemOf(database.run(sql`INSERT INTO note (id, text) VALUES (1, 'x')`)), 'unique')
      assert.equal(
        await problemOf(database.run(sql`INSERT INTO note (id, text) VALUES (2, 'one')`)),
        'unique',
      )
    })

    it('have a name where a row is missing or needed', async () => {
      await database.run(sql`INSERT INTO reply (id, note) VALUES (1, 1)`)
      assert.equal(await problemOf(database.run(sql`INSERT INTO reply (id, note) VALUES (2, 99)`)), 'foreign')
      assert.equal(await problemOf(database.run(sql`DELETE FROM note WHERE id = 1`)), 'foreign')
    })

    it('keep their own name where nobody can do anything about them', async () => {
      const [result] = await Promise.allSettled([database.all(sql`SELECT nothing FROM nowhere`)])
      assert.equal(result?.status, 'rejected')
      assert.ok(!(result.reason instanceof StorageError))
    })

    it('leave the connection in order', async () => {
      for (let time = 0; time < 20; time += 1)
        await assert.rejects(
          database.transaction(async (tx) => {
            await tx.run(sql`INSERT INTO note (id, text) VALUES (7, 'seven')`)
            await tx.run(sql`INSERT INTO note (id, text) VALUES (1, 'again')`)
          }),
        )
      const rows = await database.all<{ id: number }>(sql`SELECT id FROM note ORDER BY id`)
      assert.deepEqual(
        rows.map((row) => row.id),
        [1],
      )
    })

    it('do not end the server when what failed is read outside a transaction', async () => {
      await assert.rejects(database.get(sql`SELECT * FROM nowhere`))
      assert.ok(await database.get(sql`SELECT id FROM note`))
    })
  })

/** A connection that answers as told, and remembers what was asked. */
function scripted(answer: (text: string, time: number) => Error | undefined) {
  const asked: string[] = []
  const released: (boolean | undefined)[] = []
  const client: PostgresClient = {
    async query({ text }) {
      asked.push(text)
      const failure = answer(text, asked.filter((one) => one === text).length)
      if (failure) throw failure
      return { rows: [], rowCount: 1 }
    },
    release: (broken) => void released.push(broken),
  }
  return {
    asked,
    released,
    database: postgresOn({ connect: async () => client, end: async () => undefined }),
  }
}

const coded = (code: string) => Object.assign(new Error(code), { code })

describe('a transaction on PostgreSQL', () => {
  it('is begun again when it lost against another one', async () => {
    for (const code of ['40001', '40P01']) {
      const { asked, database } = scripted((text, time) =>
        text === 'COMMIT' && time < 4 ? coded(code) : undefined,
      )
      let runs = 0
      const value = await database.transaction(async (tx) => {
        runs += 1
        await tx.run(sql`UPDATE something`)
        return runs
      })
      assert.equal(value, 4)
      assert.equal(asked.filter((text) => text === 'ROLLBACK').length, 3)
    }
  })

  it('is given up after many times, with the name of the problem', async () => {
    const { asked, database } = scripted((text) => (text === 'COMMIT' ? coded('40001') : undefined))
    assert.equal(await problemOf(database.transaction(async () => 1)), 'conflict')
    assert.equal(asked.filter((text) => text === 'BEGIN').length, 12)
  })

  it('is not begun again for anything else', async () => {
    for (const code of ['23505', '55P03', '53100', '42P01']) {
      const { asked, database } = scripted((text) => (text === 'UPDATE x' ? coded(code) : undefined))
      await assert.rejects(database.transaction((tx) => tx.run(sql`UPDATE x`)))
      assert.deepEqual(asked, ['BEGIN', 'UPDATE x', 'ROLLBACK'])
    }
  })

  it('says what went wrong, also when even the rollback fails', async () => {
    const lost = new Error('connection lost')
    const { database, released } = scripted((text) => (text === 'BEGIN' ? undefined : lost))
    await assert.rejects(
      database.transaction((tx) => tx.run(sql`UPDATE x`)),
      lost,
    )
    assert.deepEqual(released, [true])
  })

  it('gives a connection back whose transaction was ended by us', async () => {
    const { database, released } = scripted(() => undefined)
    await assert.rejects(
      database.transaction(async () => {
        throw new Error('changed my mind')
      }),
    )
    assert.deepEqual(released, [false])
  })

  it('is not left open when it cannot be rolled back', async () => {
    const { database, released } = scripted((text) => (text === 'ROLLBACK' ? coded('57P01') : undefined))
    await assert.rejects(
      database.transaction(async () => {
        throw new Error('changed my mind')
      }),
      /changed my mind/,
    )
    assert.deepEqual(released, [true])
  })

  it('is begun again on another connection where one is lost before the commit, and only then', async () => {
    for (const code of ['57P01', '08006', 'ECONNRESET', 'EPIPE']) {
      const { asked, released, database } = scripted((text, time) =>
        text === 'UPDATE x' && time === 1 ? coded(code) : undefined,
      )
      await database.transaction((tx) => tx.run(sql`UPDATE x`))
      assert.deepEqual(asked, ['BEGIN', 'UPDATE x', 'BEGIN', 'UPDATE x', 'COMMIT'])
      assert.deepEqual(released, [true, false])
    }
    const dying = scripted((text) => (text === 'COMMIT' ? coded('57P01') : undefined))
    assert.equal(await problemOf(dying.database.run(sql`UPDATE x`)), 'unsure')
    assert.deepEqual([dying.asked, dying.released], [['BEGIN', 'UPDATE x', 'COMMIT'], [true]])
    const gone = scripted(() => new Error('Connection terminated unexpectedly'))
    assert.equal(await problemOf(gone.database.run(sql`UPDATE x`)), 'lost')
    assert.deepEqual(gone.asked, Array(12).fill('BEGIN'))
  })

  it('has lost what the server ended for good, whatever the reason, and at a commit nobody knows', async () => {
    const last = (code: string, severity: string) => Object.assign(coded(code), { severity })
    const noRoom = scripted((text) => (text === 'UPDATE x' ? last('53100', 'ERROR') : undefined))
    assert.equal(await problemOf(noRoom.database.run(sql`UPDATE x`)), 'full')
    const dying = scripted((text) => (text === 'COMMIT' ? last('53100', 'PANIC') : undefined))
    assert.equal(await problemOf(dying.database.run(sql`UPDATE x`)), 'unsure')
    const refusing = postgresOn({
      connect: () => Promise.reject(last('XX000', 'FATAL')),
      end: async () => undefined,
    })
    assert.equal(await problemOf(refusing.all(sql`SELECT 1`)), 'lost')
  })

  it('is refused in words where no connection can be made', async () => {
    const database = postgresOn({
      connect: () => Promise.reject(coded('ECONNREFUSED')),
      end: async () => undefined,
    })
    assert.equal(await problemOf(database.run(sql`UPDATE x`)), 'lost')
    assert.equal(await problemOf(database.all(sql`SELECT 1`)), 'lost')
  })
})
