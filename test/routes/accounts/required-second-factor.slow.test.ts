import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import {
  addProgram,
  answerConsent,
  authorizePath,
  connect,
  type Program,
} from '../../support/servers/oauth.ts'
import { addEvent, addOrganizer, allRights } from '../../support/servers/servers.ts'
import {
  addToTeam,
  hidden,
  password,
  setUpSecondFactor,
  type Visitor,
} from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

const toDo = /second factor is required.*\/account\/second-factor/

for (const engine of engines)
  describe(`a second factor that an organizer requires, on ${engine.name}`, () => {
    let users: UsersServer
    let program: Program

    beforeEach(async () => {
      users = await openUsersServer(await engine.open())
      program = await addProgram(users.server, (await users.somebody()).id)
    })
    afterEach(() => users.server.close())

    /** Somebody with a program that acts for them. */
    async function connected() {
      const person = await users.loggedIn()
      const { tokens } = await connect(users.server, program, person.browser)
      const ask = (method: string, path: string, body?: unknown) =>
        users.server.call(method, path, body, { Authorization: `Bearer ${tokens.access_token}` })
      return { ...person, ask }
    }
    const require = (value = true) =>
      users.server.call('PATCH', `${users.server.org}/settings/`, { require_2fa: value })
    /** Has the only team of somebody ask for it. */
    const requireInTeam = (user: number) =>
      users.server.running.transactions.write((tx) =>
        tx.run(
          sql`UPDATE team SET require_2fa = 1
              WHERE id IN (SELECT team FROM team_member WHERE "user" = ${user})`,
        ),
      )
    const askedConsent = async (browser: Visitor) => browser.get(await authorizePath(program))

    it('keeps programs of users out who have none, says what to do, and lets them in with one', async () => {
      const { server } = users
      const { browser, ask } = await connected()
      assert.equal((await ask('GET', `${server.ev}/orders/`)).status, 200)
      assert.deepEqual(
        [(await require()).status, ((await require()).body as { require_2fa: boolean }).require_2fa],
        [200, true],
      )
      for (const [method, path, body] of [
        ['GET', `${server.ev}/orders/`],
        ['GET', `${server.org}/`],
        ['POST', `${server.ev}/categories/`, { name: 'Tickets' }],
        ['PATCH', `${server.org}/settings/`, { require_2fa: false }],
      ] as const) {
        const answer = await ask(method, path, body)
        assert.equal(answer.status, 403, path)
        assert.match(JSON.stringify(answer.body), toDo)
      }
      const list = await ask('GET', '/api/v1/organizers/')
      assert.deepEqual((list.body as { results: unknown[] }).results, [])
      await setUpSecondFactor(browser)
      assert.equal((await ask('GET', `${server.ev}/orders/`)).status, 200)
    })

    it('is no concern of tokens of teams and of other organizers', async () => {
      const { server } = users
      const { id, browser } = await users.loggedIn()
      await server.running.transactions.write(async (tx) => {
        const other = await addOrganizer(tx, 'zenith')
        await addEvent(tx, other, 'expo')
        await addToTeam(tx, other, id, allRights)
      })
      const { tokens } = await connect(server, program, browser)
      await require()
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      const zenith = '/api/v1/organizers/zenith'
      assert.equal(
        (await server.call('GET', `${zenith}/events/expo/orders/`, undefined, headers)).status,
        200,
      )
      assert.equal((await server.call('GET', `${server.ev}/orders/`, undefined, headers)).status, 403)
      assert.equal((await server.call('GET', `${server.ev}/orders/`)).status, 200)
    })

    it('is asked for by a team alone, whose rights count with one only', async () => {
      const { server } = users
      const { id, ask } = await connected()
      await requireInTeam(id)
      const refused = await ask('GET', `${server.ev}/orders/`)
      assert.equal(refused.status, 403)
      assert.match(JSON.stringify(refused.body), toDo)
      await server.running.transactions.write((tx) =>
        addToTeam(tx, server.organizer, id, { all_events: true, can_view_orders: true }),
      )
      assert.equal((await ask('GET', `${server.ev}/orders/`)).status, 200)
      assert.equal((await ask('POST', `${server.ev}/categories/`, { name: 'Tickets' })).status, 403)
    })

    it('is a field of teams', async () => {
      const { server } = users
      const made = await server.call('POST', `${server.org}/teams/`, { name: 'Doors', require_2fa: true })
      assert.deepEqual(
        [made.status, (made.body as { require_2fa: boolean }).require_2fa],
        [201, true],
        JSON.stringify(made.body),
      )
    })

    it('is asked for only by users who have one themselves', async () => {
      const { server } = users
      const { browser, ask } = await connected()
      const demand = () => ask('PATCH', `${server.org}/settings/`, { require_2fa: true })
      const team = () => ask('POST', `${server.org}/teams/`, { name: 'Doors', require_2fa: true })
      for (const refused of [await demand(), await team()]) {
        assert.equal(refused.status, 400)
        assert.match(JSON.stringify(refused.body), /require_2fa.*Set up a second factor for yourself first/)
      }
      const read = await server.call('GET', `${server.org}/settings/`)
      assert.equal((read.body as { require_2fa: boolean }).require_2fa, false)
      await setUpSecondFactor(browser)
      assert.deepEqual([(await demand()).status, (await team()).status], [200, 201])
    })

    it('is no setting of events', async () => {
      const { server } = users
      await require()
      const answer = await server.call('PATCH', `${server.ev}/settings/`, { require_2fa: true })
      assert.equal(answer.status, 200)
      assert.ok(!('require_2fa' in (answer.body as object)))
    })

    it('keeps users without one from letting programs in, and leads them to it', async () => {
      const { browser } = await users.loggedIn()
      await require()
      const asked = await askedConsent(browser)
      assert.match(
        asked.text,
        /acme: two-factor authentication is required.*href="\/account\/second-factor"/s,
      )
      assert.doesNotMatch(asked.text, /name="allow"/)
      const path = await authorizePath(program)
      const forced = await answerConsent(browser, path, 'allow', [users.server.organizer])
      assert.deepEqual([forced.status, forced.location], [400, ''])
      await setUpSecondFactor(browser)
      assert.equal((await answerConsent(browser, path)).status, 303)
    })

    it('does not let a program go on without asking that was let in before', async () => {
      const { browser } = await connected()
      await require()
      const again = await browser.get(await authorizePath(program, { isAutomatic: true }))
      assert.deepEqual([again.status, again.location], [200, ''])
    })

    it('is shown on the account page, and cannot be turned off there', async () => {
      const { browser, id } = await users.loggedIn()
      await require()
      assert.match((await browser.get('/account/')).text, /acme: two-factor authentication is required/)
      await setUpSecondFactor(browser)
      assert.doesNotMatch((await browser.get('/account/')).text, /authentication is required/)
      const off = () => browser.fill('/account/', { off: 'yes', password }, '/account/second-factor/change')
      const refused = await off()
      assert.equal(refused.status, 400)
      assert.match(refused.text, /You can turn it off once you are in none of its teams/)
      await require(false)
      await requireInTeam(id)
      assert.equal((await off()).status, 400)
      await users.server.running.transactions.write((tx) => tx.run(sql`UPDATE team SET require_2fa = 0`))
      assert.equal((await off()).location, '/account/?done=off')
    })

    it('is set up by who is invited, as the next step', async () => {
      await require()
      const { server } = users
      const { body } = await server.call('GET', `${server.org}/teams/`)
      const [team] = (body as { results: { id: number }[] }).results
      const email = 'new@example.org'
      const invited = await server.call('POST', `${server.org}/teams/${team?.id}/invites/`, { email })
      assert.equal(invited.status, 201, JSON.stringify(invited.body))
      const { pathname, search } = new URL(await users.mailedLink(email))
      const browser = users.visitor()
      const page = await browser.get(pathname + search)
      const joined = await browser.send('/invitation', {
        ...{ csrf: hidden(page, 'csrf'), token: hidden(page, 'token') },
        ...{ new_password: password, repeat_password: password },
      })
      assert.equal(joined.location, '/account/second-factor?done=joined')
      const next = await browser.get(joined.location)
      assert.match(next.text, /acme: two-factor authentication is required/)
      await setUpSecondFactor(browser)
      assert.equal((await askedConsent(browser)).text.includes('name="allow"'), true)
    })
  })
