import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fileIn } from '../../../server/data-address.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { startServer } from '../../../server/serve.ts'
import { verifyAudit } from '../../../server/services/operations/audit-verify.ts'
import { missingMigrations } from '../../../server/storage/migrate.ts'
import { ev, org } from '../../processes/support/ground.ts'
import { temporaryFolders } from '../../support/servers/cli.ts'

const folder = new URL('./', import.meta.url)
const folders = temporaryFolders('gatehouse-released')
const kept = readdirSync(folder).filter((name) => name.endsWith('.sqlite.gz'))

it('a database of every version that was released is kept', () => {
  const changes = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  const released = [...changes.matchAll(/^## v?(\d+\.\d+\.\d+)/gm)].map(
    ([, version]) => `${version}.sqlite.gz`,
  )
  assert.ok(kept.length > 0)
  assert.deepEqual(
    released.filter((name) => !kept.includes(name)),
    [],
    'node test/storage/released/keep.ts keeps one',
  )
})

for (const name of kept)
  describe(`the database of ${name.replace('.sqlite.gz', '')}`, () => {
    it('is opened, and everything in it goes on', async () => {
      const data = folders()
      writeFileSync(fileIn(data), gunzipSync(readFileSync(new URL(name, folder))))
      const server = await startServer(
        { database: data, host: '127.0.0.1', port: 0, stationKey: null },
        realEnv,
        silentLog,
      )
      const ask = async (path: string, body?: object) => {
        const answer = await fetch(server.url + path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        return { status: answer.status, body: JSON.parse(await answer.text()) }
      }
      const redeem = async (secret: string, type = 'entry') => {
        const { status, body } = await ask(`${org}/checkinrpc/redeem/`, { secret, type, lists: [list.id] })
        return [status, body.status, body.reason]
      }
      const { body: lists } = await ask(`${ev}/checkinlists/`)
      const [list] = lists.results
      try {
        assert.deepEqual(await missingMigrations(server.transactions.database), [])
        assert.deepEqual(
          [(await ask(`${ev}/checkinlists/${list.id}/status/`)).body.inside_count, lists.count],
          [9, 1],
        )
        assert.equal((await ask(`${ev}/orders/?status=p`)).body.count, 43)
        assert.equal((await ask(`${ev}/orders/?email=3@sale.example`)).body.results[0].status, 'n')
        assert.equal((await ask(`${ev}/vouchers/?code=RELEASED`)).body.results[0].max_usages, 3)
        assert.equal((await ask(`${org}/giftcards/?secret=RELEASEDCARD`)).body.results[0].value, '25.00')
        assert.deepEqual(await redeem('T5'), [400, 'error', 'already_redeemed'])
        assert.deepEqual(await redeem('T20'), [201, 'ok', undefined])
        assert.deepEqual(await redeem('T20', 'exit'), [201, 'ok', undefined])
        const { problems } = await verifyAudit(server.transactions.database)
        assert.deepEqual(problems, [])
      } finally {
        await server.close()
      }
    })
  })
