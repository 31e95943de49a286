import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Actor } from '../../../server/resource/actor.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { freshCodes } from '../../../server/services/codes/order-codes.ts'
import { eventById } from '../../../server/services/events/events.ts'
import { createOrders } from '../../../server/services/orders/order-drafts.ts'
import { type OrderCells, presentOrders } from '../../../server/services/orders/order-present.ts'
import type { OrderDraft, OrderScope } from '../../../server/services/pricing/order-draft.ts'
import type { Queryable } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

const actor: Actor = {
  kind: 'command',
  id: 0,
  name: 'import',
  organizer: null,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: null,
}

/** The same, with each statement counted, and those that read. */
function counting<T extends Queryable>(db: T): T & { statements(): number; reads(): number } {
  let statements = 0
  let reads = 0
  const counted = <Q extends keyof Queryable>(name: Q) => ({
    [name]: (statement: never) => {
      statements += 1
      if (name !== 'run') reads += 1
      return (db[name] as (statement: never) => unknown)(statement)
    },
  })
  const all = { ...counted('all'), ...counted('get'), ...counted('run') }
  return { ...db, ...all, statements: () => statements, reads: () => reads }
}

for (const engine of engines)
  describe(`orders by the hundred, on ${engine.name}`, () => {
    let server: ShopServer
    let at: OrderScope
    before(async () => {
      server = await startShop(await engine.open())
      const { database } = server.running.transactions
      const event = await eventById(database, server.organizer, server.event)
      assert.ok(event)
      at = { actor, place: { organizer: server.organizer, event: server.event }, event }
    })
    after(() => server.close())

    const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => server.running.transactions.write(work)
    const draft = (values: Partial<OrderDraft> = {}): OrderDraft => ({
      status: 'p',
      positions: [
        {
          positionid: 1,
          item: server.shop.ticket,
          price: 2300,
          tax_rate: 1900,
          tax_rule: server.shop.taxRule,
        },
      ],
      payments: [
        { state: 'confirmed', amount: 2300, provider: 'manual', payment_date: '2030-05-31T22:30:00.000000Z' },
      ],
      ...values,
    })
    const shown = (code: string) => server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)

    it('are stored as they are drafted', async () => {
      const { ticket, dinner, child } = server.shop
      const [created] = await write((tx) =>
        createOrders(tx, at, [
          draft({
            ...{ code: 'DRAFT', status: 'n', email: 'ann@example.org', locale: 'de', comment: 'by hand' },
            ...{ datetime: '2029-01-01T10:00:00.000000Z', sales_channel: 'resellers' },
            positions: [
              {
                ...{ positionid: 1, item: ticket, price: 1000, tax_rate: 1900, secret: 'drafted' },
                attendee_name_parts: { _legacy: 'Ann Lee' },
                blocked: ['admin'],
              },
              { positionid: 2, item: dinner, variation: child, price: 500, addon_to: 1 },
            ],
            fees: [{ fee_type: 'other', value: 119, tax_rate: 1900 }],
          }),
        ]),
      )
      const order = await shown('DRAFT')
      assert.deepEqual(created, {
        id: created?.id,
        code: 'DRAFT',
        secret: order.secret,
        positions: order.positions.map(({ id, positionid, secret }) => ({ id, positionid, secret })),
      })
      assert.deepEqual(
        [order.status, order.total, order.datetime, order.expires, order.payment_date, order.sales_channel],
        ['n', '16.19', '2029-01-01T10:00:00Z', '2029-01-15T22:59:59Z', '2030-06-01', 'resellers'],
      )
      assert.deepEqual(
        order.positions.map(({ attendee_name, price, tax_value, addon_to, blocked, secret }) => [
          ...[attendee_name, price, tax_value, addon_to, blocked, secret.length],
        ]),
        [
          ['Ann Lee', '10.00', '1.60', null, ['admin'], 7],
          [null, '5.00', '0.00', order.positions[0].id, null, 32],
        ],
      )
      assert.equal(order.fees[0]?.tax_value, '0.19')
      const found = await server.ask<ShownPage<ShownOrder>>(200, 'GET', '/orders/?search=ann lee')
      assert.equal(found.count, 1)
    })

    it('get codes of their own, in the order of the drafts', async () => {
      const drafts = Array.from({ length: 300 }, (_, index) => draft({ email: `guest${index}@example.org` }))
      const created = await write((tx) => createOrders(tx, at, drafts))
      assert.equal(new Set(created.map(({ code }) => code)).size, 300)
      assert.equal(
        new Set(created.flatMap(({ positions }) => positions.map(({ secret }) => secret))).size,
        300,
      )
      for (const index of [0, 150, 299])
        assert.equal((await shown(created[index]?.code ?? '')).email, `guest${index}@example.org`)
    })

    it('are stored all or not at all', async () => {
      const count = async () => (await server.ask<ShownPage<unknown>>(200, 'GET', '/orders/')).count
      const before = await count()
      await write((tx) => createOrders(tx, at, [draft({ code: 'ONCE1' })]))
      await assert.rejects(write((tx) => createOrders(tx, at, [draft(), draft({ code: 'ONCE1' })])))
      assert.equal(await count(), before + 1)
    })

    it('ask no more than a few do, and are written together where each statement is a journey', async () => {
      const drafts = Array.from({ length: 500 }, () => draft())
      const {
        statements,
        reads,
        engine: kind,
      } = await write(async (tx) => {
        const counted = counting(tx)
        await createOrders(counted, at, drafts)
        return counted
      })
      assert.ok(reads() < 10, `${reads()} statements read`)
      // SQLite has a statement for one row prepared: it is carried out for each.
      assert.ok(kind === 'sqlite' || statements() < 200, `${statements()} statements`)
    })

    it('are shown with as many statements, however many there are', async () => {
      const { database } = server.running.transactions
      const view = {
        ...{ organizer: { id: server.organizer, slug: 'acme' }, origin: 'http://x' },
        ...{
          canceledPositions: false,
          canceledFees: false,
          audience: 'sale' as const,
        },
      }
      const orders = await database.all<OrderCells>(sql`SELECT * FROM orders ORDER BY id DESC LIMIT 40`)
      const [one, many] = [counting(database), counting(database)]
      await presentOrders(one, view, orders.slice(0, 1))
      assert.equal((await presentOrders(many, view, orders)).length, 40)
      assert.equal(many.statements(), one.statements())
    })

    it('try another code where one is taken, and longer ones where nearly all are', async () => {
      await write((tx) => createOrders(tx, at, [draft({ code: 'AAAAA' }), draft({ code: 'A0AAA' })]))
      const firstBytes = (many: number) => {
        let calls = 0
        return (count: number) => {
          calls += 1
          return new Uint8Array(count).fill(calls > many ? 1 : 0)
        }
      }
      await write(async (tx) => {
        const codes = (tries: number, testmode: boolean[]) =>
          freshCodes({ ...tx, randomBytes: firstBytes(tries) }, server.organizer, testmode)
        assert.deepEqual(await codes(1, [false]), ['BBBBB'])
        assert.deepEqual(await codes(1, [true]), ['B0BBB'])
        assert.deepEqual(await codes(1000, [false]), ['AAAAAAAAAAA'])
        assert.deepEqual(await codes(3, [false, true]), ['BBBBB', 'B0BBB'])
      })
    })

    it('do not share a code within one go', async () => {
      await write(async (tx) => {
        let calls = 0
        const randomBytes = (count: number) => {
          calls += 1
          return new Uint8Array(count).fill(Math.floor(calls / 2) + 5)
        }
        const codes = await freshCodes({ ...tx, randomBytes }, server.organizer, [false, false, false])
        assert.equal(new Set(codes).size, 3)
      })
    })
  })
