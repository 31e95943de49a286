import assert from 'node:assert/strict'
import pg from 'pg'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { openLog } from '../../../server/log.ts'
import { startServer } from '../../../server/serve.ts'
import { epochOf } from '../../../server/services/operations/restored-database.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  sell,
  startNode,
  until,
} from '../../support/servers/nodes.ts'
import { withOrganizer } from '../../support/servers/servers.ts'
import { ArchivedPostgres, clusterFolder } from './archived-postgres.ts'
import { freePort, hasPostgres } from './own-postgres.ts'

const codes = Array.from({ length: 60 }, (_, index) => `GUEST${index}`)

const asked = async (address: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

if (hasPostgres)
  describe('a PostgreSQL that is brought back to a moment while stations scan', function () {
    this.timeout(180_000)
    const folder = clusterFolder()
    let cluster: ArchivedPostgres
    before(async () => {
      cluster = new ArchivedPostgres(folder.path, 'first', await freePort())
      await cluster.create()
      await cluster.start()
    })
    after(async () => {
      await cluster.stop('immediate')
      folder.remove()
    })

    it('is noticed, and everything acknowledged is there again', async () => {
      let logged = ''
      const log = openLog('info', {
        write(part: string) {
          logged += part
        },
      })
      const config = { database: cluster.address, host: '127.0.0.1', port: 0, stationKey: null }
      const running = await startServer(config, realEnv, log)
      const station = await startNode()
      try {
        const central = await withOrganizer(running)
        const venue = await openVenue(central, codes)
        const device = await makeDevice(central, 'North')
        await station.join(running.url, String(device.initialization_token))
        await followed(station)
        await station.setUp(venue.list)

        const acknowledged: string[] = []
        const scan = async (count: number): Promise<void> => {
          for (const code of codes.slice(acknowledged.length, acknowledged.length + count)) {
            assert.equal((await station.scan(code)).status, 'ok')
            acknowledged.push(code)
          }
        }
        const admitted = () => countOf(running, 'checkin', 'successful = 1')

        await scan(10)
        const copy = await cluster.copy('second')
        await scan(10)
        await until('central has the first scans', async () => (await admitted()) === 20)
        await asked(cluster.address, "SELECT pg_create_restore_point('moment')", 'SELECT pg_switch_wal()')
        await scan(10)
        await until('central has what it will forget', async () => (await admitted()) === 30)
        const before = await epochOf(running.transactions.database)

        const load = scan(25)
        await cluster.stop('fast')
        copy.recoverTo('moment')
        await copy.start()
        cluster = copy
        await load
        await scan(5)
        assert.equal(acknowledged.length, 60)
        await until('central has every scan', async () => (await admitted().catch(() => 0)) === 60)
        assert.notEqual(await epochOf(running.transactions.database), before)
        assert.match(logged, /database server is another one or went back/)

        const rows = await running.transactions.database.all<{ secret: string }>(
          sql`SELECT p.secret FROM checkin c JOIN order_position p ON p.id = c.position WHERE c.successful = 1`,
        )
        assert.deepEqual(rows.map(({ secret }) => secret).sort(), acknowledged.toSorted())
        assert.equal(await countOf(running, 'conflict'), 0)
        await running.transactions.write((tx) =>
          sell(tx, central.organizer, central.event, venue.item, ['LATE']),
        )
        await until(
          'a new ticket is at the station',
          async () => (await station.scan('LATE')).status === 'ok',
        )
      } finally {
        await station.close()
        await running.close()
      }
      const after = await startServer(config, realEnv, log)
      const once = await epochOf(after.transactions.database)
      await after.close()
      const again = await startServer(config, realEnv, log)
      assert.equal(
        await epochOf(again.transactions.database),
        once,
        'the same database is taken for another one',
      )
      await again.close()
    })
  })
