import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { setPassword } from '../../../server/services/accounts/accounts.ts'
import { codeOf, hidden, password, passwordHash, type Visitor } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('users hear by mail', () => {
  let users: UsersServer
  before(async () => {
    users = await openUsersServer()
  })
  after(() => users.server.close())

  const fresh = 'twelve purple mountains'
  const both = { new_password: fresh, repeat_password: fresh }
  const templates = async (email: string) => (await users.newMails(email)).map(({ template }) => template)
  const change = (browser: Visitor, fields: Readonly<Record<string, string>>) =>
    browser.fill('/account/', fields, '/account/second-factor/change')

  it('of a new password, and when it was, but not of one that was not taken', async () => {
    const { email, browser } = await users.loggedIn()
    await browser.fill('/account/', { password: 'not the password', ...both }, '/account/password')
    assert.deepEqual(await templates(email), [])
    await browser.fill('/account/', { password, ...both }, '/account/password')
    const [mail, ...more] = await users.newMails(email)
    assert.deepEqual([mail?.template, more], ['password_changed', []])
    assert.match(mail?.text ?? '', /^Hello Ada Lovelace,/)
    assert.match(mail?.text ?? '', /\d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Berlin\)/)
    assert.ok(mail?.text.includes(email))
    assert.ok(!mail?.text.includes(fresh) && !mail?.text.includes('{'))
  })

  it('in their language, also of a password that was set by a link', async () => {
    const { id, email } = await users.somebody()
    const { transactions } = users.server.running
    await transactions.write((tx) => tx.run(sql`UPDATE app_user SET locale = 'de' WHERE id = ${id}`))
    const visitor = users.visitor()
    await visitor.fill('/password/forgotten', { email })
    const { pathname, search } = new URL(await users.mailedLink(email))
    assert.deepEqual(await templates(email), ['password_reset'])
    const token = hidden(await visitor.get(pathname + search), 'token')
    await visitor.fill(pathname + search, { token, ...both }, '/password/reset')
    const [mail] = await users.newMails(email)
    assert.equal(mail?.template, 'password_changed')
    assert.match(mail?.text ?? '', /^Guten Tag Ada Lovelace,/)
  })

  it('of a second factor that is set up or turned off, and of new recovery codes', async () => {
    const { email, browser, secret } = await users.withSecondFactor()
    assert.deepEqual(await templates(email), ['second_factor_on'])
    await change(browser, { codes: 'new', password: 'not the password' })
    assert.deepEqual(await templates(email), [])
    await change(browser, { codes: 'new', password })
    const [codes] = await users.newMails(email)
    assert.equal(codes?.template, 'recovery_codes_new')
    assert.doesNotMatch(codes?.text ?? '', /[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}/)
    await change(browser, { off: 'yes', password })
    const [off] = await users.newMails(email)
    assert.equal(off?.template, 'second_factor_off')
    assert.ok(!off?.text.includes(secret))
  })

  it('of nothing that was not set up', async () => {
    const { email, browser } = await users.loggedIn()
    const page = await browser.get('/account/second-factor')
    const secret = hidden(page, 'secret')
    const fields = { csrf: hidden(page, 'csrf'), secret, password, code: codeOf(secret, -9) }
    assert.equal((await browser.send('/account/second-factor', fields)).status, 400)
    assert.deepEqual(await templates(email), [])
  })

  it('of nothing that the operator has done for them by command', async () => {
    const { email } = await users.withSecondFactor()
    await users.newMails(email)
    const hash = await passwordHash()
    await users.server.running.transactions.write((tx) => setPassword(tx, email, hash, true))
    assert.deepEqual(await templates(email), [])
  })
})
