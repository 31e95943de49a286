import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addRow, addSeries, type Series, type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addUsedVoucher, type ShownVoucher } from '../../support/ticketing/vouchers.ts'

const over = '2020-01-01T00:00:00Z'

for (const engine of engines)
  describe(`vouchers for seats, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    let seats: Map<string, number>
    const make = (body: RowData, status = 201): Promise<ShownVoucher> =>
      server.ask(status, 'POST', '/vouchers/', body)
    const change = (id: number, body: RowData, status = 200): Promise<ShownVoucher> =>
      server.ask(status, 'PATCH', `/vouchers/${id}/`, body)
    const keysOf = async (answer: Promise<RowData>): Promise<string[]> => Object.keys(await answer)

    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
      seats = new Map()
      const { organizer, event } = server
      await server.running.transactions.write(async (tx) => {
        for (const guid of ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
          seats.set(
            guid,
            await addRow(
              tx,
              seat,
              { organizer, event },
              {
                seat_guid: guid,
                product: server.shop.ticket,
                blocked: guid === 'G',
              },
            ),
          )
        for (const subevent of [series.first, series.second])
          await addRow(tx, seat, { organizer, event: series.event }, { seat_guid: 'A', subevent })
      })
    })
    after(() => server.close())

    it('keep their seat, and let it go', async () => {
      const voucher = await make({ seat: 'A', item: server.shop.ticket })
      assert.equal(voucher.seat, 'A')
      assert.deepEqual(await keysOf(make({ seat: 'A' }, 400)), ['seat'])
      assert.equal((await change(voucher.id, { seat: 'A', comment: 'x' })).seat, 'A')
      assert.equal((await change(voucher.id, { seat: null })).seat, null)
      const other = await make({ seat: 'A' })
      await server.ask(204, 'DELETE', `/vouchers/${other.id}/`)
      await change(voucher.id, { seat: 'A' })
    })

    it('are for a seat that exists, of their product, once, and without a quota', async () => {
      const { ticket, free, rareQuota } = server.shop
      for (const body of [
        { seat: 'Z' },
        { seat: 'B', item: free },
        { seat: 'B', quota: rareQuota },
        { seat: 'B', max_usages: 2 },
        { seat: 'B', max_usages: 2, min_usages: 2 },
        { seat: 'G' },
      ])
        assert.deepEqual(await keysOf(make(body, 400)), ['seat'], JSON.stringify(body))
      const voucher = await make({ seat: 'B', item: ticket })
      assert.deepEqual(await keysOf(change(voucher.id, { max_usages: 2 }, 400)), ['seat'])
      assert.deepEqual(await keysOf(change(voucher.id, { item: free }, 400)), ['seat'])
    })

    it('are for a seat that is free', async () => {
      await addUsedVoucher(server, { code: 'SEAT-USED', seat: 'C', redeemed: 1 })
      await addUsedVoucher(server, { code: 'SEAT-OVER', seat: 'C', valid_until: over })
      const voucher = await make({ seat: 'C' })
      assert.deepEqual(await keysOf(make({ seat: 'C' }, 400)), ['seat'])
      const { positions } = await server.paidOrder()
      const { database } = server.running.transactions
      await database.run(
        sql`UPDATE order_position SET seat_id = ${seats.get('D')} WHERE id = ${positions[0].id}`,
      )
      assert.deepEqual(await keysOf(make({ seat: 'D' }, 400)), ['seat'])
      assert.deepEqual(await keysOf(change(voucher.id, { seat: 'D' }, 400)), ['seat'])
      await change(voucher.id, { seat: 'E' })
    })

    it('may be changed after their seat was taken with them', async () => {
      const voucher = await make({ seat: 'F' })
      const { positions } = await server.paidOrder()
      const { database } = server.running.transactions
      await database.run(
        sql`UPDATE order_position SET seat_id = ${seats.get('F')} WHERE id = ${positions[0].id}`,
      )
      assert.equal((await change(voucher.id, { comment: 'Has arrived' })).comment, 'Has arrived')
    })

    it('name the date of a seat in a series', async () => {
      const path = `${series.ev}/vouchers/`
      const ask = async (body: RowData) => (await server.call('POST', path, body)).status
      assert.equal(await ask({ seat: 'A' }), 400)
      assert.equal(await ask({ seat: 'A', subevent: series.first }), 201)
      assert.equal(await ask({ seat: 'A', subevent: series.first }), 400)
      assert.equal(await ask({ seat: 'A', subevent: series.second }), 201)
    })

    it('are not made twice for one seat in one request', async () => {
      const asked = [{ seat: 'C' }, { seat: 'C' }, {}]
      const errors = await server.ask<RowData[]>(400, 'POST', '/vouchers/batch_create/', asked)
      assert.deepEqual(
        errors.map((one) => Object.keys(one).join()),
        ['', 'seat', ''],
      )
    })

    it('leave one of those that ask at once for a seat', async () => {
      const free = 'D'
      const { database } = server.running.transactions
      await database.run(sql`UPDATE order_position SET seat_id = NULL WHERE seat_id = ${seats.get(free)}`)
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => server.call('POST', `${server.ev}/vouchers/`, { seat: free })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(400)])
    })
  })
