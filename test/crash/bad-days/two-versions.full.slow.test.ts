import assert from 'node:assert/strict'
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../server/data.ts'
import { codesOf, prepareGround } from '../../processes/support/ground.ts'
import { runCli, type Served, serveCli, temporaryFolders } from '../../support/servers/cli.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { startBusyClients } from './busy-clients.ts'
import { lastWords } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { hasPostgres, ownPostgres } from './own-postgres.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = temporaryFolders('gatehouse next release')

/** What a migration may do that older servers do not notice, on the tables that are busiest. */
const additions = `
ALTER TABLE orders ADD COLUMN next_release TEXT NOT NULL DEFAULT '';
ALTER TABLE order_position ADD COLUMN next_release BIGINT;
ALTER TABLE checkin ADD COLUMN next_release BIGINT NOT NULL DEFAULT 0;
ALTER TABLE quota ADD COLUMN next_release BIGINT;
ALTER TABLE event ADD COLUMN next_release TEXT;
CREATE TABLE added_by_next_release (organizer BIGINT NOT NULL, id BIGINT NOT NULL, PRIMARY KEY (organizer, id));
CREATE INDEX checkin_by_next_release ON checkin (organizer, next_release);
`

/** The program with one more migration, as its next release would be. */
function nextRelease(): string {
  const program = folders()
  for (const part of ['server', 'schema', 'main', 'renderer/public', 'package.json'])
    cpSync(join(root, part), join(program, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
  const migrations = join(program, 'schema/database')
  const number = readdirSync(migrations).filter((name) => name.endsWith('.sql')).length + 1
  writeFileSync(join(migrations, `${String(number).padStart(4, '0')}-next-release.sql`), additions)
  return program
}

if (hasPostgres)
  describe('two versions on one PostgreSQL', function () {
    this.timeout(testTimeout)

    it('serve side by side while one takes the place of the other, and nothing is lost or refused', async () => {
      const inTime = startWaiting()
      const postgres = await inTime('PostgreSQL starts', ownPostgres())
      const running = new Set<Served>()
      try {
        const codes = codesOf(2500)
        const { list, item } = await inTime('it is made', prepareGround(postgres.address, codes, 100_000))
        const database = await inTime('it is opened', openDatabase(postgres.address))
        const program = nextRelease()
        const words = lastWords()
        const serve = async (told: { readonly program?: string } = {}): Promise<Served> => {
          const served = await inTime(
            'a server starts',
            serveCli(['--database', postgres.address], told),
            words.end,
          )
          running.add(served)
          return words.of(served)
        }
        const end = async (served: Served): Promise<void> => {
          running.delete(served)
          await inTime('a server ends', served.stop())
        }
        const older = [await serve(), await serve()] as const
        let turn = 0
        const url = (): string => {
          turn += 1
          return [...running][turn % running.size]?.url ?? ''
        }
        const clients = startBusyClients({ inTime, url, list, item, codes, describe: words.end })
        await clients.more(201, 60)
        const newer = await serve({ program })
        // All three serve, the older ones what they do not know all of.
        await clients.more(201, 120)
        await end(older[0])
        await clients.more(201, 60)
        const second = await serve({ program })
        await end(older[1])
        await clients.more(201, 60)
        await clients.end()
        assert.equal(words.errors(), '')
        assert.equal(clients.lastText(500), '')

        await inTime('all is looked at', acknowledgedOnce(database, clients))
        const added = await database.get<{ count: number }>(
          sql`SELECT count(*) AS count FROM orders WHERE next_release = ''`,
        )
        assert.ok(Number(added?.count) > 0)
        await database.close()
        const refused = await runCli(['serve', '--port', '0', '--database', postgres.address])
        assert.equal(refused.code, 1)
        assert.match(refused.err, /changed by Gatehouse \d[\d.]* \(\d{4}-next-release\.sql\)/)
        await end(newer)
        await end(second)
      } finally {
        for (const served of running) await served.stop('SIGKILL')
        postgres.remove()
      }
    })
  })
