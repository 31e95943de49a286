import assert from 'node:assert/strict'
import type { RowData } from '../../server/resource/codec.ts'
import { type Fleet, shipyard } from './support/fleet.ts'
import { admittedAt, agree, codesOf, countAt, isReported, linkOf, scan, sellAt } from './support/ground.ts'
import { type Machine, waitFor } from './support/machine.ts'
import type { Weather } from './support/wire.ts'

const hour = 3_600_000
const hours = 72
/** So many hours pass at a time. */
const step = 3
const size = 100

/** What it looks like that central is gone, one kind after the other. */
const gone: readonly Weather[] = ['cut', 'stall', 'reset', 'portal']

// The clocks of the four processes are set forward by some hours at a time, the one that only counts included, so that
// three days pass for them while the test takes some seconds. What they wait for with timers takes its real time.
describe('three days of an event without central, at a hub and two stations that are processes', function () {
  this.timeout(300_000)
  const launch = shipyard()
  const codes = codesOf(hours * 4)
  let fleet: Fleet
  before(async () => {
    fleet = await launch({ codes, names: ['North', 'South'], hub: true, size })
  })

  it('lets every ticket in once, sells what it may, and tells central of everything afterwards', async () => {
    const { central, hub, posts, ground } = fleet
    assert.ok(hub)
    const stations = posts.map(({ machine }) => machine)
    const [north, south] = stations
    assert.ok(north && south)
    const machines = [central, hub.machine, ...stations]
    for (const machine of [hub.machine, ...stations])
      await waitFor('it may sell offline', () => countAt(machine, "quota_lease WHERE state = 'open'") > 0)
    const refused: RowData[] = []
    const wrong: RowData[] = []
    const sold: string[] = []
    let soldOut = 0

    const letIn = async (machine: Machine, code: string): Promise<void> => {
      const shown = await scan(machine, code)
      if (shown.status !== 'ok') refused.push(shown)
    }
    const turnAway = async (machine: Machine, code: string): Promise<void> => {
      const shown = await scan(machine, code)
      if (shown.reason !== 'already_redeemed') wrong.push(shown)
    }
    const sellOne = async (machine: Machine): Promise<void> => {
      const sale = await sellAt(machine, ground.item)
      if (sale.status === 201) sold.push(...sale.codes)
      else {
        assert.match(JSON.stringify(sale.body), /may sell/)
        soldOut += 1
      }
    }

    hub.wire.weather = 'cut'
    for (let now = 0; now < hours; now += step) {
      hub.wire.weather = gone[Math.floor((now * gone.length) / hours)] ?? 'cut'
      const guests = codes.slice(now * 4, (now + step) * 4)
      for (let first = 0; first < guests.length; first += 2)
        await Promise.all([letIn(north, String(guests[first])), letIn(south, String(guests[first + 1]))])
      const [c = '', d = ''] = guests.slice(-2)
      // Whoever comes to the other door with the same ticket has been told of by the hub.
      await waitFor('the other station knows', () => admittedAt(north).has(d) && admittedAt(south).has(c))
      await Promise.all([turnAway(south, c), turnAway(north, d)])
      await Promise.all(stations.map(sellOne))
      // Nobody asks anybody for the time while the clocks do not all show the same.
      for (const { wire } of posts) wire.weather = 'stall'
      await Promise.all(machines.map((machine) => machine.setClock((now + step) * hour)))
      for (const { wire } of posts) wire.weather = 'pass'
    }
    assert.deepEqual([refused, wrong], [[], []])
    assert.ok(sold.length > 0 && soldOut > 0, `${sold.length} sold, ${soldOut} not`)
    for (const [index, code] of sold.entries()) await letIn(stations[index % 2] ?? north, code)
    assert.deepEqual(refused, [])
    assert.equal(countAt(central, 'checkin'), 0)
    assert.ok((await linkOf(hub.machine)).queue > hours * 4)

    hub.wire.weather = 'pass'
    for (const machine of [...stations, hub.machine]) await isReported(machine)
    await agree(central, [hub.machine, ...stations])
    const admitted = admittedAt(central)
    assert.deepEqual(
      [...codes, ...sold].filter((code) => admitted.get(code) !== 1),
      [],
    )
    assert.equal(countAt(central, `order_position WHERE item = ${ground.item}`), sold.length)
    assert.ok(sold.length <= size)
    assert.equal(countAt(central, 'conflict'), 0)
    const [first, last] = ['min', 'max'].map((end) =>
      Date.parse(String(central.read<{ at: string }>(`SELECT ${end}(datetime) AS at FROM checkin`)[0]?.at)),
    )
    const took = (Number(last) - Number(first)) / hour
    assert.ok(took > hours - 2 * step && took < hours + 1, `${took} hours`)
  })
})
