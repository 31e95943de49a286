import assert from 'node:assert/strict'
import fc from 'fast-check'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { engines } from '../../support/engines/engines.ts'
import { amount } from '../../support/mocha/amount.ts'
import { commandsOf, oneAt } from '../../support/mocha/model-commands.ts'
import { type ModelServer, startModelServer } from '../../support/servers/model-server.ts'
import { addRow } from '../../support/ticketing/orders.ts'

const minute = 60_000
const ev = '/events/gala'

/** How a voucher goes about the quota: like everybody, with a part of its own, or over it. */
type Manner = 'common' | 'blocking' | 'ignoring'

interface Voucher {
  readonly id: number
  readonly code: string
  readonly manner: Manner
  readonly until: number | null
  max: number
  redeemed: number
  /** Whether a ticket names it, of whatever state. */
  isNamed: boolean
}

interface Cart {
  readonly id: number
  readonly voucher: Voucher | null
  readonly until: number
}

interface Sold {
  readonly code: string
  readonly vouchers: readonly (Voucher | null)[]
}

/** What should be true, as simply as it can be said. */
interface Model {
  now: number
  readonly size: number
  vouchers: Voucher[]
  carts: Cart[]
  orders: Sold[]
}

/** A server with one product in a quota of its own for each run. */
interface Real extends ModelServer {
  readonly item: number
  readonly quota: number
}

const isValid = ({ now }: Model, { until }: Voucher): boolean => until === null || until >= now
const held = (model: Model): Cart[] => model.carts.filter(({ until }) => until >= model.now)

/** What vouchers keep for themselves. */
const kept = (model: Model): number =>
  model.vouchers
    .filter((one) => one.manner === 'blocking' && isValid(model, one))
    .reduce((sum, { max, redeemed }) => sum + Math.max(0, max - redeemed), 0)

/** Carts that are not counted by their voucher already. */
const counted = (model: Model): number =>
  held(model).filter(({ voucher }) => !(voucher?.manner === 'blocking' && isValid(model, voucher))).length

const sold = (model: Model): number => model.orders.reduce((sum, { vouchers }) => sum + vouchers.length, 0)

const left = (model: Model): number => Math.max(0, model.size - sold(model) - kept(model) - counted(model))

const usesLeft = (model: Model, voucher: Voucher): number =>
  voucher.max - voucher.redeemed - held(model).filter((cart) => cart.voucher === voucher).length

/** Whether a voucher, or none, lets somebody have one more after some others of the same request. */
const isToBeHad = (
  model: Model,
  voucher: Voucher | null,
  before: readonly (Voucher | null)[] = [],
): boolean => {
  const isOver = (one: Voucher | null): boolean => one !== null && one.manner !== 'common'
  if (!isOver(voucher) && left(model) <= before.filter((one) => !isOver(one)).length) return false
  if (voucher === null) return true
  const same = before.filter((one) => one === voucher).length
  return isValid(model, voucher) && usesLeft(model, voucher) > same
}

/** What the server says of the quota and of every voucher must be what the model says. */
async function agree(model: Model, { call, quota: of }: Real): Promise<void> {
  const { body } = await call('GET', `${ev}/quotas/${of}/availability/`)
  assert.deepEqual(
    [body.pending_orders, body.cart_positions, body.blocking_vouchers, body.available_number],
    [sold(model), counted(model), kept(model), left(model)],
  )
  for (const { id, max, redeemed } of model.vouchers) {
    const shown = await call('GET', `${ev}/vouchers/${id}/`)
    assert.deepEqual([shown.body.redeemed, shown.body.max_usages], [redeemed, max])
    assert.ok(redeemed <= max)
  }
}

type Command = fc.AsyncCommand<Model, Real>

const command = commandsOf(agree, ({ vouchers }) => vouchers.length > 0)

/** One of the vouchers, or none of them. */
const chosen = ({ vouchers }: Model, index: number): Voucher | null =>
  vouchers[index % (vouchers.length + 1)] ?? null

const issue = (manner: Manner, max: number, minutes: number | null): Command =>
  command(
    `a ${manner} voucher for ${max} within ${minutes}`,
    async (model, { call, item: product }) => {
      const until = minutes === null ? null : model.now + minutes * minute
      const isPossible = manner !== 'blocking' || (until !== null && until < model.now) || left(model) >= max
      const { status, body } = await call('POST', `${ev}/vouchers/`, {
        ...{ item: product, max_usages: max },
        ...{ block_quota: manner === 'blocking', allow_ignore_quota: manner === 'ignoring' },
        valid_until: until === null ? null : new Date(until).toISOString(),
      })
      assert.equal(status, isPossible ? 201 : 400, JSON.stringify(body))
      if (!isPossible) return
      const [id, code] = [Number(body.id), String(body.code)]
      model.vouchers.push({ id, code, manner, until, max, redeemed: 0, isNamed: false })
    },
    ({ vouchers }) => vouchers.length < 4,
  )

const limit = (index: number, max: number): Command =>
  command(`voucher ${index} for ${max}`, async (model, { call }) => {
    const voucher = oneAt(model.vouchers, index)
    const isPossible = max >= voucher.redeemed
    const { status, body } = await call('PATCH', `${ev}/vouchers/${voucher.id}/`, { max_usages: max })
    assert.equal(status, isPossible ? 200 : 400, JSON.stringify(body))
    if (isPossible) voucher.max = max
  })

const remove = (index: number): Command =>
  command(`no voucher ${index} any more`, async (model, { call }) => {
    const voucher = oneAt(model.vouchers, index)
    const { status } = await call('DELETE', `${ev}/vouchers/${voucher.id}/`)
    assert.equal(status, voucher.isNamed ? 403 : 204)
    if (voucher.isNamed) return
    model.vouchers = model.vouchers.filter((one) => one !== voucher)
    model.carts = model.carts.filter((cart) => cart.voucher !== voucher)
  })

const hold = (index: number, minutes: number): Command =>
  command(
    `a cart with voucher ${index} for ${minutes} minutes`,
    async (model, { call, item: product }) => {
      const voucher = chosen(model, index)
      const isPossible = isToBeHad(model, voucher)
      const until = model.now + minutes * minute
      const { status, body } = await call('POST', `${ev}/cartpositions/`, {
        ...{ item: product, price: '1.00', expires: new Date(until).toISOString() },
        ...(voucher ? { voucher: voucher.code.toLowerCase() } : {}),
      })
      assert.equal(status, isPossible ? 201 : 400, JSON.stringify(body))
      if (isPossible) model.carts.push({ id: Number(body.id), voucher, until })
    },
    () => true,
  )

const drop = (index: number): Command =>
  command(
    `drop cart ${index}`,
    async (model, { call }) => {
      const cart = oneAt(model.carts, index)
      assert.equal((await call('DELETE', `${ev}/cartpositions/${cart.id}/`)).status, 204)
      model.carts = model.carts.filter((one) => one !== cart)
    },
    ({ carts }) => carts.length > 0,
  )

const sell = (wanted: readonly number[]): Command =>
  command(
    `an order with vouchers ${wanted}`,
    async (model, { call, item: product }) => {
      const vouchers = wanted.map((index) => chosen(model, index))
      const isPossible = vouchers.every((one, index) => isToBeHad(model, one, vouchers.slice(0, index)))
      const { status, body } = await call('POST', `${ev}/orders/`, {
        positions: vouchers.map((one) => ({ item: product, ...(one ? { voucher: one.code } : {}) })),
      })
      assert.equal(status, isPossible ? 201 : 400, JSON.stringify(body))
      if (!isPossible) return
      model.orders.push({ code: String(body.code), vouchers })
      for (const one of vouchers) {
        if (!one) continue
        one.redeemed += 1
        one.isNamed = true
      }
    },
    () => true,
  )

const cancel = (index: number): Command =>
  command(
    `cancel order ${index}`,
    async (model, { call }) => {
      const gone = oneAt(model.orders, index)
      assert.equal((await call('POST', `${ev}/orders/${gone.code}/mark_canceled/`)).status, 200)
      model.orders = model.orders.filter((one) => one !== gone)
      for (const one of gone.vouchers) if (one) one.redeemed -= 1
    },
    ({ orders }) => orders.length > 0,
  )

const pass = (minutes: number): Command =>
  command(
    `${minutes} minutes pass`,
    async (model, { env }) => {
      env.pass(minutes * minute)
      model.now += minutes * minute
    },
    () => true,
  )

const index = fc.nat({ max: 20 })
const commands = fc.commands(
  [
    fc
      .tuple(
        fc.constantFrom<Manner>('common', 'blocking', 'ignoring'),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(null, null, -5, 8, 20),
      )
      .map(([manner, max, minutes]) => issue(manner, max, minutes)),
    fc.tuple(index, fc.integer({ min: 1, max: 5 })).map(([of, max]) => limit(of, max)),
    index.map(remove),
    fc.tuple(index, fc.integer({ min: 1, max: 15 })).map(([of, minutes]) => hold(of, minutes)),
    index.map(drop),
    fc.array(index, { minLength: 1, maxLength: 4 }).map(sell),
    index.map(cancel),
    fc.integer({ min: 1, max: 10 }).map(pass),
  ],
  { maxCommands: 25, size: 'max' },
)

for (const engine of engines)
  describe(`vouchers in any order on ${engine.name}`, () => {
    it('are used as often as they may be, and keep of the quota what a simple count says', async function () {
      this.timeout(300_000)
      const server = await startModelServer(engine)
      const { transactions, place, env } = server
      const setup = async () => {
        const made = await transactions.write(async (tx) => {
          const product = await addRow(tx, item, place, { name: { en: 'Ticket' }, default_price: '1.00' })
          const of = await addRow(tx, quota, place, { name: 'Q', size: 6, items: [product] })
          return { item: product, quota: of }
        })
        const model: Model = { now: env.now(), size: 6, vouchers: [], carts: [], orders: [] }
        return { model, real: { ...server, ...made } }
      }
      try {
        await fc.assert(
          fc.asyncProperty(commands, async (some) => fc.asyncModelRun(setup, some)),
          { numRuns: amount(40, 8) },
        )
      } finally {
        await server.close()
      }
    })
  })
