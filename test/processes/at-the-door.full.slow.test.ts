import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { RowData } from '../../server/resource/codec.ts'
import { type Fleet, type Post, shipyard } from './support/fleet.ts'
import {
  admittedAt,
  agree,
  codesOf,
  countAt,
  freshOf,
  isFollowing,
  isReported,
  org,
  scan,
} from './support/ground.ts'
import { type Machine, waitFor } from './support/machine.ts'
import { listen } from './support/news.ts'
import { layWire } from './support/wire.ts'

const isOk = ({ status }: RowData): boolean => status === 'ok'

describe('central, a hub and two stations, each a process of its own', function () {
  this.timeout(300_000)
  const launch = shipyard()
  const codes = codesOf(1500)
  let fleet: Fleet
  let central: Machine
  let hub: Machine
  let north: Post
  let south: Post
  /** Tickets that nobody has used yet. */
  const fresh = freshOf(codes)
  before(async () => {
    fleet = await launch({ codes, names: ['North', 'South'], hub: true })
    central = fleet.central
    const [first, second] = fleet.posts
    assert.ok(fleet.hub && first && second)
    hub = fleet.hub.machine
    north = first
    south = second
  })
  const stations = (): Machine[] => [north.machine, south.machine]
  const everybodyAgrees = async (): Promise<void> => {
    for (const station of stations()) await isReported(station)
    await isReported(hub)
    await agree(central, [hub, ...stations()])
  }

  it('case 109: two clients scan the same ticket at once and one is admitted', async () => {
    for (const code of fresh(15)) {
      const results = await Promise.all(Array.from({ length: 4 }, () => scan(north.machine, code)))
      assert.equal(results.filter(isOk).length, 1)
      assert.equal(results.filter(({ reason }) => reason === 'already_redeemed').length, 3)
    }
    for (const code of fresh(15)) {
      const body = (): RowData => ({ secret: code, lists: [fleet.ground.list], nonce: randomUUID() })
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => central.call('POST', `${org}/checkinrpc/redeem/`, body())),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400])
    }
  })

  it('case 109: at two stations of one hub as well, where the list is strict', async () => {
    const strict = { strict_lists: [fleet.ground.list], strict_fallback: false, strict_wait_ms: 30_000 }
    const usual = { strict_lists: [], strict_fallback: true }
    for (const station of stations()) await station.call('PUT', '/api/v1/station/link/settings/', strict)
    for (const code of fresh(15)) {
      const results = await Promise.all(stations().map((station) => scan(station, code)))
      assert.equal(results.filter(isOk).length, 1, JSON.stringify(results))
    }
    for (const station of stations()) await station.call('PUT', '/api/v1/station/link/settings/', usual)
    await everybodyAgrees()
    assert.equal(countAt(central, 'conflict'), 0)
  })

  it('case 109: without that, whoever was admitted twice is a conflict that everybody knows', async () => {
    const tickets = fresh(15)
    for (const code of tickets) {
      const results = await Promise.all(stations().map((station) => scan(station, code)))
      assert.ok(results.some(isOk))
    }
    await everybodyAgrees()
    const admitted = admittedAt(central)
    const twice = tickets.filter((code) => admitted.get(code) !== 1)
    const found = central.read<{ code: string }>(
      `SELECT p.secret AS code FROM conflict JOIN order_position p ON p.id = conflict."position" ORDER BY p.id`,
    )
    assert.deepEqual(found.map(({ code }) => code).sort(), twice.sort())
  })

  it('case 110: a decision counts that was killed before it was answered', async () => {
    const tickets = fresh(8)
    const toStation = await layWire(north.machine.url)
    toStation.losing = /station\/scan/
    const headers = { Authorization: `Station ${north.machine.key}`, 'Content-Type': 'application/json' }
    const asked = tickets.map((code) =>
      fetch(`${toStation.url}/api/v1/station/scan/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ code, source: 'hand', nonce: `killed ${code}` }),
      }).then(
        () => 'answered',
        () => 'lost',
      ),
    )
    await waitFor('an answer is lost', () => toStation.lost > 0)
    await north.machine.kill()
    assert.deepEqual(
      await Promise.all(asked),
      tickets.map(() => 'lost'),
    )
    await toStation.close()
    await fleet.restart(north.machine)
    for (const code of tickets) {
      const again = await scan(north.machine, code, `killed ${code}`)
      assert.equal(again.status, 'ok', JSON.stringify(again))
      assert.equal((await scan(north.machine, code)).reason, 'already_redeemed')
    }
    await isFollowing(north.machine)
    await everybodyAgrees()
    const admitted = admittedAt(central)
    assert.deepEqual(
      tickets.map((code) => admitted.get(code)),
      tickets.map(() => 1),
    )
  })

  it('case 111: scanning goes on while new copies are downloaded, and nothing of it is lost', async () => {
    const switches = (machine: Machine): number => machine.log.split('new copy in use').length - 1
    const before = [hub, ...stations()].map(switches)
    central.tamper((database) => database.prepare("UPDATE node SET epoch = epoch || 'x'").run())
    const results: RowData[] = []
    const used: string[] = []
    const all = (): boolean =>
      [hub, ...stations()].every((machine, index) => switches(machine) > Number(before[index]))
    await waitFor('all three have switched', async () => {
      for (const station of stations()) {
        const [code = ''] = fresh(1)
        used.push(code)
        results.push(await scan(station, code))
      }
      return all()
    })
    assert.ok(results.length > 4)
    assert.deepEqual(
      results.filter((one) => !isOk(one)),
      [],
    )
    for (const station of stations()) await isFollowing(station)
    await everybodyAgrees()
    const admitted = admittedAt(central)
    assert.deepEqual(
      used.filter((code) => admitted.get(code) !== 1),
      [],
    )
  })

  it('case 112: a scan whose answer was lost is answered the same when it is asked again', async () => {
    const toCentral = await layWire(central.url)
    const [code = ''] = fresh(1)
    const body = JSON.stringify({ secret: code, lists: [fleet.ground.list], nonce: randomUUID() })
    const redeem = (url: string): Promise<Response> =>
      fetch(`${url}${org}/checkinrpc/redeem/`, {
        method: 'POST',
        headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
        body,
      })
    toCentral.losing = /redeem/
    await assert.rejects(redeem(toCentral.url))
    assert.equal(toCentral.lost, 1)
    const answers = [await redeem(central.url), await redeem(central.url)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(admittedAt(central).get(code), 1)
    await toCentral.close()
  })

  it('case 112: a fact whose answer was lost is reported again and counts once', async () => {
    const tickets = fresh(2)
    north.wire.losing = /sync\/push/
    const lost = north.wire.lost
    for (const code of tickets) assert.equal((await scan(north.machine, code)).status, 'ok')
    await waitFor('answers are lost', () => north.wire.lost > lost)
    north.wire.losing = null
    await everybodyAgrees()
    const admitted = admittedAt(central)
    assert.deepEqual(
      tickets.map((code) => admitted.get(code)),
      tickets.map(() => 1),
    )
    const results = north.machine.read<{ result: string }>(
      `SELECT result FROM outbox WHERE result LIKE '%"duplicate"%'`,
    )
    assert.ok(results.length > 0)
  })

  it('case 117: two stations that are apart let the same ticket in, and all learn of it', async () => {
    const [code = ''] = fresh(1)
    const news = [await listen(north.machine), await listen(south.machine)]
    const known = countAt(central, 'conflict')
    north.wire.weather = 'cut'
    south.wire.weather = 'stall'
    const results = [await scan(north.machine, code), await scan(south.machine, code)]
    assert.deepEqual(
      results.map(({ status, offline }) => [status, offline]),
      [
        ['ok', true],
        ['ok', true],
      ],
    )
    north.wire.weather = 'pass'
    south.wire.weather = 'pass'
    await everybodyAgrees()
    assert.equal(countAt(central, 'conflict'), known + 1)
    for (const one of news) {
      await waitFor('the alarm is raised', () => one.of('alert').length > 0)
      assert.deepEqual(
        one.of('alert').map(({ kind, code }) => [kind, code]),
        [['double_entry', `O${code}`]],
      )
      one.end()
    }
    const [mine, theirs] = news.map((one) => one.of('alert')[0])
    assert.equal(mine?.id, theirs?.id)
    assert.deepEqual([mine?.other_device, theirs?.other_device], ['South', 'North'])
  })

  it('case 122: the hub dies in the middle of a scan and the stations go on', async () => {
    const used: string[] = []
    const results: RowData[] = []
    let isDead = false
    const death = Promise.withResolvers<void>()
    const work = async (station: Machine): Promise<void> => {
      for (let afterwards = 0; afterwards < 10; afterwards += isDead ? 1 : 0) {
        // There are not tickets enough for a death that is long in coming.
        if (results.length >= 200) await death.promise
        const [code = ''] = fresh(1)
        used.push(code)
        results.push(await scan(station, code))
      }
    }
    const working = Promise.all([...stations(), ...stations()].map(work))
    await waitFor('scans are under way', () => results.length >= 20)
    await hub.kill()
    isDead = true
    death.resolve()
    await working
    assert.deepEqual(
      results.filter((one) => !isOk(one)),
      [],
    )
    assert.equal((await scan(north.machine, String(used[0]))).reason, 'already_redeemed')
    await fleet.restart(hub)
    await isFollowing(hub)
    await everybodyAgrees()
    const admitted = admittedAt(central)
    assert.deepEqual(
      used.filter((code) => admitted.get(code) !== 1),
      [],
    )
  })
})
