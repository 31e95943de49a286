import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addList,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`what can be done with an order, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const one = () => ({ positions: [{ item: server.shop.ticket }] })
    const act = (order: ShownOrder, action: string, body?: unknown) =>
      server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/${action}/`, body)
    const refuses = async (order: ShownOrder, action: string, body?: unknown) => {
      const { detail } = await server.ask<{ detail: string }>(
        400,
        'POST',
        `/orders/${order.code}/${action}/`,
        body,
      )
      assert.equal(typeof detail, 'string')
    }
    const payments = (order: ShownOrder) =>
      order.payments.map(({ state, provider, amount }) => `${state} ${provider} ${amount}`)

    it('is paid by hand', async () => {
      const order = await server.order(one())
      const paid = await act(order, 'mark_paid')
      assert.equal(paid.status, 'p')
      assert.deepEqual(payments(paid), ['confirmed manual 23.00'])
      assert.equal(paid.payment_provider, 'manual')
      assert.ok(Date.parse(paid.last_modified) >= Date.parse(order.last_modified))
      await refuses(order, 'mark_paid')
      assert.deepEqual(await server.trail(order.code), ['placed', 'payment.confirmed', 'paid'])
    })

    it('is paid by the manual payment that waits, and other payments are given up', async () => {
      const waiting = await act(await server.order({ ...one(), payment_provider: 'manual' }), 'mark_paid')
      assert.deepEqual(payments(waiting), ['confirmed manual 23.00'])
      const other = await act(await server.order({ ...one(), payment_provider: 'banktransfer' }), 'mark_paid')
      assert.deepEqual(payments(other), ['canceled banktransfer 23.00', 'confirmed manual 23.00'])
    })

    it('is mailed to its buyer once more, where there is an address', async () => {
      const { database } = server.running.transactions
      const order = await server.order({ ...one(), email: 'buyer@example.org' })
      const mails = async () =>
        (
          await database.all<{ recipient: string }>(
            sql`SELECT "recipient" AS recipient FROM mail WHERE "template" = 'order_tickets'`,
          )
        ).map(({ recipient }) => recipient)
      assert.deepEqual(await mails(), [])
      await server.ask(204, 'POST', `/orders/${order.code}/resend_link/`, {})
      assert.deepEqual(await mails(), ['buyer@example.org'])
      assert.deepEqual((await server.trail(order.code)).slice(-1), ['email.resend'])
      await refuses(await server.order(one()), 'resend_link')
      assert.equal((await mails()).length, 1)
      await server.ask(404, 'POST', '/orders/NONE7/resend_link/', {})
      await server.ask(405, 'GET', `/orders/${order.code}/resend_link/`)
    })

    it('has no invoice where its event makes none', async () => {
      await refuses(await server.paidOrder(), 'create_invoice')
      await server.ask(404, 'POST', '/orders/NONE7/create_invoice/', {})
      await server.ask(405, 'GET', '/orders/NONE7/create_invoice/')
    })

    it('is pending and paid again without being paid twice', async () => {
      const order = await server.paidOrder()
      assert.equal((await act(order, 'mark_pending')).status, 'n')
      await refuses(order, 'mark_pending')
      const paid = await act(order, 'mark_paid')
      assert.deepEqual([paid.status, payments(paid)], ['p', ['confirmed manual 23.00']])
    })

    it('expires, which frees its quota, and is paid after all while there is room', async () => {
      const positions = [{ item: server.shop.rare }, { item: server.shop.rare }]
      const order = await server.order({ positions })
      await server.ask(400, 'POST', '/orders/', { positions })
      assert.equal((await act(order, 'mark_expired')).status, 'e')
      await refuses(order, 'mark_expired')
      const next = await server.order({ positions })
      await refuses(order, 'mark_paid')
      await refuses(order, 'extend', { expires: '2035-01-01' })
      await act(next, 'mark_canceled')
      assert.equal((await act(order, 'mark_paid')).status, 'p')
      await refuses(next, 'reactivate')
      await act(order, 'mark_canceled')
    })

    it('gets more time, to the end of a day of the event', async () => {
      const order = await server.order(one())
      const later = await act(order, 'extend', { expires: '2035-07-01' })
      assert.deepEqual([later.status, later.expires], ['n', '2035-07-01T21:59:59Z'])
      await act(order, 'mark_expired')
      assert.equal((await act(order, 'extend', { expires: '2035-07-02', force: true })).status, 'n')
      for (const expires of [undefined, '', 'soon', '2035-02-30', '2035-07-01T10:00:00Z', 7, '2020-01-01'])
        await refuses(order, 'extend', { expires })
      await refuses(await server.paidOrder(), 'extend', { expires: '2035-07-01' })
      assert.deepEqual(await server.trail(order.code), [
        'placed',
        'expirychanged',
        'expired',
        'expirychanged',
      ])
    })

    it('is canceled and comes back as it was paid', async () => {
      for (const [order, status] of [
        [await server.order({ ...one(), payment_provider: 'banktransfer' }), 'n'],
        [await server.paidOrder(), 'p'],
      ] as const) {
        const canceled = await act(order, 'mark_canceled', { comment: 'ill', send_email: false })
        assert.equal(canceled.status, 'c')
        assert.ok(canceled.cancellation_date)
        assert.equal(canceled.positions.length, 1)
        await refuses(order, 'mark_canceled')
        await refuses(order, 'mark_paid')
        const back = await act(order, 'reactivate')
        assert.deepEqual([back.status, back.cancellation_date], [status, null])
        await refuses(order, 'reactivate')
      }
    })

    it('is canceled once its money was given back, where it was paid', async () => {
      assert.equal((await act(await server.paidOrder(), 'mark_refunded')).status, 'c')
      await refuses(await server.order(one()), 'mark_refunded')
    })

    it('gives up open payments when it is canceled', async () => {
      const order = await server.order({ ...one(), payment_provider: 'banktransfer' })
      assert.deepEqual(payments(await act(order, 'mark_canceled')), ['canceled banktransfer 23.00'])
    })

    it('keeps a fee of what was paid when it is canceled', async () => {
      const order = await server.paidOrder({ fees: [{ fee_type: 'service', value: '2.00' }] })
      const kept = await act(order, 'mark_canceled', { cancellation_fee: '5.00' })
      assert.deepEqual([kept.status, kept.total, kept.positions.length], ['p', '5.00', 0])
      assert.deepEqual(
        kept.fees.map(({ fee_type, value }) => [fee_type, value]),
        [['cancellation', '5.00']],
      )
      const all = await server.ask<ShownOrder>(
        200,
        'GET',
        `/orders/${order.code}/?include_canceled_positions=true&include_canceled_fees=true`,
      )
      assert.deepEqual([all.positions.length, all.fees.length], [1, 2])
      await refuses(kept, 'mark_canceled')
      await refuses(kept, 'mark_refunded')
      await refuses(await server.paidOrder(), 'mark_canceled', { cancellation_fee: '23.01' })
      await refuses(await server.order(one()), 'mark_canceled', { cancellation_fee: '1.00' })
      await refuses(await server.paidOrder(), 'mark_canceled', { cancellation_fee: '-1.00' })
    })

    it('is approved or denied', async () => {
      const approved = await act(await server.order({ ...one(), require_approval: true }), 'approve')
      assert.deepEqual([approved.status, approved.require_approval], ['n', false])
      await refuses(approved, 'approve')
      const free = { require_approval: true, positions: [{ item: server.shop.free }] }
      const gift = await act(await server.order(free), 'approve')
      assert.deepEqual([gift.status, payments(gift)], ['p', ['confirmed free 0.00']])
      const order = await server.order({ ...one(), require_approval: true })
      await refuses(order, 'mark_paid')
      const denied = await act(order, 'deny', { comment: 'full' })
      assert.deepEqual([denied.status, denied.require_approval], ['c', true])
      assert.deepEqual(await server.trail(order.code), ['placed', 'placed.require_approval', 'denied'])
    })

    it('gets new codes, and the old ones are revoked', async () => {
      const list = await addList(server)
      const order = await server.paidOrder({
        positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }],
      })
      const redeem = async (secret: string) => {
        const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, {
          secret,
          lists: [list],
        })
        return [answer.status, (answer.body as { reason?: string }).reason]
      }
      const fresh = await act(order, 'regenerate_secrets')
      assert.notEqual(fresh.secret, order.secret)
      const [before, after] = [order, fresh].map(({ positions }) => positions.map(({ secret }) => secret))
      assert.equal(new Set([...(before ?? []), ...(after ?? [])]).size, 4)
      assert.deepEqual(await redeem(order.positions[0].secret), [400, 'revoked'])
      assert.deepEqual(await redeem(fresh.positions[0].secret), [201, undefined])
      const revoked = await server.ask<ShownPage<{ secret: string }>>(200, 'GET', '/revokedsecrets/')
      assert.deepEqual(revoked.results.map(({ secret }) => secret).sort(), [...(before ?? [])].sort())
    })

    it('is only for those who may change orders, and only by POST', async () => {
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'viewer', { all_events: true, can_view_orders: true }),
      )
      const order = await server.order(one())
      for (const action of [
        ...['mark_paid', 'mark_pending', 'mark_expired', 'mark_canceled', 'reactivate', 'extend', 'approve'],
        ...['deny', 'regenerate_secrets'],
      ]) {
        const path = `${server.ev}/orders/${order.code}/${action}/`
        const answer = await server.call('POST', path, {}, { Authorization: 'Token viewer' })
        assert.equal(answer.status, 403, action)
        assert.equal((await server.call('GET', path)).status, 405, action)
      }
      assert.deepEqual(await server.ask(200, 'GET', `/orders/${order.code}/`), order)
    })

    it('enters the change feed with everything that it changes', async () => {
      const { database } = server.running.transactions
      const last = async () =>
        (await database.get<{ seq: number }>(sql`SELECT seq FROM feed WHERE event = ${server.event}`))?.seq ??
        0
      const order = await server.order({ ...one(), payment_provider: 'banktransfer' })
      const before = await last()
      await act(order, 'mark_paid')
      const rows = await database.all<{ resource: string }>(
        sql`SELECT resource FROM change WHERE event = ${server.event} AND seq > ${before} ORDER BY seq`,
      )
      assert.deepEqual(rows.map(({ resource }) => resource).sort(), [
        'order',
        'order_payment',
        'order_payment',
      ])
    })
  })
