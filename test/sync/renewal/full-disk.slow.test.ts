import assert from 'node:assert/strict'
import sql, { type Sql } from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { type Database, StorageError } from '../../../server/storage/database.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { countOf, startPair, until } from '../../support/servers/nodes.ts'

const full = (): StorageError => new StorageError('full', new Error('database or disk is full'))

/** A disk that is full when the copy in use is given up, and for the first attempts to open it again. */
class TightDisk {
  #isTight = false
  #refused = 0

  fill(): void {
    this.#isTight = true
  }

  get refused(): number {
    return this.#refused
  }

  readonly open = (): Promise<Database> => {
    const database = openSqlite(':memory:')
    const run = database.run.bind(database)
    const script = database.script.bind(database)
    return Promise.resolve(
      Object.assign(database, {
        run: async (statement: Sql) => {
          if (this.#isTight && statement.sql.includes('next_id = next_id -')) this.#refuse()
          return run(statement)
        },
        script: async (text: string) => {
          if (this.#isTight && this.#refused > 0) this.#refuse()
          return script(text)
        },
      }),
    )
  }

  #refuse(): never {
    this.#refused += 1
    this.#isTight = this.#refused < 3
    throw full()
  }
}

/** Pauses last a tenth of what they would. */
const hurried = {
  ...realEnv,
  elapsed: () => realEnv.elapsed() * 10,
  after: (milliseconds: number, callback: () => void) => realEnv.after(milliseconds / 10, callback),
}

describe('data on a disk that is full', () => {
  it('are opened as they are stored', async () => {
    const database = await openMemory()
    const first = await openData(database, realEnv)
    await first.write(async (tx) => tx.nextId())
    await database.script('PRAGMA query_only = ON;')
    const { site } = await openData(database, realEnv)
    assert.equal(site, first.site)
    await database.close()
  })
})

describe('a station whose disk is full while its copy is replaced', () => {
  it('goes on with the old copy, and with the new one as soon as there is room', async () => {
    const disk = new TightDisk()
    const { central, station } = await startPair(['A', 'B'], { env: hurried, openBeside: disk.open })
    try {
      const { transactions } = station
      disk.fill()
      await central.running.transactions.database.run(sql`UPDATE node SET epoch = epoch || 'x'`)
      await until('the disk has refused three times', () => disk.refused === 3)
      assert.equal((await station.scan('A')).status, 'ok')
      await until('another copy is in use', () => station.transactions !== transactions)
      await until('the new copy is in use', async () => (await station.link()).state === 'online')
      assert.equal((await station.scan('A')).reason, 'already_redeemed')
      assert.equal((await station.scan('B')).status, 'ok')
      await until('all is reported', async () => (await station.link()).queue === 0)
      assert.equal(await countOf(central.running, 'checkin', 'successful = 1'), 2)
    } finally {
      await station.close()
      await central.close()
    }
  })
})
