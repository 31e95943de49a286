import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { siteLetters } from '../../../server/domain/text/site-letters.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { expireLeases } from '../../../server/services/quotas/lease-expiry.ts'
import { engines } from '../../support/engines/engines.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

for (const engine of engines)
  describe(`orders of stations at central, on ${engine.name}`, () => {
    let world: TillWorld
    let till: Till
    beforeEach(async () => {
      world = await startTills(10, await engine.open())
      till = await world.join('till')
      await world.lease(till, 5)
    })
    afterEach(() => world.close())

    const codes = async (): Promise<string[]> =>
      (
        await world.central.database.all<{ code: string }>(sql`SELECT code FROM orders ORDER BY datetime, id`)
      ).map(({ code }) => code)

    /** Changes what a till is about to tell. */
    async function retell(change: (payload: RowData) => void): Promise<void> {
      for (const { seq, payload } of await till.waiting()) {
        const next = JSON.parse(payload)
        change(next)
        await till.database.run(sql`UPDATE outbox SET payload = ${JSON.stringify(next)} WHERE seq = ${seq}`)
      }
    }

    it('are stored as they were sold, with ids and codes', async () => {
      const sold = await till.sell(world.item, 2, { email: 'ann@example.org' })
      assert.ok(
        sold.code.endsWith(siteLetters(till.site)) && sold.code.length === 5 + siteLetters(till.site).length,
      )
      await world.push(till)
      for (const table of [sql`orders`, sql`order_position`, sql`order_payment`]) {
        const rows = (of: Till) => of.database.all(sql`SELECT * FROM ${table} ORDER BY id`)
        const [here, there] = [await rows(world.central), await rows(till)]
        assert.deepEqual(
          here.map((row) => ({ ...row })),
          there.map((row) => ({ ...row })),
        )
        assert.ok(here.length > 0)
      }
      const actions = await world.central.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE row_id = ${sold.id} ORDER BY id`,
      )
      assert.deepEqual(
        actions.map(({ action }) => action),
        ['ticketsvc.event.order.placed', 'ticketsvc.event.order.paid'],
      )
    })

    it('are listed among what was sold, as of when they were sold, however often they are reported', async () => {
      const sold = await till.sell(world.item, 2)
      await world.push(till)
      await till.database.run(sql`UPDATE outbox SET state = 'waiting'`)
      await world.push(till)
      const rows = (of: Till) =>
        of.database.all<{ datetime: string; created: string; order_id: number; count: number }>(
          sql`SELECT datetime, created, order_id, count FROM order_transaction`,
        )
      const order = await till.database.get<{ datetime: string }>(sql`SELECT datetime FROM orders`)
      const listed = await rows(world.central)
      assert.deepEqual(
        listed.map(({ order_id, count, datetime }) => [order_id, count, datetime]),
        [1, 1].map((count) => [sold.id, count, order?.datetime]),
      )
      assert.ok(listed.every(({ created, datetime }) => created >= datetime))
      assert.deepEqual(await rows(till), [])
    })

    it('keep the code that is printed when somebody else has taken it', async () => {
      const sold = await till.sell(world.item)
      await world.central.sell(world.item, 1, { code: sold.code })
      const [result] = await world.push(till)
      assert.equal(result?.status, 'conflict')
      assert.deepEqual((await codes()).sort(), [sold.code, `${sold.code}-2`])
      const row = await world.central.database.get<{ code: string }>(
        sql`SELECT code FROM orders WHERE id = ${sold.id}`,
      )
      assert.equal(row?.code, sold.code)
      const [conflict] = await world.conflicts()
      assert.deepEqual(
        [conflict?.kind, conflict?.data.what, conflict?.data.taken, conflict?.data.new_code],
        ['id_taken', 'order code', sold.code, `${sold.code}-2`],
      )
    })

    it('get another code where theirs was given by hand and is not theirs alone', async () => {
      const sold = await till.sell(world.item, 1, { code: 'SUMMER' })
      await world.central.sell(world.item, 1, { code: 'SUMMER' })
      await world.push(till)
      const row = await world.central.database.get<{ code: string }>(
        sql`SELECT code FROM orders WHERE id = ${sold.id}`,
      )
      assert.equal(row?.code, 'SUMMER-2')
      assert.deepEqual((await codes()).sort(), ['SUMMER', 'SUMMER-2'])
    })

    it('get other ids where theirs are taken, and nothing is overwritten', async () => {
      await till.sell(world.item)
      await world.push(till)
      const second = await till.sell(world.item, 2)
      const [first] = await world.central.database.all<{ id: number }>(sql`SELECT id FROM orders`)
      await retell((payload) => {
        const order = payload.order as RowData
        const positions = payload.positions as RowData[]
        for (const row of [...positions, ...(payload.payments as RowData[])]) row.order_id = first?.id
        order.id = first?.id
      })
      const [result] = await world.push(till)
      assert.deepEqual([result?.status, result?.rejoin], ['conflict', true])
      assert.equal(await world.sold(), 3)
      const row = await world.central.database.get<{ id: number }>(
        sql`SELECT id FROM orders WHERE code = ${second.code}`,
      )
      assert.ok(row && row.id !== first?.id)
      const [conflict] = await world.conflicts()
      assert.deepEqual([conflict?.kind, conflict?.data.given], ['id_taken', first?.id])
    })

    it('get another ticket code where two tills have sold the same printed one', async () => {
      const positions = [{ item: world.item, secret: 'wristband-17' }]
      await world.central.sell(world.item, 1, { positions })
      const sold = await till.sell(world.item, 1, { positions })
      assert.equal((await world.push(till))[0]?.status, 'conflict')
      const row = await world.central.database.get<{ secret: string }>(
        sql`SELECT secret FROM order_position WHERE order_id = ${sold.id}`,
      )
      assert.equal(row?.secret.length, 32)
      const [conflict] = await world.conflicts()
      assert.deepEqual([conflict?.data.what, conflict?.data.taken], ['ticket code', 'wristband-17'])
    })

    it('are refused and stay with their station when what they are for does not exist', async () => {
      await till.sell(world.item)
      await retell((payload) => {
        for (const row of payload.positions as RowData[]) row.item = 999
      })
      const [result] = await world.push(till)
      assert.deepEqual([result?.status, result?.reason], ['rejected', 'unknown_product'])
      assert.equal(await world.sold(), 0)
      const [row] = await till.database.all<{ state: string }>(sql`SELECT state FROM outbox`)
      assert.equal(row?.state, 'parked')
    })

    it('are refused when they make no sense', async () => {
      const broken: ((payload: RowData) => void)[] = [
        (payload) => delete payload.order,
        (payload) => {
          payload.positions = 'none'
        },
        (payload) => {
          for (const row of payload.positions as RowData[]) row.order_id = 1
        },
        (payload) => {
          for (const row of payload.positions as RowData[]) row.addon_to = 5
        },
      ]
      for (const change of broken) {
        await till.sell(world.item)
        await retell(change)
        const [result] = await world.push(till)
        assert.equal(result?.status, 'rejected', JSON.stringify(result))
      }
      assert.equal(await world.sold(), 0)
    })

    it('are stored even when what is said of their leases makes no sense', async () => {
      await till.sell(world.item, 2)
      await retell((payload) => {
        payload.leases = [{ lease: 1, parent: 2, count: 'many' }, null, { lease: 5 }]
      })
      assert.equal((await world.push(till))[0]?.status, 'applied')
      assert.equal(await world.sold(), 2)
    })

    it('leave their lease counted until its time is over, and free what was not sold then', async () => {
      await till.sell(world.item, 2)
      await world.push(till)
      await assert.rejects(world.central.sell(world.item, 6), /not enough quota/)
      world.time.now += minutes(4 * 60 + 12) + 1
      assert.equal(await expireLeases(world.central.transactions), 1)
      assert.equal(await expireLeases(world.central.transactions), 0)
      await world.central.sell(world.item, 8)
      assert.equal(await world.sold(), 10)
    })

    it('are never too many where many ask at once', async () => {
      const others = [await world.join('a'), await world.join('b'), await world.join('c')]
      const asked = await Promise.allSettled(others.map((one) => world.lease(one, 3, { lost: true })))
      const web = await Promise.allSettled([
        world.central.sell(world.item, 2),
        world.central.sell(world.item, 2),
      ])
      const given = asked.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value.size : 0), 0)
      const sold = web.filter(({ status }) => status === 'fulfilled').length * 2
      assert.equal(given + sold, 5)
    })
  })
