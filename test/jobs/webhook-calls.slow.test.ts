import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openDatabase } from '../../server/data.ts'
import type { Env } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { startServer } from '../../server/serve.ts'
import { certificate, certificateKey } from '../support/servers/certificate.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { type Receiver, startReceiver, startSockets } from '../support/servers/receiver.ts'
import { type HookServer, startHookServer } from '../support/servers/webhooks.ts'

describe('a call of a webhook', () => {
  let env: HandEnv
  let server: HookServer
  let receiver: Receiver
  beforeEach(async () => {
    env = makeHandEnv()
    server = await startHookServer({ env })
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await server.close()
    await receiver.close()
  })

  /** Calls a target once; the attempt. */
  async function call(target: string) {
    const { id } = await server.hook(target)
    await server.admit('a')
    const [attempt] = await server.attempts(id, 1)
    assert.ok(attempt)
    return attempt
  }

  for (const status of [301, 302, 303, 307, 308, 304, 300])
    it(`does not follow a ${status}, and tries again`, async () => {
      const other = await startReceiver()
      receiver.answer = (response) => response.writeHead(status, { Location: other.url }).end()
      const attempt = await call(receiver.url)
      assert.deepEqual([attempt.return_code, attempt.success], [status, false])
      assert.ok(attempt.next_attempt)
      assert.deepEqual([receiver.connections, other.connections], [1, 0])
      await other.close()
    })

  it('sends name and password of the address as such, and shows them nowhere', async () => {
    const target = receiver.url.replace('http://', 'http://till:pass%2Fword@')
    const attempt = await call(target)
    const expected = `Basic ${Buffer.from('till:pass/word').toString('base64')}`
    assert.equal(receiver.received[0]?.headers.authorization, expected)
    assert.equal(attempt.target_url, receiver.url)
    await server.call('PATCH', `${server.org}/webhooks/1/`, { target_url: `${target}else` })
    const notes = await server.running.transactions.database.all(sql`SELECT data FROM audit`)
    assert.ok(JSON.stringify(notes).includes(receiver.url))
    assert.ok(!JSON.stringify(notes).includes('pass'), 'a password is in the audit trail')
  })

  it('reads little of a long answer, and keeps less', async () => {
    let sent = 0
    const sockets = await startSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1099511627776\r\n\r\n')
      const more = (): void => {
        while (!socket.destroyed && sent < 1e9) {
          sent += 65_536
          if (!socket.write(Buffer.alloc(65_536, 'x'))) return
        }
      }
      socket.on('drain', more)
      more()
    })
    const attempt = await call(sockets.url)
    assert.deepEqual([attempt.return_code, attempt.success], [200, true])
    assert.equal(attempt.response_body, 'x'.repeat(4096))
    await sockets.close()
    assert.ok(sent < 1e8, `${sent} bytes were taken`)
  })

  it('stores what cannot be stored as it comes with marks in its place', async () => {
    receiver.answer = (response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62]))
    assert.equal((await call(receiver.url)).response_body, 'a\uFFFD\uFFFDb')
  })

  for (const [what, text] of [
    ['says something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['hangs up', ''],
    ['sends endless headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
    [
      'wants to speak another protocol',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['lies about the length of its headers', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n'],
  ] as const)
    it(`tries again where the receiver ${what}`, async () => {
      const sockets = await startSockets((socket) => socket.end(text))
      const attempt = await call(sockets.url)
      assert.deepEqual([attempt.return_code, attempt.success], [0, false])
      assert.ok(attempt.error)
      assert.ok(attempt.next_attempt)
      await sockets.close()
    })

  for (const [what, text] of [
    ['a body that is shorter than it says', 'HTTP/1.1 202 Accepted\r\nContent-Length: 50\r\n\r\nshort'],
    [
      'a body in pieces that never ends right',
      'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort',
    ],
  ] as const)
    it(`believes the status of an answer with ${what}`, async () => {
      const sockets = await startSockets((socket) => socket.end(text))
      const attempt = await call(sockets.url)
      assert.deepEqual([attempt.return_code, attempt.success, attempt.response_body], [202, true, 'short'])
      await sockets.close()
    })

  it('ends after thirty seconds where an answer has no end, however much of it comes', async () => {
    const sockets = await startSockets((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))
    })
    const { id } = await server.hook(sockets.url)
    await server.admit('a')
    while (sockets.connections === 0) await turn()
    env.pass(30_000)
    const [attempt] = await server.attempts(id, 1)
    assert.deepEqual([attempt?.return_code, attempt?.success], [0, false])
    await sockets.close()
  })

  it('is broken off when the server stops, and made after the next start; so are those that wait', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-webhooks-'))
    const first = await startHookServer({ env, database: await openDatabase(folder) })
    const { id } = await first.hook(receiver.url)
    receiver.answer = (response) => response.writeHead(500).end()
    await first.admit('fails')
    await first.attempts(id, 1)
    receiver.answer = () => {}
    await first.admit('hangs')
    await receiver.until(2)
    await first.close()
    receiver.answer = (response) => response.end()
    const config = { database: folder, host: '127.0.0.1', port: 0, stationKey: null }
    const second = await startServer({ ...config, webhookNetworks: ['127.0.0.1'] }, env, silentLog)
    while (receiver.received.length < 4) {
      env.pass(20)
      // Time for what is under way.
      await (await fetch(second.url)).text()
    }
    const order = receiver.received.map(({ headers }) => headers['webhook-id'])
    const [fails, hangs] = order
    assert.deepEqual(order, [fails, hangs, hangs, fails])
    await second.close()
    await rm(folder, { recursive: true })
  })

  it('is believed over TLS by a certificate that is good for the name, whatever the address', async () => {
    const names: unknown[] = []
    const own = {
      key: certificateKey,
      cert: certificate,
      SNICallback(name: string, give: (error: null) => void) {
        names.push(name)
        give(null)
      },
    }
    const secure = createServer(own, (_, response) => response.end())
    secure.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const { port } = secure.address() as AddressInfo
    const asked: string[] = []
    const named: Env = {
      ...makeHandEnv(),
      async resolve(name) {
        asked.push(name)
        return ['127.0.0.1']
      },
    }
    const other = await startHookServer({ env: named })
    const { id } = await other.hook(`https://hooks.example.org:${port}/`)
    await other.admit('a')
    const [attempt] = await other.attempts(id, 1)
    assert.equal(attempt?.return_code, 0)
    assert.match(String(attempt?.error), /self-signed certificate/)
    assert.deepEqual(asked, ['hooks.example.org'])
    assert.deepEqual(names, ['hooks.example.org'])
    await other.close()
    secure.closeAllConnections()
    await new Promise((resolve) => secure.close(resolve))
  })

  it('goes to a receiver that has just failed one at a time, and not at once', async () => {
    receiver.answer = () => {}
    const { id } = await server.hook(receiver.url)
    for (let count = 0; count < 10; count += 1) await server.admit(`a${count}`)
    await receiver.until(4)
    env.pass(30_000)
    await server.attempts(id, 4)
    assert.equal(receiver.received.length, 4)
    env.pass(200)
    await receiver.until(5)
    for (let count = 0; count < 20; count += 1) await server.attempts(id, 4, env)
    assert.equal(receiver.received.length, 5)
    receiver.answer = (response) => response.end()
    while (receiver.received.length < 14) {
      env.pass(1000)
      await server.attempts(id, 4)
    }
  })

  it('goes to many receivers at once, and to no more than sixty-four', async () => {
    receiver.answer = () => {}
    for (let count = 0; count < 70; count += 1) await server.hook(`${receiver.url}${count}`)
    await server.admit('a')
    await receiver.until(64)
    await server.admit('b')
    assert.equal(receiver.received.length, 64)
    receiver.answer = (response) => response.end()
    env.pass(30_000)
    await receiver.until(70)
  })
})
