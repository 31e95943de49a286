import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { type Database, StorageError } from '../../server/storage/database.ts'
import { openPostgres } from '../../server/storage/postgres.ts'

/** What a server says once somebody has logged in: that the login is good, and that it waits for questions. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

describe('a PostgreSQL server that goes away', () => {
  let server: Server
  let database: Database
  let asked: number
  let onQuestion: (socket: Socket) => void
  beforeEach(async () => {
    asked = 0
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
    database = openPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`)
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
      assert.equal(asked, 3)
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
})
