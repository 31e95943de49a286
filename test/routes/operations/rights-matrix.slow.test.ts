import assert from 'node:assert/strict'
import { everyRoute, type Route } from '../../fixtures/every-route.ts'
import { description } from '../../support/servers/described.ts'
import { addBearer, addPerson } from '../../support/servers/persons.ts'
import {
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

/** Routes that ask for a credential, but not for one of a certain kind; and those that lie in an organizer or an event. */
const isForKind = ({ path }: Route): boolean =>
  path.startsWith('/api/v1/device/') || path === '/api/v1/me' || path.includes('/sync/')
const guarded = everyRoute.filter(({ needs }) => needs !== 'nothing')
const usual = guarded.filter((route) => !isForKind(route) && route.path.includes(':organizer'))
const inEvent = usual.filter(({ path }) => path.includes(':event'))

/** What anybody may ask, and what everybody may who has a credential. */
const withoutCredential = [
  'POST /api/v1/device/initialize',
  'POST /api/v1/oauth/token',
  'POST /api/v1/oauth/revoke_token',
  'GET /api/v1/oauth/revoke_token',
]
const withAnyCredential = [
  'GET /api/v1/version',
  'GET /api/v1/organizers/',
  'GET /api/v1/idempotency_query',
  'POST /api/v1/upload',
]

describe('the matrix of rights', () => {
  let server: TestServer
  let cases = 0

  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write(async (tx) => {
      const { organizer } = server
      const foreign = await addOrganizer(tx, 'zenith')
      await addToken(tx, foreign, 'foreign', allRights)
      const mighty = await addPerson(tx, 'mighty', organizer, allRights)
      const weak = await addPerson(tx, 'weak', organizer, { all_events: true })
      const elsewhere = await addPerson(tx, 'elsewhere', organizer, {
        ...allRights,
        all_events: false,
        limit_events: [],
      })
      await addBearer(tx, 'reads', mighty, ['read'], [organizer])
      await addBearer(tx, 'writes', mighty, ['read', 'write'], [organizer])
      await addBearer(tx, 'profile', mighty, ['profile'], [organizer])
      await addBearer(tx, 'not-chosen', mighty, ['read', 'write'], [])
      await addBearer(tx, 'old', mighty, ['read', 'write'], [organizer], '2020-01-01T00:00:00.000000Z')
      await addBearer(tx, 'weak', weak, ['read', 'write'], [organizer])
      await addBearer(tx, 'elsewhere', elsewhere, ['read', 'write'], [organizer])
    })
  })
  after(() => server.close())

  /** What a caller is answered; ids name nothing, so that nothing is changed. */
  async function ask(route: Route, authorization: string, organizer = 'acme', event = 'gala') {
    cases += 1
    const path = route.path
      .replace(':organizer', organizer)
      .replace(':event', event)
      .replace(/:(\w+)/g, '999999999')
    const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
    const { status, body: text } = await server.call(route.method, path, body, {
      Authorization: authorization,
    })
    return { status, text: JSON.stringify(text) }
  }

  async function expectAll(
    routes: readonly Route[],
    authorization: string,
    isRight: (status: number) => boolean,
  ): Promise<void> {
    assert.ok(routes.length > 0)
    const wrong: string[] = []
    for (const route of routes) {
      const { status } = await ask(route, authorization)
      if (!isRight(status)) wrong.push(`${route.method} ${route.path}: ${status}`)
    }
    assert.deepEqual(wrong, [])
  }

  const is = (wanted: number) => (status: number) => status === wanted
  const isAdmitted = (status: number) => status !== 401 && status !== 403 && status < 500

  it('gives 401 to tokens of programs that are unknown or too old', async () => {
    await expectAll(guarded, 'Bearer none', is(401))
    await expectAll(guarded, 'Bearer old', is(401))
  })

  it('lets a program read with the scope for that, and change nothing', async () => {
    await expectAll(
      usual.filter(({ method }) => method === 'GET'),
      'Bearer reads',
      isAdmitted,
    )
    await expectAll(
      usual.filter(({ method }) => method !== 'GET'),
      'Bearer reads',
      is(403),
    )
  })

  it('lets a program change things with the scope for that, where the person may', async () => {
    const changes = usual.filter(({ method }) => method !== 'GET')
    // Ids name nothing, except where the path ends in the event itself: that must stay for the rest.
    const harmless = changes.filter(({ path }) => !/events\/:event\/$/.test(path))
    await expectAll(harmless, 'Bearer writes', (status) => status !== 401 && status < 500)
    const needing = usual.filter(
      ({ needs }) => needs !== null && !(Array.isArray(needs) && needs.length === 0),
    )
    await expectAll(needing, 'Bearer weak', is(403))
  })

  it('gives 403 to a program that may only see who somebody is', async () => {
    await expectAll(usual, 'Bearer profile', is(403))
    assert.equal(
      (await ask({ method: 'GET', path: '/api/v1/me', needs: null }, 'Bearer profile')).status,
      200,
    )
  })

  it('gives 403 at organizers that the person did not choose, and at events that their teams do not cover', async () => {
    await expectAll(usual, 'Bearer not-chosen', is(403))
    await expectAll(inEvent, 'Bearer elsewhere', is(403))
  })

  for (const credential of ['Token foreign', 'Bearer not-chosen'])
    it(`does not let ${credential} tell what does not exist from what is not allowed`, async () => {
      const revealing: string[] = []
      for (const route of usual) {
        const [here, nowhere] = [await ask(route, credential), await ask(route, credential, 'nobody')]
        if (here.text !== nowhere.text || here.status !== nowhere.status)
          revealing.push(`${route.method} ${route.path}`)
      }
      assert.deepEqual(revealing, [])
    })

  it('does not let those who may not enter an event tell whether it exists', async () => {
    const revealing: string[] = []
    for (const route of inEvent) {
      const here = await ask(route, 'Bearer elsewhere')
      const nowhere = await ask(route, 'Bearer elsewhere', 'acme', 'nothing')
      if (here.text !== nowhere.text || here.status !== nowhere.status)
        revealing.push(`${route.method} ${route.path}`)
    }
    assert.deepEqual(revealing, [])
  })

  it('has every route of the description, and names those that need no credential', () => {
    const shown = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
      `${method} ${path.replace(/:\w+|\{\w+\}/g, '*')}`
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'parameters')
        .map((method) => shown({ method: method.toUpperCase(), path })),
    )
    assert.deepEqual(everyRoute.map(shown).toSorted(), described.toSorted())
    assert.deepEqual(everyRoute.filter(({ needs }) => needs === 'nothing').map(shown), withoutCredential)
    const outside = guarded.filter((route) => !isForKind(route) && !route.path.includes(':organizer'))
    assert.deepEqual(outside.map(shown), withAnyCredential)
  })

  it('has more than 1,500 cells', () => {
    assert.ok(cases > 1500, String(cases))
  })
})
