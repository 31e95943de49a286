import assert from 'node:assert/strict'
import { made, serveCli, temporaryFolders } from '../support/servers/cli.ts'
import { countOf, makeDevice, openVenue, until } from '../support/servers/nodes.ts'
import { startTestServer } from '../support/servers/servers.ts'

const folder = temporaryFolders('gatehouse below')

describe('serve below another server', () => {
  it('is admitted with the token of its device once, admits devices of its own and goes on after a restart', async () => {
    const central = await startTestServer()
    const data = folder()
    try {
      await openVenue(central, ['A', 'B'])
      const device = await makeDevice(central, 'Hub')
      const below = ['--data', data, '--upstream', central.url]
      const first = await serveCli([...below, '--device-token', String(device.initialization_token)])
      const joined = () => countOf(central.running, 'device', 'site IS NOT NULL')
      await until('central has let it in', async () => (await joined()) === 1)
      const initialize = (url: string, token: unknown) =>
        fetch(`${url}/api/v1/device/initialize`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            token,
            hardware_brand: 'a',
            hardware_model: 'b',
            software_brand: 'c',
            software_version: '1',
          }),
        })
      const create = ['device', 'create', '--organizer', 'acme', '--name', 'South', '--all-events', '--json']
      let token: unknown
      await until('the data is there', async () => {
        token = await made([...create, '--data', data]).then(
          (own) => own.initialization_token,
          () => undefined,
        )
        return token !== undefined
      })
      assert.equal((await initialize(first.url, token)).status, 200)
      await until('central hears of the device', async () => (await countOf(central.running, 'device')) === 2)
      assert.equal((await first.stop()).code, 0)

      const again = await serveCli(below)
      const own = await made([...create, '--data', data])
      assert.equal((await initialize(again.url, own.initialization_token)).status, 200)
      await until('central hears of that one', async () => (await countOf(central.running, 'device')) === 3)
      assert.equal((await again.stop()).code, 0)
    } finally {
      await central.close()
    }
  })
})
