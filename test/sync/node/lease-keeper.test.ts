import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { LinkState } from '../../../schema/station-link.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { leaseShown } from '../../../server/services/quotas/lease-rows.ts'
import { grantLease, prolongLease } from '../../../server/services/quotas/leases.ts'
import { type LeaseKeeper, startLeases } from '../../../server/sync/node/lease-keeper.ts'
import type { Answered } from '../../../server/sync/upstream/upstream-client.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

describe('keeping leases', () => {
  let world: TillWorld
  let till: Till
  let env: HandEnv
  let keeper: LeaseKeeper
  let link: { state: LinkState; onChange: () => () => void }
  let asked: { path: string; body: RowData }[]
  let isLost: boolean
  /** What happens while an answer is awaited. */
  let meanwhile: () => Promise<unknown>

  async function start(settings: RowData, profile = 'boxoffice'): Promise<void> {
    till = await world.join('till', world.central, settings)
    await till.database.run(sql`UPDATE upstream SET security_profile = ${profile}`)
    env = makeHandEnv()
    link = { state: 'online', onChange: () => () => {} }
    asked = []
    isLost = false
    meanwhile = async () => undefined
    keeper = startLeases({
      ...{ transactions: till.transactions, env, log: silentLog, link },
      client: {
        async post<T>(path: string, body: unknown): Promise<Answered<T>> {
          asked.push({ path, body: body as RowData })
          const answer = await upstream(path, body as RowData)
          await meanwhile()
          return isLost ? { kind: 'timeout', detail: 'No answer.' } : (answer as Answered<T>)
        },
      },
    })
  }

  async function upstream(path: string, body: RowData): Promise<Answered<unknown>> {
    const { transactions } = world.central
    const id = Number(path.split('/')[2])
    try {
      const row = await transactions.write((tx) =>
        path.endsWith('/prolong/')
          ? prolongLease(tx, till.actor, { organizer: world.place.organizer, id }, null)
          : grantLease(tx, till.actor, world.place, {
              ...{ quota: Number(body.quota), size: Number(body.size) },
              ...{ until: null, nonce: String(body.nonce) },
            }),
      )
      return { kind: 'ok', status: 201, body: leaseShown(row), headers: new Headers() }
    } catch (cause) {
      return { kind: 'busy', status: 409, detail: String(cause), retryAfter: null }
    }
  }

  beforeEach(async () => {
    world = await startTills(100)
  })
  afterEach(async () => {
    await keeper.stop()
    await world.close()
  })

  const sizes = async (): Promise<number[]> =>
    (await till.leases()).map(({ size }) => size).sort((a, b) => a - b)

  it('asks for five of what it is set to sell, and for more as it sells', async () => {
    await start({ sell_quotas: [world.quota] })
    await keeper.keep()
    assert.deepEqual(await sizes(), [5])
    await keeper.keep()
    assert.deepEqual(await sizes(), [5])
    await till.sell(world.item, 4)
    await keeper.keep()
    assert.deepEqual(await sizes(), [4, 5])
    await till.sell(world.item, 5)
    await keeper.keep()
    assert.deepEqual(await sizes(), [4, 5, 9])
  })

  it('looks again soon after a sale, and every now and then', async () => {
    await start({ sell_quotas: [world.quota] })
    env.pass(1500)
    await keeper.keep()
    assert.deepEqual(await sizes(), [5])
    assert.equal(env.waiting, 1)
    await till.sell(world.item, 4)
    env.pass(1500)
    await keeper.keep()
    assert.deepEqual(await sizes(), [4, 5])
  })

  it('asks for nothing of an event that nothing was sold of, unless it is set to', async () => {
    await start({})
    await keeper.keep()
    assert.deepEqual(asked, [])
    assert.equal(await keeper.provide(world.place, [{ quota: world.quota, count: 3 }]), true)
    await till.sell(world.item, 3)
    await keeper.keep()
    assert.deepEqual(await sizes(), [3, 5])
  })

  it('knows that what a sale needs came while it was asked for otherwise', async () => {
    await start({ sell_quotas: [world.quota] })
    const needs = [{ quota: world.quota, count: 3 }]
    await keeper.keep()
    assert.equal(await keeper.provide(world.place, needs), true, 'the sale that lacked it is tried once more')
    assert.deepEqual(await sizes(), [5])
    await till.sell(world.item, 4)
    assert.equal((await world.lease(await world.join('other'), 95)).size, 95)
    assert.equal(await keeper.provide(world.place, needs), false, 'there is nothing more')
  })

  for (const profile of ['scan', 'gate', 'kiosk'])
    it(`asks for nothing as a device for ${profile}`, async () => {
      await start({ sell_quotas: [world.quota] }, profile)
      await keeper.keep()
      assert.deepEqual(asked, [])
    })

  it('asks for nothing while nobody can be asked, or where it is set to sell nothing', async () => {
    await start({ sell_quotas: [world.quota] })
    link.state = 'alone'
    await keeper.keep()
    assert.equal(await keeper.provide(world.place, [{ quota: world.quota, count: 3 }]), false)
    await till.database.run(sql`UPDATE upstream SET settings = '{"sell_quotas":"none"}'`)
    link.state = 'online'
    await keeper.keep()
    assert.deepEqual(asked, [])
  })

  it('asks again under the same nonce when no answer came', async () => {
    await start({ sell_quotas: [world.quota] })
    isLost = true
    await keeper.keep()
    isLost = false
    await keeper.keep()
    assert.deepEqual(await sizes(), [5])
    assert.equal((await world.central.leases()).length, 1)
    assert.equal(new Set(asked.map(({ body }) => body.nonce)).size, 1)
    await till.sell(world.item, 5)
    await keeper.keep()
    assert.deepEqual(await sizes(), [5, 5])
  })

  it('looks again soon after a sale, also one that is made while it asks', async () => {
    await start({ sell_quotas: [world.quota] })
    await keeper.keep()
    await till.sell(world.item, 4)
    meanwhile = () => till.sell(world.item)
    await keeper.keep()
    assert.deepEqual(await sizes(), [4, 5])
    assert.equal(env.waiting, 1)
    env.pass(1500)
    // It has begun by itself.
    assert.equal(env.waiting, 0)
    await keeper.keep()
  })

  it('asks anew once the lease came with the changes whose answer was lost', async () => {
    await start({ sell_quotas: [world.quota] })
    isLost = true
    await keeper.keep()
    isLost = false
    await world.pull(till)
    await till.sell(world.item, 5)
    await keeper.keep()
    assert.deepEqual(await sizes(), [5, 5])
  })

  it('prolongs what it has once half of its time is gone', async () => {
    await start({ sell_quotas: [world.quota] })
    await keeper.keep()
    const [before] = await till.leases()
    world.time.now += minutes(121)
    await keeper.keep()
    const [after] = await till.leases()
    assert.ok(before && after && after.until > before.until)
    assert.equal((await world.central.leases())[0]?.until, after.until)
    assert.equal(asked.length, 2)
  })

  it('gives everything back and asks for nothing more until there was time to leave', async () => {
    await start({ sell_quotas: [world.quota] })
    await keeper.keep()
    await till.sell(world.item, 2)
    assert.equal(await keeper.giveBack(), 1)
    await keeper.keep()
    await assert.rejects(till.sell(world.item), /Nothing is left/)
    await world.push(till)
    assert.deepEqual(
      (await world.central.leases()).map(({ size, used, state }) => [size, used, state]),
      [[2, 2, 'returned']],
    )
    await world.central.sell(world.item, 88)
    env.pass(minutes(5))
    await keeper.keep()
    assert.deepEqual(await sizes(), [2, 5])
  })
})
