import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openPrograms } from '../../../main/updates/programs.ts'
import { readUpdateState } from '../../../main/updates/update-notes.ts'
import { endedForRoom, updatesIn } from '../../../schema/updates/update-files.ts'
import type { UpdateStatus } from '../../../schema/updates/update-status.ts'
import { leaveUpdate } from '../../../server/commands/leave-update.ts'
import { silentLog } from '../../../server/log.ts'
import type { UpdateToInstall } from '../../../server/sync/updates/updater.ts'
import { leaveWanted, makeTestKey, packSmall, signSmall } from '../../main/updates/support/small-release.ts'
import { type MountedDisk, mountDisk } from '../../processes/support/small-disk.ts'
import { followed, makeDevice, openVenue, startNode, until } from '../../support/servers/nodes.ts'
import { startTestServer } from '../../support/servers/servers.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

describe('an update on a disk that is full', function () {
  this.timeout(120_000)
  const key = makeTestKey()
  let published: string
  let disk: MountedDisk
  let payload: Awaited<ReturnType<typeof packSmall>>

  before(async () => {
    published = mkdtempSync(join(tmpdir(), 'gatehouse-published-'))
    payload = await packSmall(published, '9.0.0')
    signSmall(published, key.secret, '9.0.0')
  })
  after(() => rmSync(published, { recursive: true }))
  beforeEach(() => {
    const mounted = mountDisk(96)
    assert.ok(mounted)
    disk = mounted
  })
  afterEach(() => disk.remove())

  const programs = (said: string[] = []) =>
    openPrograms({
      ...{ dataFolder: disk.folder, baseFolder: '/base', base: '0.1.0', keys: [key.public], now: Date.now },
      log: (message) => void said.push(message),
    })

  it('is not fetched, says how much is to be freed, and goes on by itself once that is done', async () => {
    const updates = { keys: [key.public], speed: 1e9 }
    const central = await startTestServer(undefined, null, {
      updates: { ...updates, folder: join(published, 'central'), place: published },
    })
    const venue = await openVenue(central, ['TICKET0', 'TICKET1'])
    const device = await makeDevice(central, 'North')
    const installed: UpdateToInstall[] = []
    const station = await startNode({
      updates: { ...updates, folder: disk.folder, install: (update) => void installed.push(update) },
    })
    const look = async (): Promise<UpdateStatus> =>
      (await station.call('POST', '/api/v1/station/update/', { when: 'now' })).body as UpdateStatus
    try {
      await station.join(central.url, String(device.initialization_token))
      await followed(station)
      await station.setUp(venue.list)
      disk.fill()
      await until('it waits for room', async () => (await look()).why === 'room')
      const { offered, phase, missing, may_now: mayNow } = await look()
      assert.deepEqual([offered, phase, mayNow], ['9.0.0', 'waiting', false])
      assert.ok(missing > 60e6 && missing < 80e6, `${missing} bytes`)
      assert.equal(existsSync(join(updatesIn(disk.folder).files, payload.build.archive.sha256)), false)
      assert.equal((await station.scan('TICKET0')).status, 'ok')
      assert.deepEqual(installed, [])
      disk.clear()
      await until('it is installed', async () => {
        await look()
        return installed.length > 0
      })
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('that has no room for the copy of the database is noted, and leaves everything as it was', async () => {
    const file = join(disk.folder, 'gatehouse.sqlite')
    const made = spawnSync(process.execPath, [
      cli,
      'organizer',
      'create',
      'acme',
      '--name',
      'Acme',
      '--data',
      disk.folder,
    ])
    assert.equal(made.status, 0, String(made.stderr))
    const before = readFileSync(file)
    disk.fill()
    const list = readFileSync(join(published, 'list.json'), 'utf8')
    await leaveUpdate(disk.folder, { version: '9.0.0', list, changesDatabase: true }, silentLog)
    assert.equal(existsSync(updatesIn(disk.folder).copy), false)
    assert.equal(programs().next().version, '0.1.0')
    assert.ok(readFileSync(file).equals(before))
    // What there is room for is said; with none at all the server sees that by itself.
    disk.clear()
    writeFileSync(join(disk.folder, 'rest'), new Uint8Array(95 * 2 ** 20 - before.length))
    await leaveUpdate(disk.folder, { version: '9.0.0', list, changesDatabase: true }, silentLog)
    assert.equal(programs().next().version, '0.1.0')
    assert.deepEqual(
      [readUpdateState(disk.folder).failed?.version, readUpdateState(disk.folder).failed?.reason],
      ['9.0.0', 'no room'],
    )
  })

  it('is not unpacked, and the version before it is started', () => {
    leaveWanted(published, disk.folder, payload)
    disk.fill()
    const said: string[] = []
    assert.deepEqual(programs(said).next(), { version: '0.1.0', folder: '/base', isOnTrial: false })
    assert.match(said.join('\n'), /Version 9\.0\.0 was not installed: ENOSPC/)
    assert.equal(existsSync(updatesIn(disk.folder).wanted), false)
    disk.clear()
    // It is tried again.
    leaveWanted(published, disk.folder, payload)
    assert.deepEqual(programs().next().version, '9.0.0')
  })

  it('that is found to be good when the disk is full is noted in the room of what was fetched for it', () => {
    leaveWanted(published, disk.folder, payload)
    assert.equal(programs().next().isOnTrial, true)
    disk.fill()
    assert.equal(programs().passed(), true)
    assert.equal(readUpdateState(disk.folder).current, '9.0.0')
  })

  it('is gone back from with a full disk, to the database of before', () => {
    const { copy } = updatesIn(disk.folder)
    leaveWanted(published, disk.folder, payload, true)
    writeFileSync(copy, 'before')
    programs().next()
    writeFileSync(join(disk.folder, 'gatehouse.sqlite'), 'half changed')
    disk.fill()
    programs().failed('no room')
    assert.equal(readFileSync(join(disk.folder, 'gatehouse.sqlite'), 'utf8'), 'before')
    assert.equal(programs().next().version, '0.1.0')
    assert.equal(readUpdateState(disk.folder).failed?.reason, 'no room')
  })

  it('ends on trial with a code of its own where the migrations have no room, and changes nothing', () => {
    mkdirSync(updatesIn(disk.folder).folder)
    const file = join(disk.folder, 'gatehouse.sqlite')
    const database = new Sqlite(file)
    database.exec('CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY)')
    database.close()
    writeFileSync(join(disk.folder, 'rest'), new Uint8Array(95 * 2 ** 20))
    const { status, stderr } = spawnSync(
      process.execPath,
      [cli, 'serve', '--station', '--data', disk.folder, '--port', '0', '--on-trial'],
      { encoding: 'utf8' },
    )
    assert.equal(status, endedForRoom, stderr)
    assert.match(stderr, /disk of the data folder .* is full\. Make room/)
  })
})
