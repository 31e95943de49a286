import assert from 'node:assert/strict'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { findRows } from '../../../server/resource/store.ts'
import { removeOldCarts } from '../../../server/services/carts/cart-expiry.ts'
import { productAvailability } from '../../../server/services/quotas/product-availability.ts'
import { engines } from '../../support/engines/engines.ts'
import { addRow, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`carts that are over, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const at = (day: number, hour = 10): string => `2030-05-${day}T${hour}:00:00.000000Z`

    it('hold nothing from the moment they expire, and are removed a day later', async () => {
      const { transactions } = server.running
      const place = { organizer: server.organizer, event: server.event }
      const { rare } = server.shop
      const line = { item: rare, variation: null, subevent: null }
      await transactions.write(async (tx) => {
        for (const day of [10, 11, 12])
          await addRow(tx, cartPosition, place, {
            ...{ cart_id: `${day}@api`, datetime: at(day, 9), expires: at(day), item: rare, price: '1.00' },
          })
      })
      const left = async (now: string) =>
        (await productAvailability(transactions.database, place, [line], { now }))[0]
      const kept = async () =>
        (await findRows(transactions.database, cartPosition, place)).map((row) => row.cart_id)
      assert.deepEqual(await left(at(10)), { state: 'reserved', number: 0 })
      assert.deepEqual(await left(at(12)), { state: 'available', number: 1 })
      assert.deepEqual(await left(at(12, 11)), { state: 'available', number: 2 })
      assert.equal(await removeOldCarts(transactions, at(11)), 0)
      assert.equal(await removeOldCarts(transactions, at(12, 11)), 2)
      assert.deepEqual(await kept(), ['12@api'])
    })

    it('does not count for products that no quota limits', async () => {
      const { transactions } = server.running
      const place = { organizer: server.organizer, event: server.event }
      const { dinner, adult, free, unlisted } = server.shop
      const lines = [
        { item: dinner, variation: adult, subevent: null },
        { item: free, variation: null, subevent: null },
        { item: unlisted, variation: null, subevent: null },
      ]
      assert.deepEqual(
        (await productAvailability(transactions.database, place, lines, { now: at(10) })).map(
          ({ number }) => number,
        ),
        [100, null, null],
      )
    })
  })
