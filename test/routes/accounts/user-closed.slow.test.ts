import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { setDisabled, setPassword } from '../../../server/services/accounts/accounts.ts'
import { beginSession } from '../../../server/services/accounts/sessions.ts'
import { engines } from '../../support/engines/engines.ts'
import { addProgram, connect, type Program, refresh } from '../../support/servers/oauth.ts'
import { codeOf, hidden } from '../../support/servers/visitors.ts'
import { openPeople, type People } from './users-server.ts'

for (const engine of engines)
  describe(`closed accounts, on ${engine.name}`, () => {
    let people: People
    let program: Program

    before(async () => {
      people = await openPeople(await engine.open())
      program = await addProgram(people.server, (await people.somebody()).id)
    })
    after(() => people.server.close())

    const close = (email: string) =>
      people.server.running.transactions.write((tx) => setDisabled(tx, email, true))
    const open = (email: string) =>
      people.server.running.transactions.write((tx) => setDisabled(tx, email, false))
    const profile = async (token: string) =>
      (await people.server.call('GET', '/api/v1/me', undefined, { Authorization: `Bearer ${token}` })).status

    it('let nobody in, and are told from a wrong password by nobody', async () => {
      const { email, browser } = await people.loggedIn()
      const wrong = await people.visitor().fill('/login', { email, password: 'not the password' })
      assert.deepEqual(await close(email.toLowerCase()).then(({ disabled }) => disabled), true)
      assert.equal(await people.isIn(browser), false)
      const visitor = people.visitor()
      const right = await visitor.logIn(email)
      assert.deepEqual([right.status, await people.isIn(visitor)], [403, false])
      const told = /<p class="notice[^>]*>.*?<\/p>/s
      assert.equal(told.exec(right.text)?.[0], told.exec(wrong.text)?.[0])
    })

    it('end logins that wait for a code', async () => {
      const { email, secret } = await people.withSecondFactor()
      const visitor = people.visitor()
      assert.equal((await visitor.logIn(email)).location, '/login/code')
      const csrf = hidden(await visitor.get('/login/code'), 'csrf')
      await close(email)
      const shown = await visitor.send('/login/code', { csrf, code: codeOf(secret) })
      assert.deepEqual([shown.location, await people.isIn(visitor)], ['/login', false])
    })

    it('end what programs were let do, also when they are opened again', async () => {
      const { email, browser } = await people.loggedIn()
      const { tokens } = await connect(people.server, program, browser)
      assert.equal(await profile(tokens.access_token), 200)
      await close(email)
      assert.equal(await profile(tokens.access_token), 401)
      await assert.rejects(refresh(people.server, program, tokens.refresh_token ?? ''), {
        error: 'invalid_grant',
      })
      await open(email)
      assert.equal(await profile(tokens.access_token), 401)
      assert.equal(await people.isIn(browser), false)
    })

    it('stay closed for what slipped in while they were being closed', async () => {
      const { id, email, browser } = await people.loggedIn()
      const { tokens } = await connect(people.server, program, browser)
      const { transactions } = people.server.running
      await close(email)
      const token = await transactions.write(async (tx) => {
        await tx.run(sql`UPDATE app_user SET disabled = NULL WHERE id = ${id}`)
        return beginSession(tx, id, 'full', '')
      })
      const late = people.visitor()
      late.cookies.set('gatehouse_session', token)
      assert.equal(await people.isIn(late), true)
      const again = await connect(people.server, program, late)
      assert.equal(await profile(again.tokens.access_token), 200)
      await transactions.write((tx) => tx.run(sql`UPDATE app_user SET disabled = ${tx.now} WHERE id = ${id}`))
      assert.deepEqual([await people.isIn(late), await profile(again.tokens.access_token)], [false, 401])
      await open(email)
      assert.deepEqual([await people.isIn(late), await profile(again.tokens.access_token)], [false, 401])
      assert.equal(await profile(tokens.access_token), 401)
    })

    it('have no way in by a link, of before or of now', async () => {
      const { email } = await people.somebody()
      const visitor = people.visitor()
      await visitor.fill('/password/forgotten', { email })
      const { pathname, search } = new URL(await people.mailedLink(email))
      assert.equal((await visitor.get(pathname + search)).status, 200)
      await close(email)
      assert.equal((await visitor.get(pathname + search)).status, 404)
      const { email: other } = await people.somebody()
      await close(other)
      await visitor.fill('/password/forgotten', { email: other })
      assert.equal(await people.mailedLink(other), '')
      await open(email)
      assert.equal((await visitor.get(pathname + search)).status, 404)
      const refused = (cause: { body?: { detail?: string } }) =>
        /closed.*user enable/.test(cause.body?.detail ?? '')
      await assert.rejects(
        people.server.running.transactions.write((tx) => setPassword(tx, other, 'hash', false)),
        refused,
      )
    })

    it('stay in their teams, and let in again whoever they belong to once they are opened', async () => {
      const { id, email } = await people.somebody()
      const { database } = people.server.running.transactions
      const team = await database.get<{ team: number }>(
        sql`SELECT team FROM team_member WHERE "user" = ${id}`,
      )
      await close(email)
      await close(email)
      const path = `${people.server.org}/teams/${team?.team}/members/${id}/`
      assert.equal((await people.server.call('GET', path)).status, 200)
      await open(email)
      assert.equal((await people.visitor().logIn(email)).location, '/account/')
      const trail = await database.all<{ action: string; actor_kind: string }>(
        sql`SELECT action, actor_kind FROM audit WHERE resource = 'app_user' AND row_id = ${id} ORDER BY id`,
      )
      assert.deepEqual(
        trail.map(({ actor_kind, action }) => `${actor_kind} ${action.replace('ticketsvc.user.', '')}`),
        ['command disabled', 'command enabled', 'user login'],
      )
    })
  })
