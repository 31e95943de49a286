import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Payload } from '../../../main/package/payload.ts'
import type { UpdateStatus } from '../../../schema/updates/update-status.ts'
import type { UpdateToInstall } from '../../../server/sync/updates/updater.ts'
import { version } from '../../../server/version.ts'
import { leaveWanted, makeTestKey, packSmall, signSmall } from '../../main/updates/support/small-release.ts'
import {
  followed,
  makeDevice,
  makeDeviceAt,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('updates that come through a hub', function () {
  this.timeout(120_000)
  const key = makeTestKey()
  const folders: string[] = []
  const folderOf = (name: string): string => {
    const folder = mkdtempSync(join(tmpdir(), `gatehouse-${name}-`))
    folders.push(folder)
    return folder
  }
  let published: string
  let payload: Payload
  let central: TestServer
  let hub: TestNode
  let station: TestNode
  let hubFolder: string
  let stationFolder: string
  const installed: UpdateToInstall[] = []
  const more = { keys: [key.public], speed: 1e9 }

  before(async () => {
    published = folderOf('published')
    payload = await packSmall(published, '9.0.0')
    signSmall(published, key.secret, '9.0.0')
    central = await startTestServer(undefined, null, {
      updates: { ...more, folder: folderOf('central'), place: published },
    })
    hubFolder = folderOf('hub')
    hub = await startNode({ updates: { ...more, folder: hubFolder } })
    const device = await makeDevice(central, 'Hub')
    await hub.join(central.url, String(device.initialization_token), 'hub')
    await followed(hub)
    stationFolder = folderOf('station')
    const failed = { version: '0.0.9', reason: 'not healthy', at: '2030-06-01T17:30:00.000Z' }
    mkdirSync(join(stationFolder, 'updates'))
    writeFileSync(join(stationFolder, 'updates/state.json'), JSON.stringify({ failed }))
    station = await startNode({
      updates: { ...more, folder: stationFolder, install: (update) => void installed.push(update) },
    })
    const own = await makeDeviceAt(hub, central.organizer, 'North')
    await station.join(hub.url, String(own.initialization_token))
    await followed(station)
  })
  after(async () => {
    await station?.close()
    await hub?.close()
    await central?.close()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  const status = async (): Promise<UpdateStatus> => {
    const { body } = await station.call('GET', '/api/v1/station/update/')
    return body as unknown as UpdateStatus
  }
  const now = () => station.call('POST', '/api/v1/station/update/', { when: 'now' })

  it('are offered to nobody without a device token', async () => {
    const answer = await fetch(`${central.url}/api/v1/organizers/acme/sync/updates/`)
    assert.equal(answer.status, 401)
  })

  it('are kept at the hub once, whole, and installed where nobody is in their way', async () => {
    await until('the update is installed', async () => {
      await now()
      return installed.length > 0
    })
    assert.deepEqual(installed[0], {
      version: '9.0.0',
      list: readFileSync(join(published, 'list.json'), 'utf8'),
      // Its newest migration is one that this database has not seen.
      changesDatabase: true,
    })
    assert.equal((await status()).phase, 'installing')
    for (const folder of [hubFolder, stationFolder])
      for (const { name, sha256 } of [payload.build.contents, payload.build.archive])
        assert.deepEqual(
          readFileSync(join(folder, 'updates/files', sha256)),
          readFileSync(join(published, name)),
        )
  })

  it('are not taken from a list that was replayed', async () => {
    const second = await startTestServer(undefined, null, {
      updates: { ...more, folder: folderOf('second'), place: published },
    })
    const device = await makeDevice(second, 'South')
    const folder = folderOf('other-station')
    const other = await startNode({ updates: { ...more, folder, install: () => assert.fail('installed') } })
    try {
      await other.join(second.url, String(device.initialization_token))
      await followed(other)
      const trouble = async (): Promise<string | null> => {
        const { body } = await other.call('GET', '/api/v1/station/update/')
        return (body as unknown as UpdateStatus).trouble
      }
      const list = join(published, 'list.json')
      const good = readFileSync(list, 'utf8')
      // What was seen before is newer than what is published now.
      signSmall(published, key.secret, '9.0.0')
      leaveWanted(published, folder, payload)
      writeFileSync(join(folder, 'updates/list.json'), readFileSync(list))
      writeFileSync(list, good)
      const lookAgain = () => other.call('POST', '/api/v1/station/update/', { when: 'now' })
      await until('the replay is noticed', async () => {
        await lookAgain()
        return (await trouble()) === 'older'
      })
    } finally {
      await other.close()
      await second.close()
    }
  })

  /** A station that is offered updates by somebody, and installs none; why, in a word. */
  async function troubleOf(name: string, more: object, join?: TestServer): Promise<string | null> {
    const folder = folderOf(name)
    const other = await startNode({
      updates: { keys: [key.public], speed: 1e9, folder, ...more, install: () => assert.fail('installed') },
    })
    try {
      if (join) {
        await other.join(join.url, String((await makeDevice(join, name)).initialization_token))
        await followed(other)
      }
      const look = async () =>
        (await other.call('POST', '/api/v1/station/update/', { when: 'now' })).body as unknown as UpdateStatus
      await until('it says why', async () => (await look()).trouble !== null)
      const { trouble, offered, phase } = await look()
      assert.deepEqual([offered, phase], [null, 'none'])
      return trouble
    } finally {
      await other.close()
    }
  }

  it('are not taken from a server whose list a stranger has signed', async () => {
    const stranger = makeTestKey()
    const place = folderOf('strange')
    await packSmall(place, '9.0.0')
    signSmall(place, stranger.secret, '9.0.0')
    // A server that goes by that key, as one would be that somebody has taken over.
    const server = await startTestServer(undefined, null, {
      updates: { keys: [stranger.public], speed: 1e9, folder: folderOf('taken-over'), place },
    })
    try {
      assert.equal(await troubleOf('deceived', {}, server), 'signature')
    } finally {
      await server.close()
    }
  })

  it('are not taken from a list that has expired, nor from one that was made in a future', async () => {
    const day = 24 * 3_600_000
    for (const [now, trouble] of [
      [Date.now() - 3 * day, 'expired'],
      [Date.now() + 3 * day, 'clock'],
    ] as const) {
      const place = folderOf(trouble)
      await packSmall(place, '9.0.0')
      signSmall(place, key.secret, '9.0.0', { now, days: 1 })
      assert.equal(await troubleOf(`late-${trouble}`, { place }), trouble)
      // Neither is it handed on to others.
      const server = await startTestServer(undefined, null, {
        updates: { ...more, folder: folderOf('late'), place },
      })
      try {
        const { body } = await server.call('POST', `${server.org}/devices/`, {
          name: 'West',
          all_events: true,
        })
        const { initialization_token: token } = body as { initialization_token: string }
        const device = await server.call('POST', '/api/v1/device/initialize', {
          ...{ token, hardware_brand: 'PC', hardware_model: 'PC', software_brand: 'Gatehouse' },
          software_version: '0.1.0',
        })
        const { api_token: apiToken } = device.body as { api_token: string }
        const answer = await fetch(`${server.url}${server.org}/sync/updates/`, {
          headers: { Authorization: `Device ${apiToken}` },
        })
        assert.equal(answer.status, 404)
      } finally {
        await server.close()
      }
    }
  })

  it('go on where they were broken off, and begin anew where what came is not what was signed', async () => {
    const { archive } = payload.build
    const folder = join(stationFolder, 'updates/files')
    rmSync(join(folder, archive.sha256))
    const bytes = readFileSync(join(published, archive.name))
    writeFileSync(join(folder, `${archive.sha256}.part`), bytes.subarray(0, 100))
    const third = await startNode({
      updates: { ...more, folder: stationFolder, install: (update) => void installed.push(update) },
    })
    try {
      const own = await makeDeviceAt(hub, central.organizer, 'West')
      await third.join(hub.url, String(own.initialization_token))
      await followed(third)
      const before = installed.length
      const again = async (): Promise<boolean> => {
        await third.call('POST', '/api/v1/station/update/', { when: 'now' })
        return installed.length > before
      }
      await until('it goes on', again)
      assert.deepEqual(readFileSync(join(folder, archive.sha256)), bytes)
      truncateSync(join(folder, archive.sha256), 50)
    } finally {
      await third.close()
    }
  })

  it('are reported upward with the version that runs, and with why one did not work', async () => {
    await until('central knows', async () => {
      const { body } = await central.call('GET', '/api/v1/organizers/acme/devices/')
      const { results } = body as unknown as {
        results: { name: string; software_version: string | null; update_failure: string | null }[]
      }
      const own = results.find(({ name }) => name === 'North')
      return own?.software_version === version && own.update_failure === '0.0.9: not healthy'
    })
    const counted = await (await fetch(`${central.url}/metrics`)).text()
    assert.match(counted, /^gatehouse_stations_not_updated 1$/m)
  })
})
