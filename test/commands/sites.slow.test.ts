import assert from 'node:assert/strict'
import { made, refused, runCli, serveCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse sites')

describe('site', () => {
  const data = folder()
  const at = ['--data', data, '--organizer', 'acme']
  let device: string

  before(async () => {
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', data])
    const hub = ['--name', 'Hub', '--profile', 'full', '--all-events']
    const { device_id, initialization_token } = await made(['device', 'create', ...at, ...hub, '--json'])
    device = String(device_id)
    const served = await serveCli(['--data', data])
    const post = async (path: string, body: object, credential: object = {}) => {
      const answer = await fetch(served.url + path, {
        method: 'POST',
        headers: { ...credential, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const shown: unknown = await answer.json()
      assert.equal(answer.status, 200, JSON.stringify(shown))
      return shown as Record<string, unknown>
    }
    try {
      const about = { hardware_brand: 'b', hardware_model: 'm', software_brand: 's', software_version: '1' }
      const { api_token } = await post('/api/v1/device/initialize', { token: initialization_token, ...about })
      const credential = { Authorization: `Device ${api_token}` }
      const hubJoin = { protocols: [1], role: 'hub', site: null, site_seq: 0 }
      for (let count = 0; count < 2; count += 1)
        await post('/api/v1/organizers/acme/sync/join/', hubJoin, credential)
    } finally {
      await served.stop()
    }
  })

  it('list shows who has how many numbers, in words and as JSON', async () => {
    const { code, out, err } = await runCli(['site', 'list', ...at])
    assert.equal(code, 0, err)
    assert.match(err, /2048 of \d+ numbers are given out; this server has \d+ left\./)
    assert.match(err, new RegExp(`${device}  Hub: 2048 numbers, joined 2 times`))
    const { given, devices } = JSON.parse(out)
    assert.equal(given, 2048)
    const [{ device_id, numbers, times, revoked }] = devices
    assert.deepEqual([device_id, numbers, times, revoked], [Number(device), 2048, 2, false])
  })

  it('return gets back what a device never used, but not those that it has now', async () => {
    assert.deepEqual(await made(['site', 'return', ...at, '--device', device]), { returned: 1024 })
    assert.deepEqual(await made(['site', 'return', ...at, '--device', device]), { returned: 0 })
    assert.equal((await made(['site', 'list', ...at])).given, 1024)
  })

  it('return refuses a device that is not there', () =>
    refused(['site', 'return', ...at, '--device', '99'], /There is no device 99\./))

  it('allow says how many numbers an organizer may have', async () => {
    assert.equal((await made(['site', 'allow', ...at, '--numbers', '5000'])).share, 5000)
    assert.equal((await made(['site', 'list', ...at])).share, 5000)
  })

  it('allow refuses what is no number', () => refused(['site', 'allow', ...at, '--numbers', 'many'], /many/))

  it('refuses an organizer that is not there', () =>
    refused(['site', 'list', '--data', data, '--organizer', 'nobody'], /nobody/))
})
