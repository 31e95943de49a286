import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'
import sql from 'sql-template-tag'
import {
  addProgram,
  answerConsent,
  authorizePath,
  cameBack,
  connect,
  issuerOf,
  type Program,
} from '../../support/servers/oauth.ts'
import { addEvent, addOrganizer, allRights } from '../../support/servers/servers.ts'
import { addToTeam, hidden, type Visitor } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('the consent of users', () => {
  let users: UsersServer
  let zenith: number
  let person: { id: number; email: string; browser: Visitor }
  let program: Program
  let open: Program

  before(async () => {
    users = await openUsersServer()
    zenith = await users.server.running.transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'zenith')
      await addEvent(tx, organizer, 'expo')
      return organizer
    })
    person = await users.loggedIn()
    await users.server.running.transactions.write((tx) => addToTeam(tx, zenith, person.id, allRights))
    program = await addProgram(users.server, person.id, {
      redirectUris: ['https://app.example/callback?kept=1', 'https://app.example/other'],
    })
    open = await addProgram(users.server, person.id, {
      isPublic: true,
      redirectUris: ['http://127.0.0.1:9/back'],
    })
  })
  after(() => users.server.close())

  const statusWith = async (token: string, path: string, method = 'GET', body?: unknown) =>
    (await users.server.call(method, path, body, { Authorization: `Bearer ${token}` })).status

  it('asks somebody who is not logged in to log in first, and goes on to the question', async () => {
    const path = await authorizePath(program)
    const browser = users.visitor()
    const asked = await browser.get(path)
    assert.equal(asked.location, `/login?next=${encodeURIComponent(path)}`)
    const page = await browser.get(asked.location)
    assert.match(page.text, /Log in to go on to Badge printer/)
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/app\.example;/,
    )
    const inside = await browser.logIn(person.email, hidden(page, 'next'))
    assert.equal(inside.location, path)
    assert.match((await browser.get(inside.location)).text, /Connect Badge printer\?/)
  })

  it('tells who asks for what, where, and who made it', async () => {
    const { text, headers } = await person.browser.get(
      await authorizePath(program, { scope: 'read profile' }),
    )
    assert.match(text, /This lasts until you stop it/)
    assert.match(text, /Read everything that you may see/)
    assert.match(text, /See your name, e-mail address/)
    assert.doesNotMatch(text, /Change everything/)
    for (const word of ['acme', 'zenith', person.email, 'https://app.example/callback?kept=1'])
      assert.ok(text.includes(word), word)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })

  it('comes back with the code and the state, and what the address had before', async () => {
    const back = cameBack(
      await answerConsent(person.browser, await authorizePath(program, { state: 'a b&c' })),
    )
    assert.equal(back.origin + back.pathname, 'https://app.example/callback')
    assert.deepEqual([back.searchParams.get('kept'), back.searchParams.get('state')], ['1', 'a b&c'])
    assert.match(back.searchParams.get('code') ?? '', /^[a-z0-9]{48}$/)
  })

  it('comes back with a refusal when somebody denies', async () => {
    const back = cameBack(await answerConsent(person.browser, await authorizePath(program), 'deny'))
    assert.deepEqual(
      [back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('code')],
      ['access_denied', 'the-state', null],
    )
  })

  it('sends nobody to an address that the program has not registered, letter by letter', async () => {
    for (const redirect_uri of [
      'https://evil.example/',
      'https://app.example/callback',
      'https://app.example/callback?kept=1&more=1',
      'https://app.example/other/',
      'https://app.example/OTHER',
      'HTTPS://app.example/other',
      'https://app.example/other#x',
      'https://app.example:443/other',
      'https://app.example/./other',
      'https://app.example@evil.example/other',
      'javascript:alert(1)',
      '',
    ]) {
      const path = await authorizePath(program, { extra: { redirect_uri } })
      const shown = await person.browser.get(path)
      assert.deepEqual([shown.status, shown.location], [400, ''], redirect_uri)
      const csrf = hidden(await person.browser.get('/account/'), 'csrf')
      const sent = await person.browser.send(path, { csrf, allow: 'yes', organizers: String(zenith) })
      assert.deepEqual([sent.status, sent.location], [400, ''], redirect_uri)
    }
    const twice = `${await authorizePath(program)}&redirect_uri=https%3A%2F%2Fevil.example%2F`
    assert.deepEqual(
      [(await person.browser.get(twice)).status, (await person.browser.get(twice)).location],
      [400, ''],
    )
    const other = await person.browser.get(
      await authorizePath(program, { extra: { redirect_uri: 'https://app.example/other' } }),
    )
    assert.equal(other.status, 200)
  })

  it('sends nobody away who is not logged in, and for no unknown program', async () => {
    const bad = await authorizePath(program, { scope: 'everything' })
    assert.match((await users.visitor().get(bad)).location, /^\/login\?next=/)
    assert.equal(
      (await person.browser.get(await authorizePath(program, { extra: { client_id: 'nobody' } }))).status,
      400,
    )
  })

  it('sends a program back that asks for what there is not', async () => {
    const errorFor = async (wish: Parameters<typeof authorizePath>[1], of = program) =>
      new URL((await person.browser.get(await authorizePath(of, wish))).location).searchParams.get('error')
    assert.equal(await errorFor({ scope: 'read everything' }), 'invalid_scope')
    assert.equal(await errorFor({ extra: { response_type: 'token' } }), 'unsupported_response_type')
    assert.equal(await errorFor({ extra: { response_type: '' } }), 'unsupported_response_type')
    assert.equal(
      await errorFor({ extra: { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' } }),
      'invalid_request',
    )
    assert.equal(await errorFor({ extra: { code_challenge: 'x'.repeat(43) } }), 'invalid_request')
    assert.equal(
      await errorFor({ extra: { code_challenge: 'short', code_challenge_method: 'S256' } }),
      'invalid_request',
    )
    assert.equal(await errorFor({}, open), 'invalid_request')
    const verifier = oauth.generateRandomCodeVerifier()
    assert.equal((await person.browser.get(await authorizePath(open, { verifier }))).status, 200)
  })

  it('takes no consent from a page of another site', async () => {
    const path = await authorizePath(program)
    const csrf = hidden(await person.browser.get(path), 'csrf')
    const form = { csrf, allow: 'yes', organizers: String(zenith) }
    for (const [fields, headers] of [
      [{ ...form, csrf: '' }, {}],
      [{ ...form, csrf: hidden(await users.visitor().get('/login'), 'csrf') }, {}],
      [form, { Origin: 'https://app.example' }],
      [form, { 'Sec-Fetch-Site': 'cross-site' }],
    ] as const) {
      const shown = await person.browser.send(path, fields, headers)
      assert.deepEqual([shown.status, shown.location], [403, ''])
    }
  })

  it('asks again only when it must', async () => {
    const automatic = { isAutomatic: true, scope: 'read' }
    const fresh = await addProgram(users.server, person.id)
    const asked = async (wish: Parameters<typeof authorizePath>[1], of = fresh) =>
      (await person.browser.get(await authorizePath(of, wish))).status === 200
    assert.equal(await asked(automatic), true)
    await answerConsent(person.browser, await authorizePath(fresh, automatic))
    assert.equal(await asked(automatic), true, 'the code has not been exchanged')
    const { tokens } = await connect(users.server, fresh, person.browser, {
      scope: 'read',
      organizers: [zenith],
    })
    assert.equal(await asked(automatic), false)
    assert.equal(await asked({ ...automatic, isAutomatic: false }), true)
    assert.equal(await asked({ ...automatic, scope: 'read write' }), true)
    // What was chosen before holds for the answer that was not asked for.
    const verifier = oauth.generateRandomCodeVerifier()
    const back = cameBack(await person.browser.get(await authorizePath(fresh, { ...automatic, verifier })))
    const answer = await oauth.authorizationCodeGrantRequest(
      issuerOf(users.server),
      fresh.client,
      fresh.auth,
      oauth.validateAuthResponse(issuerOf(users.server), fresh.client, back, 'the-state'),
      fresh.redirectUri,
      verifier,
      { [oauth.allowInsecureRequests]: true },
    )
    const again = await oauth.processAuthorizationCodeResponse(issuerOf(users.server), fresh.client, answer)
    assert.equal(await statusWith(again.access_token, '/api/v1/organizers/zenith/'), 200)
    assert.equal(await statusWith(again.access_token, '/api/v1/organizers/acme/'), 403)
    assert.equal(await statusWith(tokens.access_token, '/api/v1/organizers/zenith/'), 200)
    await person.browser.fill('/account/applications/', {}, `/account/authorizations/${fresh.id}`)
    assert.deepEqual(
      [
        await statusWith(again.access_token, '/api/v1/me'),
        await statusWith(tokens.access_token, '/api/v1/me'),
      ],
      [401, 401],
    )
    assert.equal(await asked(automatic), true)
    const wish = { ...automatic, verifier: oauth.generateRandomCodeVerifier() }
    await connect(users.server, open, person.browser, { scope: 'read' })
    assert.equal(await asked(wish, open), true, 'a program without a secret can be anybody')
  })

  it('needs a choice of organizers, and takes only those of the person', async () => {
    const path = await authorizePath(program)
    const foreign = await users.server.running.transactions.write((tx) =>
      addOrganizer(tx, `foreign${Date.now()}`),
    )
    for (const organizers of [[], [foreign], [0]]) {
      const shown = await answerConsent(person.browser, path, 'allow', organizers)
      assert.equal(shown.status, 400)
      assert.match(shown.text, /Choose at least one organizer/)
    }
    const { tokens } = await connect(users.server, program, person.browser, {
      organizers: [zenith, foreign],
    })
    const { results } = (
      await users.server.call('GET', '/api/v1/organizers/', undefined, {
        Authorization: `Bearer ${tokens.access_token}`,
      })
    ).body as { results: { slug: string }[] }
    assert.deepEqual(
      results.map(({ slug }) => slug),
      ['zenith'],
    )
  })

  it('lets a profile be seen without any organizer', async () => {
    const path = await authorizePath(program, { scope: 'profile' })
    assert.doesNotMatch((await person.browser.get(path)).text, /name="organizers"/)
    const { tokens } = await connect(users.server, program, person.browser, { scope: 'profile' })
    assert.equal(tokens.scope, 'profile')
    assert.deepEqual(
      await Promise.all(
        ['/api/v1/me', '/api/v1/organizers/', '/api/v1/organizers/acme/', '/api/v1/version'].map((one) =>
          statusWith(tokens.access_token, one),
        ),
      ),
      [200, 403, 403, 200],
    )
  })

  it('keeps programs to reading or changing, as they were allowed', async () => {
    const { ev } = users.server
    const body = { name: { en: 'Drinks' } }
    const reading = (await connect(users.server, program, person.browser, { scope: 'read' })).tokens
      .access_token
    assert.equal(await statusWith(reading, `${ev}/categories/`), 200)
    assert.equal(await statusWith(reading, `${ev}/categories/`, 'POST', body), 403)
    assert.equal(await statusWith(reading, `${ev}/categories/1/`, 'DELETE'), 403)
    const writing = (await connect(users.server, program, person.browser, { scope: 'write' })).tokens
      .access_token
    assert.equal(await statusWith(writing, `${ev}/categories/`), 403)
    assert.equal(await statusWith(writing, `${ev}/categories/`, 'POST', body), 201)
  })

  it('gives a program what the person may do at each event, and no more', async () => {
    const { server } = users
    const somebody = await users.somebody()
    await server.running.transactions.write(async (tx) => {
      await tx.run(sql`DELETE FROM team_member WHERE "user" = ${somebody.id}`)
      await addEvent(tx, server.organizer, 'fete')
      await addEvent(tx, server.organizer, 'hidden')
      const { organizer } = server
      await addToTeam(tx, organizer, somebody.id, {
        limit_events: ['gala'],
        can_change_items: true,
        can_view_orders: true,
      })
      await addToTeam(tx, organizer, somebody.id, {
        limit_events: ['fete'],
        can_view_vouchers: true,
        can_manage_gift_cards: true,
        can_checkin_orders: true,
      })
    })
    const browser = users.visitor()
    await browser.logIn(somebody.email)
    const { tokens } = await connect(server, program, browser)
    const at = (path: string, method = 'GET', body?: unknown) =>
      statusWith(tokens.access_token, `${server.org}/${path}`, method, body)
    const body = { name: { en: 'Drinks' } }
    assert.deepEqual(
      {
        galaItems: await at('events/gala/categories/', 'POST', body),
        feteItems: await at('events/fete/categories/', 'POST', body),
        galaVouchers: await at('events/gala/vouchers/'),
        feteVouchers: await at('events/fete/vouchers/'),
        galaOrders: await at('events/gala/orders/'),
        feteOrders: await at('events/fete/orders/'),
        hidden: await at('events/hidden/'),
        unknown: await at('events/unknown/'),
        giftCards: await at('giftcards/'),
        teams: await at('teams/'),
      },
      {
        galaItems: 201,
        feteItems: 403,
        galaVouchers: 403,
        feteVouchers: 200,
        galaOrders: 200,
        feteOrders: 403,
        hidden: 403,
        unknown: 403,
        giftCards: 200,
        teams: 403,
      },
    )
    const { results } = (
      await server.call('GET', `${server.org}/events/`, undefined, {
        Authorization: `Bearer ${tokens.access_token}`,
      })
    ).body as { results: { slug: string }[] }
    assert.deepEqual(results.map(({ slug }) => slug).toSorted(), ['fete', 'gala'])
    await server.running.transactions.database.run(sql`DELETE FROM team_member WHERE "user" = ${somebody.id}`)
    assert.equal(await at('events/gala/'), 403)
    assert.equal(await statusWith(tokens.access_token, '/api/v1/me'), 200)
  })

  it('lets the person into an event that a program makes for them', async () => {
    const { server } = users
    const somebody = await users.somebody()
    await server.running.transactions.write(async (tx) => {
      await tx.run(sql`DELETE FROM team_member WHERE "user" = ${somebody.id}`)
      await addToTeam(tx, server.organizer, somebody.id, { can_view_orders: true })
      await addToTeam(tx, server.organizer, somebody.id, {
        can_create_events: true,
        can_change_event_settings: true,
      })
    })
    const browser = users.visitor()
    await browser.logIn(somebody.email)
    const { tokens } = await connect(server, program, browser)
    const event = {
      name: { en: 'Own' },
      slug: 'own',
      currency: 'EUR',
      date_from: '2031-01-01T10:00:00Z',
      live: false,
      testmode: false,
      is_public: true,
      has_subevents: false,
      timezone: 'UTC',
    }
    const own = `${server.org}/events/`
    assert.equal(await statusWith(tokens.access_token, own, 'POST', event), 201)
    assert.equal(await statusWith(tokens.access_token, `${own}own/`, 'PATCH', { name: { en: 'Mine' } }), 200)
    assert.equal(await statusWith(tokens.access_token, `${own}own/orders/`), 403)
  })

  it('is asked for again when the login has ended meanwhile', async () => {
    const { email, browser } = await users.loggedIn()
    const path = await authorizePath(program)
    const csrf = hidden(await browser.get(path), 'csrf')
    await users.server.running.transactions.database.run(sql`DELETE FROM user_session`)
    const shown = await browser.send(path, {
      csrf,
      allow: 'yes',
      organizers: String(users.server.organizer),
    })
    assert.equal(shown.location, `/login?next=${encodeURIComponent(path)}`)
    assert.equal((await browser.logIn(email, path)).location, path)
    await person.browser.logIn(person.email)
  })
})
