import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { hidden, password } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`a forgotten password, on ${engine.name}`, () => {
    let users: UsersServer

    before(async () => {
      users = await openUsersServer(await engine.open())
    })
    after(() => users.server.close())

    it('sets a new password with a mailed link, once and for an hour', async () => {
      const { email, browser } = await users.loggedIn()
      await users.visitor().fill('/password/forgotten', { email: email.toLowerCase() })
      const first = await users.mailedLink(email)
      await users.visitor().fill('/password/forgotten', { email })
      const link = await users.mailedLink(email)
      assert.ok(link.startsWith(`${users.server.url}/password/reset?token=`), link)
      assert.equal((await users.visitor().get(first)).status, 404, 'a new link ends the one before')
      const fresh = 'nine quiet elephants'
      const owner = users.visitor()
      const page = await owner.get(link)
      assert.equal(page.status, 200)
      const form = { csrf: hidden(page, 'csrf'), token: hidden(page, 'token') }
      const weak = await owner.send('/password/reset', {
        ...form,
        new_password: 'password1',
        repeat_password: 'password1',
      })
      assert.equal(weak.status, 400)
      const done = await owner.send('/password/reset', {
        ...form,
        new_password: fresh,
        repeat_password: fresh,
      })
      assert.equal(done.location, '/login?done=reset')
      assert.equal(await users.isIn(browser), false)
      const again = await owner.send('/password/reset', {
        ...form,
        new_password: password,
        repeat_password: password,
      })
      assert.equal(again.status, 404)
      assert.equal((await users.visitor().fill('/login', { email, password: fresh })).status, 303)
      const dump = JSON.stringify(
        await users.server.running.transactions.database.all(sql`SELECT * FROM password_reset`),
      )
      assert.ok(!dump.includes(form.token))
    })

    it('does not say whether there is an account, and mails nobody else', async () => {
      const { email } = await users.somebody()
      const ask = async (address: string) =>
        (await users.visitor().fill('/password/forgotten', { email: address })).text
      assert.equal(await ask(email), await ask('nobody-at-all@example.org'))
      assert.equal(await users.mailedLink('nobody-at-all@example.org'), '')
    })

    it('mails no link that leads to where a stranger says this server is', async () => {
      const { email } = await users.somebody()
      const stranger = users.visitor()
      const page = await stranger.get('/password/forgotten')
      const { port } = new URL(users.server.url)
      const { request } = await import('node:http')
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const body = new URLSearchParams({ csrf: hidden(page, 'csrf'), email }).toString()
        const asking = request(
          {
            port,
            host: '127.0.0.1',
            path: '/password/forgotten',
            method: 'POST',
            headers: {
              Host: 'evil.example',
              Cookie: `gatehouse_session=${users.sessionCookie(stranger)}`,
              'Content-Type': 'application/x-www-form-urlencoded',
              'Content-Length': body.length,
            },
          },
          (answer) => {
            answer.resume()
            resolve(answer.statusCode)
          },
        )
        asking.once('error', reject)
        asking.end(body)
      })
      assert.equal(status, 200)
      assert.equal(await users.mailedLink(email), '')
    })
  })
