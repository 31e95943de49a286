import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { watchFeeds } from '../../../server/sync/feed/watch.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'

const never = new AbortController().signal
const place = { organizer: 1, event: 2 }

describe('the watch over feeds', () => {
  let folder: string
  let transactions: Transactions
  let env: HandEnv
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-watch-'))
    transactions = await openData(openSqlite(join(folder, 'data.sqlite')), realEnv)
  })
  after(async () => {
    await transactions.database.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    env = makeHandEnv()
  })

  const touch = (by: Transactions = transactions, at = place) =>
    by.write(async (tx) => tx.changed(at, 'thing', tx.nextId(), 'put'))

  it('tells of commits at once, then of many together', async () => {
    const watch = watchFeeds(transactions, env)
    const heard: number[] = []
    watch.listen(({ has, changes }) => {
      assert.ok(has(1, 2) && !has(1, 0) && !has(2, 2))
      heard.push(changes.length)
    })
    await touch()
    env.pass(0)
    assert.deepEqual(heard, [1])
    for (let count = 0; count < 5; count += 1) await touch()
    env.pass(1)
    assert.deepEqual(heard, [1])
    env.pass(100)
    assert.deepEqual(heard, [1, 5])
    watch.stop()
  })

  it('calls the less often the more listen', async () => {
    const callsWith = async (listeners: number) => {
      const watch = watchFeeds(transactions, env)
      let calls = 0
      for (let index = 0; index < listeners; index += 1) watch.listen(() => (calls += index === 0 ? 1 : 0))
      for (let step = 0; step < 50; step += 1) {
        await touch()
        env.pass(10)
      }
      watch.stop()
      return calls
    }
    const [few, many] = [await callsWith(1), await callsWith(100)]
    assert.ok(few >= 15, `${few}`)
    assert.ok(many >= 1 && many <= 2, `${many}`)
  })

  it('lets who waits go on with a change that counts, and only with one', async () => {
    const watch = watchFeeds(transactions, env)
    const watching = watch.watchFor((touched) => touched.has(1, 2))
    await touch(transactions, { organizer: 1, event: 3 })
    env.pass(50)
    let came: boolean | undefined
    const waiting = watching.within(10_000, never).then((value) => {
      came = value
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(came, undefined)
    await touch()
    env.pass(50)
    await waiting
    assert.equal(came, true)
    watching.end()
    watch.stop()
  })

  it('knows of a change between the asking and the waiting', async () => {
    const watch = watchFeeds(transactions, env)
    const watching = watch.watchFor((touched) => touched.has(1, 2))
    await touch()
    env.pass(50)
    assert.equal(await watching.within(10_000, never), true)
    watching.end()
    watch.stop()
  })

  it('lets go when the time is up, when nobody listens any more, and when it is stopped', async () => {
    const watch = watchFeeds(transactions, env)
    const wait = (signal: AbortSignal) => watch.watchFor(() => false).within(5000, signal)
    const late = wait(never)
    env.pass(5000)
    assert.equal(await late, false)
    const controller = new AbortController()
    const left = wait(controller.signal)
    controller.abort()
    assert.equal(await left, false)
    assert.equal(await wait(controller.signal), false)
    const stopped = wait(never)
    watch.stop()
    assert.equal(await stopped, false)
    assert.equal(await watch.watchFor(() => true).within(5000, never), false)
  })

  it('notices what other programs write, and leaves no timer behind', async () => {
    const other = await openData(openSqlite(join(folder, 'data.sqlite')), realEnv)
    const watch = watchFeeds(transactions, env)
    let calls = 0
    const forget = watch.listen(({ has, changes }) => {
      assert.deepEqual(changes, [])
      if (has(7, 8)) calls += 1
    })
    const look = async () => {
      env.pass(1000)
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      env.pass(30)
    }
    await look()
    assert.equal(calls, 0)
    await touch(other, { organizer: 7, event: 8 })
    await look()
    assert.equal(calls, 1)
    await look()
    assert.equal(calls, 1)
    forget()
    await look()
    assert.equal(env.waiting, 0)
    watch.stop()
    await other.database.close()
  })
})
