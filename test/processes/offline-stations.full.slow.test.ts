import assert from 'node:assert/strict'
import type { RowData } from '../../server/resource/codec.ts'
import { clearlyBefore } from '../support/mocha/clearly-before.ts'
import { type Fleet, shipyard } from './support/fleet.ts'
import {
  admittedAt,
  agree,
  codesOf,
  countAt,
  ev,
  freshOf,
  isFollowing,
  isReported,
  linkOf,
  org,
  scan,
  sellAt,
} from './support/ground.ts'
import { type Machine, waitFor } from './support/machine.ts'
import { listen } from './support/news.ts'

const hour = 3_600_000
const places = 20

describe('stations that are offline, each a process of its own', function () {
  this.timeout(300_000)
  const launch = shipyard()
  const codes = codesOf(60)
  let fleet: Fleet
  let central: Machine
  /** Tickets that nobody has used yet. */
  const fresh = freshOf(codes)
  before(async () => {
    fleet = await launch({ codes, names: ['North', 'South', 'West'], size: places })
    central = fleet.central
  })
  const posts = () => {
    const [north, south, west] = fleet.posts
    assert.ok(north && south && west)
    return { north, south, west }
  }

  it('case 118: two tills sell the last places offline, and no more than there are', async () => {
    const { north, south } = posts()
    const { item } = fleet.ground
    for (const { machine } of [north, south])
      await waitFor(
        'it may sell offline',
        // What the others may sell is known here as well.
        () => countAt(machine, "quota_lease WHERE state = 'open' AND site = (SELECT site FROM node)") > 0,
      )
    await agree(central, [north.machine, south.machine])
    for (const { wire } of [north, south]) wire.weather = 'cut'
    const sold: string[] = []
    for (const { machine } of [north, south])
      for (let attempt = 0; ; attempt += 1) {
        assert.ok(attempt <= places)
        const sale = await sellAt(machine, item)
        if (sale.status === 400) {
          assert.match(JSON.stringify(sale.body), /may sell/)
          break
        }
        assert.equal(sale.status, 201, JSON.stringify(sale.body))
        sold.push(...sale.codes)
      }
    assert.ok(sold.length > 1 && sold.length <= places, `${sold.length} sold`)
    // Central counts what they may sell as sold, and sells the rest itself.
    let direct = 0
    while ((await sellAt(central, item)).status === 201) direct += 1
    assert.ok(sold.length + direct <= places)
    for (const { wire } of [north, south]) wire.weather = 'pass'
    for (const { machine } of [north, south]) await isReported(machine)
    await agree(central, [north.machine, south.machine])
    const total = countAt(central, `order_position WHERE item = ${item}`)
    assert.deepEqual([total, countAt(central, 'conflict')], [sold.length + direct, 0])
    assert.equal((await scan(south.machine, String(sold[0]))).status, 'ok')
    assert.equal((await scan(north.machine, String(sold.at(-1)))).status, 'ok')
  })

  it('case 119: a ticket that was cancelled after the download is admitted offline, and reported', async () => {
    const { north } = posts()
    const [code = ''] = fresh(1)
    const news = await listen(north.machine)
    north.wire.weather = 'stall'
    const canceled = await central.call('POST', `${ev}/orders/O${code}/mark_canceled/`, {})
    assert.equal(canceled.status, 200, JSON.stringify(canceled.body))
    const shown = await scan(north.machine, code)
    assert.deepEqual([shown.status, shown.offline], ['ok', true])
    north.wire.weather = 'pass'
    await isReported(north.machine)
    const { body } = await central.call('GET', `${org}/conflicts/`)
    const { results } = body as { results: RowData[] }
    assert.deepEqual(
      results.map(({ kind, order, state }) => [kind, order, state]),
      [['canceled_used', `O${code}`, 'open']],
    )
    await waitFor('the alarm is raised', () => news.of('alert').length > 0)
    assert.deepEqual(
      news.of('alert').map(({ kind }) => kind),
      ['canceled_used'],
    )
    news.end()
    await agree(central, [north.machine])
    assert.equal(admittedAt(central).get(code), 1)
    assert.equal((await scan(north.machine, code)).status, 'error')
  })

  it('case 115: clocks an hour wrong change neither who was first nor when', async () => {
    const { north, south } = posts()
    const [both = '', early = ''] = fresh(2)
    // What they have measured so far is of another clock.
    for (const { machine } of [north, south]) await machine.stop()
    await north.machine.setClock(hour)
    await south.machine.setClock(-hour)
    for (const { machine } of [north, south]) await fleet.restart(machine)
    for (const { machine } of [north, south]) {
      await isFollowing(machine)
      await waitFor(
        'it knows the time',
        async () => Math.abs((await linkOf(machine)).clock.offset) > hour / 2,
      )
    }
    for (const { wire } of [north, south]) wire.weather = 'cut'
    const begun = Date.now()
    const links = [north, south].map(
      ({ machine }) =>
        () =>
          linkOf(machine),
    )
    const first = await clearlyBefore(links, () => scan(north.machine, both))
    assert.equal(first.status, 'ok')
    assert.equal((await scan(south.machine, both)).status, 'ok')
    assert.equal((await scan(south.machine, early)).status, 'ok')
    for (const { wire } of [north, south]) wire.weather = 'pass'
    for (const { machine } of [north, south]) await isReported(machine)
    await agree(central, [north.machine, south.machine])
    const rows = central.read<{ name: string; datetime: string; forced: number }>(
      `SELECT device.name, checkin.datetime, checkin.forced FROM checkin
       JOIN order_position p ON p.id = checkin."position" JOIN device ON device.id = checkin.device
       WHERE p.secret IN (?, ?) ORDER BY checkin.datetime`,
      both,
      early,
    )
    assert.deepEqual(
      rows.map(({ name, forced }) => [name, forced]),
      [
        ['North', 0],
        ['South', 1],
        ['South', 0],
      ],
    )
    for (const { datetime } of rows) assert.ok(Math.abs(Date.parse(datetime) - begun) < 60_000, datetime)
    const link = await linkOf(north.machine)
    assert.equal(link.clock.skewed, true)
  })

  it('case 120: a device that is disabled while it is offline loses its data, and nothing of what it did', async () => {
    const { west } = posts()
    const tickets = fresh(4)
    west.wire.weather = 'cut'
    for (const code of tickets) assert.equal((await scan(west.machine, code)).status, 'ok')
    const [row] = west.machine.read<{ token: string }>('SELECT token FROM upstream')
    const revoked = await central.call('POST', `${org}/devices/${west.device.device_id}/revoke/`)
    assert.equal(revoked.status, 200)
    assert.equal((await scan(west.machine, String(fresh(1)[0]))).status, 'ok')
    west.wire.weather = 'pass'
    await waitFor('it has been wiped', () => countAt(west.machine, 'order_position') === 0)
    for (const table of ['orders', 'checkin', 'position_search', 'outbox', 'event', 'device', 'audit'])
      assert.equal(countAt(west.machine, table), 0, table)
    assert.equal((await linkOf(west.machine)).revoked, true)
    const { body } = await central.call('GET', `${org}/sync/quarantine/`)
    assert.equal((body as { count: number }).count, 5)
    assert.deepEqual(
      tickets.filter((code) => admittedAt(central).has(code)),
      [],
    )
    // Whoever has stolen it gets nothing with its token.
    const headers = { Authorization: `Device ${row?.token}` }
    const paths = ['changes/', 'snapshot/', 'live/', 'ping/', 'leases/', 'quarantine/']
    for (const path of [
      ...paths.map((one) => `${org}/sync/${one}`),
      `${ev}/orders/`,
      '/api/v1/device/info',
      `${org}/`,
    ])
      assert.equal((await central.call('GET', path, undefined, headers)).status, 401, path)
    for (const path of ['sync/join/', 'sync/leases/', 'checkinrpc/redeem/'])
      assert.equal((await central.call('POST', `${org}/${path}`, {}, headers)).status, 401, path)
    const applied = await central.call('POST', `${org}/sync/quarantine/apply/`, { action: 'apply' })
    assert.equal(applied.status, 200, JSON.stringify(applied.body))
    const admitted = admittedAt(central)
    assert.deepEqual(
      tickets.filter((code) => admitted.get(code) !== 1),
      [],
    )
  })
})
