import assert from 'node:assert/strict'
import fc from 'fast-check'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { amountOf, type RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { amount } from '../../support/mocha/amount.ts'
import { commandsOf, oneAt } from '../../support/mocha/model-commands.ts'
import { type ModelServer, startModelServer } from '../../support/servers/model-server.ts'
import { addRow } from '../../support/ticketing/orders.ts'

interface Card {
  readonly id: number
  /** Every change of what it is worth, earliest first, in hundredths; the first one is what it was made with. */
  readonly changes: number[]
}

/** A payment that was taken from a card. */
interface Paid {
  readonly code: string
  readonly card: Card
  left: number
}

/** What should be true, as simply as it can be said. */
interface Model {
  readonly cards: Card[]
  readonly paid: Paid[]
}

interface Real extends ModelServer {
  readonly item: number
}

const worth = ({ changes }: Card): number => changes.reduce((sum, one) => sum + one, 0)

/** Every card is worth what its changes come to, and they are those that were made. */
async function agree({ cards }: Model, { call }: Real): Promise<void> {
  for (const card of cards) {
    assert.ok(worth(card) >= 0)
    const shown = await call('GET', `/giftcards/${card.id}/`)
    assert.equal(shown.body.value, amountOf(worth(card)))
    const { body } = await call('GET', `/giftcards/${card.id}/transactions/`)
    assert.deepEqual(
      (body.results as RowData[]).map(({ value }) => value),
      card.changes.map(amountOf),
    )
  }
}

type Command = fc.AsyncCommand<Model, Real>

const command = commandsOf(agree, ({ cards }) => cards.length > 0)

const issue = (value: number): Command =>
  command(
    `a card of ${value}`,
    async (model, { call }) => {
      const made = await call('POST', '/giftcards/', { currency: 'EUR', value: amountOf(value) })
      assert.equal(made.status, value < 0 ? 400 : 201)
      if (value >= 0) model.cards.push({ id: Number(made.body.id), changes: [value] })
    },
    ({ cards }) => cards.length < 4,
  )

const transact = (index: number, value: number): Command =>
  command(`card ${index} by ${value}`, async (model, { call }) => {
    const card = oneAt(model.cards, index)
    const isPossible = worth(card) + value >= 0
    const answer = await call('POST', `/giftcards/${card.id}/transact/`, { value: amountOf(value) })
    assert.equal(answer.status, isPossible ? 200 : 409)
    if (isPossible) card.changes.push(value)
  })

const set = (index: number, value: number): Command =>
  command(`card ${index} to ${value}`, async (model, { call }) => {
    const card = oneAt(model.cards, index)
    const answer = await call('PATCH', `/giftcards/${card.id}/`, { value: amountOf(value) })
    assert.equal(answer.status, value < 0 ? 400 : 200)
    if (value >= 0 && value !== worth(card)) card.changes.push(value - worth(card))
  })

const remove = (index: number): Command =>
  command(`no card ${index} any more`, async (model, { call }) => {
    const card = oneAt(model.cards, index)
    const isPossible = card.changes.length === 1
    const answer = await call('DELETE', `/giftcards/${card.id}/`)
    assert.equal(answer.status, isPossible ? 204 : 403)
    if (isPossible) model.cards.splice(model.cards.indexOf(card), 1)
  })

const buy = (index: number, price: number): Command =>
  command(`${price} is paid with card ${index}`, async (model, { call, item: product }) => {
    const card = oneAt(model.cards, index)
    const isPossible = worth(card) >= price
    const { status, body } = await call('POST', '/events/gala/orders/', {
      ...{ status: 'p', payment_provider: 'giftcard', payment_info: { gift_card: card.id } },
      positions: [{ item: product, price: amountOf(price) }],
    })
    assert.equal(status, isPossible ? 201 : 409, JSON.stringify(body))
    if (!isPossible) return
    card.changes.push(-price)
    model.paid.push({ code: String(body.code), card, left: price })
  })

const giveBack = (index: number, part: number): Command =>
  command(
    `a part of payment ${index} comes back`,
    async (model, { call }) => {
      const payment = oneAt(model.paid, index)
      const returned = Math.max(1, Math.floor(payment.left * part))
      const isPossible = payment.left > 0
      const path = `/events/gala/orders/${payment.code}/payments/1/refund/`
      const { status, body } = await call('POST', path, { amount: amountOf(returned) })
      assert.equal(status, isPossible ? 200 : 400, JSON.stringify(body))
      if (!isPossible) return
      payment.left -= returned
      payment.card.changes.push(returned)
    },
    ({ paid }) => paid.length > 0,
  )

const index = fc.nat({ max: 20 })
const price = fc.integer({ min: 1, max: 3000 })
const commands = fc.commands(
  [
    fc.integer({ min: -100, max: 5000 }).map(issue),
    fc.tuple(index, fc.integer({ min: -3000, max: 3000 })).map(([of, value]) => transact(of, value)),
    fc.tuple(index, fc.integer({ min: -100, max: 5000 })).map(([of, value]) => set(of, value)),
    index.map(remove),
    fc.tuple(index, price).map(([of, asked]) => buy(of, asked)),
    fc.tuple(index, fc.constantFrom(0.3, 0.5, 1)).map(([of, part]) => giveBack(of, part)),
  ],
  { maxCommands: 25, size: 'max' },
)

for (const engine of engines)
  describe(`gift cards in any order on ${engine.name}`, () => {
    it('are worth just what a simple sum says', async function () {
      this.timeout(300_000)
      const server = await startModelServer(engine)
      const { transactions, place } = server
      const product = await transactions.write(async (tx) => {
        const id = await addRow(tx, item, place, { name: { en: 'Ticket' }, default_price: '1.00' })
        await addRow(tx, quota, place, { name: 'Q', size: null, items: [id] })
        return id
      })
      try {
        await fc.assert(
          fc.asyncProperty(commands, (some) =>
            fc.asyncModelRun(
              () => ({ model: { cards: [], paid: [] }, real: { ...server, item: product } }),
              some,
            ),
          ),
          { numRuns: amount(40, 8) },
        )
      } finally {
        await server.close()
      }
    })
  })
