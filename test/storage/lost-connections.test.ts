import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { type Database, StorageError } from '../../server/storage/database.ts'
import { openPostgres } from '../../server/storage/postgres-server.ts'

/** What a server says once somebody has logged in: that the login is good, and that it waits for questions. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

/** What it says to a question to which there are no rows. */
const nothing = Buffer.concat([
  ...['1', '2', 'n'].map((kind) => Buffer.from(`${kind}\0\0\0\x04`)),
  Buffer.from('C\0\0\0\x0dSELECT 0\0'),
  Buffer.from('Z\0\0\0\x05I'),
])

describe('a PostgreSQL server that goes away', () => {
  let timers: (() => void)[]
  let server: Server
  let database: Database
  let asked: number
  let onQuestion: (socket: Socket) => void
  beforeEach(async () => {
    asked = 0
    timers = []
    server = createServer((socket) => {
      let isIn = false
      socket.on('error', () => {})
      socket.on('data', () => {
        if (isIn) {
          asked += 1
          onQuestion(socket)
        } else socket.write(welcome)
        isIn = true
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    database = openPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`, (_, callback) => {
      timers.push(callback)
    })
  })
  afterEach(async () => {
    server.close()
    await database.close()
  })

  const isLost = (cause: unknown) => cause instanceof StorageError && cause.problem === 'lost'

  for (const [how, end] of [
    ['closes', (socket: Socket) => socket.end()],
    ['breaks', (socket: Socket) => socket.resetAndDestroy()],
  ] as const)
    it(`ends what was asked and not the program where it ${how} connections in use, also several times`, async () => {
      onQuestion = end
      await assert.rejects(database.all(sql`SELECT 1`), isLost)
      assert.equal(asked, 12)
      const several = await Promise.allSettled(
        Array.from({ length: 20 }, () => database.run(sql`UPDATE something`)),
      )
      for (const one of several) assert.ok(one.status === 'rejected' && isLost(one.reason))
    })

  it('is not waited for where nothing listens', async () => {
    onQuestion = (socket) => socket.end()
    await new Promise((resolve) => server.close(resolve))
    await assert.rejects(database.all(sql`SELECT 1`), isLost)
    assert.equal(asked, 0)
  })

  /** Asks much at the same time of a server that answers when it is said to. */
  async function askMuch(questions: number) {
    const held: Socket[] = []
    const arrivals = new EventEmitter()
    onQuestion = (socket) => {
      held.push(socket)
      arrivals.emit('question')
    }
    const asking = Array.from({ length: questions }, () => database.all(sql`SELECT 1`))
    const untilHeld = async (count: number): Promise<void> => {
      while (held.length < count) await once(arrivals, 'question')
    }
    await untilHeld(8)
    return { held, asking, untilHeld }
  }

  it('has all wait for their turn, however long that takes, while it answers', async () => {
    const { held, asking, untilHeld } = await askMuch(20)
    for (const question of asking) {
      await untilHeld(1)
      held.shift()?.write(nothing)
      assert.deepEqual(await question, [])
      for (const callback of timers.splice(0)) callback()
    }
    assert.equal(asked, 20)
  })

  it('is lost to those who wait where it has answered nobody for long, and to nobody else', async () => {
    const { held, asking } = await askMuch(20)
    // The connections were made meanwhile.
    for (const callback of timers.splice(0)) callback()
    for (const callback of timers.splice(0)) callback()
    const waiting = await Promise.allSettled(asking.slice(8))
    for (const one of waiting) assert.ok(one.status === 'rejected' && isLost(one.reason))
    assert.equal(asked, 8)
    for (const socket of held) socket.write(nothing)
    await Promise.all(asking.slice(0, 8))
    onQuestion = (socket) => socket.write(nothing)
    await Promise.all(Array.from({ length: 20 }, () => database.all(sql`SELECT 1`)))
    assert.equal(asked, 28)
  })

  it('is asked for what is urgent, and for what is only read, while other transactions hold what they may', async () => {
    const held: Socket[] = []
    const arrivals = new EventEmitter()
    onQuestion = (socket) => {
      held.push(socket)
      arrivals.emit('question')
    }
    const answered = (socket: Socket): void => void socket.write(nothing)
    const untilHeld = async (count: number): Promise<void> => {
      while (held.length < count) await once(arrivals, 'question')
    }
    const update = (isUrgent: boolean): Promise<number> =>
      database.transaction((tx) => tx.run(sql`UPDATE something`), { isUrgent })
    const usual = Array.from({ length: 20 }, () => update(false))
    await untilHeld(6)
    const reading = Array.from({ length: 2 }, () => database.all(sql`SELECT 1`))
    await untilHeld(8)
    // All that others may use is held, and stays so.
    onQuestion = answered
    for (let count = 0; count < 5; count += 1) await Promise.all([update(true), update(true), update(true)])
    assert.equal(held.length, 8)
    for (const socket of held) answered(socket)
    await Promise.all([...usual, ...reading])
  })
})
