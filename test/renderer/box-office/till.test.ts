import assert from 'node:assert/strict'
import { openDrawerApi } from '../../../renderer/api/drawer-api.ts'
import {
  type OrderPaymentInput,
  openOrderApi,
  type PricedExchange,
  type TillOrder,
} from '../../../renderer/api/orders-api.ts'
import { openParkingApi } from '../../../renderer/api/parking-api.ts'
import type { TillPaymentsApi } from '../../../renderer/api/payments-api.ts'
import type { ApiAnswer, Problem } from '../../../renderer/api/requests.ts'
import type { SaleAnswer, SaleInput, SalesApi } from '../../../renderer/api/sales-api.ts'
import type { SeatHold } from '../../../renderer/api/seats-api.ts'
import { chosenOrder, dueOf } from '../../../renderer/box-office/orders/order-state.ts'
import { searchAfter } from '../../../renderer/box-office/orders/till-orders.ts'
import { blankInvoice } from '../../../renderer/box-office/payment/invoice-to.ts'
import { lookAgainEvery } from '../../../renderer/box-office/payment/terminal-part.ts'
import { askAgainEvery } from '../../../renderer/box-office/payment/till-sale.ts'
import type { PlacedSeat } from '../../../renderer/box-office/seats/seat-plan.ts'
import { openTill } from '../../../renderer/box-office/till.ts'
import { basketKept } from '../../../renderer/box-office/till-memory.ts'
import { isPinned, objectionNow, pricedNow } from '../../../renderer/box-office/till-state.ts'
import { openStaffDesk } from '../../../renderer/staff/staff-desk.ts'
import type { ShownTillPayment } from '../../../schema/bodies/till-payments.ts'
import { catalogueOf, product } from './samples.ts'

const silence: Problem = { kind: 'unreachable', status: 0, detail: '' }

const order = (code: string, more: Partial<TillOrder> = {}): TillOrder => ({
  code,
  status: 'n',
  total: '30.00',
  email: null,
  require_approval: false,
  positions: [],
  payments: [],
  refunds: [],
  ...more,
})

const payment = (state: string, amount: string) => ({ local_id: 1, provider: 'boxoffice', state, amount })

const pending = order('PEND1', {
  payments: [payment('confirmed', '20.00'), payment('canceled', '30.00')],
  refunds: [{ state: 'done', amount: '5.00' }],
})
const orders = [pending, order('PAID1', { status: 'p', payments: [payment('confirmed', '30.00')] })]

const cardOrders = Array.from({ length: 21 }, (_, index) => order(`CARD${index}`))

const found = (results: readonly TillOrder[]) =>
  ({ ok: true, value: { count: results.length, results } }) as const

const refusedWith = (status: number, detail: string) =>
  ({ ok: false, problem: { kind: 'refused', status, detail } }) as const

const nothing = async () => ({ ok: true, value: { staff: null, choices: [], token: '' } }) as const
const nobodyAtWork = openStaffDesk(
  { session: nothing, signIn: nothing, signOut: nothing, stepUp: nothing },
  () => 'acme',
)

/** A till against a server whose answers come when the test gives them. */
function openBench() {
  const bench = { demands: catalogueOf().demands, usedUp: new Set<string>() }
  const stored = new Map<string, string>()
  const asked: { readonly sale: SaleInput; readonly key: string | null; readonly answer: Answer }[] = []
  const paid: (OrderPaymentInput & { readonly code: string; readonly key: string })[] = []
  const exchanges: { readonly code: string; readonly key: string; readonly exchange: PricedExchange }[] = []
  const holds: SeatHold[] = []
  const released: number[] = []
  const paidAnswers: ApiAnswer<unknown>[] = []
  const timers: { readonly at: number; readonly then: () => void }[] = []
  let now = 0
  let ids = 0
  const ask = (sale: SaleInput, key: string | null) =>
    new Promise<ApiAnswer<SaleAnswer>>((answer) => asked.push({ sale, key, answer }))
  const api: SalesApi = {
    catalogue: async (_, voucher) => {
      if (voucher === 'USED1' || bench.usedUp.has(String(voucher)))
        return refusedWith(409, 'This voucher has been used already.')
      if (voucher !== null && voucher !== 'FRIENDS') return refusedWith(404, 'unknown')
      const value = catalogueOf(
        product(1),
        product(2, { addons: [] }),
        product(3, { personalized: true }),
        product(4, { free_price: true }),
      )
      const { demands } = bench
      return { ok: true, value: { ...value, demands, voucher: voucher && { code: voucher, uses_left: 2 } } }
    },
    price: (_, sale) => ask(sale, null),
    sell: (_, sale, key) => ask(sale, key),
    find: async (_, text) => found(orders.filter(({ code }) => code.includes(text))),
    findByCard: async (_, text, page) =>
      text === '101'
        ? {
            ok: true,
            value: { count: 21, results: page === 1 ? cardOrders.slice(0, 20) : cardOrders.slice(20) },
          }
        : found([]),
    findByCode: async (_, code) => found(orders.filter((one) => one.code === code)),
    findByTicket: async (_, secret) => found(secret === 'ticket' ? [pending] : []),
    seats: async () => ({ ok: true, value: { categories: [], sells_blocked: false, seats: [] } }),
    hold: async (_, hold) => {
      holds.push(hold)
      const isTaken = hold.seat === 'taken'
      return isTaken
        ? { ok: false, problem: { kind: 'refused', status: 400, detail: 'The seat is already taken.' } }
        : { ok: true, value: { id: holds.length } }
    },
    release: async (_, hold) => {
      released.push(hold)
      return { ok: true, value: null }
    },
    payOrder: async (_, code, { amount, provider, info }, key) => {
      paid.push({ code, amount, provider, info, key })
      return paidAnswers.shift() ?? { ok: true, value: null }
    },
  }
  const terminal: { answer: Partial<ShownTillPayment> | null; readonly asked: string[] } = {
    answer: {},
    asked: [],
  }
  const charged = async (id: string, amount = '20.00'): Promise<ApiAnswer<ShownTillPayment>> =>
    terminal.answer
      ? { ok: true, value: { ...moneyOf(id, amount), ...terminal.answer } }
      : { ok: false, problem: silence }
  const cards: Record<string, string> = { full: '100.00', half: '10.00', spent: '0.00' }
  const payments: TillPaymentsApi = {
    charge: async ({ id, amount }) => {
      terminal.asked.push(id)
      return charged(id, amount)
    },
    find: (id) => charged(id),
    unsettled: async () => ({ ok: true, value: { results: [] } }),
    ask: (id) => charged(id),
    cancel: (id) => charged(id),
    refund: (id) => charged(id),
    decide: (id) => charged(id),
    spent: (id) => charged(id),
    giftCard: async (_, secret) => ({
      ok: true,
      value: cards[secret] ? { secret, value: cards[secret], currency: 'EUR', expires: null } : null,
    }),
  }
  const memory = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  }
  const open = () =>
    openTill(api, payments, {
      newId: () => `id ${++ids}`,
      now: () => now,
      after: (milliseconds, then) => {
        timers.push({ at: now + milliseconds, then })
        return () => undefined
      },
      memory,
      staff: nobodyAtWork,
      parking: openParkingApi('http://nowhere.invalid'),
      drawers: openDrawerApi('http://nowhere.invalid'),
      orders: {
        ...openOrderApi('http://nowhere.invalid'),
        exchange: async (_, code, exchange, { key }) => {
          exchanges.push({ code, key, exchange })
          return paidAnswers.shift() ?? { ok: true, value: null }
        },
      },
      timeZone: () => 'Europe/Berlin',
      place: () => ({ organizer: 'acme', event: 'gala' }),
    })
  return Object.assign(bench, {
    open,
    asked,
    paid,
    exchanges,
    holds,
    released,
    paidAnswers,
    stored,
    terminal,
    pass: (milliseconds: number) => {
      now += milliseconds
      const due = timers.filter(({ at }) => at <= now)
      timers.splice(0, timers.length, ...timers.filter(({ at }) => at > now))
      for (const { then } of due) then()
    },
    /** Answers the question that was asked last. */
    answer: async (answer: ApiAnswer<SaleAnswer>) => {
      asked.at(-1)?.answer(answer)
      await settled()
    },
  })
}

const moneyOf = (id: string, amount: string): ShownTillPayment => ({
  ...{ id, sale: 'sale', amount, currency: 'EUR', created: '2030-01-01T10:00:00Z', state: 'pending' },
  ...{ reason: null, reference: null, order: null, refund: null, progress: null, tickets: 2 },
})

type Answer = (answer: ApiAnswer<SaleAnswer>) => void

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const costs = (...prices: readonly string[]): ApiAnswer<SaleAnswer> => ({
  ok: true,
  value: {
    code: 'ABCDE',
    total: prices.reduce((sum, price) => sum + Number(price), 0).toFixed(2),
    positions: prices.map((price, index) => ({ positionid: index + 1, price })),
  },
})

const refusal = (more: Partial<Problem>): ApiAnswer<SaleAnswer> => ({
  ok: false,
  problem: { kind: 'refused', status: 400, detail: 'No.', ...more },
})

/** A till whose basket of two is priced, and is being paid for. */
async function paying() {
  const bench = openBench()
  const till = bench.open()
  await till.refresh()
  till.send({ type: 'pressed', product: 1 })
  await bench.answer(costs('10.00'))
  till.send({ type: 'pressed', product: 1 })
  await bench.answer(costs('10.00', '10.00'))
  till.pay()
  return { bench, till }
}

describe('a till', () => {
  it('has every change of the basket priced by the server, and shows no price of another basket', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    till.send({ type: 'pressed', product: 1 })
    till.send({ type: 'pressed', product: 1 })
    assert.equal(bench.asked.length, 1)
    await bench.answer(costs('10.00'))
    assert.equal(pricedNow(till.state.value), null)
    assert.equal(bench.asked[1]?.sale.positions.length, 2)
    assert.ok(bench.asked.every(({ sale }) => !JSON.stringify(sale).includes('price')))
    await bench.answer(costs('10.00', '8.00'))
    assert.equal(pricedNow(till.state.value)?.total, '18.00')
    assert.deepEqual(Object.values(pricedNow(till.state.value)?.lines ?? {}), ['18.00'])
  })

  it('shows what is wrong at the line that it is about, and takes no money for it', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    till.send({ type: 'pressed', product: 1 })
    await bench.answer(refusal({ body: { positions: [{ item: ['Sold out.'] }] } }))
    assert.deepEqual(Object.values(objectionNow(till.state.value)?.lines ?? {}), ['Sold out.'])
    till.pay()
    assert.equal(till.state.value.payment, null)
  })

  it('asks again where the same was refused before', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    till.send({ type: 'pressed', product: 1 })
    await bench.answer(refusal({ body: { positions: [{ item: ['Sold out.'] }] } }))
    till.send({ type: 'emptied' })
    till.send({ type: 'pressed', product: 1 })
    await bench.answer(refusal({ body: { positions: [{ item: ['Sold out.'] }] } }))
    assert.equal(bench.asked.length, 2)
    await till.refresh()
    assert.equal(bench.asked.length, 3)
    await bench.answer(costs('10.00'))
    assert.equal(pricedNow(till.state.value)?.total, '10.00')
  })

  it('sells for what was shown, with what was given and what goes back', async () => {
    const { bench, till } = await paying()
    till.take(5000)
    const last = bench.asked.at(-1)
    assert.equal(last?.sale.expected_total, '20.00')
    assert.equal(last?.sale.payment_provider, 'boxoffice')
    assert.deepEqual(last?.sale.payment_info, { given: '50.00', change: '30.00' })
    await bench.answer(costs('10.00', '10.00'))
    assert.deepEqual(till.state.value.sold, {
      code: 'ABCDE',
      tickets: 2,
      total: '20.00',
      way: 'cash',
      given: 5000,
      change: 3000,
    })
    assert.deepEqual(till.state.value.lines, [])
    assert.equal(bench.stored.has('gatehouse.till'), false)
  })

  it('asks before it takes money for what is missing, then sells with it, also after a reload', async () => {
    const bench = openBench()
    bench.demands = { attendee_name: true, attendee_email: false, company: false, email: true }
    const first = bench.open()
    await first.refresh()
    first.send({ type: 'pressed', product: 3 })
    await bench.answer(costs('10.00'))
    first.pay()
    assert.deepEqual([first.state.value.payment, first.state.value.asking], [null, { page: 0, pays: true }])
    const [line] = first.state.value.lines
    assert.ok(line)
    const ticket = { line: line.key, index: 0 }
    first.send({ type: 'detailed', ticket, field: 'attendee_name', text: 'Anna' })
    assert.equal(pricedNow(first.state.value)?.total, '10.00')
    first.pay()
    assert.deepEqual(first.state.value.asking, { page: 1, pays: true })
    first.send({ type: 'detailed', ticket: null, field: 'email', text: 'anna@example.org' })
    const till = bench.open()
    await till.refresh()
    await bench.answer(costs('10.00'))
    till.pay()
    assert.equal(till.state.value.asking, null)
    till.take(1000)
    const { positions, email } = bench.asked.at(-1)?.sale ?? {}
    assert.equal(email, 'anna@example.org')
    assert.deepEqual(
      positions?.map((one) => ('attendee_name' in one ? one.attendee_name : null)),
      ['Anna'],
    )
    await bench.answer(costs('10.00'))
    assert.equal(bench.stored.has('gatehouse.till'), false)
  })

  it('closes what it asks when the basket changes, and on the way back', async () => {
    const bench = openBench()
    bench.demands = { attendee_name: true, attendee_email: false, company: false, email: false }
    const till = bench.open()
    await till.refresh()
    till.send({ type: 'pressed', product: 3 })
    till.send({ type: 'asking', page: 0 })
    till.send({ type: 'back' })
    assert.equal(till.state.value.asking, null)
    till.send({ type: 'asking', page: 0 })
    till.send({ type: 'pressed', product: 3 })
    assert.equal(till.state.value.asking, null)
  })

  it('puts as many into the basket as was said before, once, and takes as many out', async () => {
    const till = openBench().open()
    await till.refresh()
    const counts = () => till.state.value.lines.map(({ product, count }) => [product, count])
    till.send({ type: 'quantity', quantity: 4 })
    till.send({ type: 'pressed', product: 1 })
    till.send({ type: 'pressed', product: 2 })
    assert.deepEqual(counts(), [
      [1, 4],
      [2, 1],
    ])
    till.send({ type: 'quantity', quantity: 3 })
    till.send({ type: 'taken-out', product: 1 })
    till.send({ type: 'taken-out', product: 2 })
    assert.deepEqual(counts(), [[1, 1]])
    assert.equal(till.state.value.quantity, null)
  })

  it('keeps a quantity for the form that is chosen, and forgets one that a scanner has typed', async () => {
    const till = openBench().open()
    await till.refresh()
    till.send({ type: 'quantity', quantity: 501 })
    assert.equal(till.state.value.quantity, null)
    till.send({ type: 'quantity', quantity: 5 })
    till.send({ type: 'pressed', product: 4 })
    assert.deepEqual([till.state.value.choosing, till.state.value.quantity], [4, 5])
    till.send({ type: 'back' })
    assert.deepEqual([till.state.value.choosing, till.state.value.quantity], [null, null])
    till.send({ type: 'quantity', quantity: 5 })
    till.scanned('ticket')
    assert.equal(till.state.value.quantity, null)
  })

  it('lets nobody change a basket that is paid for', async () => {
    const { till } = await paying()
    till.send({ type: 'pressed', product: 1 })
    till.send({ type: 'emptied' })
    assert.equal(till.state.value.lines[0]?.count, 2)
  })

  it('asks with the same key until it is answered, and gives the sale up never', async () => {
    const { bench, till } = await paying()
    till.take(2000)
    const { key } = bench.asked.at(-1) ?? {}
    for (const problem of [silence, { kind: 'broken', status: 503, detail: '' } as const]) {
      await bench.answer({ ok: false, problem })
      till.send({ type: 'payment-closed' })
      assert.equal(till.state.value.payment?.phase, 'unanswered')
      bench.pass(askAgainEvery)
      assert.equal(bench.asked.at(-1)?.key, key)
    }
    await bench.answer(costs('10.00', '10.00'))
    assert.equal(till.state.value.sold?.code, 'ABCDE')
  })

  it('takes a conflict for a refusal, unless the server wants to be asked again later', async () => {
    const { bench, till } = await paying()
    till.take(3000)
    await bench.answer(refusal({ status: 409, later: true }))
    assert.equal(till.state.value.payment?.phase, 'unanswered')
    bench.pass(askAgainEvery)
    await bench.answer(refusal({ status: 409, detail: 'The gift card is not worth enough.' }))
    assert.equal(till.state.value.payment?.phase, 'refused')
    assert.equal(till.state.value.payment?.detail, 'The gift card is not worth enough.')
  })

  it('sells nothing on a full disk and says so, unless it may have been sold before', async () => {
    const { bench, till } = await paying()
    till.take(3000)
    await bench.answer(refusal({ kind: 'broken', status: 507, later: true }))
    assert.equal(till.state.value.payment?.phase, 'refused')
    assert.equal(till.state.value.payment?.detail, 'disk-full')
    till.take(3000)
    await bench.answer(refusal({ kind: 'unreachable', status: 0 }))
    bench.pass(askAgainEvery)
    await bench.answer(refusal({ kind: 'broken', status: 507, later: true }))
    assert.equal(till.state.value.payment?.phase, 'unanswered')
    assert.equal(till.state.value.payment?.detail, 'disk-full')
  })

  it('takes another key after a refusal, whose words it shows', async () => {
    const { bench, till } = await paying()
    till.take(2000)
    const { key } = bench.asked.at(-1) ?? {}
    await bench.answer(refusal({ detail: 'The order costs 26.00 now.' }))
    assert.equal(till.state.value.payment?.phase, 'refused')
    assert.equal(till.state.value.payment?.detail, 'The order costs 26.00 now.')
    till.take(2000)
    assert.notEqual(bench.asked.at(-1)?.key, key)
  })

  it('goes on asking about exactly the same sale after the page was opened anew', async () => {
    const { bench, till } = await paying()
    till.send({ type: 'way', way: 'card' })
    till.send({ type: 'referred', reference: '4711' })
    till.take(null)
    const before = bench.asked.at(-1)
    const again = bench.open()
    assert.equal(isPinned(again.state.value), true)
    assert.deepEqual(bench.asked.at(-1)?.sale, before?.sale)
    assert.equal(bench.asked.at(-1)?.key, before?.key)
    await bench.answer(costs('10.00', '10.00'))
    assert.equal(again.state.value.sold?.way, 'card')
  })

  it('takes what is on a gift card, and the rest in cash', async () => {
    const { bench, till } = await paying()
    till.scanned('nobodys')
    await settled()
    assert.equal(till.state.value.payment?.detail, 'unknown-card')
    for (const code of ['spent', 'half', 'half']) {
      till.scanned(code)
      await settled()
    }
    assert.deepEqual(
      till.state.value.payment?.parts.map(({ way, amount }) => [way, amount]),
      [['giftcard', '10.00']],
    )
    till.take(2000)
    assert.deepEqual(bench.asked.at(-1)?.sale.paid_by, [
      { provider: 'giftcard', amount: '10.00', info: { gift_card_secret: 'half' } },
      { provider: 'boxoffice', amount: '10.00', info: { given: '20.00', change: '10.00' } },
    ])
    await bench.answer(costs('10.00', '10.00'))
    assert.equal(till.state.value.sold?.change, 1000)
  })

  it('sells at once where a gift card is enough, and takes no more from it than that', async () => {
    const { bench, till } = await paying()
    till.scanned('full')
    await settled()
    assert.deepEqual(bench.asked.at(-1)?.sale.paid_by, [
      { provider: 'giftcard', amount: '20.00', info: { gift_card_secret: 'full' } },
    ])
  })

  it('sells for what the terminal has charged, and asks it once', async () => {
    const { bench, till } = await paying()
    bench.terminal.answer = { state: 'pending', progress: 10 }
    await till.parts.charge()
    await till.parts.charge()
    assert.equal(till.state.value.payment?.charging?.progress, 10)
    till.send({ type: 'payment-closed' })
    assert.ok(till.state.value.payment)
    bench.terminal.answer = { state: 'paid' }
    bench.pass(lookAgainEvery)
    await settled()
    const [id] = bench.terminal.asked
    assert.deepEqual(
      [bench.terminal.asked.length, bench.asked.at(-1)?.sale.paid_by],
      [1, [{ provider: 'cardterminal', amount: '20.00', info: { till_payment: id } }]],
    )
  })

  it('asks for the same payment again where no answer came, also after the page was opened anew', async () => {
    const { bench, till } = await paying()
    bench.terminal.answer = null
    await till.parts.charge()
    bench.pass(lookAgainEvery)
    await settled()
    const [first, second] = bench.terminal.asked
    assert.equal(first, second)
    bench.terminal.answer = { state: 'unknown', reason: 'closed' }
    const again = bench.open()
    await settled()
    assert.deepEqual(again.state.value.payment?.charging?.id, first)
    await again.parts.charge()
    assert.equal(again.state.value.payment?.charging?.state, 'unknown')
    bench.terminal.answer = { state: 'paid' }
    await again.parts.ask(first ?? '')
    assert.equal(bench.asked.at(-1)?.sale.paid_by?.length, 1)
  })

  it('takes another payment after a definite refusal, and cash in between', async () => {
    const { bench, till } = await paying()
    bench.terminal.answer = { state: 'declined', reason: 'declined' }
    await till.parts.charge()
    till.parts.takeCash(500)
    await till.parts.charge()
    const [first, second] = bench.terminal.asked
    assert.notEqual(first, second)
    assert.equal(till.state.value.payment?.charging?.amount, '15.00')
    till.send({ type: 'payment-closed' })
    const [cash] = till.state.value.payment?.parts ?? []
    assert.ok(cash)
    await till.parts.giveBack(cash)
    till.send({ type: 'payment-closed' })
    assert.equal(till.state.value.payment, null)
  })

  it('keeps a basket for half an hour', async () => {
    const { bench, till } = await paying()
    till.send({ type: 'payment-closed' })
    bench.pass(basketKept - 1)
    assert.equal(bench.open().state.value.lines[0]?.count, 2)
    bench.pass(basketKept)
    assert.deepEqual(bench.open().state.value.lines, [])
  })

  it('sells what is pressed with the voucher that was scanned, until it sells without one again', async () => {
    const { open, asked } = openBench()
    const till = open()
    await till.refresh()
    till.scanned('FRIENDS')
    await settled()
    assert.equal(till.state.value.voucher, 'FRIENDS')
    assert.equal(till.state.value.orders, null)
    till.send({ type: 'pressed', product: 1 })
    assert.equal(await till.redeem(null), null)
    till.send({ type: 'pressed', product: 1 })
    assert.deepEqual(
      till.state.value.lines.map(({ product, voucher, count }) => [product, voucher, count]),
      [
        [1, 'FRIENDS', 1],
        [1, undefined, 1],
      ],
    )
    assert.deepEqual(
      asked[0]?.sale.positions.map((one) => ('voucher' in one ? one.voucher : null)),
      ['FRIENDS'],
    )
  })

  it('shows what was sold with the last use of a voucher, and what goes back for it', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    await till.redeem('FRIENDS')
    till.send({ type: 'pressed', product: 1 })
    await bench.answer(costs('10.00'))
    till.pay()
    bench.usedUp.add('FRIENDS')
    till.take(2000)
    await bench.answer(costs('10.00'))
    await settled()
    assert.equal(till.state.value.voucher, null)
    assert.equal(till.state.value.catalogue?.voucher, null)
    assert.equal(till.state.value.sold?.change, 1000)
  })

  it('says why a voucher that was scanned cannot be used', async () => {
    const till = openBench().open()
    till.scanned('USED1')
    await settled()
    assert.equal(till.state.value.orders?.trouble, 'This voucher has been used already.')
    assert.equal(till.state.value.voucher, null)
  })

  it('hands out what costs nothing without asking for money', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    till.send({ type: 'pressed', product: 1 })
    await bench.answer(costs('0.00'))
    till.pay()
    assert.deepEqual(Object.keys(bench.asked.at(-1)?.sale ?? {}).sort(), ['expected_total', 'positions'])
    await bench.answer(costs('0.00'))
    assert.equal(till.state.value.sold?.change, null)
  })

  it('finds orders by what is typed, and takes what is still to be paid', async () => {
    const { bench, till } = await paying()
    till.send({ type: 'payment-closed' })
    till.find('1')
    bench.pass(searchAfter)
    assert.equal(till.state.value.orders?.found, null)
    till.find('ND1')
    bench.pass(searchAfter)
    await settled()
    assert.equal(chosenOrder(till.state.value)?.code, 'PEND1')
    till.payOrder()
    till.take(2000)
    await settled()
    assert.deepEqual(bench.paid, [
      {
        code: 'PEND1',
        amount: '15.00',
        provider: 'boxoffice',
        info: { given: '20.00', change: '5.00' },
        key: bench.paid[0]?.key,
      },
    ])
    assert.equal(till.state.value.sold?.code, 'PEND1')
    assert.equal(till.state.value.lines.length, 1)
  })

  it('finds orders by the number of a card payment where nothing else fits, page by page', async () => {
    const bench = openBench()
    const till = bench.open()
    till.find('101')
    bench.pass(searchAfter)
    await settled()
    assert.deepEqual([till.state.value.orders?.found?.length, till.state.value.orders?.count], [20, 21])
    await till.showMore()
    assert.equal(till.state.value.orders?.found?.length, 21)
    assert.equal(chosenOrder(till.state.value), null)
  })

  it('looks at an order again after something was done to it, and opens it for nobody who has gone back', async () => {
    const bench = openBench()
    const till = bench.open()
    till.find('1')
    till.find('D1')
    bench.pass(searchAfter)
    await settled()
    assert.equal(till.state.value.orders?.found?.length, 2)
    till.send({ type: 'order-chosen', code: 'PAID1' })
    await till.lookAgain('PAID1')
    assert.equal(chosenOrder(till.state.value)?.code, 'PAID1')
    assert.equal(till.state.value.orders?.found?.length, 2)
    const late = till.lookAgain('PAID1')
    till.send({ type: 'back' })
    await late
    assert.equal(chosenOrder(till.state.value), null)
    assert.equal(till.state.value.orders?.found?.length, 2)
  })

  it('exchanges a ticket for the difference, once for its key also where the answer is lost', async () => {
    const bench = openBench()
    const till = bench.open()
    till.find('PAID1')
    bench.pass(searchAfter)
    await settled()
    const exchange = { position: 7, item: 2, variation: null, subevent: null, total: '40.00' }
    till.payExchange(exchange, '10.00')
    assert.equal(till.state.value.payment?.sale.total, '10.00')
    bench.paidAnswers.push({ ok: false, problem: silence })
    till.take(2000)
    await settled()
    assert.equal(till.state.value.payment?.phase, 'unanswered')
    const reopened = bench.open()
    await settled()
    bench.pass(askAgainEvery)
    await settled()
    assert.equal(reopened.state.value.sold?.code, 'PAID1')
    assert.equal(reopened.state.value.sold?.change, 1000)
    const [first, ...others] = bench.exchanges
    assert.deepEqual(first?.exchange, {
      ...exchange,
      paidBy: [{ amount: '10.00', provider: 'boxoffice', info: { given: '20.00', change: '10.00' } }],
    })
    for (const other of others) assert.deepEqual(other, first)
    assert.equal(bench.paid.length, 0)
  })

  it('looks a scanned ticket up by its secret, and anything else as an order', async () => {
    const bench = openBench()
    const till = bench.open()
    till.scanned('ticket')
    await settled()
    assert.equal(chosenOrder(till.state.value)?.code, 'PEND1')
    till.scanned('PAID1')
    await settled()
    assert.equal(chosenOrder(till.state.value)?.code, 'PAID1')
    assert.equal(dueOf(orders[1] ?? pending), 0)
    till.payOrder()
    assert.equal(till.state.value.payment, null)
    till.scanned('nobody')
    await settled()
    assert.deepEqual(till.state.value.orders?.found, [])
  })

  it('sells what is paid later, to an address, and remembers that while nobody has answered', async () => {
    const { bench, till } = await paying()
    till.send({ type: 'way', way: 'invoice' })
    const to = { ...blankInvoice('DE', 'ada@example.org'), name: ' Ada ', street: 'Quay 3', city: 'Bremen' }
    till.send({ type: 'invoiced', to })
    till.take(null)
    await settled()
    const { sale } = bench.asked.at(-1) ?? {}
    assert.deepEqual(
      [sale?.status, sale?.valid_if_pending, sale?.payment_provider, sale?.email, sale?.send_email],
      ['n', true, 'banktransfer', 'ada@example.org', true],
    )
    assert.deepEqual(sale?.invoice_address, {
      ...{ company: '', name: 'Ada', street: 'Quay 3', zipcode: '', city: 'Bremen', country: 'DE' },
      is_business: false,
    })
    const next = bench.open()
    assert.deepEqual(next.state.value.payment?.invoice, to)
  })

  for (const reason of ['offline', 'drawer_unreported'])
    it(`gives up to pay for an order where nobody was asked: ${reason}`, async () => {
      const bench = openBench()
      const till = bench.open()
      till.scanned('ticket')
      await settled()
      till.payOrder()
      const problem = { kind: 'broken', status: 503, detail: 'No network.', reason } as const
      bench.paidAnswers.push({ ok: false, problem })
      till.take(1500)
      await settled()
      assert.equal(till.state.value.payment?.phase, 'refused')
      assert.equal(till.state.value.payment?.detail, 'No network.')
    })

  it('opens with an empty basket where what it remembers is damaged', () => {
    const bench = openBench()
    bench.stored.set('gatehouse.till', '{"lines": [')
    assert.deepEqual(bench.open().state.value.lines, [])
  })
})

describe('the seats of a till', () => {
  const seat = (guid: string): PlacedSeat => ({
    ...{ guid, name: `Seat ${guid}`, zone: '', row: 'A', row_label: null, seat: guid, seat_label: null },
    ...{ x: 0, y: 0, category: 'Near' },
    ...{ product: 1, state: 'free' },
  })
  const choiceOf = (guid: string) => ({ seat: seat(guid), variation: null, price: '10.00' })

  it('are held one by one, each as a line of its own, and sold with the carts that hold them', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    assert.equal(await till.seats.take([choiceOf('A1'), choiceOf('A2')]), '')
    assert.deepEqual(
      till.state.value.lines.map(({ seat: held, count }) => [held?.guid, count]),
      [
        ['A1', 1],
        ['A2', 1],
      ],
    )
    await bench.answer(costs('10.00'))
    await bench.answer(costs('10.00', '10.00'))
    till.pay()
    till.take(2000)
    const { sale } = bench.asked.at(-1) ?? assert.fail()
    assert.deepEqual(
      sale.consume_carts,
      bench.holds.map(({ cart_id }) => cart_id),
    )
    assert.deepEqual(
      sale.positions.map((position) => 'seat' in position && position.seat),
      ['A1', 'A2'],
    )
    await bench.answer(costs('10.00', '10.00'))
    assert.deepEqual(bench.released, [])
  })

  it('are given back when a line or the basket goes, and counted once at most', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    await till.seats.take([choiceOf('A1'), choiceOf('A2'), choiceOf('A3')])
    const [first] = till.state.value.lines
    till.send({ type: 'counted', key: first?.key ?? '', count: 2 })
    assert.equal(till.state.value.lines[0]?.count, 1)
    till.send({ type: 'counted', key: first?.key ?? '', count: 0 })
    assert.deepEqual(bench.released, [1])
    till.send({ type: 'emptied' })
    assert.deepEqual(bench.released, [1, 2, 3])
  })

  it('are not in the basket when somebody else has them: it says so', async () => {
    const bench = openBench()
    const till = bench.open()
    await till.refresh()
    assert.equal(await till.seats.take([choiceOf('taken'), choiceOf('A2')]), 'The seat is already taken.')
    assert.deepEqual(till.state.value.lines, [])
  })
})
