import assert from 'node:assert/strict'
import { openDatabase } from '../../../server/data.ts'
import { codesOf, prepareGround } from '../../processes/support/ground.ts'
import { type MountedDisk, mountDisk } from '../../processes/support/small-disk.ts'
import { type Served, serveCli } from '../../support/servers/cli.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { type BusyClients, startBusyClients } from './busy-clients.ts'
import { activity, lastWords, readiness } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { type OnDisk, type OwnPostgres, ownPostgres } from './own-postgres.ts'

const rounds = 3
const codes = codesOf(2000)

/** A server with clients, on a PostgreSQL server whose disk can be full. */
interface Place {
  readonly disk: MountedDisk
  readonly postgres: OwnPostgres
  readonly served: Served
  readonly clients: BusyClients
}

/** Has a server do something while others scan and sell, and looks that everything acknowledged is stored once. */
async function onSmallDisk(part: OnDisk['part'], work: (place: Place) => Promise<void>): Promise<void> {
  const inTime = startWaiting()
  const disk = mountDisk(part === 'tables' ? 160 : 24)
  assert.ok(disk)
  const postgres = await inTime('PostgreSQL starts', ownPostgres({ folder: disk.folder, part }))
  let served: Served | null = null
  try {
    const { list, item } = await inTime('it is made', prepareGround(postgres.address, codes, 100_000))
    const database = await inTime('it is opened', openDatabase(postgres.address))
    const words = lastWords()
    served = words.of(await inTime('the server starts', serveCli(['--database', postgres.address])))
    const { url } = served
    const describe = async (): Promise<string> =>
      [await readiness(url), await activity(database), words.end()].join('\n')
    const clients = startBusyClients({ inTime, url: () => url, list, item, codes, describe })
    await work({ disk, postgres, served, clients })
    await clients.more(201, 40)
    await clients.end()
    assert.equal((await inTime('the server stops', served.stop(), describe)).code, 0)
    await inTime('all is looked at', acknowledgedOnce(database, clients))
    await database.close()
  } finally {
    if (served?.child.exitCode === null && served.child.signalCode === null) await served.stop('SIGKILL')
    postgres.remove()
    disk.remove()
  }
}

/** What a server says of its readiness. */
async function checksOf({ url }: Served): Promise<{ status: number; checks: Record<string, string> }> {
  const answer = await fetch(`${url}/readyz`)
  const { checks } = (await answer.json()) as { checks: Record<string, string> }
  return { status: answer.status, checks }
}

/** Fills the disk, and what is freed on it meanwhile, until so many requests were refused. */
async function runFull({ disk, clients }: Place, status: number, count: number): Promise<void> {
  disk.fill()
  const timer = setInterval(() => disk.fill(), 100)
  try {
    await clients.more(status, count)
  } finally {
    clearInterval(timer)
  }
}

describe('a server whose PostgreSQL server has a full disk', function () {
  this.timeout(testTimeout)
  it(`says so ${rounds} times, has nothing half done, and goes on once there is room`, () =>
    onSmallDisk('tables', async (place) => {
      const { disk, postgres, served, clients } = place
      for (let round = 0; round < rounds; round += 1) {
        await clients.more(201, 40)
        await runFull(place, 507, 20)
        assert.match(clients.lastText(507), /disk .*full.*Free some space/)
        const { status, checks } = await checksOf(served)
        assert.deepEqual([status, checks.disk, checks.serving, checks.schema], [503, 'failed', 'ok', 'ok'])
        assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
        disk.clear()
        // It may have ended for want of room, as users would find it.
        postgres.start()
        await clients.more(201, 40)
      }
    }))

  it(`outlives ${rounds} ends of it for want of room for its log, and goes on once it is back`, () =>
    onSmallDisk('log of changes', async (place) => {
      const { disk, postgres, served, clients } = place
      for (let round = 0; round < rounds; round += 1) {
        await clients.more(201, 40)
        await runFull(place, 503, 20)
        assert.equal((await checksOf(served)).status, 503)
        assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
        disk.clear()
        postgres.crash()
        postgres.start()
        await clients.more(201, 40)
      }
    }))
})
