import assert from 'node:assert/strict'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { redirectToUpstream } from '../../../server/routes/accounts/user-pages.ts'
import { type Running, startServer } from '../../../server/serve.ts'
import { addPerson, hidden, passwordHash, Visitor } from '../../support/servers/visitors.ts'

describe('a server that users reach by https', () => {
  const publicUrl = 'https://tickets.example.org'
  let running: Running

  before(async () => {
    const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null, publicUrl }
    running = await startServer(config, realEnv, silentLog)
    const hash = await passwordHash()
    await running.transactions.write((tx) => addPerson(tx, 'ada@example.org', hash))
  })
  after(() => running.close())

  it('marks its cookie for https and for its own host', async () => {
    const browser = new Visitor(running.url)
    const shown = await browser.get('/login')
    assert.match(
      shown.headers.getSetCookie()[0] ?? '',
      /^__Host-gatehouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/,
    )
    assert.equal((await browser.logIn('ada@example.org')).location, '/account/')
    assert.equal((await browser.get('/account/')).status, 200)
  })

  it('takes forms from its public address, and from no other', async () => {
    const browser = new Visitor(running.url)
    const csrf = hidden(await browser.get('/password/forgotten'), 'csrf')
    const send = async (Origin: string) =>
      (await browser.send('/password/forgotten', { csrf, email: 'ada@example.org' }, { Origin })).status
    assert.deepEqual(
      [
        await send(publicUrl),
        await send('https://tickets.example.org.evil.example'),
        await send('https://evil.example'),
      ],
      [200, 403, 403],
    )
    const mail = await running.transactions.database.get<{ text: string }>(
      sql`SELECT "text" FROM mail ORDER BY id DESC LIMIT 1`,
    )
    assert.match(mail?.text ?? '', /https:\/\/tickets\.example\.org\/password\/reset#token=[a-z0-9]{64}/)
  })

  it('counts wrong passwords for whoever the proxy says has sent them', async () => {
    const browser = new Visitor(running.url)
    const csrf = hidden(await browser.get('/login'), 'csrf')
    const guess = async (index: number, from: string) =>
      (
        await browser.send(
          '/login',
          { csrf, email: 'ada@example.org', password: `guess ${index}` },
          { 'X-Forwarded-For': from },
        )
      ).status
    for (let index = 0; index < 10; index += 1)
      assert.equal(await guess(index, `10.0.0.${index}, 203.0.113.9`), 403)
    assert.equal(await guess(10, '10.0.0.99, 203.0.113.9'), 429)
    assert.equal(await guess(11, '203.0.113.10'), 403)
  })
})

describe('a node below another one', () => {
  it('sends users who want a page to where their accounts are, and nobody else', async () => {
    const led = async (method: string, path: string, upstream: string | null = 'https://central.example') => {
      const headers = new Map<string, string>()
      const ctx = {
        method,
        path,
        url: `${path}?x=1`,
        status: 404,
        body: undefined,
        set: (name: string, value: string) => headers.set(name, value),
      }
      let isPassed = false
      await redirectToUpstream(() => upstream)(ctx as unknown as Context, async () => {
        isPassed = true
      })
      return isPassed ? 'passed' : `${ctx.status} ${headers.get('Location')}`
    }
    assert.deepEqual(
      [
        await led('GET', '/login'),
        await led('GET', '/account/applications/'),
        await led('GET', '/api/v1/oauth/authorize'),
        await led('POST', '/login'),
        await led('GET', '/loginx'),
        await led('GET', '/api/v1/me'),
        await led('GET', '/login', null),
      ],
      [
        '303 https://central.example/login?x=1',
        '303 https://central.example/account/applications/?x=1',
        '303 https://central.example/api/v1/oauth/authorize?x=1',
        'passed',
        'passed',
        'passed',
        'passed',
      ],
    )
  })
})
