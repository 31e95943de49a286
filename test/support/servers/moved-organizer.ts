import assert from 'node:assert/strict'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { startServer } from '../../../server/serve.ts'
import { sealAudit } from '../../../server/services/operations/audit-seals.ts'
import { verifyAudit } from '../../../server/services/operations/audit-verify.ts'
import { made } from './cli.ts'
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
} from './nodes.ts'
import { askedAs, type TestServer, withOrganizer } from './servers.ts'

/** Where a command finds some data. */
export const at = (database: string): string[] =>
  database.startsWith('postgres:') ? ['--database', database] : ['--data', database]

const serve = (database: string, port: number) =>
  startServer({ database, host: '127.0.0.1', port, stationKey: null }, realEnv, silentLog)

/** A central server whose organizer moves from one database to others, at an address that stays, and a station of it. */
export class MovingOrganizer {
  central: TestServer
  readonly station: TestNode
  readonly venue: Venue
  #database: string
  #next = 0

  private constructor(database: string, parts: { central: TestServer; station: TestNode; venue: Venue }) {
    this.#database = database
    this.central = parts.central
    this.station = parts.station
    this.venue = parts.venue
  }

  static async begin(database: string): Promise<MovingOrganizer> {
    const central = await withOrganizer(await serve(database, 0))
    const venue = await openVenue(central, ['A', 'B', 'C', 'D', 'E', 'F'])
    const device = await makeDevice(central, 'North')
    const station = await startNode()
    await station.join(central.url, String(device.initialization_token))
    await followed(station)
    await station.setUp(venue.list)
    return new MovingOrganizer(database, { central, station, venue })
  }

  admitted(): Promise<number> {
    return countOf(this.central.running, 'checkin', 'successful = 1')
  }

  async #arrived(what: string, count: number): Promise<void> {
    await until(what, async () => (await this.admitted()) === count)
  }

  #code(): string {
    const code = this.venue.codes[this.#next]
    assert.ok(code)
    this.#next += 1
    return code
  }

  /** Moves beside the running server, while the station goes on scanning, and follows it to the new place. */
  async move(to: string, file: string): Promise<void> {
    const { station, venue } = this
    const copy = station.transactions
    const before = await this.admitted()
    assert.equal((await station.scan(this.#code())).status, 'ok')
    await this.#arrived('the first scan is there', before + 1)
    await sealAudit(this.central.running.transactions)
    await made(['organizer', 'export', 'acme', file, '--to', 'https://b.example', ...at(this.#database)])
    const answer = await this.central.call('GET', `${this.central.ev}/items/`)
    assert.equal(answer.status, 503)
    assert.match(JSON.stringify(answer.body), /moved to https:\/\/b.example .* not served here any more/)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    const waiting = this.#code()
    assert.equal((await station.scan(waiting)).status, 'ok')
    assert.equal(await this.admitted(), before + 1)

    const { not_found } = await made(['organizer', 'import', file, ...at(to)])
    assert.deepEqual(not_found, [])
    const port = Number(new URL(this.central.url).port)
    await this.central.close()
    this.central = askedAs(await serve(to, port), this.central)
    this.#database = to
    const { central } = this
    const code = `NEW${before}`
    await this.#arrived('what was scanned meanwhile is there', before + 2)
    await central.running.transactions.write((tx) =>
      sell(tx, central.organizer, central.event, venue.item, [code]),
    )
    await until('a new ticket is at the station', async () => (await station.scan(code)).status === 'ok')
    await this.#arrived('its scan is there', before + 3)
    assert.equal(station.transactions, copy, 'the station has loaded everything anew')
    assert.equal(await countOf(central.running, 'conflict'), 0)
    const found = await central.call('GET', `${central.ev}/orderpositions/?search=Guest ${waiting}`)
    assert.equal((found.body as { count: number }).count, 1)
    const trail = await verifyAudit(central.running.transactions.database)
    assert.deepEqual(trail.problems, [])
    assert.ok(trail.seals > 0)
  }

  /** A station that joins now gets a number that no other has. */
  async joinAnother(): Promise<void> {
    const other = await startNode()
    const device = await makeDevice(this.central, 'South')
    await other.join(this.central.url, String(device.initialization_token))
    await followed(other)
    assert.notEqual(other.transactions.site, this.station.transactions.site)
    await other.close()
  }

  async end(): Promise<void> {
    await this.station.close()
    await this.central.close()
  }
}
