import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../server/data.ts'
import { codesOf, ev, prepareGround } from '../../processes/support/ground.ts'
import { type Served, serveCli } from '../../support/servers/cli.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { startBusyClients } from './busy-clients.ts'
import { activity, lastWords } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { hasPgBouncer, ownPgBouncer } from './own-pgbouncer.ts'
import { hasPostgres, ownPostgres } from './own-postgres.ts'

/** Fewer than two servers would hold by themselves, so that transactions take turns on them. */
const connections = 4

if (hasPostgres && hasPgBouncer)
  describe('two servers on one PostgreSQL behind PgBouncer in transaction mode', function () {
    this.timeout(testTimeout)

    it('keep what they acknowledged where one of them, PgBouncer and PostgreSQL are killed', async () => {
      const inTime = startWaiting()
      const postgres = await inTime('PostgreSQL starts', ownPostgres())
      const bouncer = await inTime('PgBouncer starts', ownPgBouncer(postgres.address, connections))
      const running: Served[] = []
      try {
        const codes = codesOf(2500)
        const { list, item } = await inTime('it is made', prepareGround(bouncer.address, codes, 100_000))
        const database = await inTime('it is opened', openDatabase(postgres.address))
        const words = lastWords()
        const describe = async () => [await activity(database), words.end()].join('\n')
        const serve = async (): Promise<Served> =>
          words.of(await inTime('a server starts', serveCli(['--database', bouncer.address]), describe))
        for (let index = 0; index < 2; index += 1) running.push(await serve())
        let turn = 0
        const url = (): string => {
          turn += 1
          return running[turn % 2]?.url ?? ''
        }
        const clients = startBusyClients({ inTime, url, list, item, codes, describe })
        await clients.more(201, 60)
        const [{ used } = { used: 0 }] = await database.all<{ used: number }>(
          sql`SELECT count(*) AS used FROM pg_stat_activity WHERE datname = current_database()`,
        )
        assert.ok(used <= connections + 1, `${used} connections`)

        const [killed] = running
        assert.ok(killed)
        await inTime('a server is killed', killed.stop('SIGKILL'))
        await clients.more(201, 40)
        running[0] = await serve()
        await inTime('PgBouncer is killed', bouncer.kill())
        await inTime('PgBouncer starts again', bouncer.start())
        await clients.more(201, 60)
        postgres.crash()
        postgres.start()
        await clients.more(201, 60)
        await clients.end()

        const listed = await fetch(`${running[1]?.url}${ev}/orders/?page_size=1&ordering=-datetime`, {
          headers: { Authorization: 'Token all' },
        })
        assert.equal(listed.status, 200)
        await database.close()
        const after = await inTime('it is opened again', openDatabase(postgres.address))
        await inTime('all is looked at', acknowledgedOnce(after, clients))
        await after.close()
      } finally {
        for (const served of running)
          if (served.child.exitCode === null && served.child.signalCode === null) await served.stop('SIGKILL')
        await bouncer.remove()
        postgres.remove()
      }
    })
  })
