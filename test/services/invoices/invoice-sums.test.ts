import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { amount } from '../../support/mocha/amount.ts'
import {
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

interface ShownInvoice extends RowData {
  readonly number: string
  readonly refers: string | null
  readonly lines: readonly { readonly gross_value: string; readonly tax_value: string }[]
}

const cents = (text: string): number => Math.round(Number(text) * 100)
const sumOf = ({ lines }: ShownInvoice): number =>
  lines.reduce((sum, line) => sum + cents(line.gross_value), 0)
const taxOf = ({ lines }: ShownInvoice): number => lines.reduce((sum, line) => sum + cents(line.tax_value), 0)

/** What can be done with an order, whether it is allowed then or not. */
const deeds = [
  'mark_paid',
  'mark_pending',
  'mark_expired',
  'extend',
  'mark_canceled',
  'mark_canceled for a fee',
  'reactivate',
  'price',
  'add',
  'reissue',
  'create_invoice',
] as const

for (const engine of engines)
  describe(`the invoices of an order, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const call = (method: string, path: string, body?: unknown) => server.call(method, server.ev + path, body)
    const invoicesOf = async (code: string) =>
      (await server.ask<ShownPage<ShownInvoice>>(200, 'GET', `/invoices/?order=${code}`)).results

    async function carryOut(deed: (typeof deeds)[number], code: string, value: number): Promise<void> {
      const order = await server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)
      const price = `${value}.00`
      const [position] = order.positions as readonly { id: number }[]
      const changes: Readonly<Record<string, object>> = {
        price: { patch_positions: position ? [{ position: position.id, body: { price } }] : [] },
        add: { create_positions: [{ item: server.shop.free, price }] },
      }
      const change = changes[deed]
      if (change) await call('POST', `/orders/${code}/change/`, change)
      else if (deed === 'reissue') {
        const last = (await invoicesOf(code)).findLast(({ refers }) => refers === null)
        if (last) await call('POST', `/invoices/${last.number}/reissue/`)
      } else {
        const [action = ''] = deed.split(' ')
        const bodies: Readonly<Record<string, object>> = {
          extend: { expires: '2035-01-01' },
          'mark_canceled for a fee': { cancellation_fee: '5.00' },
        }
        await call('POST', `/orders/${code}/${action}/`, bodies[deed] ?? {})
      }
    }

    /** Every invoice but at most one is canceled by one with the opposite lines; that one is what the order costs. */
    async function holds(code: string, occasion: string): Promise<void> {
      const order = await server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)
      const rows = await invoicesOf(code)
      const byNumber = new Map(rows.map((row) => [row.number, row]))
      const canceled = new Set<string>()
      for (const row of rows) {
        if (row.refers === null) continue
        const other = byNumber.get(row.refers)
        assert.ok(other && !canceled.has(row.refers))
        canceled.add(row.refers)
        assert.deepEqual([sumOf(row) + sumOf(other), taxOf(row) + taxOf(other)], [0, 0])
      }
      const live = rows.filter((row) => row.refers === null && !canceled.has(row.number))
      assert.ok(live.length <= 1)
      const isOpen = order.status === 'n' || order.status === 'p'
      const total = cents(order.total)
      if (!isOpen || total === 0) assert.equal(live.length, 0)
      if (occasion === 'True' && isOpen && total !== 0) assert.equal(live.length, 1)
      if (live[0] && (occasion === 'True' || order.status === 'p')) assert.equal(sumOf(live[0]), total)
    }

    it('and their cancellations add up to nothing, and the last one is what the order costs', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('True', 'paid'),
          fc.array(fc.tuple(fc.constantFrom(...deeds), fc.integer({ min: 0, max: 50 })), { maxLength: 12 }),
          async (occasion, steps) => {
            await server.ask(200, 'PATCH', '/settings/', { invoice_generate: occasion })
            const { code } = await server.order({ force: true, positions: [{ item: server.shop.ticket }] })
            await holds(code, occasion)
            for (const [deed, value] of steps) {
              await carryOut(deed, code, value)
              await holds(code, occasion)
            }
          },
        ),
        { numRuns: amount(100, 25, 12), seed: 1207 },
      )
    })
  })
