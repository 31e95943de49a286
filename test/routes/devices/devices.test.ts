import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

const about = {
  hardware_brand: 'Zebra',
  hardware_model: 'TC52',
  software_brand: 'gatehouse',
  software_version: '1.0',
}

for (const engine of engines)
  describe(`devices on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const devices = () => `${server.org}/devices/`
    const make = (body: RowData = {}) =>
      ask('POST', devices(), 201, { name: 'Door', all_events: true, ...body })
    const setUp = async (body: RowData = {}) => {
      const device = await make(body)
      const own = await ask(
        'POST',
        '/api/v1/device/initialize',
        200,
        { token: device.initialization_token, ...about },
        '',
      )
      return { device, own, authorization: `Device ${own.api_token}` }
    }

    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    it('are numbered one by one and get the token they set themselves up with', async () => {
      const [first, second] = [await make(), await make()]
      assert.equal(Number(second.device_id), Number(first.device_id) + 1)
      assert.match(String(first.unique_serial), /^[A-Z0-9]{16}$/)
      assert.match(String(first.initialization_token), /^[a-z0-9]{16}$/)
      assert.equal(first.initialized, null)
      assert.ok(!('token_hash' in first) && !('api_token' in first))
    })

    it('set themselves up once', async () => {
      const gate = await ask('POST', `${server.org}/gates/`, 201, { name: 'North' })
      const { device, own, authorization } = await setUp({ gate: gate.id, security_profile: 'scan' })
      assert.match(String(own.api_token), /^[a-z0-9]{64}$/)
      assert.deepEqual(own, {
        organizer: 'acme',
        device_id: device.device_id,
        unique_serial: device.unique_serial,
        api_token: own.api_token,
        name: 'Door',
        security_profile: 'pretixscan',
        gate: { id: gate.id, name: 'North', identifier: gate.identifier },
      })
      const again = { token: device.initialization_token, ...about }
      assert.deepEqual(Object.keys(await ask('POST', '/api/v1/device/initialize', 400, again, '')), ['token'])
      const known = await ask('GET', `${devices()}${device.device_id}/`, 200)
      assert.equal(known.hardware_model, 'TC52')
      assert.notEqual(known.initialized, null)
      await ask('GET', `${server.ev}/items/`, 200, undefined, authorization)
    })

    it('do not set themselves up with a token that is not theirs, or incompletely', async () => {
      const path = '/api/v1/device/initialize'
      assert.deepEqual(Object.keys(await ask('POST', path, 400, { token: 'none', ...about }, '')), ['token'])
      const { initialization_token: token } = await make()
      const { software_version: _, ...incomplete } = about
      const refused = await ask(
        'POST',
        path,
        400,
        { token, ...incomplete, hardware_brand: 'x'.repeat(191) },
        '',
      )
      assert.deepEqual(Object.keys(refused).sort(), ['hardware_brand', 'software_version'])
      await ask('POST', path, 200, { token, ...about, os_name: 'Android', info: { any: ['thing'] } }, '')
    })

    it('report what they run on, and hear what they are', async () => {
      const { device, own, authorization } = await setUp()
      const news = { ...about, software_version: '2.0', os_name: 'Linux' }
      assert.deepEqual(await ask('POST', '/api/v1/device/update', 200, news, authorization), own)
      assert.equal((await ask('GET', `${devices()}${device.device_id}/`, 200)).software_version, '2.0')
      const info = await ask('GET', '/api/v1/device/info', 200, undefined, authorization)
      assert.deepEqual(info.device, own)
      const { version } = JSON.parse(
        await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
      )
      assert.deepEqual(Object.keys(info), ['device', 'server', 'medium_key_sets'])
      assert.deepEqual(info.server, {
        version: {
          gatehouse: version,
          gatehouse_numeric: 1_000,
          pretix: '2026.8.0',
          pretix_numeric: 20_260_080_005_000,
        },
      })
    })

    it('change their token, and the old one dies at once', async () => {
      const { own, authorization } = await setUp()
      const next = await ask('POST', '/api/v1/device/roll', 200, {}, authorization)
      assert.notEqual(next.api_token, own.api_token)
      await ask('GET', '/api/v1/device/info', 401, undefined, authorization)
      await ask('GET', '/api/v1/device/info', 200, undefined, `Device ${next.api_token}`)
    })

    it('give up their access for good', async () => {
      const { device, authorization } = await setUp()
      await ask('POST', '/api/v1/device/revoke', 200, {}, authorization)
      await ask('GET', '/api/v1/device/info', 401, undefined, authorization)
      assert.equal((await ask('GET', `${devices()}${device.device_id}/`, 200)).revoked, true)
    })

    it('lose their access when an administrator takes it, before and after they are set up', async () => {
      const { device, authorization } = await setUp()
      const path = `${devices()}${device.device_id}/revoke/`
      assert.equal((await ask('POST', path, 200)).revoked, true)
      assert.equal((await ask('POST', path, 200)).revoked, true)
      await ask('GET', `${server.ev}/`, 401, undefined, authorization)
      await ask('POST', `${devices()}99999/revoke/`, 404)
      await ask('GET', path, 405)
      const fresh = await make()
      await ask('POST', `${devices()}${fresh.device_id}/revoke/`, 200)
      const refused = { token: fresh.initialization_token, ...about }
      assert.deepEqual(Object.keys(await ask('POST', '/api/v1/device/initialize', 400, refused, '')), [
        'token',
      ])
      assert.equal(
        (await ask('PATCH', `${devices()}${device.device_id}/`, 200, { revoked: false })).revoked,
        true,
      )
    })

    it('lose their gate when it is deleted', async () => {
      const gate = await ask('POST', `${server.org}/gates/`, 201, { name: 'East' })
      const device = await make({ gate: gate.id })
      await ask('DELETE', `${server.org}/gates/${gate.id}/`, 204)
      assert.equal((await ask('GET', `${devices()}${device.device_id}/`, 200)).gate, null)
    })

    it('ask for no more than their profile is for', async () => {
      for (const [profile, allowed, refused] of [
        ['scan', ['items', 'questions', 'checkinlists', 'orders', 'subevents'], ['quotas', 'taxrules']],
        ['kiosk', ['items', 'checkinlists'], ['orders', 'quotas']],
        ['boxoffice', ['items', 'quotas', 'taxrules', 'orders'], []],
        ['full', ['items', 'quotas', 'taxrules', 'orders'], []],
      ] as const) {
        const { authorization } = await setUp({ security_profile: profile })
        for (const name of allowed) await ask('GET', `${server.ev}/${name}/`, 200, undefined, authorization)
        for (const name of refused) await ask('GET', `${server.ev}/${name}/`, 403, undefined, authorization)
        await ask('GET', '/api/v1/device/info', 200, undefined, authorization)
      }
    })
  })
