import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addRow, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`seats in carts on ${engine.name}`, () => {
    let server: ShopServer
    let ids: readonly number[]
    before(async () => {
      server = await startShop(await engine.open())
      const place = { organizer: server.organizer, event: server.event }
      ids = await server.running.transactions.write(async (tx) => {
        const made: number[] = []
        for (const n of [1, 2, 3, 4]) {
          const words = { zone_name: 'Hall', row_name: '1', seat_number: `${n}`, seat_guid: `1-${n}` }
          made.push(await addRow(tx, seat, place, { ...words, blocked: n === 4, rank: n }))
        }
        const mapping = JSON.stringify({ Stalls: server.shop.ticket })
        await tx.run(
          sql`UPDATE event SET seating_plan = 1, seat_category_mapping = ${mapping} WHERE id = ${server.event}`,
        )
        return made
      })
    })
    after(() => server.close())

    const body = (seat_guid: string | null, values: RowData = {}): RowData => ({
      ...{ item: server.shop.ticket, price: '1.00', seat: seat_guid },
      ...values,
    })
    const make = (values: RowData): Promise<RowData> => server.ask(201, 'POST', '/cartpositions/', values)
    const refused = async (values: RowData): Promise<unknown> => {
      const answer = await server.ask<RowData>(400, 'POST', '/cartpositions/', values)
      assert.deepEqual(Object.keys(answer), ['seat'])
      return (answer.seat as string[])[0]
    }
    const remove = ({ id }: RowData) => server.ask(204, 'DELETE', `/cartpositions/${id}/`)

    it('are held by one cart at a time', async () => {
      const made = await make(body('1-1'))
      assert.deepEqual(made.seat, { id: ids[0], name: 'Hall, Row 1, Seat 1', seat_guid: '1-1' })
      assert.match(String(await refused(body('1-1'))), /already taken/)
      await remove(made)
      const over = await make(body('1-1', { expires: '2020-01-01T00:00:00Z' }))
      const again = await make(body('1-1'))
      await remove(over)
      await remove(again)
    })

    it('are asked for where they are needed, and nowhere else', async () => {
      await refused(body(null))
      await refused(body('9-9'))
      await refused(body('1-4'))
      await refused({ item: server.shop.free, price: '0.00', seat: '1-1' })
    })

    it('are given once in a request', async () => {
      const { results } = await server.ask<{
        results: { success: boolean; data: RowData | null; errors: RowData }[]
      }>(200, 'POST', '/cartpositions/bulk_create/', [body('1-2'), body('1-2'), body('1-3')])
      assert.deepEqual(
        results.map(({ success }) => success),
        [true, false, true],
      )
      assert.deepEqual(Object.keys(results[1]?.errors ?? {}), ['seat'])
      for (const { data } of results) if (data) await remove(data)
    })

    it('go to one of many who want the same', async () => {
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => server.call('POST', `${server.ev}/cartpositions/`, body('1-2'))),
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 1)
      assert.ok(answers.every(({ status }) => status === 201 || status === 400))
      await remove(made[0]?.body as RowData)
    })
  })
