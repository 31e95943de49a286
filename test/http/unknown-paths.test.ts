import assert from 'node:assert/strict'
import { engines } from '../support/engines/engines.ts'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'

const typeOf = (headers: Headers): string => headers.get('content-type')?.split(';')[0] ?? ''

for (const engine of engines)
  describe(`paths that a server on ${engine.name} does not have`, () => {
    let server: TestServer
    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
      for (const path of ['/nowhere/', '/nowhere', '/events/gala/nowhere/', '/events/gala/items/1/nowhere/'])
        it(`are answered to ${method} with a page, so that clients take ${path} for unsupported`, async () => {
          const { status, headers, body } = await server.call(
            method,
            server.org + path,
            method === 'GET' ? undefined : {},
          )
          assert.deepEqual([status, typeOf(headers)], [404, 'text/html'])
          assert.match(String(body), /^<!doctype html>/)
        })

    it('are answered so outside of the interface, in the language of who asks', async () => {
      const { status, body } = await server.call('GET', '/nowhere', undefined, { 'Accept-Language': 'de' })
      assert.equal(status, 404)
      assert.match(String(body), /lang="de"[\s\S]*Unter dieser Adresse gibt es nichts/)
    })

    it('are told apart from what is missing at a path that it has', async () => {
      for (const path of ['items/999999/', 'orders/NOSUCH/', 'checkinlists/999999/status/']) {
        const { status, headers, body } = await server.call('GET', `${server.ev}/${path}`)
        assert.deepEqual([status, typeOf(headers)], [404, 'application/json'], path)
        assert.deepEqual(Object.keys(body as object), ['detail'], path)
      }
    })
  })

describe('paths without their last slash', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  for (const method of ['GET', 'HEAD', 'DELETE'])
    it(`are redirected for ${method} to the one with it, with the query as it was sent`, async () => {
      for (const [path, query] of [
        [`${server.ev}/quotas/7`, ''],
        [
          `${server.ev}/orders/ABC12`,
          '?ordering=-last_modified&modified_since=2026-01-01T00%3A00%3A00%2B01%3A00',
        ],
        [`${server.ev}`, '?a=%2F'],
        [`${server.ev}/items/99999`, '?'],
      ] as const) {
        const { status, headers } = await server.call(method, path + query)
        assert.equal(status, 301, path)
        assert.equal(headers.get('location'), `${path}/${query === '?' ? '' : query}`)
      }
    })

  it('are redirected wherever something can be read', async () => {
    for (const path of ['/api/v1/organizers', `${server.ev}/items`, `${server.ev}/items/99999/picture`])
      assert.equal((await server.call('GET', path)).status, 301, path)
  })

  it('are redirected before anybody is asked who they are, and nothing is given away by it', async () => {
    const { status } = await server.call('GET', '/api/v1/organizers/nobody/events', undefined, {
      Authorization: '',
    })
    assert.equal(status, 301)
  })

  it('stay as they are where they have none', async () => {
    assert.equal((await server.call('GET', '/api/v1/version')).status, 200)
  })

  it('are not redirected where a body would be lost on the way', async () => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const { status, headers } = await server.call(method, `${server.ev}/items`, { name: 'North' })
      assert.deepEqual([status, typeOf(headers)], [404, 'text/html'], method)
    }
  })

  it('are never taken for the address of another server', async () => {
    const { status, headers } = await server.call('GET', '//evil.example/api/v1/organizers')
    assert.deepEqual([status, headers.get('location')], [404, null])
  })
})

describe('the address of a server without a path', () => {
  for (const [what, stationKey, expected] of [
    ['leads people to where they sign in at a server', null, ['/login', false]],
    // Also where the screens are not built: then a page in their place says so.
    ['is the screen of a station', 'key', [null, true]],
  ] as const)
    it(what, async () => {
      const server = await startTestServer(undefined, stationKey)
      try {
        for (const path of ['/', '/index.html', '/open']) {
          const answer = await fetch(server.url + path, { redirect: 'manual' })
          const isScreen = (await answer.text()).includes('<title>Gatehouse</title>')
          assert.deepEqual([answer.headers.get('location'), isScreen], expected, path)
        }
      } finally {
        await server.close()
      }
    })
})
