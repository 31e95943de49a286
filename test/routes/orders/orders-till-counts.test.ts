import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { overheard } from '../../bench/statements.ts'
import { quickest } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

describe('what a till waits for', () => {
  let server: ShopServer
  let listen: ReturnType<typeof overheard>['listen']
  before(async () => {
    const heard = overheard(await quickest.open())
    listen = heard.listen
    server = await startShop(heard.database)
  })
  after(() => server.close())

  const tickets = (count: number) => Array.from({ length: count }, () => ({ item: server.shop.ticket }))
  /** How many statements a request for an order takes, once what is remembered is read. */
  async function statements(body: RowData): Promise<number> {
    const ask = () => server.ask(201, 'POST', '/orders/', { locale: 'en', ...body })
    await ask()
    const said = await listen(async () => {
      await ask()
    })
    return said.length
  }
  const priced = (count: number) => statements({ simulate: true, positions: tickets(count) })
  const sold = (count: number) =>
    statements({ status: 'p', payment_provider: 'boxoffice', positions: tickets(count) })

  it('takes one statement more for the price of each further ticket, and three for its sale', async () => {
    await priced(1)
    assert.equal((await priced(12)) - (await priced(1)), 11)
    await sold(1)
    assert.equal((await sold(6)) - (await sold(1)), 15)
  })

  it('does not grow with what else is sold, and with what was', async () => {
    const [price, sale] = [await priced(2), await sold(2)]
    for (let n = 0; n < 20; n += 1)
      await server.ask(201, 'POST', '/items/', { name: `Other ${n}`, default_price: '5.00' })
    for (let n = 0; n < 10; n += 1) await server.paidOrder()
    assert.deepEqual([await priced(2), await sold(2)], [price, sale])
  })
})
