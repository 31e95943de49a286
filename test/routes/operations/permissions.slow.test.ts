import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { devicePermissions, type Permission, permissions } from '../../../schema/permissions.ts'
import { everyRoute, type Route } from '../../fixtures/every-route.ts'
import {
  addEvent,
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

/** Flags one of which a caller needs. */
const sufficient = ({ needs }: Route): readonly Permission[] =>
  needs === null || needs === 'nothing' ? [] : [needs].flat()

/** A token's name that says which flags its team has. */
const having = (flags: readonly Permission[]): string => `with-${flags.join('-')}`
const lacking = (flags: readonly Permission[]): string => `without-${flags.join('-')}`

const rights = (flags: readonly Permission[]) => Object.fromEntries(flags.map((flag) => [flag, true]))

const onlyOfDevices = (route: Route): boolean => route.path.startsWith('/api/v1/device/')

/** What stations and hubs ask the upstream server. */
const onlyOfNodes = ({ method, path }: Route): boolean =>
  /\/sync\/(join|ping|known|changes|snapshot|live|push)\/$/.test(path) ||
  (method !== 'GET' && path.includes('/sync/leases/')) ||
  /\/sync\/(find_guest|updates)\//.test(path)
/** A revoked one may still tell what it has not reported, and ask whether that is known. */
const isForReports = ({ path }: Route): boolean => /\/sync\/(push|known)\/$/.test(path)

const inOrganizer = (route: Route): boolean => route.path.includes(':organizer')
const inEvent = (route: Route): boolean => route.path.includes(':event')

/** A person's profile, which no token has. */
const isProfile = (route: Route): boolean => route.path === '/api/v1/me'

/** Exports that are made again and again: for whoever may export anything, and for no device. */
const isScheduledExport = ({ path, method }: Route): boolean =>
  path.includes('/scheduled_exports/') && method !== 'POST'

/** Devices read a part of the settings without a flag that others need. */
const isEventSettings = (route: Route): boolean =>
  route.method === 'GET' && route.path.endsWith('/events/:event/settings/')

describe('who may ask for what', () => {
  let server: TestServer

  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write(async (tx) => {
      const { organizer } = server
      await addEvent(tx, organizer, 'fete')
      const foreign = await addOrganizer(tx, 'zenith')
      await addEvent(tx, foreign, 'gala')
      await addToken(tx, foreign, 'foreign', allRights)
      await addToken(tx, organizer, 'elsewhere', { ...allRights, all_events: false, limit_events: ['fete'] })
      await addToken(tx, organizer, 'no-flag', { all_events: true })
      await addToken(tx, organizer, 'disabled', allRights)
      await tx.run(sql`UPDATE team_token SET active = 0 WHERE name = 'disabled'`)
      for (const flags of new Set(everyRoute.map((route) => JSON.stringify(sufficient(route))))) {
        const some: Permission[] = JSON.parse(flags)
        const others = permissions.filter((flag) => !some.includes(flag))
        await addToken(tx, organizer, lacking(some), { all_events: true, ...rights(others) })
        for (const flag of some)
          await addToken(tx, organizer, having([flag]), { all_events: true, [flag]: true })
      }
      await addDevice(tx, organizer, 1, 'device-here', { all_events: true })
      await addDevice(tx, organizer, 2, 'device-elsewhere', { limit_events: ['fete'], all_events: false })
      await addDevice(tx, organizer, 3, 'device-revoked', { all_events: true, revoked: true })
    })
  })
  after(() => server.close())

  /** What a caller is answered on a route; ids name nothing, so that nothing is changed. */
  async function statusOf(route: Route, authorization: string, event = 'gala', organizer = 'acme') {
    const path = route.path
      .replace(':organizer', organizer)
      .replace(':event', event)
      .replace(/:(\w+)/g, '999999999')
    const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
    const headers = { Authorization: authorization }
    return (await server.call(route.method, path, body, headers)).status
  }

  /** Checks that every one of some routes gives a status to a caller. */
  async function expectAll(
    routes: readonly Route[],
    status: number,
    authorization: string | ((route: Route) => string),
    event?: string,
    organizer?: string,
  ): Promise<void> {
    assert.ok(routes.length > 0)
    const wrong: string[] = []
    for (const route of routes) {
      const credential = typeof authorization === 'string' ? authorization : authorization(route)
      const found = await statusOf(route, credential, event, organizer)
      if (found !== status) wrong.push(`${route.method} ${route.path}: ${found}`)
    }
    assert.deepEqual(wrong, [], `instead of ${status}`)
  }

  const guarded = everyRoute.filter(({ needs }) => needs !== 'nothing')

  for (const [who, authorization] of [
    ['nobody', ''],
    ['an unknown token', 'Token none'],
    ['a token without its word', 'all'],
    ['a header of too many words', 'Token all all'],
    ['an unknown scheme', 'Digest all'],
    ['a disabled token', 'Token disabled'],
    ['an unknown device', 'Device none'],
    ['a revoked device', 'Device device-revoked'],
    ['a token that says it is a device', 'Device all'],
  ] as const)
    it(`answers 401 to ${who} everywhere`, () =>
      expectAll(
        guarded.filter((route) => who !== 'a revoked device' || !isForReports(route)),
        401,
        authorization,
      ))

  it('says with a 401 how to sign in', async () => {
    const answer = await server.call('GET', `${server.ev}/`, undefined, { Authorization: '' })
    assert.equal(answer.headers.get('www-authenticate'), 'Token')
    assert.deepEqual(Object.keys(answer.body as object), ['detail'])
  })

  it('answers 403 to a token of another organizer everywhere', () =>
    expectAll(guarded.filter(inOrganizer), 403, 'Token foreign'))

  it('answers 403 in an organizer that does not exist', () =>
    expectAll(guarded.filter(inOrganizer), 403, 'Token all', 'gala', 'nobody'))

  it('answers 403 in an event that does not exist', () =>
    expectAll(guarded.filter(inEvent), 403, 'Token all', 'nothing'))

  it('answers 403 in an event that the team has no access to', () =>
    expectAll(guarded.filter(inEvent), 403, 'Token elsewhere'))

  it('answers 403 in an event that the device has no access to', () =>
    expectAll(guarded.filter(inEvent), 403, 'Device device-elsewhere'))

  it('answers 403 to a team without any of the flags that are needed', () => {
    const routes = guarded.filter((route) => inOrganizer(route) && sufficient(route).length > 0)
    return expectAll(routes, 403, (route) => `Token ${lacking(sufficient(route))}`)
  })

  it('answers 403 to a team without any flag, except where access is enough', () => {
    const routes = guarded.filter((route) => inOrganizer(route) && sufficient(route).length > 0)
    return expectAll([...routes, ...guarded.filter(isEventSettings)], 403, 'Token no-flag')
  })

  it('answers 401 to a token where only a device may ask', () =>
    expectAll(guarded.filter(onlyOfDevices), 401, 'Token all'))

  it('answers 403 to a token where only a station or hub may ask', () =>
    expectAll(guarded.filter(onlyOfNodes), 403, 'Token all'))

  it('answers 403 to tokens and devices where only a person may ask', async () => {
    await expectAll(guarded.filter(isProfile), 403, 'Token all')
    await expectAll(guarded.filter(isProfile), 403, 'Device device-here')
  })

  it('answers 403 to devices and tokens that may not export where exports are made again', async () => {
    await expectAll(guarded.filter(isScheduledExport), 403, 'Device device-here')
    await expectAll(guarded.filter(isScheduledExport), 403, 'Token no-flag')
  })

  it('admits whoever has one of the flags that are needed', async () => {
    const wrong: string[] = []
    let events = 0
    for (const route of guarded.filter(
      (one) => !onlyOfDevices(one) && !onlyOfNodes(one) && !isProfile(one) && !isScheduledExport(one),
    )) {
      for (const flag of sufficient(route).length > 0 ? sufficient(route) : [null]) {
        const token = flag && !isEventSettings(route) ? having([flag]) : 'no-flag'
        const credential = isEventSettings(route) ? 'Token all' : `Token ${token}`
        events += 1
        const slug = `own-${events}`
        await server.running.transactions.write((tx) => addEvent(tx, server.organizer, slug))
        const status = await statusOf(route, credential, slug)
        if (status === 401 || status === 403 || status >= 500)
          wrong.push(`${route.method} ${route.path} with ${flag}: ${status}`)
      }
    }
    assert.deepEqual(wrong, [])
  })

  it('lets a device do what devices may, and nothing else', async () => {
    const may = (route: Route): boolean =>
      sufficient(route).length === 0 || sufficient(route).some((flag) => devicePermissions.includes(flag))
    const routes = guarded.filter(
      (route) => inOrganizer(route) && !onlyOfNodes(route) && !isScheduledExport(route),
    )
    await expectAll(
      routes.filter((route) => !may(route)),
      403,
      'Device device-here',
    )
    const wrong: string[] = []
    for (const route of routes.filter(may)) {
      const status = await statusOf(route, 'Device device-here')
      if (status === 401 || status === 403) wrong.push(`${route.method} ${route.path}: ${status}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('looks at the body last', async () => {
    const path = `${server.ev}/categories/`
    for (const [status, authorization] of [
      [401, 'Token none'],
      [403, 'Token no-flag'],
      [400, 'Token all'],
    ] as const)
      assert.equal(
        (await server.call('POST', path, '{"name":', { Authorization: authorization })).status,
        status,
      )
    assert.equal((await server.call('PATCH', `${path}999999999/`, '{"name":')).status, 404)
  })

  it('does not tell who lacks a flag whether something is there', async () => {
    const { body } = await server.call('POST', `${server.ev}/categories/`, { name: 'Drinks' })
    const { id } = body as { id: number }
    const headers = { Authorization: 'Token no-flag' }
    for (const path of [`${server.ev}/categories/${id}/`, `${server.ev}/categories/999999999/`])
      assert.equal((await server.call('PATCH', path, {}, headers)).status, 403)
    assert.equal((await server.call('PATCH', `${server.ev}/categories/999999999/`, {})).status, 404)
  })
})
