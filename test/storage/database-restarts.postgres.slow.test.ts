import assert from 'node:assert/strict'
import pg from 'pg'
import sql from 'sql-template-tag'
import { type Door, openDoor } from '../routes/checkin/checkin-door.ts'
import { openBareServerPostgres } from '../support/engines/server-postgres.ts'
import { Cable } from '../support/servers/cable.ts'

const address = process.env.GATEHOUSE_TEST_POSTGRES ?? ''

describe('a server whose PostgreSQL goes away under load', () => {
  let cable: Cable
  let door: Door
  let administrator: pg.Client
  let database: string | undefined
  before(async () => {
    cable = new Cable(address)
    door = await openDoor(await openBareServerPostgres(await cable.plug()))
    database = (await door.database.get<{ name: string }>(sql`SELECT current_database() AS name`))?.name
    administrator = new pg.Client({ connectionString: address })
    await administrator.connect()
  })
  after(async () => {
    await door.server.close()
    await administrator.end()
    await cable.cut()
  })

  // Only those of this test: others use the same server at the same time.
  const terminate = () =>
    administrator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [database],
    )

  /** Scans tickets while something happens; the codes of those that were answered 201, and of those answered 503. */
  async function scanDuring(codes: readonly string[], happening: () => Promise<unknown>) {
    const scanning = codes.map(async (code) => ({
      code,
      status: (await door.redeem(code, { nonce: code })).status,
    }))
    const happened = happening()
    const answers = await Promise.all(scanning)
    await happened
    const odd = answers.filter(({ status }) => status !== 201 && status !== 503)
    assert.deepEqual(odd, [])
    return {
      taken: answers.filter(({ status }) => status === 201).map(({ code }) => code),
      unavailable: answers.filter(({ status }) => status === 503).map(({ code }) => code),
    }
  }

  async function sell(name: string): Promise<readonly string[]> {
    const codes = Array.from({ length: 60 }, (_, index) => `${name} ${index}`)
    for (const code of codes) await door.sell(code)
    return codes
  }

  async function admitted(codes: readonly string[]): Promise<void> {
    const rows = await door.database.all<{ code: string }>(
      sql`SELECT raw_barcode AS code FROM checkin WHERE successful = 1`,
    )
    const known = rows.map(({ code }) => code)
    for (const code of codes) assert.equal(known.filter((one) => one === code).length, 1, code)
  }

  it('loses nothing that it has acknowledged where its backends are terminated, and goes on', async () => {
    const codes = await sell('terminated')
    const { taken, unavailable } = await scanDuring(codes, async () => {
      for (let time = 0; time < 5; time += 1) await terminate()
    })
    await admitted(taken)
    for (const code of unavailable) assert.equal((await door.redeem(code, { nonce: code })).status, 201)
    await admitted(codes)
  })

  it('answers 503 while it cannot be reached, and goes on once it can', async () => {
    const codes = await sell('cut')
    const { taken } = await scanDuring(codes, () => cable.cut())
    for (const code of codes.filter((one) => !taken.includes(one)).slice(0, 3)) {
      const answer = await door.redeem(code, { nonce: code })
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('Retry-After'), '5')
    }
    assert.equal((await fetch(`${door.server.url}/healthz`)).status, 200)
    assert.equal((await fetch(`${door.server.url}/readyz`)).status, 503)
    await cable.plug()
    await admitted(taken)
    for (const code of codes) assert.equal((await door.redeem(code, { nonce: code })).status, 201)
    await admitted(codes)
  })
})
