import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { fileIn } from '../../../server/data-address.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { startServer } from '../../../server/serve.ts'
import { codesOf, ev, org, prepareGround } from '../../processes/support/ground.ts'

/** Guests with a ticket of before; the first ones are scanned. */
const guests = 40

/**
 * Keeps a small database of the version that is about to be released beside this file, for the tests of those that follow:
 * `node test/storage/released/keep.ts`.
 */
async function keep(): Promise<void> {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-released-'))
  const codes = codesOf(guests)
  const { list, item } = await prepareGround(folder, codes)
  const server = await startServer(
    { database: folder, host: '127.0.0.1', port: 0, stationKey: null },
    realEnv,
    silentLog,
  )
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const redeem = (secret: string, type: 'entry' | 'exit') =>
    post(`${org}/checkinrpc/redeem/`, { secret, lists: [list], type, nonce: `${type} ${secret}` })
  for (const secret of codes.slice(0, 12)) await redeem(secret, 'entry')
  for (const secret of codes.slice(0, 3)) await redeem(secret, 'exit')
  for (let sale = 0; sale < 4; sale += 1)
    await post(`${ev}/orders/`, {
      ...{ status: sale === 3 ? 'n' : 'p', payment_provider: 'manual', email: `${sale}@sale.example` },
      positions: [{ item }, { item }],
    })
  await post(`${ev}/vouchers/`, { code: 'RELEASED', max_usages: 3 })
  await post(`${org}/giftcards/`, { secret: 'RELEASEDCARD', value: '25.00', currency: 'EUR' })
  await server.close()
  const raw = new Sqlite(fileIn(folder))
  raw.pragma('journal_mode = DELETE')
  raw.exec('VACUUM')
  raw.close()
  const kept = new URL(`${manifest.version}.sqlite.gz`, import.meta.url)
  writeFileSync(kept, gzipSync(readFileSync(fileIn(folder)), { level: 9 }))
  rmSync(folder, { recursive: true })
  process.stdout.write(`${kept.pathname}\n`)
}

await keep()
