import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realEnv } from '../../../server/env.ts'
import { type Answered, createUpstreamClient } from '../../../server/sync/upstream/upstream-client.ts'

const ours = { 'X-Gatehouse-Sync': '1', 'Content-Type': 'application/json' }

/** Asks a server that answers as it is told to. */
async function askOne(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  within = 2000,
): Promise<Answered<unknown>> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createUpstreamClient(realEnv, { url, slug: 'acme', token: 't0' })
  try {
    return await client.get('sync/ping/', { within })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** The kinds of trouble by what a server answers. */
const troubles: readonly [
  what: string,
  status: number,
  headers: Record<string, string>,
  body: string,
  kind: string,
][] = [
  [
    'a page for logging in to a network',
    200,
    { 'Content-Type': 'text/html' },
    '<html>Accept our terms</html>',
    'stranger',
  ],
  [
    'a refusal of somebody else',
    401,
    { 'Content-Type': 'application/json' },
    '{"detail":"Device access has been revoked."}',
    'stranger',
  ],
  ['a redirection of somebody else', 302, { Location: 'http://login.example/' }, '', 'stranger'],
  ['a revoked device', 401, ours, '{"detail":"Device access has been revoked."}', 'revoked'],
  ['an unknown token', 401, ours, '{"detail":"Invalid token."}', 'unknown'],
  ['no permission', 403, ours, '{"detail":"No."}', 'denied'],
  ['a busy server', 409, ours, '{"detail":"Later."}', 'busy'],
  ['too many requests', 429, { ...ours, 'Retry-After': '7' }, '{"detail":"Later."}', 'busy'],
  ['a server at rest', 503, { ...ours, 'Retry-After': '30' }, '{"detail":"Later."}', 'busy'],
  ['changes that are gone', 410, ours, '{"detail":"Gone."}', 'gone'],
  ['a wrong request', 400, ours, '{"limit":["No."]}', 'refused'],
  ['a failing server', 500, ours, '{"detail":"Oh."}', 'failed'],
  ['something that is not JSON', 200, ours, 'hello', 'stranger'],
]

describe('asking the upstream server', () => {
  for (const [what, status, headers, body, kind] of troubles)
    it(`knows ${what} from everything else`, async () => {
      const answer = await askOne((_, response) => response.writeHead(status, headers).end(body))
      assert.equal(answer.kind, kind)
    })

  it('gives the body of a good answer, and shows who asks', async () => {
    let seen: unknown
    const answer = await askOne((request, response) => {
      seen = [request.method, request.url, request.headers.authorization]
      response.writeHead(200, ours).end('{"protocol":1}')
    })
    assert.deepEqual(answer.kind === 'ok' && answer.body, { protocol: 1 })
    assert.deepEqual(seen, ['GET', '/api/v1/organizers/acme/sync/ping/', 'Device t0'])
  })

  it('honours Retry-After in seconds', async () => {
    const answer = await askOne((_, response) =>
      response.writeHead(503, { ...ours, 'Retry-After': '30' }).end('{}'),
    )
    assert.equal(answer.kind === 'busy' && answer.retryAfter, 30_000)
  })

  it('honours Retry-After as a date by the clock of whoever answers', async () => {
    const asks = (date: string): Promise<Answered<unknown>> =>
      askOne((_, response) =>
        response
          .writeHead(503, { ...ours, Date: date, 'Retry-After': 'Sat, 01 Jun 2030 10:00:20 GMT' })
          .end('{}'),
      )
    // This machine's clock is years behind it.
    const answer = await asks('Sat, 01 Jun 2030 10:00:00 GMT')
    assert.equal(answer.kind === 'busy' && answer.retryAfter, 20_000)
    const over = await asks('Sat, 01 Jun 2030 11:00:00 GMT')
    assert.equal(over.kind === 'busy' && over.retryAfter, 0)
  })

  it('waits for five minutes at most, whatever is asked for', async () => {
    const answer = await askOne((_, response) =>
      response.writeHead(503, { ...ours, 'Retry-After': '86400' }).end('{}'),
    )
    assert.equal(answer.kind === 'busy' && answer.retryAfter, 300_000)
  })

  it('gives up after its time, also in the middle of an answer', async () => {
    const silent = await askOne(() => {}, 60)
    assert.equal(silent.kind, 'timeout')
    const half = await askOne((_, response) => response.writeHead(200, ours).write('{"prot'), 60)
    assert.equal(half.kind, 'timeout')
  })

  it('knows a server that is not there', async () => {
    const client = createUpstreamClient(realEnv, { url: 'http://127.0.0.1:1', slug: 'acme', token: 't' })
    assert.equal((await client.get('sync/ping/', { within: 2000 })).kind, 'unreachable')
  })

  it('gives up when nobody waits any more', async () => {
    const leaving = new AbortController()
    const server = createServer(() => leaving.abort())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = createUpstreamClient(realEnv, { url, slug: 'acme', token: 't' })
    const answer = await client.get('sync/ping/', { within: 5000, signal: leaving.signal })
    server.closeAllConnections()
    server.close()
    assert.equal(answer.kind, 'unreachable')
  })
})
