import assert from 'node:assert/strict'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`

describe('a till that is asked for nonsense', () => {
  let desk: Desk
  let item: number
  let donation: number
  let drawer: unknown
  let card: unknown
  before(async () => {
    desk = await openDesk()
    await desk.setUp({ task: 'box-office' })
    ;[item, donation] = await desk.transactions.write(async (tx) => {
      const sold = { sales_channels: ['boxoffice'] }
      const ids = [
        await addItem(tx, desk.place, 'Ticket', { ...sold, default_price: '23.00' }),
        await addItem(tx, desk.place, 'Donation', { ...sold, default_price: '2.00', free_price: true }),
      ] as const
      await addRow(tx, quota, desk.place, { name: 'House', size: 9, items: [...ids] })
      return ids
    })
    drawer = (await ask(201, 'POST', `${ev}/drawers/`, { float: '50.00' })).id
    const values = { secret: 'CARD', value: '10.00', currency: 'EUR' }
    card = (await ask(201, 'POST', `${org}/giftcards/`, values)).id
    const voucher = { code: 'ONCE-ONLY-2030', item, max_usages: 1 }
    const made = await desk.call('POST', `${ev}/vouchers/`, voucher, { Authorization: 'Token all' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
  })
  after(() => desk.close())

  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Everything that a refused request must leave as it is. */
  const books = async () => ({
    orders: (await ask(200, 'GET', `${ev}/orders/`)).count,
    receipts: (await ask(200, 'GET', `${ev}/receipts/`)).count,
    cash: (await ask(200, 'GET', `${ev}/drawers/${drawer}/report/`)).expected_cash,
    card: (await ask(200, 'GET', `${org}/giftcards/${card}/`)).value,
  })

  const cash = (amount: string, given = amount, change = '0.00') => ({
    ...{ provider: 'boxoffice', amount, info: { given, change } },
  })
  const sale = (paid_by: readonly object[], more: object = {}) => ({
    ...{ status: 'p', positions: [{ item }], expected_total: '23.00', paid_by, ...more },
  })
  const sold = { status: 'p', payment_provider: 'boxoffice' }
  const bodies: readonly [string, string, () => object][] = [
    ['a negative part', 'orders', () => sale([cash('-5.00'), cash('28.00')])],
    ['a part of nothing', 'orders', () => sale([cash('0.00'), cash('23.00')])],
    ['parts that come to too little', 'orders', () => sale([cash('22.99')])],
    ['parts that come to too much', 'orders', () => sale([cash('23.00'), cash('0.01')])],
    ['more than all the money there is', 'orders', () => sale([cash('99999999999999.00')])],
    ['an amount that is no number', 'orders', () => sale([cash('twenty')])],
    ['an amount with three decimals', 'orders', () => sale([cash('23.001')])],
    ['less given than is to be paid', 'orders', () => sale([cash('23.00', '20.00')])],
    ['negative change', 'orders', () => sale([cash('23.00', '23.00', '-5.00')])],
    ['more change than was given', 'orders', () => sale([cash('23.00', '50.00', '40.00')])],
    [
      'more than is on a gift card',
      'orders',
      () => sale([{ provider: 'giftcard', amount: '23.00', info: { gift_card_secret: 'CARD' } }]),
    ],
    [
      'a negative donation',
      'orders',
      () => ({ ...sold, positions: [{ item: donation, price: '-5.00' }], expected_total: '-5.00' }),
    ],
    [
      'an absurd donation',
      'orders',
      () => ({ ...sold, positions: [{ item: donation, price: '1e30' }], expected_total: '1e30' }),
    ],
    ['a ticket for less than it costs', 'orders', () => ({ ...sold, positions: [{ item, price: '1.00' }] })],
    [
      'change of a single payment that does not come out even',
      'orders',
      () => ({ ...sold, positions: [{ item }], payment_info: { given: '20.00', change: '0.00' } }),
    ],
    ['a price that was shown before', 'orders', () => sale([cash('20.00')], { expected_total: '20.00' })],
    ['tickets that are not there', 'orders', () => ({ ...sold, positions: Array(10).fill({ item }) })],
    ['an item of nobody', 'orders', () => ({ ...sold, positions: [{ item: 4711 }] })],
    ['no cash in', 'move', () => ({ amount: '0.00', reason: 'Change' })],
    ['absurd cash out', 'move', () => ({ amount: '-1e30', reason: 'Bank' })],
    ['a negative count', 'close', () => ({ counted: '-1.00' })],
    ['an absurd count', 'close', () => ({ counted: '99999999999999999.00' })],
  ]
  const paths: Readonly<Record<string, () => string>> = {
    orders: () => `${ev}/orders/`,
    move: () => `${ev}/drawers/${drawer}/move_cash/`,
    close: () => `${ev}/drawers/${drawer}/close/`,
  }
  for (const [name, path, body] of bodies)
    it(`refuses ${name} in a sentence, and does nothing`, async () => {
      const before = await books()
      const { status, body: answer } = await desk.call('POST', paths[path]?.() ?? '', body())
      assert.ok(status === 400 || status === 409, JSON.stringify(answer))
      assert.match(JSON.stringify(answer), /[a-z]+ [a-z]+.*\./i)
      assert.deepEqual(await books(), before)
    })

  it('refuses a voucher that was used a second before', async () => {
    const body = { ...sold, positions: [{ item, voucher: 'ONCE-ONLY-2030' }], expected_total: '23.00' }
    await ask(201, 'POST', `${ev}/orders/`, body)
    const before = await books()
    const refused = await ask(400, 'POST', `${ev}/orders/`, body)
    assert.match(JSON.stringify(refused), /voucher/i)
    assert.deepEqual(await books(), before)
  })
})
