import assert from 'node:assert/strict'
import { ask, type Desk, openDesk, stationKey } from './desk.ts'

const paths = [
  ['GET', '/api/v1/station/'],
  ['GET', '/api/v1/station/choices/'],
  ['PUT', '/api/v1/station/settings/'],
  ['POST', '/api/v1/station/scan/'],
  ['POST', '/api/v1/station/undo/'],
  ['PUT', '/api/v1/station/scanners/'],
  ['GET', '/api/v1/station/live'],
  ['GET', '/api/v1/station/guests/1/'],
  ['GET', '/api/v1/station/samples/'],
  ['GET', '/api/v1/station/demo/'],
  ['POST', '/api/v1/station/demo/'],
] as const

describe('how a station keeps others out', () => {
  let desk: Desk
  let port: string
  before(async () => {
    desk = await openDesk()
    await desk.setUp()
    port = new URL(desk.url).port
  })
  after(() => desk.close())

  const plain = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(desk.url + path, method, method === 'GET' ? undefined : {}, headers)
  const cookieOf = async () => {
    const opened = await plain('POST', '/api/v1/station/open', { Authorization: `Station ${stationKey}` })
    const [cookie = ''] = opened.headers['set-cookie'] ?? []
    return { opened, cookie, value: cookie.split(';')[0] ?? '' }
  }

  for (const [method, path] of paths)
    it(`answers 401 to strangers at ${method} ${path}`, async () => {
      for (const headers of [
        {},
        { Authorization: 'Station' },
        { Authorization: 'Station wrong' },
        { Authorization: `Token ${stationKey}` },
        { Authorization: 'Token all' },
        { Cookie: 'gatehouse_station=wrong' },
        { Cookie: `other=${stationKey}` },
      ]) {
        const { status, body } = await plain(method, path, headers as Record<string, string>)
        assert.deepEqual([status, Object.keys(body)], [401, ['detail']], JSON.stringify(headers))
      }
    })

  it('lets its page in by a cookie that scripts and other sites cannot use', async () => {
    const { opened, cookie, value } = await cookieOf()
    assert.equal(opened.status, 204)
    assert.match(cookie, /; httponly/i)
    assert.match(cookie, /; samesite=strict/i)
    assert.equal((await plain('GET', '/api/v1/station/', { Cookie: value })).status, 200)
    const search = `/api/v1/organizers/acme/checkinrpc/search/?list=${desk.list}&search=abc`
    assert.equal((await plain('GET', search, { Cookie: value })).status, 200)
  })

  it('does not take a wrong key, and sets no cookie then', async () => {
    for (const authorization of [
      '',
      'Station',
      'Station wrong',
      `Station ${stationKey}x`,
      `Token ${stationKey}`,
    ]) {
      const { status, headers } = await plain('POST', '/api/v1/station/open', {
        Authorization: authorization,
      })
      assert.equal(status, 403, authorization)
      assert.equal(headers['set-cookie'], undefined)
    }
  })

  it('does not take a key in an address, where logs and histories would have it', async () => {
    for (const method of ['GET', 'POST'])
      for (const path of ['/', '/open', '/api/v1/station/open', '/api/v1/station/']) {
        const { status, headers } = await plain(method, `${path}?key=${stationKey}`)
        assert.equal(headers['set-cookie'], undefined, path)
        // The pages are for everybody; where they are not built, one in their place says so (503).
        const isPage = method === 'GET' && !path.startsWith('/api/')
        assert.equal([200, 503].includes(status), isPage, path)
      }
  })

  it('takes the word of an Authorization header over the cookie', async () => {
    const { value } = await cookieOf()
    assert.equal(
      (await plain('GET', '/api/v1/station/', { Cookie: value, Authorization: 'Token all' })).status,
      401,
    )
  })

  const foreignHosts = [
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '192.168.1.5',
    '[::2]',
    'localhost.evil',
  ]
  for (const host of foreignHosts)
    it(`refuses the host ${host} everywhere, the key or not`, async () => {
      for (const path of ['/', '/api/v1/station/', '/api/v1/station/open']) {
        const { status } = await plain('GET', path, { Host: host, Authorization: `Station ${stationKey}` })
        assert.equal(status, 403, path)
      }
    })

  it('answers to the names of its own machine', async () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      assert.equal(
        (await plain('GET', '/api/v1/station/', { Host: host, Authorization: `Station ${stationKey}` }))
          .status,
        200,
        host,
      )
  })

  it('refuses what pages of other origins ask for', async () => {
    const { value } = await cookieOf()
    for (const Origin of [
      'https://evil.example',
      'null',
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1:1',
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}.evil.example`,
    ]) {
      const asked = { Cookie: value, Origin }
      const scanned = await ask(
        `${desk.url}/api/v1/station/scan/`,
        'POST',
        { code: 'x', source: 'hand' },
        asked,
      )
      assert.equal(scanned.status, 403, Origin)
    }
    const own = { Cookie: value, Origin: desk.url }
    const scanned = await ask(`${desk.url}/api/v1/station/scan/`, 'POST', { code: 'x', source: 'hand' }, own)
    assert.equal(scanned.status, 200)
  })

  it('says on every answer what pages may load', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/nothing-here'],
      ['GET', '/api/v1/station/'],
      ['POST', '/api/v1/station/scan/'],
      ['GET', '/%'],
    ] as const) {
      const { headers } = await plain(method, path)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      if (path.startsWith('/api/')) assert.equal(headers['cache-control'], 'no-store')
    }
  })

  it('has no station routes, cookies or rights on a server without screens', async () => {
    const { startTestServer } = await import('../support/servers/servers.ts')
    const central = await startTestServer()
    for (const path of ['/api/v1/station/', '/api/v1/station/open', '/api/v1/station/scan/'])
      assert.equal((await central.call('GET', path)).status, 404, path)
    const key = { Authorization: 'Station null' }
    assert.equal((await central.call('GET', `${central.org}/checkinrpc/search/`, undefined, key)).status, 401)
    await central.close()
  })
})
