import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { createCarts } from '../../../server/services/carts/cart-create.ts'
import { readCart } from '../../../server/services/carts/cart-input.ts'
import { eventBySlug } from '../../../server/services/events/events.ts'
import { LeasesUsedUp } from '../../../server/services/quotas/lease-sales.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

/** Puts an item into a cart at a till; why not, or null. */
async function hold({ transactions, place, actor }: Till, item: number, mayAsk = false): Promise<unknown> {
  const event = await eventBySlug(transactions.database, place.organizer, 'gala')
  assert.ok(event)
  const at = { actor, place, event }
  const value = readCart({ item, price: '1.00' }, at)
  const [made] = await transactions.write((tx) => createCarts(tx, at, [{ ok: true, value }], { mayAsk }))
  return made?.ok ? null : made?.errors
}

describe('carts at a till that cannot ask', () => {
  let world: TillWorld
  let till: Till
  before(async () => {
    world = await startTills(10)
    till = await world.join('till')
    await world.lease(till, 3)
  })
  after(() => world.close())

  it('hold what the till may sell, and no more', async () => {
    assert.equal(await hold(till, world.item), null)
    assert.equal(await hold(till, world.item), null)
    assert.equal(await hold(till, world.item), null)
    const [message] = (await hold(till, world.item)) as string[]
    assert.match(String(message), /Nothing is left of what this station may sell of quota "House"/)
  })

  it('say how much to ask for while somebody can be asked', async () => {
    await assert.rejects(hold(till, world.item, true), (cause) => {
      assert.ok(cause instanceof LeasesUsedUp)
      assert.deepEqual(cause.needs, [{ quota: world.quota, count: 1 }])
      return true
    })
  })

  it('keep it from being sold to others until they expire', async () => {
    await assert.rejects(till.sell(world.item), LeasesUsedUp)
    world.time.now += minutes(31)
    await till.sell(world.item, 2)
    assert.equal(await hold(till, world.item), null)
    assert.notEqual(await hold(till, world.item), null)
    await assert.rejects(till.sell(world.item), LeasesUsedUp)
  })

  it('stay at the till: those upstream only see what it has been given', async () => {
    await world.push(till)
    const rows = await world.central.database.all(sql`SELECT id FROM cart_position`)
    assert.deepEqual(rows, [])
    assert.equal(await world.sold(), 2)
    for (let held = 0; held < 7; held += 1) assert.equal(await hold(world.central, world.item), null)
    assert.deepEqual(await hold(world.central, world.item), [
      'There is not enough quota available on quota "House".',
    ])
  })
})
