import assert from 'node:assert/strict'
import fc from 'fast-check'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { startServer } from '../../../server/serve.ts'
import { engines } from '../../support/engines/engines.ts'
import { amount } from '../../support/mocha/amount.ts'
import { commandsOf } from '../../support/mocha/model-commands.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'
import { addRow } from '../../support/ticketing/orders.ts'

const minute = 60_000

/** The products, by the quotas that count them. */
const quotasOf = [[0], [0, 1]] as const
type Product = keyof typeof quotasOf & (0 | 1)
const products: readonly Product[] = [0, 1]

interface HeldCart {
  readonly id: number
  readonly name: string
  readonly product: Product
  readonly until: number
}

interface Sold {
  readonly code: string
  readonly products: readonly Product[]
  paid: boolean
}

/** What should be true, as simply as it can be said. */
interface Model {
  now: number
  /** How many carts there were so far. */
  count: number
  readonly sizes: [number, number]
  carts: HeldCart[]
  orders: Sold[]
}

/** A server with two products and two quotas of its own for each run. */
interface Real {
  readonly items: readonly number[]
  readonly quotas: readonly number[]
  readonly env: HandEnv
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: RowData }>
}

const held = (model: Model): HeldCart[] => model.carts.filter(({ until }) => until >= model.now)

const countIn = (index: number, some: readonly Product[]): number =>
  some.filter((product) => (quotasOf[product] as readonly number[]).includes(index)).length

const soldIn = (model: Model, index: number, paid: boolean): number =>
  countIn(
    index,
    model.orders.filter((one) => one.paid === paid).flatMap((one) => [...one.products]),
  )

const inCarts = (model: Model, index: number): number =>
  countIn(
    index,
    held(model).map(({ product }) => product),
  )

const left = (model: Model, index: 0 | 1): number =>
  Math.max(
    0,
    model.sizes[index] - soldIn(model, index, true) - soldIn(model, index, false) - inCarts(model, index),
  )

const fits = (model: Model, wanted: readonly Product[]): boolean =>
  ([0, 1] as const).every(
    (index) => countIn(index, wanted) === 0 || countIn(index, wanted) <= left(model, index),
  )

/** What the server says must be what the model says, and nothing is ever given twice. */
async function agree(model: Model, real: Real): Promise<void> {
  for (const index of [0, 1] as const) {
    const { body } = await real.call('GET', `/quotas/${real.quotas[index]}/availability/`)
    assert.deepEqual(
      [body.paid_orders, body.pending_orders, body.cart_positions, body.available_number, body.total_size],
      [
        soldIn(model, index, true),
        soldIn(model, index, false),
        inCarts(model, index),
        left(model, index),
        model.sizes[index],
      ],
    )
  }
}

type Command = fc.AsyncCommand<Model, Real>

const command = commandsOf(agree)

const cartBody = (real: Real, model: Model, product: Product, minutes: number) => {
  model.count += 1
  return {
    ...{ item: real.items[product], price: '1.00', cart_id: `${real.quotas[0]}-${model.count}@api` },
    expires: new Date(model.now + minutes * minute).toISOString(),
  }
}

const addCart = (product: Product, minutes: number): Command =>
  command(`cart of ${product} for ${minutes} minutes`, async (model, real) => {
    const isPossible = fits(model, [product])
    const sent = cartBody(real, model, product, minutes)
    const { status, body } = await real.call('POST', '/cartpositions/', sent)
    assert.equal(status, isPossible ? 201 : 400)
    if (isPossible)
      model.carts.push({
        ...{ id: Number(body.id), name: sent.cart_id, product },
        until: model.now + minutes * minute,
      })
  })

const addBulk = (wanted: readonly Product[]): Command =>
  command(`carts of ${wanted}`, async (model, real) => {
    const bodies = wanted.map((product) => cartBody(real, model, product, 10))
    const { body } = await real.call('POST', '/cartpositions/bulk_create/', bodies)
    const results = body.results as readonly { success: boolean; data: { id: number } | null }[]
    for (const [index, product] of wanted.entries()) {
      assert.equal(results[index]?.success, fits(model, [product]))
      if (results[index]?.data)
        model.carts.push({
          ...{ id: results[index].data.id, name: String(bodies[index]?.cart_id), product },
          until: model.now + 10 * minute,
        })
    }
  })

const dropCart = (at: number): Command =>
  command(
    `drop cart ${at}`,
    async (model, real) => {
      const [gone] = model.carts.splice(at % model.carts.length, 1)
      assert.equal((await real.call('DELETE', `/cartpositions/${gone?.id}/`)).status, 204)
    },
    (model) => model.carts.length > 0,
  )

const pass = (minutes: number): Command =>
  command(`${minutes} minutes pass`, async (model, real) => {
    real.env.pass(minutes * minute)
    model.now += minutes * minute
  })

const order = (wanted: readonly Product[], paid: boolean): Command =>
  command(`${paid ? 'paid ' : ''}order of ${wanted}`, async (model, real) => {
    const isPossible = fits(model, wanted)
    const { status, body } = await real.call('POST', '/orders/', {
      ...(paid ? { status: 'p', payment_provider: 'manual' } : {}),
      positions: wanted.map((product) => ({ item: real.items[product] })),
    })
    assert.equal(status, isPossible ? 201 : 400, JSON.stringify(body))
    if (isPossible) model.orders.push({ code: String(body.code), products: wanted, paid })
  })

const orderCart = (at: number): Command =>
  command(
    `order cart ${at}`,
    async (model, real) => {
      const own = held(model)[at % held(model).length]
      const { status, body } = await real.call('POST', '/orders/', {
        consume_carts: [own?.name],
        positions: [{ item: real.items[own?.product ?? 0] }],
      })
      assert.equal(status, 201, JSON.stringify(body))
      model.carts = model.carts.filter((one) => one !== own)
      model.orders.push({ code: String(body.code), products: [own?.product ?? 0], paid: false })
    },
    (model) => held(model).length > 0,
  )

const cancel = (at: number): Command =>
  command(
    `cancel order ${at}`,
    async (model, real) => {
      const [gone] = model.orders.splice(at % model.orders.length, 1)
      assert.equal((await real.call('POST', `/orders/${gone?.code}/mark_canceled/`)).status, 200)
    },
    (model) => model.orders.length > 0,
  )

const resize = (index: 0 | 1, size: number): Command =>
  command(`quota ${index} gets ${size}`, async (model, real) => {
    assert.equal((await real.call('PATCH', `/quotas/${real.quotas[index]}/`, { size })).status, 200)
    model.sizes[index] = size
  })

const product = fc.constantFrom(...products)
const few = fc.array(product, { minLength: 1, maxLength: 4 })
const commands = fc.commands(
  [
    fc.tuple(product, fc.integer({ min: -1, max: 20 })).map(([of, minutes]) => addCart(of, minutes)),
    few.map(addBulk),
    fc.nat().map(dropCart),
    fc.integer({ min: 1, max: 12 }).map(pass),
    fc.tuple(few, fc.boolean()).map(([wanted, paid]) => order(wanted, paid)),
    fc.nat().map(orderCart),
    fc.nat().map(cancel),
    fc
      .tuple(fc.constantFrom(0 as const, 1 as const), fc.nat({ max: 6 }))
      .map(([of, size]) => resize(of, size)),
  ],
  { maxCommands: 25, size: 'max' },
)

for (const engine of engines)
  describe(`carts and orders in any order on ${engine.name}`, () => {
    it('leave of the quotas just what a simple count says', async function () {
      this.timeout(300_000)
      const env = makeHandEnv()
      const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
      const running = await startServer(config, env, silentLog, await engine.open())
      const { transactions } = running
      const place = await transactions.write(async (tx) => {
        const organizer = await addOrganizer(tx, 'acme')
        await addToken(tx, organizer, 'all', allRights)
        return { organizer, event: await addEvent(tx, organizer, 'gala') }
      })
      const call: Real['call'] = async (method, path, body) => {
        const answer = await fetch(`${running.url}/api/v1/organizers/acme/events/gala${path}`, {
          method,
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          body: body === undefined ? undefined : JSON.stringify(body),
        })
        return {
          status: answer.status,
          body: answer.status === 204 ? {} : ((await answer.json()) as RowData),
        }
      }
      const setup = async () => {
        const { items, quotas } = await transactions.write(async (tx) => {
          const addItem = () => addRow(tx, item, place, { name: { en: 'Ticket' }, default_price: '1.00' })
          const items = [await addItem(), await addItem()]
          const [first, second] = items as [number, number]
          const addQuota = (size: number, of: readonly number[]) =>
            addRow(tx, quota, place, { name: 'Q', size, items: of })
          return { items, quotas: [await addQuota(5, [first, second]), await addQuota(3, [second])] }
        })
        const model: Model = { now: env.now(), count: 0, sizes: [5, 3], carts: [], orders: [] }
        return { model, real: { items, quotas, env, call } }
      }
      try {
        await fc.assert(
          fc.asyncProperty(commands, async (some) => fc.asyncModelRun(setup, some)),
          { numRuns: amount(40, 8) },
        )
      } finally {
        await running.close()
      }
    })
  })
