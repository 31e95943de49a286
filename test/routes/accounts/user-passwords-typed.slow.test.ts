import assert from 'node:assert/strict'
import { hidden, password } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('passwords as users type them', () => {
  let users: UsersServer
  before(async () => {
    users = await openUsersServer()
  })
  after(() => users.server.close())

  it('are hidden while they are typed, and left to managers of passwords and the clipboard', async () => {
    const { email, browser } = await users.loggedIn()
    await users.visitor().fill('/password/forgotten', { email })
    const pages = [
      [await users.visitor().get('/login'), 1],
      [await browser.get('/account/'), 4],
      [await browser.get('/account/second-factor'), 1],
      [await users.visitor().get(await users.mailedLink(email)), 2],
    ] as const
    for (const [{ text }, count] of pages) {
      const fields = [...text.matchAll(/<input[^>]*password[^>]*>/g)].map(([field]) => field)
      assert.equal(fields.length, count, text)
      for (const field of fields) {
        assert.match(field, / type="password"/)
        assert.match(field, / autocomplete="(current|new)-password"/)
        assert.doesNotMatch(field, / (value="[^"]|maxlength|pattern|onpaste|readonly)/)
      }
      assert.ok(!text.includes('<script'))
    }
  })

  it('are compared as they were typed: the whole of them, with their case and their spaces', async () => {
    const { email, browser } = await users.loggedIn()
    const long = `  Zwölf Boxkämpfer jagen Viktor über den großen Sylter Deich, and back again 7! `
    assert.ok(long.length > 72, 'shorter than what some hashes look at')
    const changed = await browser.fill(
      '/account/',
      { password, new_password: long, repeat_password: long },
      '/account/password',
    )
    assert.equal(changed.location, '/account/?done=password')
    const visitor = users.visitor()
    const csrf = hidden(await visitor.get('/login'), 'csrf')
    for (const other of [long.trim(), long.toLowerCase(), long.slice(0, -2), `${long}x`, long.slice(0, 72)])
      assert.equal((await visitor.send('/login', { csrf, email, password: other })).status, 403, other)
    assert.equal((await visitor.send('/login', { csrf, email, password: long })).location, '/account/')
  })

  it('are asked for again, and not only the login, before what lets somebody in is changed', async () => {
    const { browser } = await users.loggedIn()
    const csrf = hidden(await browser.get('/account/'), 'csrf')
    const fresh = { new_password: 'twelve purple mountains', repeat_password: 'twelve purple mountains' }
    const wanted: Readonly<Record<string, Record<string, string>>> = {
      '/account/password': fresh,
      '/account/second-factor': { secret: 'A'.repeat(32), code: '000000' },
    }
    const given: readonly Record<string, string>[] = [{}, { password: '' }, { password: 'not the password' }]
    for (const [path, fields] of Object.entries(wanted))
      for (const word of given)
        assert.equal((await browser.send(path, { csrf, ...fields, ...word })).status, 400, path)
    assert.match((await browser.get('/account/')).text, /Off: your password alone/)
  })
})
