import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`an order that is denied, on ${engine.name}`, () => {
    let server: ShopServer
    let list: number
    let voucher: number

    before(async () => {
      server = await startShop(await engine.open())
      const body = { name: 'Door', all_products: true, include_pending: true }
      list = Number((await server.ask<{ id: number }>(201, 'POST', '/checkinlists/', body)).id)
      const code = { code: 'DENIED', max_usages: 1, item: server.shop.rare }
      voucher = (await server.ask<{ id: number }>(201, 'POST', '/vouchers/', code)).id
    })
    after(() => server.close())

    /** The last of what is rare, which somebody has to approve. */
    const waiting = () =>
      server.order({
        ...{
          email: 'ada@example.org',
          payment_provider: 'banktransfer',
          status: 'n',
          require_approval: true,
        },
        positions: [{ item: server.shop.rare, voucher: 'DENIED' }, { item: server.shop.rare }],
      })
    const act = (status: number, { code }: ShownOrder, action: string, body: object = {}) =>
      server.ask<ShownOrder>(status, 'POST', `/orders/${code}/${action}/`, body)
    async function scanned({ positions: [{ secret }] }: ShownOrder): Promise<unknown[]> {
      const body = { secret, lists: [list] }
      const { status, body: answer } = await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)
      return [status, (answer as { reason?: string }).reason]
    }
    const left = async () =>
      (
        await server.ask<{ available_number: number }>(
          200,
          'GET',
          `/quotas/${server.shop.rareQuota}/availability/`,
        )
      ).available_number
    const redeemed = async () =>
      (await server.ask<{ redeemed: number }>(200, 'GET', `/vouchers/${voucher}/`)).redeemed

    it('gives back what it held, lets nobody in, and can only be reactivated, to be approved once more', async () => {
      const order = await waiting()
      assert.deepEqual([await left(), await redeemed()], [0, 1])
      assert.deepEqual(await scanned(order), [400, 'unapproved'])
      const denied = await act(200, order, 'deny', { comment: 'No.' })
      assert.deepEqual(
        [denied.status, denied.require_approval, denied.positions.map(({ canceled }) => canceled)],
        ['c', true, [false, false]],
      )
      assert.deepEqual([await left(), await redeemed()], [2, 0])
      assert.deepEqual(await scanned(order), [400, 'canceled'])
      for (const action of ['deny', 'approve', 'mark_paid', 'mark_canceled', 'mark_expired', 'mark_pending'])
        await act(400, order, action)
      const { status, require_approval } = await act(200, order, 'reactivate')
      assert.deepEqual([status, require_approval], ['n', true])
      assert.deepEqual([await left(), await redeemed()], [0, 1])
      assert.equal((await act(200, order, 'approve')).require_approval, false)
    })
  })
