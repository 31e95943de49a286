import assert from 'node:assert/strict'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import {
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

describe('organizers', () => {
  let server: TestServer
  const ask = asking(() => server)
  const all = '/api/v1/organizers/'

  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write(async (tx) => {
      const other = await addOrganizer(tx, 'zenith')
      await addToken(tx, other, 'foreign', allRights)
    })
  })
  after(() => server.close())

  it('are listed to those who belong to them', async () => {
    assert.deepEqual(resultsOf(await ask('GET', all, 200)), [{ name: 'acme', slug: 'acme' }])
    const foreign = await ask('GET', `${all}?ordering=-name`, 200, undefined, 'Token foreign')
    assert.deepEqual(foreign, {
      count: 1,
      next: null,
      previous: null,
      results: [{ name: 'zenith', slug: 'zenith' }],
    })
    assert.deepEqual(await ask('GET', `${server.org}/`, 200), { name: 'acme', slug: 'acme' })
  })

  it('cannot be changed through the API', async () => {
    await ask('POST', all, 405, { name: 'New', slug: 'new' })
    for (const method of ['PUT', 'PATCH', 'DELETE']) await ask(method, `${server.org}/`, 405)
  })

  it('say their version to anybody they know', async () => {
    const version = await ask('GET', '/api/v1/version', 200)
    assert.match(String(version.gatehouse), /^\d+\.\d+\.\d+/)
    assert.equal(typeof version.gatehouse_numeric, 'number')
    // Clients compare it with the versions that they know, such as 4.12.0.dev1.
    assert.equal(version.pretix, '2026.8.0')
    assert.ok(Number(version.pretix_numeric) === 20_260_080_005_000)
  })

  describe('have settings', () => {
    const path = () => `${server.org}/settings/`

    it('which start at the defaults', async () => {
      const settings = await ask('GET', path(), 200)
      assert.equal(settings.reservation_time, 30)
      assert.deepEqual(settings.locales, ['en'])
    })

    it('which explain themselves', async () => {
      const { timezone, reservation_time: time } = await ask('GET', `${path()}?explain=true`, 200)
      assert.deepEqual(time, {
        value: 30,
        label: 'Reservation period',
        help_text: 'Minutes for which a cart holds what is in it.',
        readonly: false,
      })
      assert.equal((timezone as { value: string }).value, 'UTC')
    })

    it('which events inherit until they say something else', async () => {
      await ask('PATCH', path(), 200, { reservation_time: '45', locales: ['en', 'de'], unknown: 1 })
      const inherited = await ask('GET', `${server.ev}/settings/`, 200)
      assert.deepEqual([inherited.reservation_time, inherited.locales], [45, ['en', 'de']])
      await ask('PATCH', `${server.ev}/settings/`, 200, { reservation_time: 5 })
      await ask('PATCH', path(), 200, { reservation_time: null })
      assert.equal((await ask('GET', path(), 200)).reservation_time, 30)
      assert.equal((await ask('GET', `${server.ev}/settings/`, 200)).reservation_time, 5)
    })

    it('which new events take their time zone from', async () => {
      await ask('PATCH', path(), 200, { timezone: 'Europe/Lisbon' })
      const body = { name: 'Fado', slug: 'fado', date_from: '2030-01-01T20:00:00Z' }
      assert.equal((await ask('POST', `${server.org}/events/`, 201, body)).timezone, 'Europe/Lisbon')
    })

    it('which are changed by PATCH alone', () => ask('PUT', path(), 405, {}))
  })
})
