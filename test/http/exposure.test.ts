import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import sql, { raw } from 'sql-template-tag'
import { unknownPathPage } from '../../server/pages/unknown-path.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'

describe('a server that anybody can reach', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  /** Asks as it is written, which a client would put right. */
  async function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
    const asking = request({ host: '127.0.0.1', port: new URL(server.url).port, method, path, headers })
    asking.end()
    const [answer] = await once(asking, 'response')
    let body = ''
    for await (const part of answer) body += part
    return { status: Number(answer.statusCode), headers: answer.headers, body }
  }

  it('says of every answer what it is, and of texts how they are written', async () => {
    const signedIn = { Authorization: 'Token all' }
    for (const [method, path, type] of [
      ['GET', `${server.org}/`, 'application/json; charset=utf-8'],
      ['GET', `${server.ev}/categories/`, 'application/json; charset=utf-8'],
      ['POST', `${server.ev}/categories/`, 'application/json; charset=utf-8'],
      ['GET', '/api/v1/nothing/', 'text/html; charset=utf-8'],
      ['GET', '/%zz', 'application/json; charset=utf-8'],
      ['GET', '/login', 'text/html; charset=utf-8'],
      ['GET', '/account/style.css', 'text/css; charset=utf-8'],
    ] as const) {
      const answer = await ask(method, path, signedIn)
      assert.ok(answer.body.length > 0, path)
      assert.equal(answer.headers['content-type'], type, `${method} ${path}`)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', `${method} ${path}`)
      assert.match(String(answer.headers['referrer-policy']), /^(same|strict)-origin$/, `${method} ${path}`)
      if (path.startsWith('/api/')) assert.equal(answer.headers['cache-control'], 'no-store', path)
    }
  })

  it('names no secret of a link in the Referer of what its page asks for', async () => {
    for (const path of [
      '/invitation?token=x',
      '/password/reset?token=x',
      '/login?next=%2Finvitation%3Ftoken%3Dx',
    ])
      assert.equal((await ask('GET', path)).headers['referrer-policy'], 'strict-origin', path)
  })

  it('lets pages of other sites read nothing', async () => {
    const foreign = { Origin: 'https://evil.example', Authorization: 'Token all' }
    const wishes = {
      ...foreign,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    }
    for (const path of [`${server.org}/`, '/login', '/', '/api/v1/oauth/token', '/api/v1/upload'])
      for (const answer of [await ask('GET', path, foreign), await ask('OPTIONS', path, wishes)])
        assert.deepEqual(
          Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
          [],
          path,
        )
  })

  it('gives nobody by cookie what is asked for with a token', async () => {
    for (const cookie of ['gatehouse_session=all', 'Authorization=Token all', 'token=all']) {
      const answer = await ask('GET', `${server.org}/`, { Cookie: cookie })
      assert.equal(answer.status, 401, cookie)
    }
  })

  it('takes no credential from an address', async () => {
    for (const query of ['token=all', 'access_token=all', 'key=all', 'Authorization=Token%20all']) {
      const answer = await ask('GET', `${server.org}/?${query}`)
      assert.equal(answer.status, 401, query)
    }
  })

  it('does not send back what TRACE and other methods bring', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LINK', 'PURGE'])
      for (const path of ['/', '/login', `${server.org}/`]) {
        const answer = await ask(method, path, { Authorization: 'Token all', 'X-Mark': 'echo-of-this' })
        assert.ok([404, 405].includes(answer.status), `${method} ${path}: ${answer.status}`)
        assert.ok(!answer.body.includes('echo-of-this') && !answer.body.includes('Token all'))
      }
  })

  it('serves its screens and no other file or folder', async () => {
    for (const path of [
      '/.git/config',
      '/.git/',
      '/.env',
      '/package.json',
      '/server/cli.ts',
      '/gatehouse.sqlite',
      '/../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/..%5c..%5cpackage.json',
      '/assets/',
      '/assets',
    ]) {
      const { status, body } = await ask('GET', path)
      assert.equal(status, 404, path)
      assert.equal(body, unknownPathPage('en'), path)
    }
  })

  it('leads no program from http to https on the quiet', async () => {
    for (const path of [`${server.org}/`, '/api/v1/oauth/token', '/api/v1/device/initialize', '/login'])
      for (const method of ['GET', 'POST']) {
        const answer = await ask(method, path, { 'X-Forwarded-Proto': 'http' })
        assert.equal(answer.headers.location, undefined, `${method} ${path}`)
      }
  })

  it('changes nothing for users by GET', async () => {
    for (const path of [
      '/logout',
      '/account/profile',
      '/account/password',
      '/account/sessions',
      '/account/second-factor/change',
    ])
      assert.equal((await ask('GET', path)).status, 404, path)
  })

  /** Writes bytes to the server and reads until it hangs up. */
  async function exchange(text: string): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(text)
    let said = ''
    for await (const part of socket) said += part
    return said
  }

  it('takes no message whose end can be read in two ways', async () => {
    const start = `POST ${server.ev}/categories/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token all\r\n`
    const hidden = 'GET /api/v1/version HTTP/1.1\r\nHost: x\r\nAuthorization: Token all\r\n\r\n'
    for (const rest of [
      `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `Content-Length: +5\r\n\r\n{}   ${hidden}`,
    ]) {
      const said = await exchange(start + rest)
      assert.match(said, /^HTTP\/1\.1 400 /, JSON.stringify(rest))
      assert.equal(said.split('HTTP/1.1 ').length, 2, `more than one answer to ${JSON.stringify(rest)}`)
    }
  })

  it('lets nobody write headers of answers', async () => {
    for (const path of [
      '/login?next=/account/%0d%0aX-Mark:%20yes',
      `${server.org}/?page=2%0d%0aX-Mark:yes`,
    ]) {
      const answer = await ask('GET', path, { Authorization: 'Token all' })
      assert.equal(answer.headers['x-mark'], undefined, path)
    }
  })

  it('knows nobody before somebody is made', async () => {
    const empty = await openMemory()
    for (const table of ['app_user', 'team', 'team_token', 'device', 'oauth_application'])
      assert.deepEqual(await empty.all(sql`SELECT * FROM ${raw(table)}`), [], table)
    await empty.close()
  })
})
