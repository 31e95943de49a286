import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { startServer } from '../../server/serve.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { made, refused, serveCli, temporaryFolders } from '../support/servers/cli.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  sell,
  startNode,
  type TestNode,
  until,
  type Venue,
} from '../support/servers/nodes.ts'
import { askedAs, type TestServer, withOrganizer } from '../support/servers/servers.ts'

const administration = process.env.GATEHOUSE_TEST_POSTGRES ?? ''
const folders = temporaryFolders('gatehouse move')
const named: string[] = []

const administered = async (address: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The address of a database on the server with nothing in it. */
async function emptyDatabase(): Promise<string> {
  const name = `gatehouse_move_${randomUUID().slice(0, 8)}`
  await administered(administration, `CREATE DATABASE ${name}`)
  named.push(name)
  const address = new URL(administration)
  address.pathname = `/${name}`
  return address.href
}

after(async () => {
  for (const name of named) await administered(administration, `DROP DATABASE ${name} WITH (FORCE)`)
})

/** A central server on some data, at a port where stations know it. */
const serve = (database: string, port: number) =>
  startServer({ database, host: '127.0.0.1', port, stationKey: null }, realEnv, silentLog)

const newCentral = async (folder: string): Promise<TestServer> => withOrganizer(await serve(folder, 0))

describe('a central server that is moved to PostgreSQL and back', () => {
  let central: TestServer
  let station: TestNode
  let venue: Venue
  let port: number
  const folder = folders()
  let address: string
  before(async () => {
    central = await newCentral(folder)
    port = Number(new URL(central.url).port)
    venue = await openVenue(central, ['A', 'B', 'C'])
    const device = await makeDevice(central, 'North')
    station = await startNode()
    await station.join(central.url, String(device.initialization_token))
    await followed(station)
    await station.setUp(venue.list)
    address = await emptyDatabase()
  })
  after(async () => {
    await station.close()
    await central.close()
  })

  const admitted = () => countOf(central.running, 'checkin', 'successful = 1')

  /** Moves while the station admits somebody; it goes on with the copy that it has, and new tickets reach it. */
  const moveDuring = async (
    from: readonly string[],
    to: string,
    code: string,
    next: string,
  ): Promise<void> => {
    const copy = station.transactions
    const before = await admitted()
    await central.close()
    assert.equal((await station.scan(code)).status, 'ok')
    const { moved } = await made(['move', ...from, '--to', to])
    assert.ok(Number(moved) > 20, `only ${moved} rows`)
    central = askedAs(await serve(to, port), central)
    await until('what the station did meanwhile is there', async () => (await admitted()) === before + 1)
    await central.running.transactions.write((tx) =>
      sell(tx, central.organizer, central.event, venue.item, [next]),
    )
    await until('a new ticket is at the station', async () => (await station.scan(next)).status === 'ok')
    assert.equal(station.transactions, copy, 'the station has loaded everything anew')
    assert.equal(await countOf(central.running, 'conflict'), 0)
    const found = await central.call('GET', `${central.ev}/orderpositions/?search=Guest ${code}`)
    assert.equal((found.body as { count: number }).count, 1)
  }

  it('goes on with its stations on PostgreSQL', async () => {
    assert.equal((await station.scan('A')).status, 'ok')
    await until('the first scan is there', async () => (await admitted()) === 1)
    await moveDuring(['--data', folder], address, 'B', 'D')
  })

  it('is not moved nor served twice', async () => {
    await refused(['serve', '--port', '0', '--data', folder], /were moved to postgres:\/\/.*--cancel/)
    await refused(['move', '--data', folder, '--to', address], /Other programs are connected/)
    await refused(['move', '--database', address, '--to', folders()], /Other programs are connected/)
    await refused(['move', '--data', folder, '--to', await emptyDatabase()], /being moved to .* already/)
  })

  it('answers nobody where it was not stopped, once it has to connect anew', async () => {
    const forgotten = await emptyDatabase()
    const running = await serve(forgotten, 0)
    const own = await withOrganizer(running)
    const items = async () =>
      (await fetch(`${own.url}${own.ev}/items/`, { headers: { Authorization: 'Token all' } })).status
    assert.equal(await items(), 200)
    await administered(
      administration,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(forgotten).pathname.slice(1)}'`,
    )
    await administered(forgotten, "UPDATE node SET moved_to = 'elsewhere'")
    await until('it notices', async () => (await items()) === 503)
    await running.close()
  })

  it('goes on with them in a folder', async () => {
    await moveDuring(['--database', address], folders(), 'C', 'E')
  })
})

describe('a move that does not end', () => {
  it('leaves one place where the data are, and is begun again or canceled', async () => {
    const [folder, address] = [folders(), await emptyDatabase()]
    const first = await newCentral(folder)
    await openVenue(first, ['A', 'B'])
    await refused(['move', '--data', folder, '--to', address], /A server is running on/)
    await first.close()
    const target = await openDatabase(address)
    await migrate(target)
    await target.close()
    await administered(
      address,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the plug was pulled'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON order_position FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    await refused(['move', '--data', folder, '--to', address], /the plug was pulled/)
    await refused(['serve', '--port', '0', '--data', folder], /were moved to postgres/)
    await made(['move', '--data', folder, '--to', address, '--cancel'])
    await (await serveCli(['--data', folder])).stop()
    await administered(address, 'DROP TRIGGER fail ON order_position')
    await made(['move', '--data', folder, '--to', address])
    assert.equal((await made(['move', '--data', folder, '--to', address])).moved, 0)
    await refused(['move', '--data', folder, '--to', address, '--cancel'], /are at postgres.* already/)
    await (await serveCli(['--database', address])).stop()
    const other = folders()
    await made(['organizer', 'create', 'other', '--name', 'Other', '--data', other])
    await refused(['move', '--data', other, '--to', address], /There are other data at/)
    await (await serveCli(['--data', other])).stop()
  })

  it('is refused where nothing is, or where nothing is to be carried over', async () => {
    const [folder, other] = [folders(), folders()]
    await refused(['move', '--data', folder, '--to', await emptyDatabase()], /There is no database in/)
    await refused(['move', '--data', folder, '--to', other], /"backup" and "restore"/)
    await refused(
      ['move', '--database', await emptyDatabase(), '--to', folder],
      /nothing here that could be moved/,
    )
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', other])
    await refused(
      ['move', '--data', other, '--to', 'postgres://nobody@127.0.0.1:9/none'],
      /nothing answers there/,
    )
    await refused(
      ['move', '--data', other, '--to', await emptyDatabase(), '--cancel'],
      /Nothing is being moved/,
    )
    await (await serveCli(['--data', other])).stop()
  })
})
