import assert from 'node:assert/strict'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { SaleSeats } from '../../schema/bodies/seats.ts'
import { voucher } from '../../schema/resources/carts/voucher.ts'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { seat } from '../../schema/resources/catalogue/seat.ts'
import { seatingPlan } from '../../schema/resources/catalogue/seating-plan.ts'
import { event as eventResource } from '../../schema/resources/events/event.ts'
import { updateRow } from '../../server/resource/store.ts'
import type { Tx } from '../../server/resource/transactions.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

const ev = '/api/v1/organizers/acme/events/gala'
const guids = ['A1', 'A2', 'A3', 'A4']

/** Has the event sell a product by its seats. */
async function seatedItem(tx: Tx, { place }: Desk): Promise<number> {
  const item = await addItem(tx, place, 'Stalls', { sales_channels: ['boxoffice'] })
  await addRow(tx, quota, place, { name: 'Hall', size: 10, items: [item] })
  const top = { organizer: place.organizer, event: 0 }
  const layout = { name: 'Hall', zones: [], categories: [{ name: 'Near', color: '#aa3300' }] }
  const seating_plan = await addRow(tx, seatingPlan, top, { name: 'Hall', layout })
  const seat_category_mapping = { Near: item }
  await updateRow(tx, eventResource, place, { id: place.event, seating_plan, seat_category_mapping })
  for (const [rank, guid] of guids.entries())
    await addRow(tx, seat, place, {
      ...{ seat_guid: guid, seat_number: String(rank + 1), zone_name: 'Stalls', row_name: 'A' },
      ...{ category: 'Near', product: item, rank, x: rank * 20, y: 0, blocked: guid === 'A4' },
    })
  return item
}

describe('the seats that a till sells', () => {
  let desk: Desk
  let item: number
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    item = await desk.transactions.write((tx) => seatedItem(tx, desk))
  })
  afterEach(() => desk.close())

  async function seats(query = ''): Promise<SaleSeats> {
    const { status, body } = await desk.call('GET', `/api/v1/station/sale/seats/${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as SaleSeats
  }

  const states = async () => (await seats()).seats.map(({ state }) => state)

  const hold = (guid: string) =>
    desk.call('POST', `${ev}/cartpositions/?upstream=true`, {
      ...{ item, price: '23.00', seat: guid, cart_id: 'till-1@api', sales_channel: 'boxoffice' },
    })

  it('have their places, names and categories, and the product says that it has seats', async () => {
    const { seats: all, categories, sells_blocked } = await seats()
    assert.deepEqual(all[0], {
      ...{ guid: 'A1', zone: 'Stalls', row: 'A', row_label: null, seat: '1', seat_label: null, x: 0, y: 0 },
      ...{ category: 'Near', product: item, state: 'free' },
    })
    assert.deepEqual(categories, [{ name: 'Near', color: '#aa3300' }])
    assert.equal(sells_blocked, false)
    const { body } = await desk.call('GET', '/api/v1/station/sale/')
    const { products } = body as unknown as SaleCatalogue
    assert.deepEqual(
      products.map(({ id, seated }) => [id, seated]),
      [[item, true]],
    )
  })

  it('are free for the voucher that keeps them, and for nobody else', async () => {
    await desk.transactions.write((tx) =>
      addRow(tx, voucher, desk.place, { code: 'ROWA', item, seat: 'A2', max_usages: 1 }),
    )
    const shown = async (query: string) => (await seats(query)).seats.map(({ state }) => state)
    assert.deepEqual(await shown(''), ['free', 'voucher', 'free', 'blocked'])
    assert.deepEqual(await shown('?voucher=rowa'), ['free', 'free', 'free', 'blocked'])
    assert.deepEqual(await shown('?voucher=OTHER'), ['free', 'voucher', 'free', 'blocked'])
  })

  it('say why they are not free: blocked, held by a basket or sold', async () => {
    assert.deepEqual(await states(), ['free', 'free', 'free', 'blocked'])
    assert.equal((await hold('A1')).status, 201)
    assert.deepEqual(await states(), ['held', 'free', 'free', 'blocked'])
    const refused = await hold('A1')
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /already taken/)
    const sold = await desk.call('POST', `${ev}/orders/?upstream=true`, {
      ...{ positions: [{ item, seat: 'A1' }], sales_channel: 'boxoffice', status: 'p' },
      ...{ payment_provider: 'boxoffice', expected_total: '23.00', consume_carts: ['till-1@api'] },
    })
    assert.equal(sold.status, 201, JSON.stringify(sold.body))
    assert.deepEqual(await states(), ['sold', 'free', 'free', 'blocked'])
  })

  it('are free again when the basket gives them back, or thirty minutes later', async () => {
    const first = await hold('A1')
    await hold('A2')
    const gone = await desk.call('DELETE', `${ev}/cartpositions/${first.body.id}/?upstream=true`)
    assert.equal(gone.status, 204)
    assert.deepEqual(await states(), ['free', 'held', 'free', 'blocked'])
    desk.env.pass(31 * 60_000)
    assert.deepEqual(await states(), ['free', 'free', 'free', 'blocked'])
  })
})
