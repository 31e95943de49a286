import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { forgetOldSignIns } from '../../../server/services/accounts/expired-sign-ins.ts'
import { openPeople, type People } from '../../routes/accounts/users-server.ts'
import { engines } from '../../support/engines/engines.ts'
import { addProgram, answerConsent, authorizePath, connect, refresh } from '../../support/servers/oauth.ts'

for (const engine of engines)
  describe(`what nobody can get in with any more, on ${engine.name}`, () => {
    let people: People

    before(async () => {
      people = await openPeople(await engine.open())
    })
    after(() => people.server.close())

    const inHours = (hours: number): string =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replace('Z', '000Z')

    it('is forgotten, and nothing else', async () => {
      const { transactions } = people.server.running
      const { database } = transactions
      const { id, email, browser } = await people.loggedIn()
      const program = await addProgram(people.server, id)
      const { tokens } = await connect(people.server, program, browser)
      await answerConsent(browser, await authorizePath(program))
      await people.visitor().fill('/password/forgotten', { email })
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
      const next = await refresh(people.server, program, tokens.refresh_token ?? '')
      const me = await people.server.call('GET', '/api/v1/me', undefined, {
        Authorization: `Bearer ${next.access_token}`,
      })
      assert.equal(me.status, 200)
    })
  })
