import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { forgetOldSignIns } from '../../../server/services/accounts/expired-sign-ins.ts'
import { openUsersServer, type UsersServer } from '../../routes/accounts/users-server.ts'
import { engines } from '../../support/engines/engines.ts'
import { addProgram, answerConsent, authorizePath, connect, refresh } from '../../support/servers/oauth.ts'

for (const engine of engines)
  describe(`what nobody can get in with any more, on ${engine.name}`, () => {
    let users: UsersServer

    before(async () => {
      users = await openUsersServer(await engine.open())
    })
    after(() => users.server.close())

    const inHours = (hours: number): string =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replace('Z', '000Z')

    it('is forgotten, and nothing else', async () => {
      const { transactions } = users.server.running
      const { database } = transactions
      const { id, email, browser } = await users.loggedIn()
      const program = await addProgram(users.server, id)
      const { tokens } = await connect(users.server, program, browser)
      await answerConsent(browser, await authorizePath(program))
      await users.visitor().fill('/password/forgotten', { email })
      const counts = async () => {
        const found = await Promise.all([
          database.get<{ n: number }>(sql`SELECT count(*) AS n FROM user_session`),
          database.get<{ n: number }>(sql`SELECT count(*) AS n FROM password_reset`),
          database.get<{ n: number }>(sql`SELECT count(*) AS n FROM oauth_code`),
          database.get<{ n: number }>(sql`SELECT count(*) AS n FROM oauth_token`),
          database.get<{ n: number }>(sql`SELECT count(*) AS n FROM oauth_grant`),
        ])
        return found.map((row) => Number(row?.n))
      }
      assert.deepEqual(await counts(), [1, 1, 2, 2, 2])
      await forgetOldSignIns(transactions, inHours(0.5))
      assert.deepEqual(await counts(), [1, 1, 2, 2, 2])
      await forgetOldSignIns(transactions, inHours(4))
      assert.deepEqual(await counts(), [0, 0, 2, 2, 2])
      await forgetOldSignIns(transactions, inHours(25))
      assert.deepEqual(await counts(), [0, 0, 0, 1, 1], 'the consent with a refresh token stands')
      const rest = await database.get<{ n: number }>(sql`SELECT count(*) AS n FROM sign_in_attempt`)
      assert.equal(Number(rest?.n), 0)
      const next = await refresh(users.server, program, tokens.refresh_token ?? '')
      const me = await users.server.call('GET', '/api/v1/me', undefined, {
        Authorization: `Bearer ${next.access_token}`,
      })
      assert.equal(me.status, 200)
    })
  })
