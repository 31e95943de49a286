import assert from 'node:assert/strict'
import pg from 'pg'
import { openDatabase } from '../../../server/data.ts'
import { epochOf } from '../../../server/services/operations/restored-database.ts'
import { codesOf, prepareGround } from '../../processes/support/ground.ts'
import { Cable } from '../../support/servers/cable.ts'
import { serveCli } from '../../support/servers/cli.ts'
import { until } from '../../support/servers/nodes.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { ArchivedPostgres, clusterFolder } from './archived-postgres.ts'
import { startBusyClients } from './busy-clients.ts'
import { activity, lastWords } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { freePort, hasPostgres } from './own-postgres.ts'

if (hasPostgres)
  describe('a PostgreSQL that crashes, and whose replica takes over', function () {
    this.timeout(testTimeout)
    const folder = clusterFolder()
    let serving: ArchivedPostgres
    before(async () => {
      serving = new ArchivedPostgres(folder.path, 'primary', await freePort())
      await serving.create()
      await serving.start()
    })
    after(async () => {
      await serving.stop('immediate')
      folder.remove()
    })

    it('has everything that was acknowledged, and the same program goes on', async () => {
      const inTime = startWaiting()
      const replica = await inTime('the replica starts', serving.followAt(await freePort(), 'replica'))
      const cable = new Cable(serving.address)
      const address = await cable.plug()
      const codes = codesOf(2500)
      const { list, item } = await inTime('it is made', prepareGround(address, codes, 100_000))
      await isSynchronous(serving.address)
      const words = lastWords()
      const served = words.of(await inTime('a server starts', serveCli(['--database', address])))
      try {
        const before = await openDatabase(serving.address)
        const epoch = await epochOf(before)
        await before.close()
        const describe = async () => words.end()
        const clients = startBusyClients({ inTime, url: () => served.url, list, item, codes, describe })
        await clients.more(201, 100)
        await inTime('the first one crashes', serving.stop('immediate'))
        await clients.more(503, 5)
        await inTime('the replica takes over', replica.promote())
        serving = replica
        cable.lead(replica.address)
        await clients.more(201, 100)
        await clients.end()
        const database = await openDatabase(replica.address)
        await inTime('all is looked at', acknowledgedOnce(database, clients), () => activity(database))
        // Stations load anew and report again, as nobody else can know whether the replica had everything.
        assert.notEqual(await epochOf(database), epoch)
        await database.close()
      } finally {
        await served.stop('SIGKILL')
        await cable.cut()
      }
    })
  })

/** Resolves once commits wait for a replica. */
async function isSynchronous(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await until('the replica follows', async () => {
    const { rows } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
    return rows.length === 1
  })
  await client.end()
}
