import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import sql from 'sql-template-tag'
import { realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { startServer } from '../../server/serve.ts'
import { made, refused, temporaryFolders } from '../support/servers/cli.ts'
import { at, MovingOrganizer } from '../support/servers/moved-organizer.ts'
import { openVenue, until } from '../support/servers/nodes.ts'
import { askedAs, withOrganizer } from '../support/servers/servers.ts'

const administration = process.env.GATEHOUSE_TEST_POSTGRES ?? ''
const folders = temporaryFolders('gatehouse organizer')
const newFile = (): string => join(folders(), 'acme.move')
const named: string[] = []

async function asked<Row>(address: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The address of a database on the server with nothing in it. */
async function emptyDatabase(): Promise<string> {
  const name = `gatehouse_organizer_${randomUUID().slice(0, 8)}`
  await asked(administration, `CREATE DATABASE ${name}`)
  named.push(name)
  const address = new URL(administration)
  address.pathname = `/${name}`
  return address.href
}

after(async () => {
  for (const name of named) await asked(administration, `DROP DATABASE ${name} WITH (FORCE)`)
})

const serve = (database: string) =>
  startServer({ database, host: '127.0.0.1', port: 0, stationKey: null }, realEnv, silentLog)

describe('an organizer that is moved to PostgreSQL and back', () => {
  it('goes on with its stations, beside a server that others use', async () => {
    const [address, away] = [await emptyDatabase(), folders()]
    await made(['organizer', 'create', 'rival', '--name', 'Rival', '--database', address])
    const moving = await MovingOrganizer.begin(folders())
    const other = await serve(address)
    try {
      await moving.move(address, newFile())
      await moving.joinAnother()
      await moving.move(away, newFile())
      const rows = await asked(address, "SELECT slug FROM organizer WHERE slug = 'rival'")
      assert.equal(rows.length, 1)
    } finally {
      await other.close()
      await moving.end()
    }
  })
})

describe('an organizer of two servers on one PostgreSQL', () => {
  it('is in the file as far as anything was acknowledged', async () => {
    const [address, target, file] = [await emptyDatabase(), folders(), newFile()]
    const codes = Array.from({ length: 400 }, (_, index) => `T${index}`)
    const first = await withOrganizer(await serve(address))
    const second = askedAs(await serve(address), first)
    const venue = await openVenue(first, codes)
    let exporting: Promise<unknown> | undefined
    const answered: number[] = []
    const some = [...codes]
    const gate = async (server: typeof first): Promise<void> => {
      for (let secret = some.shift(); secret !== undefined; secret = some.shift()) {
        const path = `${server.org}/checkinrpc/redeem/`
        const { status } = await server.call('POST', path, { secret, lists: [venue.list] })
        answered.push(status)
        if (answered.length === 10)
          exporting = made(['organizer', 'export', 'acme', file, '--database', address])
        // The command takes a while to start: who was refused comes again.
        if (exporting && status === 201 && some.length < 20)
          await until('it is closed', async () => {
            const rows = await asked(address, 'SELECT 1 FROM organizer_move')
            return rows.length > 0
          })
      }
    }
    await Promise.all([first, second, first, second].map(gate))
    await exporting
    const admitted = answered.filter((status) => status === 201).length
    assert.ok(admitted < codes.length, 'nobody was refused')
    assert.deepEqual([...new Set(answered)].sort(), [201, 503])
    await first.close()
    await second.close()
    await made(['organizer', 'import', file, ...at(target)])
    const found = await serve(target)
    const row = await found.transactions.database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM checkin WHERE successful = 1`,
    )
    assert.equal(row?.count, admitted)
    await found.close()
  })

  it('waits for what is under way, and leaves nothing where the import is broken off', async () => {
    const [address, data, file] = [await emptyDatabase(), folders(), newFile()]
    const first = await withOrganizer(await serve(data))
    await openVenue(first, ['A', 'B'])
    await first.close()
    await made(['organizer', 'export', 'acme', file, '--data', data])
    await made(['organizer', 'create', 'rival', '--name', 'Rival', '--database', address])
    await asked(
      address,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the plug was pulled'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON order_position FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    await refused(['organizer', 'import', file, '--database', address], /the plug was pulled/)
    assert.deepEqual(await asked(address, 'SELECT slug FROM organizer'), [{ slug: 'rival' }])
    assert.deepEqual(await asked(address, 'SELECT id FROM orders'), [])
    await asked(address, 'DROP TRIGGER fail ON order_position')
    await made(['organizer', 'import', file, '--database', address])

    const late = new pg.Client({ connectionString: address })
    await late.connect()
    await late.query('BEGIN')
    await late.query('UPDATE team SET name = name')
    const exporting = made(['organizer', 'export', 'acme', newFile(), '--database', address])
    let isDone = false
    void exporting.then(() => {
      isDone = true
    })
    await until('it is closed', async () => {
      const rows = await asked<{ moved_to: string | null }>(address, 'SELECT moved_to FROM organizer_move')
      return rows[0]?.moved_to === 'another server'
    })
    await until('it has looked', async () => {
      const rows = await asked<{ count: string }>(
        address,
        "SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE '%xact_start <=%' AND pid <> pg_backend_pid()",
      )
      return Number(rows[0]?.count) > 0
    })
    assert.equal(isDone, false)
    await late.query('COMMIT')
    await late.end()
    await exporting
  })
})
