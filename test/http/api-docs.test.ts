import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { listPage, operationPage, operationsOf } from '../../server/pages/api-docs.ts'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'

const file = new URL('../../schema/openapi.json', import.meta.url)

describe('the description that a server gives of its interface', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer(undefined, 'key')
  })
  after(() => server.close())

  const get = async (path: string) => {
    const answer = await fetch(server.url + path)
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  it('is for programs as it is committed, without a credential', async () => {
    const { status, text, headers } = await get('/api/v1/openapi.json')
    assert.equal(status, 200)
    assert.match(String(headers.get('content-type')), /^application\/json/)
    assert.ok(text === (await readFile(file, 'utf8')))
  })

  it('is for users a page that needs no script and may not run any', async () => {
    const { status, text, headers } = await get('/api/v1/docs')
    assert.equal(status, 200)
    assert.match(String(headers.get('content-type')), /^text\/html/)
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.doesNotMatch(text, /<script|style=| on\w+=/)
    assert.match(text, /<details>\s*<summary>checkin/)
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
    assert.equal((await get(style)).headers.get('content-type'), 'text/css; charset=utf-8')
  })

  it('leads to a page for every operation', async () => {
    const document = JSON.parse(await readFile(file, 'utf8'))
    const operations = operationsOf(document)
    assert.ok(operations.length > 250)
    const whole = listPage(operations, '')
    for (const operation of operations) {
      assert.ok(whole.includes(`?operation=${operation.name}"`), operation.name)
      const page = operationPage(operation, document)
      assert.ok(page.includes(`<code>${operation.path}</code>`), operation.name)
      assert.doesNotMatch(page, /undefined|\[object/, operation.name)
    }
    const { status, text } = await get('/api/v1/docs?operation=category_create')
    assert.equal(status, 200)
    for (const part of ['POST', 'organizers/{organizer}', '<dt>201</dt>', '&quot;properties&quot;'])
      assert.ok(text.includes(part), part)
    assert.equal((await get('/api/v1/docs?operation=nothing')).status, 404)
  })

  it('can be searched for several words at once', async () => {
    const { text } = await get('/api/v1/docs?q=gift+transact')
    assert.match(text, /<details open>/)
    assert.match(text, /giftcards\/\{id\}\/transact/)
    assert.doesNotMatch(text, /checkinlists/)
    assert.match((await get('/api/v1/docs?q=xyzzy')).text, /0 operations found/)
  })

  it('shows what is searched for as text', async () => {
    const attack = '"><script>alert(1)</script>'
    const { text } = await get(`/api/v1/docs?q=${encodeURIComponent(attack)}`)
    assert.doesNotMatch(text, /<script/)
    assert.ok(text.includes('&quot;&gt;&lt;script&gt;'))
  })
})
