import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import {
  addProgram,
  answerConsent,
  authorizePath,
  cameBack,
  connect,
  issuerOf,
  type Program,
  plain,
  refresh,
} from '../../support/servers/oauth.ts'
import type { Visitor } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

for (const engine of engines)
  describe(`programs that act for users, on ${engine.name}`, () => {
    let users: UsersServer
    let person: { id: number; email: string; browser: Visitor }
    let program: Program
    let open: Program
    let stranger: Program

    before(async () => {
      users = await openUsersServer(await engine.open())
      person = await users.loggedIn()
      const maker = await users.somebody()
      program = await addProgram(users.server, maker.id)
      open = await addProgram(users.server, maker.id, {
        isPublic: true,
        redirectUris: ['com.example.app:/back'],
      })
      stranger = await addProgram(users.server, maker.id, { redirectUris: ['https://evil.example/'] })
    })
    after(() => users.server.close())

    const statusWith = async (token: string, path = '/api/v1/me', method = 'GET'): Promise<number> =>
      (await users.server.call(method, path, undefined, { Authorization: `Bearer ${token}` })).status

    /** What the token endpoint answers to a form. */
    async function askForTokens(form: Record<string, string>, by: Program | null = program) {
      const basic = by ? { Authorization: `Basic ${btoa(`${by.client.client_id}:${by.secret ?? ''}`)}` } : {}
      const answer = await fetch(`${users.server.url}/api/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: basic as Record<string, string>,
      })
      return {
        status: answer.status,
        body: (await answer.json()) as Record<string, unknown>,
        headers: answer.headers,
      }
    }

    /** A code that waits to be exchanged. */
    async function aCode(of = program, verifier = oauth.generateRandomCodeVerifier()) {
      const path = await authorizePath(of, { verifier })
      const back = cameBack(await answerConsent(person.browser, path))
      return { code: back.searchParams.get('code') ?? '', verifier }
    }

    const exchange = (
      { code, verifier }: { code: string; verifier: string },
      by = program,
      redirect = by.redirectUri,
    ) =>
      askForTokens(
        { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier },
        by,
      )

    it('leads an independent library to tokens, as the contract says', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      assert.deepEqual(
        { ...tokens, access_token: '', refresh_token: '' },
        { access_token: '', expires_in: 86400, token_type: 'bearer', scope: 'read write', refresh_token: '' },
      )
      const me = await users.server.call('GET', '/api/v1/me', undefined, {
        Authorization: `Bearer ${tokens.access_token}`,
      })
      assert.deepEqual(me.body, {
        email: person.email,
        fullname: 'Ada Lovelace',
        locale: 'en',
        is_staff: false,
        timezone: 'Europe/Berlin',
      })
      assert.equal(await statusWith(tokens.access_token, `${users.server.ev}/`), 200)
    })

    it('answers tokens the way the protocol asks', async () => {
      const { status, body, headers } = await exchange(await aCode())
      assert.equal(status, 200)
      assert.equal(body.token_type, 'Bearer')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.deepEqual(Object.keys(body).toSorted(), [
        'access_token',
        'expires_in',
        'refresh_token',
        'scope',
        'token_type',
      ])
    })

    it('keeps the refresh token of a program with a secret, and ends the access token before', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      const first = tokens.refresh_token ?? ''
      const next = await refresh(users.server, program, first)
      assert.equal(next.refresh_token, first)
      assert.deepEqual(
        [await statusWith(tokens.access_token), await statusWith(next.access_token)],
        [401, 200],
      )
    })

    it('lets exactly one access token live when many are asked for at once', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      const all = await Promise.all(
        Array.from({ length: 5 }, () => refresh(users.server, program, tokens.refresh_token ?? '')),
      )
      const statuses = await Promise.all(all.map(({ access_token }) => statusWith(access_token)))
      assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401, 401])
    })

    it('gives fewer scopes where a program asks for fewer, and never more', async () => {
      const { tokens } = await connect(users.server, program, person.browser, { scope: 'read write' })
      const token = tokens.refresh_token ?? ''
      const fewer = await askForTokens({ grant_type: 'refresh_token', refresh_token: token, scope: 'read' })
      assert.deepEqual([fewer.status, fewer.body.scope], [200, 'read'])
      const more = await askForTokens({
        grant_type: 'refresh_token',
        refresh_token: token,
        scope: 'read profile',
      })
      assert.deepEqual([more.status, more.body.error], [400, 'invalid_scope'])
      assert.equal((await refresh(users.server, program, token)).scope, 'read write')
    })

    it('revokes an access token alone, and with a refresh token both', async () => {
      const issuer = issuerOf(users.server)
      const { tokens } = await connect(users.server, program, person.browser)
      const end = async (token: string, by = program) =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(issuer, by.client, by.auth, token, plain),
        )
      await end(tokens.access_token)
      assert.equal(await statusWith(tokens.access_token), 401)
      const next = await refresh(users.server, program, tokens.refresh_token ?? '')
      await end(tokens.refresh_token ?? '')
      assert.equal(await statusWith(next.access_token), 401)
      await assert.rejects(refresh(users.server, program, tokens.refresh_token ?? ''), {
        error: 'invalid_grant',
      })
      await end('nobody-knows-this-token')
    })

    it('answers a revocation with nothing, also by GET, and only to those it knows', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      const path = `/api/v1/oauth/revoke_token?token=${tokens.access_token}`
      const Authorization = `Basic ${btoa(`${program.client.client_id}:${program.secret}`)}`
      assert.equal(
        (await users.server.call('GET', path, undefined, { Authorization: 'Basic eDp5' })).status,
        401,
      )
      assert.equal(await statusWith(tokens.access_token), 200)
      const answer = await users.server.call('GET', path, undefined, { Authorization })
      assert.deepEqual([answer.status, answer.body], [200, ''])
      assert.equal(await statusWith(tokens.access_token), 401)
    })

    it('ends everything that came of a code when it is shown twice', async () => {
      const one = await aCode()
      const first = await exchange(one)
      assert.equal(first.status, 200)
      const again = await exchange(one)
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
      assert.equal(await statusWith(String(first.body.access_token)), 401)
      const late = await askForTokens({
        grant_type: 'refresh_token',
        refresh_token: String(first.body.refresh_token),
      })
      assert.equal(late.body.error, 'invalid_grant')
    })

    it('gives tokens once when a code is shown many times at once', async () => {
      const one = await aCode()
      const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(one)))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400])
      const token = String(answers.find(({ status }) => status === 200)?.body.access_token)
      assert.equal(await statusWith(token), 401)
    })

    it('takes no code with another verifier, address or program, and none that is a minute old', async () => {
      const wrong: readonly ((one: {
        code: string
        verifier: string
      }) => Promise<{ status: number; body: Record<string, unknown> }>)[] = [
        (one) => exchange({ ...one, verifier: oauth.generateRandomCodeVerifier() }),
        (one) => exchange(one, program, 'https://app.example/callback/'),
        (one) => exchange(one, program, 'https://evil.example/'),
        (one) => exchange(one, stranger, program.redirectUri),
        ({ code }) =>
          askForTokens({ grant_type: 'authorization_code', code, redirect_uri: program.redirectUri }),
        ({ code, verifier }) =>
          askForTokens({ grant_type: 'authorization_code', code, code_verifier: verifier }),
      ]
      for (const [index, attack] of wrong.entries()) {
        const { status, body } = await attack(await aCode())
        assert.deepEqual(
          [status, body.error, body.access_token],
          [400, 'invalid_grant', undefined],
          `attack ${index}`,
        )
      }
      const old = await aCode()
      await users.server.running.transactions.database.run(sql`UPDATE oauth_code SET expires = '2000'`)
      assert.equal((await exchange(old)).body.error, 'invalid_grant')
    })

    it('uses a code up with a wrong verifier, so that nobody can try another', async () => {
      const one = await aCode()
      assert.equal((await exchange({ ...one, verifier: oauth.generateRandomCodeVerifier() })).status, 400)
      assert.equal((await exchange(one)).body.error, 'invalid_grant')
    })

    it('takes no tokens of other programs', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
      assert.equal((await askForTokens(form, stranger)).body.error, 'invalid_grant')
      const issuer = issuerOf(users.server)
      await oauth.revocationRequest(issuer, stranger.client, stranger.auth, tokens.refresh_token ?? '', plain)
      await oauth.revocationRequest(issuer, stranger.client, stranger.auth, tokens.access_token, plain)
      assert.equal(await statusWith(tokens.access_token), 200)
      // One kind of token is not the other, and neither is a token of another scheme.
      assert.equal(await statusWith(tokens.refresh_token ?? ''), 401)
      for (const scheme of ['Token', 'Device']) {
        const headers = { Authorization: `${scheme} ${tokens.access_token}` }
        assert.equal((await users.server.call('GET', '/api/v1/version', undefined, headers)).status, 401)
      }
      assert.equal(await statusWith('all', '/api/v1/version'), 401)
      const asRefresh = { grant_type: 'refresh_token', refresh_token: tokens.access_token }
      assert.equal((await askForTokens(asRefresh)).body.error, 'invalid_grant')
    })

    it('knows programs by their secret', async () => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x' }
      const of = (secret: string | null, id = program.client.client_id): Program => ({
        ...program,
        client: { client_id: id },
        secret,
      })
      for (const by of [of('wrong'), of(''), of(open.secret), of(program.secret, 'nobody'), null]) {
        const { status, body, headers } = await askForTokens(form, by)
        assert.deepEqual([status, body.error], [401, 'invalid_client'], JSON.stringify(by))
        assert.match(headers.get('www-authenticate') ?? '', /^Basic/)
      }
      const inForm = await askForTokens(
        { ...form, client_id: program.client.client_id, client_secret: program.secret ?? '' },
        null,
      )
      assert.equal(inForm.body.error, 'invalid_grant')
    })

    it('refuses other flows, other bodies and what is said twice', async () => {
      for (const grant_type of ['password', 'client_credentials', 'implicit', 'constructor']) {
        const { status, body } = await askForTokens({ grant_type, username: person.email, password: 'x' })
        assert.deepEqual([status, body.access_token], [400, undefined], grant_type)
      }
      const headers = { Authorization: `Basic ${btoa(`${program.client.client_id}:${program.secret}`)}` }
      const url = `${users.server.url}/api/v1/oauth/token`
      const json = await fetch(url, {
        method: 'POST',
        body: '{}',
        headers: { ...headers, 'Content-Type': 'application/json' },
      })
      assert.deepEqual(
        [json.status, ((await json.json()) as { error: string }).error],
        [400, 'invalid_request'],
      )
      const one = await aCode()
      const twice = new URLSearchParams({
        grant_type: 'authorization_code',
        ...one,
        redirect_uri: program.redirectUri,
      })
      twice.append('code', one.code)
      const polluted = await fetch(url, { method: 'POST', body: twice, headers })
      assert.equal(((await polluted.json()) as { error: string }).error, 'invalid_request')
      assert.equal((await fetch(url)).status, 405)
    })

    it('stores no code, token or secret', async () => {
      const { tokens, code } = await connect(users.server, program, person.browser)
      const { database } = users.server.running.transactions
      const rows = await Promise.all([
        database.all(sql`SELECT * FROM oauth_application`),
        database.all(sql`SELECT * FROM oauth_grant`),
        database.all(sql`SELECT * FROM oauth_code`),
        database.all(sql`SELECT * FROM oauth_token`),
        database.all(sql`SELECT * FROM audit`),
      ])
      const dump = JSON.stringify(rows)
      for (const secret of [tokens.access_token, tokens.refresh_token, code, program.secret])
        assert.ok(secret && !dump.includes(secret))
      assert.ok(dump.includes(program.client.client_id))
    })

    it('ends access after a day', async () => {
      const { tokens } = await connect(users.server, program, person.browser)
      assert.equal(await statusWith(tokens.access_token), 200)
      await users.server.running.transactions.database.run(
        sql`UPDATE oauth_token SET expires = '2000' WHERE kind = 'access'`,
      )
      assert.equal(await statusWith(tokens.access_token), 401)
      const next = await refresh(users.server, program, tokens.refresh_token ?? '')
      assert.equal(await statusWith(next.access_token), 200)
    })

    describe('that can keep no secret', () => {
      it('get a new refresh token each time, the same one again only for a lost answer', async () => {
        const { tokens } = await connect(users.server, open, person.browser)
        const first = tokens.refresh_token ?? ''
        const second = await refresh(users.server, open, first)
        assert.notEqual(second.refresh_token, first)
        const lost = await refresh(users.server, open, first)
        assert.equal(lost.refresh_token, second.refresh_token)
        assert.deepEqual(
          [await statusWith(second.access_token), await statusWith(lost.access_token)],
          [401, 200],
        )
        const third = await refresh(users.server, open, second.refresh_token ?? '')
        assert.notEqual(third.refresh_token, second.refresh_token)
      })

      it('lose everything when an old refresh token is shown again', async () => {
        const { tokens } = await connect(users.server, open, person.browser)
        const first = tokens.refresh_token ?? ''
        const second = await refresh(users.server, open, first)
        const third = await refresh(users.server, open, second.refresh_token ?? '')
        await assert.rejects(refresh(users.server, open, first), { error: 'invalid_grant' })
        assert.equal(await statusWith(third.access_token), 401)
        await assert.rejects(refresh(users.server, open, third.refresh_token ?? ''), {
          error: 'invalid_grant',
        })
      })

      it('lose everything when the answer was lost too long ago', async () => {
        const { tokens } = await connect(users.server, open, person.browser)
        const first = tokens.refresh_token ?? ''
        const second = await refresh(users.server, open, first)
        await users.server.running.transactions.database.run(
          sql`UPDATE oauth_token SET ended = '2020-01-01T00:00:00.000000Z' WHERE ended IS NOT NULL`,
        )
        await assert.rejects(refresh(users.server, open, first), { error: 'invalid_grant' })
        assert.equal(await statusWith(second.access_token), 401)
      })

      it('get one successor when they ask many times at once', async () => {
        const { tokens } = await connect(users.server, open, person.browser)
        const all = await Promise.all(
          Array.from({ length: 5 }, () => refresh(users.server, open, tokens.refresh_token ?? '')),
        )
        assert.equal(new Set(all.map(({ refresh_token }) => refresh_token)).size, 1)
        const statuses = await Promise.all(all.map(({ access_token }) => statusWith(access_token)))
        assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401, 401])
      })

      it('must show that the code is theirs', async () => {
        const path = await authorizePath(open)
        const back = new URL((await person.browser.get(path)).location)
        assert.equal(back.searchParams.get('error'), 'invalid_request')
        const one = await aCode(open)
        const { status, body } = await askForTokens(
          {
            grant_type: 'authorization_code',
            code: one.code,
            redirect_uri: open.redirectUri,
            client_id: open.client.client_id,
          },
          null,
        )
        assert.deepEqual([status, body.error], [400, 'invalid_grant'])
      })
    })
  })
