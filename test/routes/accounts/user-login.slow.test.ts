import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { hidden, password } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`users who log in, on ${engine.name}`, () => {
    let users: UsersServer

    before(async () => {
      users = await openUsersServer(await engine.open())
    })
    after(() => users.server.close())

    it('shows the account after the login, and nothing of it before', async () => {
      const browser = users.visitor()
      const before = await browser.get('/account/')
      assert.deepEqual([before.status, before.location], [303, '/login?next=%2Faccount%2F'])
      const { email } = await users.somebody()
      await browser.logIn(email.toUpperCase())
      const page = await browser.get('/account/')
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(email))
    })

    it('answers an unknown address like a wrong password', async () => {
      const { email } = await users.somebody()
      const answers = []
      for (const address of [email, 'nobody@example.org']) {
        const shown = await users
          .visitor()
          .fill('/login', { email: address, password: 'wrong password here' })
        answers.push({
          status: shown.status,
          text: shown.text.replaceAll(address, 'X').replace(/value="[\w-]{43}"/, ''),
        })
      }
      assert.deepEqual(answers[0], answers[1])
      assert.equal(answers[0]?.status, 403)
    })

    it('gives a new cookie at the login, which pages cannot read and other sites cannot send', async () => {
      const { email } = await users.somebody()
      const browser = users.visitor()
      // What somebody has planted before is never the session afterwards.
      browser.cookies.set('gatehouse_session', 'planted-by-somebody-else')
      const shown = await browser.logIn(email)
      const [line = ''] = shown.headers.getSetCookie()
      assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
      const thief = users.visitor()
      thief.cookies.set('gatehouse_session', 'planted-by-somebody-else')
      assert.deepEqual([await users.isIn(browser), await users.isIn(thief)], [true, false])
      const before = users.sessionCookie(browser)
      await browser.fill('/account/', { csrf: '' }).catch(() => undefined)
      const account = await browser.get('/account/')
      const again = await browser.send('/login', { csrf: hidden(account, 'csrf'), email, password })
      assert.equal(again.status, 303)
      const old = users.visitor()
      old.cookies.set('gatehouse_session', before)
      assert.deepEqual([await users.isIn(browser), await users.isIn(old)], [true, false])
    })

    it('stores neither the cookie nor the password', async () => {
      const { browser } = await users.loggedIn()
      const { database } = users.server.running.transactions
      const rows = [
        ...(await database.all(sql`SELECT * FROM user_session`)),
        ...(await database.all(sql`SELECT * FROM app_user`)),
        ...(await database.all(sql`SELECT * FROM audit`)),
      ]
      assert.ok(rows.length > 2)
      const dump = JSON.stringify(rows)
      assert.ok(!dump.includes(users.sessionCookie(browser)) && !dump.includes(password))
    })

    it('ends a login when somebody logs out, here or everywhere', async () => {
      const { email, browser } = await users.loggedIn()
      const second = users.visitor()
      await second.logIn(email)
      const kept = users.visitor()
      kept.cookies.set('gatehouse_session', users.sessionCookie(browser))
      await browser.fill('/account/', {}, '/logout')
      assert.deepEqual(
        [await users.isIn(browser), await users.isIn(kept), await users.isIn(second)],
        [false, false, true],
      )
      await browser.logIn(email)
      await browser.fill('/account/', { all: 'yes', password }, '/account/sessions')
      assert.deepEqual([await users.isIn(browser), await users.isIn(second)], [false, false])
    })

    it('ends one login from another with the password only, and not that of somebody else', async () => {
      const { email, browser } = await users.loggedIn()
      const second = users.visitor()
      await second.logIn(email)
      const { browser: stranger } = await users.loggedIn()
      const session = hidden(await browser.get('/account/'), 'session')
      const without: Record<string, string>[] = [{ session }, { all: 'yes', password: 'not the password' }]
      for (const wrong of without) {
        assert.equal((await browser.fill('/account/', wrong, '/account/sessions')).status, 400)
        assert.deepEqual([await users.isIn(browser), await users.isIn(second)], [true, true])
      }
      await stranger.fill('/account/', { session, password }, '/account/sessions')
      assert.equal(await users.isIn(second), true)
      await browser.fill('/account/', { session, password }, '/account/sessions')
      assert.deepEqual([await users.isIn(browser), await users.isIn(second)], [true, false])
    })

    it('ends a login that was not used for three hours, or is twelve hours old', async () => {
      const { id, browser } = await users.loggedIn()
      const { database } = users.server.running.transactions
      const age = (column: 'seen' | 'created', hours: number) => {
        const moment = new Date(Date.now() - hours * 3_600_000).toISOString().replace('Z', '000Z')
        return database.run(
          column === 'seen'
            ? sql`UPDATE user_session SET seen = ${moment} WHERE "user" = ${id}`
            : sql`UPDATE user_session SET created = ${moment} WHERE "user" = ${id}`,
        )
      }
      await age('seen', 2.9)
      assert.equal(await users.isIn(browser), true)
      await age('created', 11.9)
      assert.equal(await users.isIn(browser), true)
      await age('created', 12.1)
      assert.equal(await users.isIn(browser), false)
      await age('created', 5)
      await age('seen', 3.1)
      assert.equal(await users.isIn(browser), false)
    })

    it('slows down guessing, for the account that is guessed and not for others', async () => {
      const { email } = await users.somebody()
      const { email: other } = await users.somebody()
      const guesser = users.visitor()
      const csrf = hidden(await guesser.get('/login'), 'csrf')
      const guess = (address: string, word: string) =>
        guesser.send('/login', { csrf, email: address, password: word })
      const statuses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => guess(email, `guess number ${index}`)),
      )
      assert.deepEqual(statuses.map(({ status }) => status).toSorted(), [...Array(10).fill(403), 429, 429])
      const right = await guess(email, password)
      assert.equal(right.status, 429)
      assert.ok(Number(right.headers.get('retry-after')) > 0)
      assert.equal((await guess(other, password)).status, 303)
      await users.server.running.transactions.database.run(sql`UPDATE sign_in_attempt SET resets = '2000'`)
      assert.equal((await users.visitor().logIn(email)).status, 303)
    })

    it('changes the password with the old one, and logs out everywhere else', async () => {
      const { email, browser } = await users.loggedIn()
      const second = users.visitor()
      await second.logIn(email)
      const change = (fields: Record<string, string>) =>
        browser.fill('/account/', fields, '/account/password')
      const fresh = 'twelve purple mountains'
      const both = { new_password: fresh, repeat_password: fresh }
      assert.equal((await change({ ...both, password: 'not the password' })).status, 400)
      assert.equal((await change({ ...both, repeat_password: 'other', password })).status, 400)
      assert.equal(
        (await change({ password, new_password: 'Passw0rd!', repeat_password: 'Passw0rd!' })).status,
        400,
      )
      assert.equal((await change({ ...both, password })).location, '/account/?done=password')
      assert.deepEqual([await users.isIn(browser), await users.isIn(second)], [true, false])
      assert.equal((await users.visitor().logIn(email)).status, 403)
      const again = await users.visitor().fill('/login', { email, password: fresh })
      assert.equal(again.status, 303)
    })

    it('hashes a password anew at the login where the stored hash is weaker than new ones are', async () => {
      const { id, email } = await users.somebody()
      const { database } = users.server.running.transactions
      const salt = Buffer.from('0123456789abcdef')
      const key = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
      const weak = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`
      await database.run(sql`UPDATE app_user SET password_hash = ${weak} WHERE id = ${id}`)
      assert.equal((await users.visitor().logIn(email)).location, '/account/')
      const row = await database.get<{ password_hash: string }>(
        sql`SELECT password_hash FROM app_user WHERE id = ${id}`,
      )
      assert.match(row?.password_hash ?? '', /^\$scrypt\$ln=15,/)
      assert.equal((await users.visitor().logIn(email)).location, '/account/')
    })
  })
