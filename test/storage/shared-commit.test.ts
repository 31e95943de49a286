import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { type Database, type LastStep, type Queryable, StorageError } from '../../server/storage/database.ts'
import { postgresOn } from '../../server/storage/postgres.ts'
import { bothEngines } from '../support/engines/engines.ts'

for (const engine of bothEngines)
  describe(`urgent transactions that wait together on ${engine.name}`, () => {
    let database: Database
    let closed: number[][]
    let lastStep: LastStep<number>
    before(async () => {
      database = await engine.open()
      await database.script('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE);\n')
    })
    beforeEach(() => {
      closed = []
      lastStep = {
        carryOut: async (tx, values) => {
          const { count } = (await tx.get<{ count: number }>(sql`SELECT count(*) AS count FROM note`)) ?? {
            count: 0,
          }
          assert.ok(count >= values.length)
          closed.push([...values])
        },
      }
    })
    afterEach(() => database.run(sql`DELETE FROM note`))
    after(async () => {
      await database.script('DROP TABLE note;\n')
      await database.close()
    })

    const add = (id: number, then?: (tx: Queryable) => unknown) =>
      database.transaction(
        async (tx) => {
          await tx.run(sql`INSERT INTO note (id, text) VALUES (${id}, ${`note ${id}`})`)
          await then?.(tx)
          return id
        },
        { isUrgent: true, lastStep },
      )
    const ids = async () =>
      (await database.all<{ id: number }>(sql`SELECT id FROM note ORDER BY id`)).map((row) => row.id)

    it('are closed by few last steps, each value once and in order', async () => {
      const all = Array.from({ length: 20 }, (_, index) => index + 1)
      assert.deepEqual(await Promise.all(all.map((id) => add(id))), all)
      assert.deepEqual(closed.flat(), all)
      assert.ok(closed.length <= 3, `${closed.length} commits`)
      assert.deepEqual(await ids(), all)
    })

    it('that fail after they have written fail alone, and nothing of them stays', async () => {
      const results = await Promise.allSettled([
        add(1),
        add(2, () => {
          throw new Error('no')
        }),
        add(3),
        add(1),
      ])
      const one = results[3]
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      )
      assert.ok(one?.status === 'rejected' && one.reason instanceof StorageError)
      assert.equal(one.reason.problem, 'unique')
      assert.deepEqual(await ids(), [1, 3])
      assert.deepEqual(closed.at(-1)?.length ? [...new Set(closed.flat())].toSorted() : [], [1, 3])
    })

    it('see what those before them have written', async () => {
      const seen = await Promise.all([
        add(1),
        database.transaction((tx) => tx.get<{ id: number }>(sql`SELECT id FROM note`), { isUrgent: true }),
      ])
      assert.deepEqual(seen, [1, { id: 1 }])
    })

    it('all fail where what closes them fails, and nothing stays', async () => {
      lastStep = { carryOut: () => Promise.reject(new Error('full')) }
      const results = await Promise.allSettled([add(1), add(2)])
      for (const result of results)
        assert.ok(result.status === 'rejected' && /full/.test(String(result.reason)))
      assert.deepEqual(await ids(), [])
    })
  })

/** A source of connections that notes what it is asked, and refuses what it is made to. */
class NotingSource {
  readonly texts: string[] = []
  refuse: (text: string) => Error | undefined = () => undefined
  delay: (text: string) => Promise<void> | undefined = () => undefined

  async connect() {
    return {
      query: async ({ text }: { text: string }) => {
        this.texts.push(text)
        const failure = this.refuse(text)
        if (failure) throw failure
        await this.delay(text)
        return { rows: [{ text }], rowCount: 1 }
      },
      release: () => undefined,
    }
  }

  async end() {}

  count(pattern: RegExp): number {
    return this.texts.filter((text) => pattern.test(text)).length
  }
}

describe('a group of transactions on PostgreSQL', () => {
  let source: NotingSource
  let database: Database
  beforeEach(() => {
    source = new NotingSource()
    database = postgresOn(source)
  })
  const urgent = <T>(work: (tx: Queryable) => Promise<T>) => database.transaction(work, { isUrgent: true })
  const writing = (table: string) => urgent((tx) => tx.run(sql([`UPDATE ${table} SET a = 1`])))

  it('has one commit', async () => {
    await Promise.all(Array.from({ length: 20 }, () => writing('checkin')))
    assert.equal(source.count(/^UPDATE/), 20)
    assert.equal(source.count(/^COMMIT/), 1)
  })

  it('carries out no transaction twice because another one was refused before it wrote', async () => {
    const refused = urgent(async (tx) => {
      await tx.get(sql`SELECT 1`)
      throw new Error('not paid')
    })
    const results = await Promise.allSettled([writing('checkin'), refused, writing('checkin')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(source.count(/^UPDATE/), 2)
    assert.equal(source.count(/^COMMIT/), 1)
  })

  it('waits briefly for a lock, and then each of its transactions waits alone', async () => {
    let isHeld = true
    source.refuse = (text) => {
      if (text !== 'UPDATE orders SET a = 1' || !isHeld) return undefined
      isHeld = false
      return Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    }
    await Promise.all([writing('checkin'), writing('orders'), writing('checkin')])
    assert.equal(source.texts[1], "SET LOCAL lock_timeout = '50ms'")
    assert.equal(source.count(/^ROLLBACK/), 1)
    assert.equal(source.count(/^COMMIT/), 3)
  })

  it('holds up nobody else while its transactions wait alone', async () => {
    const { promise: freed, resolve: free } = Promise.withResolvers<void>()
    let asked = 0
    source.refuse = (text) => {
      if (text !== 'UPDATE orders SET a = 1') return undefined
      asked += 1
      const isInGroup = asked % 2 === 1
      return isInGroup
        ? Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
        : undefined
    }
    source.delay = (text) => (text === 'UPDATE orders SET a = 1' ? freed : undefined)
    const held: Promise<number>[] = []
    for (const _ of ['one group', 'and another']) {
      held.push(writing('orders'))
      await writing('checkin')
    }
    assert.equal(await writing('checkin'), 1)
    free()
    assert.deepEqual(await Promise.all(held), [1, 1])
  })

  it('is in doubt as a whole where its connection is lost in the commit', async () => {
    source.refuse = (text) =>
      text === 'COMMIT' ? Object.assign(new Error('gone'), { code: 'ECONNRESET' }) : undefined
    for (const result of await Promise.allSettled([writing('checkin'), writing('checkin')])) {
      assert.ok(result.status === 'rejected' && result.reason instanceof StorageError)
      assert.equal(result.reason.problem, 'unsure')
    }
    assert.equal(source.count(/^COMMIT/), 1)
  })

  it('reads what seldom changes once, and again after it was written', async () => {
    const reading = () =>
      urgent((tx) => tx.remembered('list 1', () => tx.get(sql`SELECT * FROM checkin_list WHERE id = 1`)))
    await Promise.all([reading(), writing('checkin'), reading(), reading()])
    assert.equal(source.count(/FROM checkin_list/), 1)
    await Promise.all([reading(), writing('checkin_list'), reading()])
    assert.equal(source.count(/FROM checkin_list/), 3)
  })

  it('tells everybody where there is no connection', async () => {
    source.connect = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    for (const result of await Promise.allSettled([writing('checkin'), writing('checkin')]))
      assert.ok(result.status === 'rejected' && result.reason instanceof StorageError)
  })
})
