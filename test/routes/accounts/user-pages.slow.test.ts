import assert from 'node:assert/strict'
import { hidden, password } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('the pages for users', () => {
  let users: UsersServer

  before(async () => {
    users = await openUsersServer()
  })
  after(() => users.server.close())

  it('takes no form without its secret, of another browser or from another site', async () => {
    const { browser } = await users.loggedIn()
    const { browser: other } = await users.loggedIn()
    const csrf = hidden(await browser.get('/account/'), 'csrf')
    const foreign = hidden(await other.get('/account/'), 'csrf')
    const fields = { fullname: 'Mallory', locale: 'en', timezone: 'UTC' }
    const sent: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
      [fields, {}],
      [{ ...fields, csrf: '' }, {}],
      [{ ...fields, csrf: foreign }, {}],
      [{ ...fields, csrf }, { Origin: 'https://evil.example' }],
      [{ ...fields, csrf }, { Origin: 'null' }],
      [{ ...fields, csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
      [{ ...fields, csrf }, { 'Sec-Fetch-Site': 'same-site' }],
    ]
    for (const [form, headers] of sent)
      assert.equal(
        (await browser.send('/account/profile', form, headers)).status,
        403,
        JSON.stringify([form, headers]),
      )
    assert.ok(!(await browser.get('/account/')).text.includes('Mallory'))
    const fine = await browser.send(
      '/account/profile',
      { ...fields, csrf },
      { Origin: users.server.url, 'Sec-Fetch-Site': 'same-origin' },
    )
    assert.equal(fine.location, '/account/?done=saved')
    assert.ok((await browser.get('/account/')).text.includes('Mallory'))
  })

  it('takes no login that another site sends with an account of its own', async () => {
    const { email } = await users.somebody()
    const victim = users.visitor()
    const attacker = users.visitor()
    const csrf = hidden(await attacker.get('/login'), 'csrf')
    await victim.get('/login')
    assert.equal((await victim.send('/login', { csrf, email, password })).status, 403)
    assert.equal((await users.visitor().send('/login', { csrf, email, password })).status, 403)
  })

  it('escapes what users type', async () => {
    const { browser } = await users.loggedIn()
    const fullname = '"><script>alert(1)</script>'
    await browser.fill('/account/', { fullname, locale: 'en', timezone: 'UTC' }, '/account/profile')
    const { text } = await browser.get('/account/')
    assert.ok(!text.includes('<script') && text.includes('&quot;&gt;&lt;script&gt;'))
  })

  it('lets no page be framed, and runs no script', async () => {
    const { browser } = await users.loggedIn()
    for (const path of [
      '/account/',
      '/account/applications/',
      '/account/second-factor',
      '/password/forgotten',
      '/login/code',
    ]) {
      const { headers, text } = await browser.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(
        policy,
        /^default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      )
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.ok(!/<script|style=|\son\w+=/.test(text))
    }
  })

  it('leads on after the login to pages of its own only', async () => {
    const { email } = await users.somebody()
    const leading = async (next: string) => (await users.visitor().logIn(email, next)).location
    for (const next of [
      'https://evil.example/',
      '//evil.example/account/',
      '/\\evil.example',
      '/account/\\..//evil.example',
      '/account/../../login',
      'javascript:alert(1)',
      '/api/v1/organizers/',
      '/account/%0d%0aSet-Cookie:x=y'.replace('%0d%0a', '\r\n'),
    ]) {
      const location = await leading(next)
      assert.ok(
        /^\/account\/[^\\]*$/.test(location) && !location.includes('evil.example'),
        `${next} -> ${location}`,
      )
    }
    assert.equal(await leading('/account/applications/'), '/account/applications/')
  })

  it('refuses large forms and other kinds of bodies', async () => {
    const { browser } = await users.loggedIn()
    const csrf = hidden(await browser.get('/account/'), 'csrf')
    assert.equal((await browser.send('/account/profile', { csrf, fullname: 'x'.repeat(70_000) })).status, 413)
    const json = await browser.ask('/account/profile', {
      method: 'POST',
      body: JSON.stringify({ csrf }),
      headers: { 'Content-Type': 'application/json' },
    })
    assert.equal(json.status, 415)
    assert.equal((await browser.ask('/account/', { method: 'PUT' })).status, 404)
  })

  it('speaks the language of the browser, then that of the person', async () => {
    const browser = users.visitor()
    const german = await browser.ask('/login', { headers: { 'Accept-Language': 'de-AT,en;q=0.5' } })
    assert.match(german.text, /<html lang="de" dir="ltr">[\s\S]*Anmelden/)
    const { browser: own } = await users.loggedIn()
    await own.fill('/account/', { fullname: '', locale: 'de', timezone: 'UTC' }, '/account/profile')
    assert.match((await own.get('/account/')).text, /<html lang="de" dir="ltr">[\s\S]*Passwort ändern/)
  })
})
