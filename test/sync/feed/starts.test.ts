import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { Refusal } from '../../../server/errors.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { noteStart } from '../../../server/sync/feed/starts.ts'
import { addGate } from '../../support/ticketing/tickets.ts'
import { type FeedPlace, fromNothing, makeFeedPlace, pageAfter } from './place.ts'

describe('the starts of a server that others follow', () => {
  let folder = ''
  let place: FeedPlace
  let gates = 0
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-starts-'))
    place = await makeFeedPlace(openSqlite(join(folder, 'gatehouse.sqlite')))
    await noteStart(place.database, 'first')
  })
  afterEach(async () => {
    await end()
    await rm(folder, { recursive: true })
  })

  async function end(): Promise<void> {
    await place.transactions.release()
    await place.database.close()
  }

  /** Ends the program, does something with its disk, and starts it again. */
  async function restart(name: string, between: () => Promise<void> = async () => {}): Promise<void> {
    await end()
    await between()
    const database = openSqlite(join(folder, 'gatehouse.sqlite'))
    place = { ...place, database, transactions: await openData(database, realEnv) }
    await noteStart(database, name)
  }

  const keep = (): Promise<void> => copyFile(join(folder, 'gatehouse.sqlite'), join(folder, 'kept'))
  const putBack = (): Promise<void> => copyFile(join(folder, 'kept'), join(folder, 'gatehouse.sqlite'))

  async function change(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      gates += 1
      await place.transactions.write((tx) => addGate(tx, place.organizer, `Gate ${gates}`))
    }
  }

  const follow = async (after = fromNothing()): Promise<string> => (await pageAfter(place, after)).cursor

  const isGone = (cause: unknown): boolean => cause instanceof Refusal && cause.status === 410

  it('do not keep anybody from going on, who hears at once of which start the numbers are', async () => {
    await change(2)
    const first = await follow()
    assert.equal(await follow(first), first)
    await restart('second')
    const second = await follow(first)
    assert.notEqual(second, first)
    assert.equal(await follow(second), second)
    await change(1)
    await restart('third')
    assert.deepEqual((await pageAfter(place, first)).rows.gate?.rows.length, 1)
  })

  it('show who knows more than a disk that was put back did, though its numbers have gone past that', async () => {
    await change(2)
    const early = await follow()
    await restart('second', keep)
    await change(3)
    const late = await follow(early)
    await restart('third', putBack)
    await change(10)
    await assert.rejects(follow(late), isGone)
    // What was known before is as true as it was.
    assert.equal((await pageAfter(place, early)).rows.gate?.rows.length, 10)
    await restart('fourth')
    await assert.rejects(follow(late), isGone)
  })

  it('show who was sent something during the start that was put back, after the copy was made', async () => {
    await change(2)
    const early = await follow()
    await place.database.script('PRAGMA wal_checkpoint(TRUNCATE);')
    await keep()
    await change(1)
    const late = await follow(early)
    await restart('second', putBack)
    await change(1)
    await assert.rejects(follow(late), isGone)
    assert.equal((await pageAfter(place, early)).rows.gate?.rows.length, 1)
  })

  it('are forgotten after very many, and who was sent something then is loaded anew', async () => {
    await change(1)
    const first = await follow()
    for (let start = 0; start < 250; start += 1) await noteStart(place.database, `start ${start}`)
    await assert.rejects(follow(first), isGone)
    const row = await place.database.get<{ count: number }>(sql`SELECT count(*) AS count FROM feed_start`)
    assert.equal(row?.count, 200)
  })
})
