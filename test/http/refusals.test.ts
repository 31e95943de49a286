import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { realEnv } from '../../server/env.ts'
import { busy, denied, invalid, notFound } from '../../server/errors.ts'
import { answerRefusals } from '../../server/http/refusals.ts'
import { silentLog } from '../../server/log.ts'
import { StorageError } from '../../server/storage/database.ts'

interface Logged {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>> | undefined
}

describe('what a failing request is answered', () => {
  let server: Server
  let thrown: unknown
  const logged: Logged[] = []
  before(async () => {
    const app = new Koa()
    app.silent = true
    app.use(
      answerRefusals(realEnv, {
        ...silentLog,
        error: (event, fields) => void logged.push({ event, fields }),
      }),
    )
    app.use(() => {
      throw thrown
    })
    server = createServer(app.callback())
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    logged.length = 0
  })

  const ask = async (cause: unknown) => {
    thrown = cause
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/some/path?secret=42`)
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, unknown>,
      retry: answer.headers.get('retry-after'),
    }
  }
  const lost = new Error('lost')

  const answers: readonly [string, unknown, number, readonly string[], string | null][] = [
    ['a field error', invalid({ name: ['no'] }), 400, ['name'], null],
    ['a refusal', denied(), 403, ['detail'], null],
    ['a missing thing', notFound(), 404, ['detail'], null],
    ['a busy row', busy(), 409, ['detail'], '5'],
    ['a value that is taken', new StorageError('unique', lost), 400, ['non_field_errors'], null],
    ['a value that no index takes', new StorageError('unstorable', lost), 400, ['non_field_errors'], null],
    ['a database that cannot be reached', new StorageError('lost', lost), 503, ['detail'], '5'],
    ['a database that was lost at the commit', new StorageError('unsure', lost), 503, ['detail'], '5'],
    ['a damaged database', new StorageError('damaged', lost), 500, ['detail'], null],
    ['a row that is gone', new StorageError('foreign', lost), 400, ['non_field_errors'], null],
    ['a lost transaction', new StorageError('conflict', lost), 409, ['detail'], '5'],
    ['a locked database', new StorageError('busy', lost), 409, ['detail'], '5'],
    ['a full disk', new StorageError('full', lost), 507, ['detail'], '30'],
    [
      'an error of the framework',
      Object.assign(new Error('too long'), { status: 414 }),
      414,
      ['detail'],
      null,
    ],
  ]
  for (const [what, cause, status, keys, retry] of answers)
    it(`is ${status} for ${what}, and no failure in the log`, async () => {
      const answer = await ask(cause)
      assert.deepEqual([answer.status, Object.keys(answer.body), answer.retry], [status, keys, retry])
      assert.deepEqual(logged, [])
    })

  for (const cause of [
    lost,
    'a string',
    null,
    undefined,
    Object.assign(new Error('strange'), { status: 200 }),
  ])
    it(`is 500 for ${cause}, with a number that finds it in the log, and nothing of its inside`, async () => {
      const answer = await ask(cause)
      assert.equal(answer.status, 500)
      const id = /[0-9a-f-]{36}/.exec(String(answer.body.detail))?.[0]
      assert.ok(id)
      assert.doesNotMatch(String(answer.body.detail), /lost|strange/)
      assert.equal(logged.length, 1)
      assert.deepEqual([logged[0]?.event, logged[0]?.fields?.id], ['failed', id])
      assert.doesNotMatch(JSON.stringify(logged[0]), /secret=42/)
    })
})
