import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../server/data.ts'
import { codesOf, prepareGround } from '../../processes/support/ground.ts'
import { machineRoom } from '../../processes/support/machine.ts'
import { makeSmallDisk } from '../../processes/support/small-disk.ts'
import { type Served, serveCli } from '../../support/servers/cli.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { startBusyClients } from './busy-clients.ts'
import { activity, lastWords, readiness } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { hasPostgres, type OwnPostgres, ownPostgres } from './own-postgres.ts'

const rounds = 4
const codes = codesOf(3000)

describe('what a server has acknowledged', function () {
  this.timeout(testTimeout)
  const room = machineRoom()

  it(`is stored once where it is killed ${2 * rounds} times and its disk is full ${2 * rounds} times`, async () => {
    const inTime = startWaiting()
    const disk = makeSmallDisk()
    const machine = room.build('central', { folder: disk.folder })
    try {
      const { list, item } = await inTime('it is made', prepareGround(machine.folder, codes, 100_000))
      await inTime('the server starts', machine.start())
      const describe = async (): Promise<string> =>
        `${await readiness(machine.url)}\n${machine.log.slice(-4000)}`
      const start = () => inTime('the server starts', machine.start(), describe)
      const clients = startBusyClients({ inTime, url: () => machine.url, list, item, codes, describe })
      for (let round = 0; round < rounds; round += 1) {
        await clients.more(201, 40)
        disk.fill(machine)
        await clients.more(507, 10)
        disk.clear(machine)
        await clients.more(201, 40)
        await inTime('the server is killed', machine.kill())
        await clients.more(0, 5)
        await start()
        await clients.more(201, 40)
        disk.fill(machine)
        await clients.more(507, 10)
        await inTime('the server is killed', machine.kill())
        disk.clear(machine)
        await start()
      }
      await clients.more(201, 40)
      await clients.end()
      await inTime('the server stops', machine.stop(), describe)
      assert.deepEqual(machine.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
      const database = await inTime('it is opened', openDatabase(machine.folder))
      await inTime('all is looked at', acknowledgedOnce(database, clients))
      await database.close()
    } finally {
      await machine.kill()
      disk.remove()
    }
  })

  if (hasPostgres)
    it(`is stored once where it is killed ${rounds} times and its PostgreSQL server fails ${3 * rounds} times`, async () => {
      const inTime = startWaiting()
      const postgres: OwnPostgres = await inTime('PostgreSQL starts', ownPostgres())
      let served: Served | null = null
      try {
        const { list, item } = await inTime('it is made', prepareGround(postgres.address, codes, 100_000))
        const database = await inTime('it is opened', openDatabase(postgres.address))
        const words = lastWords()
        let url = ''
        const describe = async (): Promise<string> =>
          [await readiness(url), await activity(database), words.end()].join('\n')
        const serve = async (): Promise<Served> => {
          const starting = serveCli(['--database', postgres.address])
          const started = words.of(await inTime('the server starts', starting, describe))
          url = started.url
          return started
        }
        served = await serve()
        const clients = startBusyClients({ inTime, url: () => url, list, item, codes, describe })
        const terminate = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
        for (let round = 0; round < rounds; round += 1) {
          await clients.more(201, 40)
          for (let time = 0; time < 3; time += 1) {
            await inTime('its connections are terminated', database.all(terminate), describe)
          }
          await clients.more(201, 40)
          postgres.crash()
          await clients.more(503, 10)
          postgres.start()
          await clients.more(201, 40)
          postgres.crash()
          await inTime('the server is killed', served.stop('SIGKILL'))
          postgres.start()
          served = await serve()
        }
        await clients.more(201, 40)
        await clients.end()
        assert.equal((await inTime('the server stops', served.stop(), describe)).code, 0)
        await inTime('all is looked at', acknowledgedOnce(database, clients))
        await database.close()
      } finally {
        if (served?.child.exitCode === null && served.child.signalCode === null) await served.stop('SIGKILL')
        postgres.remove()
      }
    })
})
