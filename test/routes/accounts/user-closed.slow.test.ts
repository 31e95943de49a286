import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { setDisabled, setPassword } from '../../../server/services/accounts/accounts.ts'
import { beginSession } from '../../../server/services/accounts/sessions.ts'
import { engines } from '../../support/engines/engines.ts'
import { addProgram, connect, type Program, refresh } from '../../support/servers/oauth.ts'
import { codeOf, hidden } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`closed accounts, on ${engine.name}`, () => {
    let users: UsersServer
    let program: Program

    before(async () => {
      users = await openUsersServer(await engine.open())
      program = await addProgram(users.server, (await users.somebody()).id)
    })
    after(() => users.server.close())

    const close = (email: string) =>
      users.server.running.transactions.write((tx) => setDisabled(tx, email, true))
    const open = (email: string) =>
      users.server.running.transactions.write((tx) => setDisabled(tx, email, false))
    const profile = async (token: string) =>
      (await users.server.call('GET', '/api/v1/me', undefined, { Authorization: `Bearer ${token}` })).status

    it('let nobody in, and are told from a wrong password by nobody', async () => {
      const { email, browser } = await users.loggedIn()
      const wrong = await users.visitor().fill('/login', { email, password: 'not the password' })
      assert.deepEqual(await close(email.toLowerCase()).then(({ disabled }) => disabled), true)
      assert.equal(await users.isIn(browser), false)
      const visitor = users.visitor()
      const right = await visitor.logIn(email)
      assert.deepEqual([right.status, await users.isIn(visitor)], [403, false])
      const notice = /<p class="notice[^>]*>.*?<\/p>/s
      assert.equal(notice.exec(right.text)?.[0], notice.exec(wrong.text)?.[0])
    })

    it('end logins that wait for a code', async () => {
      const { email, secret } = await users.withSecondFactor()
      const visitor = users.visitor()
      assert.equal((await visitor.logIn(email)).location, '/login/code')
      const csrf = hidden(await visitor.get('/login/code'), 'csrf')
      await close(email)
      const shown = await visitor.send('/login/code', { csrf, code: codeOf(secret) })
      assert.deepEqual([shown.location, await users.isIn(visitor)], ['/login', false])
    })

    it('end what programs were let do, also when they are opened again', async () => {
      const { email, browser } = await users.loggedIn()
      const { tokens } = await connect(users.server, program, browser)
      assert.equal(await profile(tokens.access_token), 200)
      await close(email)
      assert.equal(await profile(tokens.access_token), 401)
      await assert.rejects(refresh(users.server, program, tokens.refresh_token ?? ''), {
        error: 'invalid_grant',
      })
      await open(email)
      assert.equal(await profile(tokens.access_token), 401)
      assert.equal(await users.isIn(browser), false)
    })

    it('stay closed for what slipped in while they were being closed', async () => {
      const { id, email, browser } = await users.loggedIn()
      const { tokens } = await connect(users.server, program, browser)
      const { transactions } = users.server.running
      await close(email)
      const token = await transactions.write(async (tx) => {
        await tx.run(sql`UPDATE app_user SET disabled = NULL WHERE id = ${id}`)
        return beginSession(tx, id, 'full', '')
      })
      const late = users.visitor()
      late.cookies.set('gatehouse_session', token)
      assert.equal(await users.isIn(late), true)
      const again = await connect(users.server, program, late)
      assert.equal(await profile(again.tokens.access_token), 200)
      await transactions.write((tx) => tx.run(sql`UPDATE app_user SET disabled = ${tx.now} WHERE id = ${id}`))
      assert.deepEqual([await users.isIn(late), await profile(again.tokens.access_token)], [false, 401])
      await open(email)
      assert.deepEqual([await users.isIn(late), await profile(again.tokens.access_token)], [false, 401])
      assert.equal(await profile(tokens.access_token), 401)
    })

    it('have no way in by a link, of before or of now', async () => {
      const { email } = await users.somebody()
      const visitor = users.visitor()
      await visitor.fill('/password/forgotten', { email })
      const { pathname, search } = new URL(await users.mailedLink(email))
      assert.equal((await visitor.get(pathname + search)).status, 200)
      await close(email)
      assert.equal((await visitor.get(pathname + search)).status, 404)
      const { email: other } = await users.somebody()
      await close(other)
      await visitor.fill('/password/forgotten', { email: other })
      assert.equal(await users.mailedLink(other), '')
      await open(email)
      assert.equal((await visitor.get(pathname + search)).status, 404)
      const refused = (cause: { body?: { detail?: string } }) =>
        /closed.*user enable/.test(cause.body?.detail ?? '')
      await assert.rejects(
        users.server.running.transactions.write((tx) => setPassword(tx, other, 'hash', false)),
        refused,
      )
    })

    it('stay in their teams, and let in again whoever they belong to once they are opened', async () => {
      const { id, email } = await users.somebody()
      const { database } = users.server.running.transactions
      const team = await database.get<{ team: number }>(
        sql`SELECT team FROM team_member WHERE "user" = ${id}`,
      )
      await close(email)
      await close(email)
      const path = `${users.server.org}/teams/${team?.team}/members/${id}/`
      assert.equal((await users.server.call('GET', path)).status, 200)
      await open(email)
      assert.equal((await users.visitor().logIn(email)).location, '/account/')
      const trail = await database.all<{ action: string; actor_kind: string }>(
        sql`SELECT action, actor_kind FROM audit WHERE resource = 'app_user' AND row_id = ${id} ORDER BY id`,
      )
      assert.deepEqual(
        trail.map(({ actor_kind, action }) => `${actor_kind} ${action.replace('ticketsvc.user.', '')}`),
        ['command disabled', 'command enabled', 'user login'],
      )
    })
  })
