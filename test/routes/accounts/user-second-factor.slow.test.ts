import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { codeOf, hidden, password } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`the second factor, on ${engine.name}`, () => {
    let users: UsersServer

    before(async () => {
      users = await openUsersServer(await engine.open())
    })
    after(() => users.server.close())

    it('asks for a code after the password, and takes each once', async () => {
      const { email, secret } = await users.withSecondFactor()
      const code = codeOf(secret)
      const first = await users.inTwoSteps(email, code)
      assert.deepEqual([first.shown.location, await users.isIn(first.browser)], ['/account/', true])
      const second = await users.inTwoSteps(email, code)
      assert.deepEqual([second.shown.status, await users.isIn(second.browser)], [403, false])
    })

    it('takes neither a wrong code nor one of the past', async () => {
      const { email, secret } = await users.withSecondFactor()
      for (const code of ['000000', codeOf(secret, -3), codeOf(secret, 4), '', 'abc', '１２３４５６']) {
        const { shown, browser } = await users.inTwoSteps(email, code)
        if (shown.status === 429) continue
        assert.deepEqual([shown.status, await users.isIn(browser)], [403, false], code)
      }
    })

    it('stops guessing codes after five', async () => {
      const { email, secret } = await users.withSecondFactor()
      const browser = users.visitor()
      await browser.logIn(email)
      const csrf = hidden(await browser.get('/login/code'), 'csrf')
      const statuses = await Promise.all(
        Array.from({ length: 7 }, () => browser.send('/login/code', { csrf, code: '000000' })),
      )
      assert.deepEqual(statuses.map(({ status }) => status).toSorted(), [...Array(5).fill(403), 429, 429])
      assert.equal((await browser.send('/login/code', { csrf, code: codeOf(secret) })).status, 429)
    })

    it('takes a recovery code once, however it is typed', async () => {
      const { email, codes } = await users.withSecondFactor()
      const [code = ''] = codes
      const first = await users.inTwoSteps(email, ` ${code.toUpperCase().replaceAll('-', ' ')} `)
      assert.equal(await users.isIn(first.browser), true)
      const second = await users.inTwoSteps(email, code)
      assert.equal(second.shown.status, 403)
      assert.match((await first.browser.get('/account/')).text, /7 recovery codes/)
    })

    it('sets up a second factor with the password only, and turns it off with it only', async () => {
      const { browser } = await users.loggedIn()
      const page = await browser.get('/account/second-factor')
      const secret = hidden(page, 'secret')
      const form = { csrf: hidden(page, 'csrf'), secret, code: codeOf(secret) }
      const wrong = await browser.send('/account/second-factor', { ...form, password: 'not the password' })
      assert.equal(wrong.status, 400)
      assert.match((await browser.get('/account/')).text, /Off: your password alone/)
      assert.equal((await browser.send('/account/second-factor', { ...form, password })).status, 200)
      const off = { off: 'yes', password: 'not the password' }
      assert.equal((await browser.fill('/account/', off, '/account/second-factor/change')).status, 400)
      assert.match((await browser.get('/account/')).text, /On: to log in/)
      await browser.fill('/account/', { off: 'yes', password }, '/account/second-factor/change')
      assert.match((await browser.get('/account/')).text, /Off: your password alone/)
    })

    it('waits ten minutes for the code, and asks for the password again after that', async () => {
      const { id, email, secret } = await users.withSecondFactor()
      const browser = users.visitor()
      await browser.logIn(email)
      const csrf = hidden(await browser.get('/login/code'), 'csrf')
      const { database } = users.server.running.transactions
      const age = (minutes: number) => {
        const moment = new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '000Z')
        return database.run(
          sql`UPDATE user_session SET created = ${moment} WHERE "user" = ${id} AND stage = 'password'`,
        )
      }
      await age(11)
      const late = await browser.send('/login/code', { csrf, code: codeOf(secret) })
      assert.deepEqual([late.location, await users.isIn(browser)], ['/login', false])
      await age(9)
      await browser.send('/login/code', { csrf, code: codeOf(secret) })
      assert.equal(await users.isIn(browser), true)
    })
  })
