import assert from 'node:assert/strict'
import { request } from 'node:http'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'

/** Asks a server under another name than its own; the status. */
const statusUnder = (
  url: string,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers: { Host: host, ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.once('error', reject)
    asked.end()
  })

describe('a station that serves other machines as well', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer(undefined, 'key')
  })
  after(() => server.close())

  const list = '/api/v1/organizers/'
  it('answers them by any name when they show a token', async () => {
    assert.equal(await statusUnder(server.url, 'hub.local', list, { Authorization: 'Token all' }), 200)
    assert.equal(await statusUnder(server.url, 'hub.local', list, { Authorization: 'Device none' }), 401)
  })

  it('lets them in with their one-time token', async () => {
    assert.equal(await statusUnder(server.url, 'hub.local', '/api/v1/device/initialize', {}, 'POST'), 400)
  })

  it('answers pages of nobody else, whatever they show', async () => {
    const foreign = { Origin: 'http://evil.example', Authorization: 'Token all' }
    assert.equal(await statusUnder(server.url, 'evil.example', '/'), 403)
    assert.equal(await statusUnder(server.url, 'evil.example', list, foreign), 403)
    assert.equal(await statusUnder(server.url, '127.0.0.1', list, foreign), 403)
    const cookie = { Cookie: 'gatehouse_station=key' }
    assert.equal(await statusUnder(server.url, 'evil.example', '/api/v1/station/', cookie), 403)
    const initialize = { Origin: 'http://evil.example' }
    assert.equal(
      await statusUnder(server.url, 'evil.example', '/api/v1/device/initialize', initialize, 'POST'),
      403,
    )
  })
})
