import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { mostPositions } from '../../../schema/bodies/order-create.ts'
import { Refusal } from '../../../server/errors.ts'
import { isForwarded } from '../../../server/http/forward.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { createCarts } from '../../../server/services/carts/cart-create.ts'
import { readCart } from '../../../server/services/carts/cart-input.ts'
import { eventBySlug } from '../../../server/services/events/events.ts'
import { countOf } from '../../support/servers/nodes.ts'
import { startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

describe('orders at a till that sells by itself', () => {
  let world: TillWorld
  let till: Till
  before(async () => {
    world = await startTills(10)
    till = await world.join('till')
    await world.lease(till, 2)
  })
  after(() => world.close())

  const refuses = (values: RowData, keys: unknown) =>
    assert.rejects(till.sell(world.item, 1, values), (cause) => {
      assert.ok(cause instanceof Refusal && cause.status === 400, String(cause))
      const { positions } = cause.body as { positions?: object[] }
      assert.deepEqual(positions ? positions.map((one) => Object.keys(one)) : typeof cause.body, keys)
      return true
    })

  it('have neither vouchers nor seats nor gift cards, which others could give away as well', async () => {
    const line = (values: RowData) => ({ positions: [{ item: world.item, ...values }] })
    await refuses(line({ voucher: 'ANYTHING' }), [['voucher']])
    await refuses(line({ seat: 'A1' }), [['seat']])
    const card = { payment_provider: 'giftcard', payment_info: { gift_card: 1 } }
    await refuses({ ...card, positions: [{ item: world.item, price: '5.00' }] }, 'object')
    assert.equal((await till.waiting()).length, 0)
  })

  it('are made of what its own carts hold of its leases', async () => {
    const event = await eventBySlug(till.database, till.place.organizer, 'gala')
    assert.ok(event)
    const at = { actor: till.actor, place: till.place, event }
    const held = {
      ok: true,
      value: readCart({ item: world.item, price: '1.00', cart_id: 'x@api' }, at),
    } as const
    const made = await till.transactions.write((tx) => createCarts(tx, at, [held, held], { mayAsk: false }))
    assert.deepEqual(
      made.map(({ ok }) => ok),
      [true, true],
    )
    await assert.rejects(till.sell(world.item), /Nothing is left/)
    await till.sell(world.item, 2, { consume_carts: ['x@api'] })
    const left = await till.database.get<{ count: number }>(sql`SELECT count(*) AS count FROM cart_position`)
    assert.equal(Number(left?.count), 0)
    await world.push(till)
    assert.equal(await world.sold(), 2)
  })

  it('are sold there, and paid or changed upstream once they are sold', () => {
    const orders = '/api/v1/organizers/acme/events/gala/orders/'
    assert.equal(isForwarded({ method: 'POST', path: orders }, 'station'), false)
    for (const path of ['payments/', 'payments/1/confirm/', 'payments/1/refund/', 'refunds/', 'change/'])
      assert.equal(isForwarded({ method: 'POST', path: `${orders}ABC12/${path}` }, 'station'), true, path)
  })
})

describe('a large order at a till that sells by itself', () => {
  let world: TillWorld
  let till: Till
  before(async () => {
    world = await startTills(5000)
    till = await world.join('till')
    await world.lease(till, 2 * mostPositions)
  })
  after(() => world.close())
  const lines = (values: RowData) => ({
    positions: Array.from({ length: mostPositions }, () => ({ item: world.item, ...values })),
  })

  it('of as many tickets as there can be is taken in upstream', async () => {
    await till.sell(world.item, 1, lines({ attendee_name_parts: { full_name: 'Ada Lovelace' } }))
    const [result] = await world.push(till)
    assert.deepEqual([result?.status, result?.reason], ['applied', undefined])
    assert.equal(await world.sold(), mostPositions)
  })

  it('is not sold where it could not be reported', async () => {
    const names = { full_name: 'x'.repeat(250) }
    const long = { attendee_name_parts: names, company: 'x'.repeat(250), street: 'x'.repeat(1000) }
    await assert.rejects(till.sell(world.item, 1, lines(long)), (cause) => {
      assert.ok(cause instanceof Refusal && cause.status === 400, String(cause))
      assert.match(JSON.stringify(cause.body), /Sell it as several orders/)
      return true
    })
    assert.equal((await till.waiting()).length, 0)
    assert.equal(await countOf(till, 'orders'), 1)
  })
})
