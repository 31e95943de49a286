import assert from 'node:assert/strict'
import { filesWith, mark, type Planted, plantCanaries, seen } from './support/canaries.ts'
import { type Fleet, type Post, shipyard } from './support/fleet.ts'
import { codesOf, ev, isReported, linkOf, org, scan, setUp } from './support/ground.ts'
import { waitFor } from './support/machine.ts'

describe('what a device at a gate has on its disk', function () {
  this.timeout(300_000)
  const launch = shipyard()
  let planted: Planted
  let fleet: Fleet
  let gate: Post
  before(async () => {
    fleet = await launch({
      codes: codesOf(5),
      names: ['Gate'],
      device: { security_profile: 'gate', all_events: false, limit_events: ['gala'] },
      async prepare(central, { organizer, event }) {
        planted = await plantCanaries(central.folder, organizer, event)
      },
    })
    const [post] = fleet.posts
    assert.ok(post)
    gate = post
    await setUp(gate.machine, planted.list)
  })

  const nothingFound = (): void => {
    assert.deepEqual(filesWith(gate.machine.folder, mark), [])
    assert.ok(!gate.machine.log.toLowerCase().includes(mark))
  }

  it('is nothing of ten thousand texts that it must not hold, however it has come', async () => {
    const { machine } = gate
    assert.ok(planted.count >= 10_000, `${planted.count} were planted`)
    // What it needs is found in the same way, and at central what was planted.
    assert.notDeepEqual(filesWith(machine.folder, seen), [])
    assert.notDeepEqual(filesWith(fleet.central.folder, mark), [])
    nothingFound()
    // The same by the changes, and in what it writes itself.
    const [first = '', second = ''] = planted.orders
    for (const order of [first, second]) {
      const change = {
        comment: `${mark} late`,
        email: `${mark}late@example.org`,
        checkin_text: `${seen} ${order}`,
      }
      const answer = await fleet.central.call('PATCH', `${ev}/orders/${order}/`, change)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    await waitFor(
      'the change arrives',
      () => machine.read('SELECT id FROM orders WHERE checkin_text = ?', `${seen} ${second}`).length === 1,
    )
    for (const code of planted.codes.slice(0, 5)) assert.equal((await scan(machine, code)).status, 'ok')
    await isReported(machine)
    nothingFound()
    // And by a copy that is loaded anew.
    fleet.central.tamper((database) => database.prepare("UPDATE node SET epoch = epoch || 'x'").run())
    await waitFor('another copy is in use', () => machine.log.split('new copy in use').length > 2)
    nothingFound()
    await machine.kill()
    nothingFound()
    await fleet.restart(machine)
    await waitFor('it is back', async () => (await linkOf(machine)).state === 'online')
  })

  it('is nothing at all once it was stolen and its access taken away', async () => {
    const { machine, device } = gate
    assert.equal((await fleet.central.call('POST', `${org}/devices/${device.device_id}/revoke/`)).status, 200)
    await waitFor('it has been wiped', () => machine.read('SELECT id FROM order_position').length === 0)
    await machine.stop()
    assert.deepEqual(filesWith(machine.folder, seen), [])
    assert.deepEqual(filesWith(machine.folder, 'gala1'), [])
  })
})
