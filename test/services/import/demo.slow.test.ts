import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { event } from '../../../schema/resources/events/event.ts'
import { openData } from '../../../server/data.ts'
import { demoPlan } from '../../../server/domain/demo/demo-plan.ts'
import { realEnv } from '../../../server/env.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { type Demo, demoToken, findDemo, makeDemo } from '../../../server/services/import/demo.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { seeded } from '../../support/ticketing/messy-guest-list.ts'

describe('the demo event', function () {
  this.timeout(180_000)
  let data: Transactions
  let made: Demo
  const reported: number[] = []

  before(async () => {
    data = await openData(await openMemory(), realEnv)
    const interrupt = (done: number): void => {
      if (done >= 100) throw new Error('interrupted')
    }
    await assert.rejects(makeDemo(data, seeded(1), interrupt), /interrupted/)
    assert.equal(await findDemo(data), undefined)
    made = await makeDemo(data, seeded(2), (done, total) => {
      assert.equal(total, 5000)
      reported.push(done)
    })
  })

  after(() => data.database.close())

  const count = async (table: string, condition = sql`1 = 1`): Promise<number> => {
    const { organizer, event } = made.place
    const from = { orders: sql`orders`, order_position: sql`order_position` }[table] ?? sql`checkin_list`
    const row = await data.database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM ${from} t WHERE organizer = ${organizer} AND event = ${event} AND ${condition}`,
    )
    return row?.count ?? 0
  }

  it('takes no event that was left half made, and leaves that one recognisable', async () => {
    const rows = await data.database.all<{ slug: string; name: string; live: number }>(
      sql`SELECT slug, name, live FROM event ORDER BY id`,
    )
    assert.deepEqual(
      rows.map(({ slug, live }) => [slug, live]),
      [
        ['festival-unfinished', 0],
        ['festival', 1],
      ],
    )
    assert.match(rows[0]?.name ?? '', /unfinished.*unfertig/)
    assert.deepEqual([made.organizer, made.event], ['demo', 'festival'])
  })

  it('tells how far it is, up to the end', () => {
    assert.equal(reported[0], 0)
    assert.equal(reported.at(-1), 5000)
    assert.deepEqual(
      reported,
      [...reported].sort((a, b) => a - b),
    )
    assert.ok(reported.length > 20)
  })

  it('has every order of the plan in its state', async () => {
    const now = await data.write(async (tx) => tx.now)
    const plan = demoPlan(seeded(2), now)
    const positions = plan.orders.flatMap((order) => order.positions)
    for (const status of ['n', 'p', 'e', 'c'] as const) {
      const planned = plan.orders.filter((order) => order.status === status).length
      assert.ok(planned > 0 || status === 'e', `no order has the state ${status}`)
      assert.equal(await count('orders', sql`t.status = ${status}`), planned, status)
    }
    assert.equal(await count('orders'), 5000)
    assert.equal(await count('order_position'), positions.length)
    const unapproved = plan.orders.filter((order) => order.require_approval).length
    assert.equal(await count('orders', sql`t.require_approval = 1`), unapproved)
    const answered = positions.filter((position) => position.answers.length > 0).length
    assert.ok(answered > 100)
    assert.equal(await count('order_position', sql`t.answers <> '[]'`), answered)
  })

  it('has add-ons that belong to a ticket of the same order', async () => {
    const all = await count('order_position', sql`t.addon_to IS NOT NULL`)
    const right = await count(
      'order_position',
      sql`EXISTS (SELECT 1 FROM order_position parent WHERE parent.organizer = t.organizer AND parent.id = t.addon_to
          AND parent.order_id = t.order_id AND parent.addon_to IS NULL)`,
    )
    assert.ok(all > 100)
    assert.equal(right, all)
  })

  it('has lists whose rules name its own products', async () => {
    const { organizer, event } = made.place
    const rows = await data.database.all<{ rules: string }>(
      sql`SELECT rules FROM checkin_list WHERE organizer = ${organizer} AND event = ${event}`,
    )
    const ids = rows.flatMap(({ rules }) =>
      [...rules.matchAll(/"product","(\d+)"/g)].map(([, id]) => Number(id)),
    )
    assert.equal(ids.length, 1)
    const item = await data.database.get<{ name: string }>(
      sql`SELECT name FROM item WHERE organizer = ${organizer} AND event = ${event} AND id = ${ids[0] ?? 0}`,
    )
    assert.match(item?.name ?? '', /"VIP"/)
  })

  it('has what a till can try: products of a shop, a discount, a voucher and a gift card', async () => {
    const { organizer, event } = made.place
    const own = sql`organizer = ${organizer} AND event = ${event}`
    const all = (query: ReturnType<typeof sql>) => data.database.all<Record<string, unknown>>(query)
    const shop = await all(sql`SELECT i.name FROM item i JOIN category c ON c.organizer = i.organizer
      AND c.id = i.category WHERE i.organizer = ${organizer} AND i.event = ${event} AND c.name LIKE '%Shop%'`)
    assert.equal(shop.length, 3)
    const [family, ...more] = await all(sql`SELECT condition_limit_products FROM discount WHERE ${own}`)
    assert.deepEqual(more, [])
    const day = await all(sql`SELECT id FROM item WHERE ${own} AND name LIKE '%Day ticket%'`)
    assert.deepEqual(JSON.parse(String(family?.condition_limit_products)), [day[0]?.id])
    const codes = await all(sql`SELECT code FROM voucher WHERE ${own}`)
    assert.deepEqual(codes, [{ code: 'FRIENDS' }])
    // An earlier demo, left half made, brought the card; its worth is the sum of its transactions.
    const cards = await all(sql`SELECT c.secret, c.value, sum(t.value) AS booked FROM gift_card c
      JOIN gift_card_transaction t ON t.organizer = c.organizer AND t.gift_card = c.id
      WHERE c.organizer = ${organizer} GROUP BY c.id, c.secret, c.value`)
    assert.deepEqual(cards, [{ secret: 'DEMO-GIFT-CARD', value: 5000, booked: 5000 }])
  })

  it('is found again, and not made again', async () => {
    const found = await makeDemo(
      data,
      () => assert.fail('chance was asked for'),
      () => assert.fail('orders were made'),
    )
    assert.deepEqual(found, made)
  })

  it('is not mistaken for a copy of it', async () => {
    const { organizer } = made.place
    await data.write(async (tx) => {
      const cells = await tx.get<{ settings: string }>(
        sql`SELECT settings FROM event WHERE id = ${made.place.event}`,
      )
      const row = { date_from: tx.now, timezone: 'UTC', currency: 'EUR', name: { en: 'Copy' }, slug: 'copy' }
      const settings = JSON.parse(cells?.settings ?? '{}')
      await insertRow(
        tx,
        event,
        { organizer, event: 0 },
        { ...blankRow(event), ...row, settings, id: tx.nextId() },
      )
    })
    assert.deepEqual((await findDemo(data))?.place, made.place)
  })

  it('gives a new token of one team each time', async () => {
    const [first, second] = [await demoToken(data, made), await demoToken(data, made)]
    assert.notEqual(first.token, second.token)
    const teams = await data.database.all(sql`SELECT id FROM team`)
    assert.equal(teams.length, 1)
  })
})
