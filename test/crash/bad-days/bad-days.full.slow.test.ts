import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../server/data.ts'
import type { Database } from '../../../server/storage/database.ts'
import { codesOf, prepareGround } from '../../processes/support/ground.ts'
import { machineRoom } from '../../processes/support/machine.ts'
import { makeSmallDisk } from '../../processes/support/small-disk.ts'
import { type Served, serveCli } from '../../support/servers/cli.ts'
import { type BusyClients, startBusyClients } from './busy-clients.ts'
import { hasPostgres, type OwnPostgres, ownPostgres } from './own-postgres.ts'

const rounds = 4
const codes = codesOf(20_000)

/** Asserts that what was acknowledged is stored once, and that nothing else is. */
async function allOnce(database: Database, { acknowledged }: BusyClients): Promise<void> {
  const named = (kind: string): string[] =>
    acknowledged
      .filter((wish) => wish.kind === kind)
      .map(({ name }) => name)
      .sort()
  const scans = await database.all<{ name: string }>(
    sql`SELECT raw_barcode AS name FROM checkin WHERE successful = 1`,
  )
  const sales = await database.all<{ name: string }>(
    sql`SELECT email AS name FROM orders WHERE email LIKE ${'%@sale.example'}`,
  )
  assert.deepEqual(scans.map(({ name }) => name).sort(), named('scan'))
  assert.deepEqual(sales.map(({ name }) => name).sort(), named('sale'))
}

describe('what a server has acknowledged', function () {
  this.timeout(600_000)
  const room = machineRoom()

  it(`is stored once where it is killed ${2 * rounds} times and its disk is full ${2 * rounds} times`, async () => {
    const disk = makeSmallDisk()
    const machine = room.build('central', { folder: disk.folder })
    try {
      const { list, item } = await prepareGround(machine.folder, codes, 100_000)
      await machine.start()
      const clients = startBusyClients({ url: () => machine.url, list, item, codes })
      for (let round = 0; round < rounds; round += 1) {
        await clients.more(201, 40)
        disk.fill(machine)
        await clients.more(507, 10)
        disk.clear(machine)
        await clients.more(201, 40)
        await machine.kill()
        await clients.more(0, 5)
        await machine.start()
        await clients.more(201, 40)
        disk.fill(machine)
        await clients.more(507, 10)
        await machine.kill()
        disk.clear(machine)
        await machine.start()
      }
      await clients.more(201, 40)
      await clients.end()
      await machine.stop()
      assert.deepEqual(machine.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
      const database = await openDatabase(machine.folder)
      await allOnce(database, clients)
      await database.close()
    } finally {
      await machine.kill()
      disk.remove()
    }
  })

  if (hasPostgres)
    it(`is stored once where it is killed ${rounds} times and its PostgreSQL server fails ${3 * rounds} times`, async () => {
      const postgres: OwnPostgres = await ownPostgres()
      let served: Served | null = null
      try {
        const { list, item } = await prepareGround(postgres.address, codes, 100_000)
        const serve = () => serveCli(['--database', postgres.address])
        served = await serve()
        let { url } = served
        const clients = startBusyClients({ url: () => url, list, item, codes })
        const database = await openDatabase(postgres.address)
        const terminate = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
        for (let round = 0; round < rounds; round += 1) {
          await clients.more(201, 40)
          for (let time = 0; time < 3; time += 1) await database.all(terminate)
          await clients.more(201, 40)
          postgres.crash()
          await clients.more(503, 10)
          postgres.start()
          await clients.more(201, 40)
          postgres.crash()
          await served.stop('SIGKILL')
          postgres.start()
          served = await serve()
          url = served.url
        }
        await clients.more(201, 40)
        await clients.end()
        assert.equal((await served.stop()).code, 0)
        await allOnce(database, clients)
        await database.close()
      } finally {
        if (served?.child.exitCode === null && served.child.signalCode === null) await served.stop('SIGKILL')
        postgres.remove()
      }
    })
})
