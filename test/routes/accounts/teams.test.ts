import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { instantOf } from '../../../server/env.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { acceptInvitation, findInvitation } from '../../../server/services/accounts/team-invites.ts'
import { isBrokenToken, teamTokenText } from '../../../server/services/codes/secrets.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('teams', () => {
  let server: TestServer
  const ask = asking(() => server)
  const teams = () => `${server.org}/teams/`
  const make = async (body = {}) => Number((await ask('POST', teams(), 201, { name: 'Door', ...body })).id)
  const stored = (id: unknown) =>
    server.running.transactions.database.get<{ token_hash: string }>(
      sql`SELECT token_hash FROM team_token WHERE id = ${Number(id)}`,
    )
  let nobody: number

  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write(async (tx) => {
      nobody = tx.nextId()
      for (const [id, email, name] of [
        [nobody, 'Ada@example.org', 'Ada'],
        [tx.nextId(), 'zoe@example.org', null],
      ] as const)
        await tx.run(
          sql`INSERT INTO app_user (id, email, email_key, password_hash, fullname, locale, timezone, is_staff, created)
              VALUES (${id}, ${email}, ${email.toLowerCase()}, '', ${name}, 'en', 'UTC', 0, ${tx.now})`,
        )
    })
  })
  after(() => server.close())

  describe('have tokens', () => {
    it('which are shown once and stored as a hash', async () => {
      const path = `${teams()}${await make({ all_events: true })}/tokens/`
      const token = await ask('POST', path, 201, { name: 'Till' })
      assert.match(String(token.token), /^gatehouse_team_[a-z0-9]{60}[0-9a-f]{8}$/)
      assert.deepEqual(Object.keys(token).sort(), ['active', 'id', 'name', 'token'])
      assert.match((await stored(token.id))?.token_hash ?? '', /^[0-9a-f]{64}$/)
      assert.notEqual((await stored(token.id))?.token_hash, token.token)
      const seen = { id: token.id, name: 'Till', active: true }
      assert.deepEqual((await ask('GET', path, 200)).results, [seen])
      assert.deepEqual(await ask('GET', `${path}${token.id}/`, 200), seen)
      const allowed = await ask('GET', `${server.org}/events/`, 200, undefined, `Token ${token.token}`)
      assert.equal(allowed.count, 1)
    })

    it('which can be disabled, and never enabled again', async () => {
      const path = `${teams()}${await make()}/tokens/`
      const { id, token } = await ask('POST', path, 201, { name: 'Till' })
      const disabled = { id, name: 'Till', active: false }
      assert.deepEqual(await ask('DELETE', `${path}${id}/`, 200), disabled)
      assert.deepEqual(await ask('DELETE', `${path}${id}/`, 200), disabled)
      await ask('GET', `${server.org}/`, 401, undefined, `Token ${token}`)
      for (const method of ['PATCH', 'PUT']) await ask(method, `${path}${id}/`, 405, { active: true })
      assert.deepEqual(await ask('GET', `${path}${id}/`, 200), disabled)
    })

    it('which are listed by their names', async () => {
      const path = `${teams()}${await make()}/tokens/`
      for (const name of ['b', 'c', 'a']) await ask('POST', path, 201, { name })
      assert.deepEqual(valuesOf(await ask('GET', path, 200), 'name'), ['a', 'b', 'c'])
      assert.deepEqual(Object.keys(await ask('POST', path, 400, { name: '' })), ['name'])
    })

    it('which are not found in another team, nor in one that does not exist', async () => {
      const [one, other] = [await make(), await make()]
      const { id } = await ask('POST', `${teams()}${one}/tokens/`, 201, { name: 'Till' })
      for (const method of ['GET', 'DELETE']) {
        await ask(method, `${teams()}${other}/tokens/${id}/`, 404)
        await ask(method, `${teams()}99999999/tokens/${id}/`, 404)
      }
      await ask('GET', `${teams()}99999999/tokens/`, 404)
      await ask('POST', `${teams()}99999999/tokens/`, 404, { name: 'Till' })
    })

    it('which go with the team', async () => {
      const id = await make()
      const { token } = await ask('POST', `${teams()}${id}/tokens/`, 201, { name: 'Till' })
      await ask('DELETE', `${teams()}${id}/`, 204)
      await ask('GET', `${server.org}/`, 401, undefined, `Token ${token}`)
    })
  })

  describe('have members', () => {
    it('who are added by the address of their account, whatever its case', async () => {
      const path = `${teams()}${await make()}/`
      assert.deepEqual(await ask('POST', `${path}invites/`, 201, { email: 'ADA@example.org' }), {
        email: 'ADA@example.org',
      })
      await ask('POST', `${path}invites/`, 201, { email: 'zoe@example.org' })
      const ada = { id: nobody, email: 'Ada@example.org', fullname: 'Ada', require_2fa: false }
      const members = await ask('GET', `${path}members/`, 200)
      assert.deepEqual(valuesOf(members, 'email'), ['Ada@example.org', 'zoe@example.org'])
      assert.deepEqual(await ask('GET', `${path}members/${nobody}/`, 200), ada)
      const again = await ask('POST', `${path}invites/`, 400, { email: 'ada@example.org' })
      assert.ok(Array.isArray(again) && again.length === 1)
    })

    it('who can be taken out again', async () => {
      const path = `${teams()}${await make()}/`
      await ask('POST', `${path}invites/`, 201, { email: 'ada@example.org' })
      await ask('DELETE', `${path}members/${nobody}/`, 204)
      await ask('DELETE', `${path}members/${nobody}/`, 404)
      assert.equal((await ask('GET', `${path}members/`, 200)).count, 0)
    })

    it('who have a second factor or not', async () => {
      const path = `${teams()}${await make()}/`
      await ask('POST', `${path}invites/`, 201, { email: 'ada@example.org' })
      const { database } = server.running.transactions
      await database.run(sql`UPDATE app_user SET totp_secret = 'x' WHERE id = ${nobody}`)
      assert.equal((await ask('GET', `${path}members/${nobody}/`, 200)).require_2fa, true)
      await database.run(sql`UPDATE app_user SET totp_secret = NULL WHERE id = ${nobody}`)
    })

    it('who are not looked for in a team that does not exist', async () => {
      for (const path of ['members/', `members/${nobody}/`, 'invites/', 'invites/1/'])
        await ask('GET', `${teams()}99999999/${path}`, 404)
      await ask('POST', `${teams()}99999999/invites/`, 404, { email: 'ada@example.org' })
      await ask('DELETE', `${teams()}99999999/members/${nobody}/`, 404)
    })
  })

  describe('have invitations', () => {
    interface Mailed {
      readonly recipient: string
      readonly text: string
    }
    const mails = () =>
      server.running.transactions.database.all<Mailed>(
        sql`SELECT "recipient", "text" FROM mail WHERE "template" = 'team_invitation' ORDER BY id`,
      )
    const now = () => instantOf(Date.now())

    it('for those without an account, mailed with a link that lets them in once', async () => {
      const team = await make({ name: 'Night shift' })
      const path = `${teams()}${team}/invites/`
      const { id, ...rest } = await ask('POST', path, 201, { email: 'New@example.org' })
      assert.deepEqual(rest, { email: 'New@example.org' })
      assert.deepEqual((await ask('GET', path, 200)).results, [{ id, email: 'New@example.org' }])
      assert.deepEqual(await ask('GET', `${path}${id}/`, 200), { id, email: 'New@example.org' })
      const mail = (await mails()).at(-1)
      assert.equal(mail?.recipient, 'New@example.org')
      assert.match(mail?.text ?? '', /Night shift/)
      const token = /invitation#token=([a-z0-9]{64})/.exec(mail?.text ?? '')?.[1] ?? ''
      const { database, write } = server.running.transactions
      const seen = await findInvitation(database, token, now())
      assert.deepEqual([seen?.email, seen?.teamName], ['New@example.org', 'Night shift'])
      const accept = () => write((tx) => acceptInvitation(tx, token, { id: nobody, actor: commandActor }))
      assert.deepEqual([await accept(), await accept()], [true, false])
      assert.equal((await ask('GET', path, 200)).count, 0)
      assert.deepEqual(valuesOf(await ask('GET', `${teams()}${team}/members/`, 200), 'id'), [nobody])
    })

    it('which are not sent twice, but again once they cannot be accepted any more', async () => {
      const path = `${teams()}${await make()}/invites/`
      const { id } = await ask('POST', path, 201, { email: 'again@example.org' })
      const refused = await ask('POST', path, 400, { email: 'AGAIN@example.org' })
      assert.ok(Array.isArray(refused) && refused.length === 1)
      await server.running.transactions.database.run(
        sql`UPDATE team_invite SET expires = '2020-01-01T00:00:00.000000Z' WHERE id = ${Number(id)}`,
      )
      assert.notEqual((await ask('POST', path, 201, { email: 'again@example.org' })).id, id)
      assert.deepEqual(Object.keys(await ask('POST', path, 400, { email: 'nobody' })), ['email'])
    })

    it('which can be taken back, and are not found in another team', async () => {
      const [path, other] = [`${teams()}${await make()}/invites/`, `${teams()}${await make()}/invites/`]
      const { id } = await ask('POST', path, 201, { email: 'back@example.org' })
      for (const method of ['GET', 'DELETE']) await ask(method, `${other}${id}/`, 404)
      const token = /token=([a-z0-9]{64})/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? ''
      await ask('DELETE', `${path}${id}/`, 204)
      await ask('DELETE', `${path}${id}/`, 404)
      assert.equal(await findInvitation(server.running.transactions.database, token, now()), undefined)
    })
  })

  it('refuse a token that was mistyped or cut without looking for it', () => {
    const text = teamTokenText((count) => new Uint8Array(count).fill(7))
    assert.equal(isBrokenToken(text), false)
    assert.equal(isBrokenToken('some old token'), false)
    for (const broken of [text.slice(0, -1), text.replace('hhh', 'hih'), `${text}0`, 'gatehouse_team_'])
      assert.equal(isBrokenToken(broken), true, broken)
  })
})
