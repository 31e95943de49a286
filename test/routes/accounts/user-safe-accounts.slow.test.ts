import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { setPassword } from '../../../server/services/accounts/accounts.ts'
import { addProgram, connect } from '../../support/servers/oauth.ts'
import { codeOf, hidden, passwordHash } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('accounts that others want to get at', () => {
  let users: UsersServer
  before(async () => {
    users = await openUsersServer()
  })
  after(() => users.server.close())

  const fresh = 'twelve purple mountains'

  it('ask for the second factor also after the password was forgotten', async () => {
    const { email, secret, browser } = await users.withSecondFactor()
    const visitor = users.visitor()
    await visitor.fill('/password/forgotten', { email })
    const link = await users.mailedLink(email)
    const token = hidden(await visitor.get(link), 'token')
    const both = { new_password: fresh, repeat_password: fresh }
    const { pathname, search } = new URL(link)
    const set = await visitor.fill(pathname + search, { token, ...both }, '/password/reset')
    assert.equal(set.location, '/login?done=reset')
    assert.deepEqual([await users.isIn(visitor), await users.isIn(browser)], [false, false])
    const login = await visitor.fill('/login', { email, password: fresh })
    assert.deepEqual([login.location, await users.isIn(visitor)], ['/login/code', false])
    await visitor.fill('/login/code', { code: codeOf(secret) })
    assert.equal(await users.isIn(visitor), true)
  })

  it('keep recovery codes as hashes only', async () => {
    const { id, codes } = await users.withSecondFactor()
    const kept = await users.server.running.transactions.database.all<{ code_hash: string }>(
      sql`SELECT code_hash FROM recovery_code WHERE "user" = ${id}`,
    )
    assert.equal(kept.length, codes.length)
    for (const { code_hash } of kept) assert.match(code_hash, /^[0-9a-f]{64}$/)
    assert.ok(!codes.some((code) => JSON.stringify(kept).includes(code.replaceAll('-', ''))))
  })

  it('can be left from every page', async () => {
    const { browser } = await users.loggedIn()
    for (const path of ['/account/', '/account/applications/', '/account/second-factor'])
      assert.match((await browser.get(path)).text, /<form method="post" action="\/logout">/, path)
  })

  it('are left everywhere when the operator sets a password', async () => {
    const { email, browser } = await users.loggedIn()
    const hash = await passwordHash()
    await users.server.running.transactions.write((tx) => setPassword(tx, email, hash, false))
    assert.equal(await users.isIn(browser), false)
  })

  it('are taken from every program when the password was forgotten or set by the operator', async () => {
    const maker = await users.somebody()
    const program = await addProgram(users.server, maker.id)
    const { transactions } = users.server.running
    const status = async (token: string) =>
      (await users.server.call('GET', '/api/v1/me', undefined, { Authorization: `Bearer ${token}` })).status
    for (const way of ['mail', 'command'] as const) {
      const { email, browser } = await users.loggedIn()
      const { tokens } = await connect(users.server, program, browser)
      assert.equal(await status(tokens.access_token), 200)
      if (way === 'command') {
        const hash = await passwordHash()
        await transactions.write((tx) => setPassword(tx, email, hash, false))
      } else {
        const visitor = users.visitor()
        await visitor.fill('/password/forgotten', { email })
        const link = await users.mailedLink(email)
        const token = hidden(await visitor.get(link), 'token')
        const { pathname, search } = new URL(link)
        const both = { new_password: fresh, repeat_password: fresh }
        await visitor.fill(pathname + search, { token, ...both }, '/password/reset')
      }
      assert.equal(await status(tokens.access_token), 401, way)
    }
  })

  it('can be taken from a program again, on the page that lists what it may do', async () => {
    const { browser } = await users.loggedIn()
    const maker = await users.somebody()
    const program = await addProgram(users.server, maker.id, { name: 'Badge printer' })
    const { tokens } = await connect(users.server, program, browser)
    const profile = async () =>
      (
        await users.server.call('GET', '/api/v1/me', undefined, {
          Authorization: `Bearer ${tokens.access_token}`,
        })
      ).status
    assert.equal(await profile(), 200)
    const page = '/account/applications/'
    assert.match((await browser.get(page)).text, /Badge printer/)
    const { browser: stranger } = await users.loggedIn()
    await stranger.fill(page, {}, `/account/authorizations/${program.id}`)
    assert.equal(await profile(), 200)
    await browser.fill(page, {}, `/account/authorizations/${program.id}`)
    assert.equal(await profile(), 401)
    assert.doesNotMatch((await browser.get(page)).text, /Badge printer/)
  })
})
