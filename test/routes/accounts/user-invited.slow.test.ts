import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { hidden, type Visitor } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`somebody who is invited, on ${engine.name}`, () => {
    let users: UsersServer
    let team: number

    before(async () => {
      users = await openUsersServer(await engine.open())
      const { body } = await users.server.call('POST', `${users.server.org}/teams/`, { name: 'Door <1>' })
      team = (body as { id: number }).id
    })
    after(() => users.server.close())

    const teamPath = () => `${users.server.org}/teams/${team}`

    /** Invites an address; the path of the mailed link. */
    async function invite(email: string): Promise<string> {
      const answer = await users.server.call('POST', `${teamPath()}/invites/`, { email })
      assert.equal(answer.status, 201)
      const link = new URL(await users.mailedLink(email))
      assert.equal(link.origin, users.server.url)
      return link.pathname + link.search
    }

    const members = async (): Promise<readonly string[]> => {
      const { body } = await users.server.call('GET', `${teamPath()}/members/`)
      return (body as { results: { email: string }[] }).results.map(({ email }) => email)
    }

    const words = 'seven silver spoons'
    const join = (browser: Visitor, path: string, fields: Record<string, string> = {}) =>
      browser.fill(
        path,
        {
          token: new URLSearchParams(path.split('?')[1]).get('token') ?? '',
          new_password: words,
          repeat_password: words,
          ...fields,
        },
        '/invitation',
      )

    it('makes an account and belongs to the team, with a link that works once', async () => {
      const path = await invite('Grace@Example.org')
      const browser = users.visitor()
      const page = await browser.get(path)
      assert.match(page.text, /Door &lt;1&gt; of acme/)
      const weak = await join(browser, path, { new_password: 'password1', repeat_password: 'password1' })
      assert.equal(weak.status, 400)
      assert.ok(!(await members()).includes('Grace@Example.org'))
      const done = await join(browser, path, { fullname: 'Grace Hopper' })
      assert.equal(done.location, '/account/?done=joined')
      assert.match((await browser.get('/account/')).text, /value="Grace Hopper"/)
      assert.ok((await members()).includes('Grace@Example.org'))
      assert.equal((await users.visitor().get(path)).status, 404)
      const again = await users.visitor().fill('/login', { email: 'grace@example.org', password: words })
      assert.equal(again.location, '/account/')
    })

    it('joins with the account that they are logged in with', async () => {
      const path = await invite('other@example.org')
      const { browser, email } = await users.loggedIn()
      const page = await browser.get(path)
      assert.match(page.text, new RegExp(`You are logged in as ${email}`))
      const done = await browser.send('/invitation', {
        csrf: hidden(page, 'csrf'),
        token: hidden(page, 'token'),
      })
      assert.equal(done.location, '/account/?done=joined')
      assert.ok((await members()).includes(email))
    })

    it('is led through the login to the invitation', async () => {
      const path = await invite('later@example.org')
      const { email } = await users.somebody()
      const inside = await users.visitor().logIn(email, path)
      assert.equal(inside.location, path)
    })

    it('makes one account when the form is sent many times at once', async () => {
      const path = await invite('many@example.org')
      const answers = await Promise.all([1, 2, 3].map(() => join(users.visitor(), path).catch(() => null)))
      const joined = answers.filter((one) => one?.location === '/account/?done=joined')
      assert.equal(joined.length, 1)
      assert.equal((await members()).filter((email) => email === 'many@example.org').length, 1)
    })

    it('cannot join with a link that is made up, taken back or too old', async () => {
      const path = await invite('old@example.org')
      const browser = users.visitor()
      const page = await browser.get(path)
      await users.server.running.transactions.database.run(sql`UPDATE team_invite SET expires = '2000'`)
      const fields = {
        csrf: hidden(page, 'csrf'),
        token: hidden(page, 'token'),
        new_password: words,
        repeat_password: words,
      }
      assert.equal((await browser.send('/invitation', fields)).status, 404)
      assert.equal((await browser.get(path)).status, 404)
      for (const made of ['', 'x', 'a'.repeat(64)])
        assert.equal((await browser.get(`/invitation?token=${made}`)).status, 404)
      assert.equal(
        await users
          .visitor()
          .fill('/login', { email: 'old@example.org', password: words })
          .then(({ status }) => status),
        403,
      )
    })
  })
