import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { JsonObject } from '../../schema/fields.ts'
import { asPretixAction, standardWebhookActions } from '../../schema/webhook-actions.ts'
import { asking } from '../support/servers/asking.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { type HookServer, startHookServer } from '../support/servers/webhooks.ts'
import { OrderMirror } from './webhook-receiver.ts'

describe('a receiver of webhooks that was written for pretix', () => {
  let env: HandEnv
  let server: HookServer
  let receiver: Receiver
  let item: number
  const ask = asking(() => server)

  beforeEach(async () => {
    env = makeHandEnv()
    server = await startHookServer({ env })
    receiver = await startReceiver()
    item = Number((await ask('POST', `${server.ev}/items/`, 201, { name: 'Pass', default_price: '9.00' })).id)
    await ask('POST', `${server.ev}/quotas/`, 201, { name: 'All', size: null, items: [item] })
  })
  afterEach(async () => {
    await server.close()
    await receiver.close()
  })

  const mirror = () => new OrderMirror((path) => ask('GET', path, 200))
  const order = (values: JsonObject = {}) =>
    ask('POST', `${server.ev}/orders/`, 201, {
      ...{ email: 'ann@example.org', locale: 'en', sales_channel: 'web', positions: [{ item }] },
      ...{ payment_provider: 'manual', ...values },
    })
  const pay = ({ code }: JsonObject) => ask('POST', `${server.ev}/orders/${code}/mark_paid/`, 200, {})

  it('reads every kind of message in the words that it subscribed with', async () => {
    const { id } = await server.hook(receiver.url, {
      action_types: standardWebhookActions.map(asPretixAction),
    })
    const placed = await order()
    await pay(placed)
    const [position] = placed.positions as JsonObject[]
    await ask('PATCH', `${server.ev}/orderpositions/${position?.id}/`, 200, { price: '5.00' })
    const scan = { secret: position?.secret, lists: [server.list], nonce: 'scanned' }
    await ask('POST', `${server.org}/checkinrpc/redeem/`, 201, scan)
    await ask('POST', `${server.org}/checkinrpc/annul/`, 200, { nonce: 'scanned', lists: [server.list] })
    await ask('PATCH', `${server.ev}/`, 200, { location: { en: 'Hall 1' } })
    const series = { name: 'Series', slug: 'series', date_from: '2031-01-01T10:00:00Z', has_subevents: true }
    await ask('POST', `${server.org}/events/`, 201, series)
    const date = { name: 'First', date_from: '2031-01-01T10:00:00Z' }
    await ask('POST', `${server.org}/events/series/subevents/`, 201, date)
    const wanted = [
      ...['pretix.event.order.placed', 'pretix.event.order.paid', 'pretix.event.order.changed.price'],
      ...['pretix.event.checkin', 'pretix.event.checkin.reverted', 'pretix.event.changed'],
      ...['pretix.event.added', 'pretix.subevent.added'],
    ]
    await server.attempts(id, wanted.length, env)
    const own = mirror()
    for (const message of receiver.received) await own.take(message)
    assert.deepEqual(own.heard.toSorted(), wanted.toSorted())
    assert.equal(own.orders.get(String(placed.code)), 'p')
  })

  it('has the right state in the end, whatever was repeated and overtaken on the way', async () => {
    const { id } = await server.hook(`${receiver.url}hook?token=of-mine`, {
      action_types: ['pretix.event.order.placed', 'pretix.event.order.paid', 'pretix.event.order.canceled'],
    })
    const own = mirror()
    // The first message is taken, but the answer says that it was not; then the receiver is busy, then moved, then there.
    receiver.answer = (response, _, before) => {
      if (before === 0) response.writeHead(502).end()
      else if (before === 1) response.writeHead(503, { 'Retry-After': '60' }).end()
      else if (before === 2) response.writeHead(302, { Location: receiver.url }).end()
      else response.writeHead(204).end()
    }
    const first = await order()
    await server.attempts(id, 1, env)
    await pay(first)
    const second = await order()
    await ask('POST', `${server.ev}/orders/${second.code}/mark_canceled/`, 200, {})
    while ((await server.waiting(id)) > 0) {
      // Less than a call may take, so that those under way are answered.
      env.pass(10_000)
      await server.attempts(id, 1)
    }
    for (const message of receiver.received) await own.take(message)
    assert.ok(receiver.received.every(({ path }) => path === '/hook?token=of-mine'))
    assert.ok(receiver.received.length > own.heard.length)
    assert.deepEqual(own.heard.toSorted(), [
      'pretix.event.order.canceled',
      'pretix.event.order.paid',
      'pretix.event.order.placed',
      'pretix.event.order.placed',
    ])
    assert.deepEqual([own.orders.get(String(first.code)), own.orders.get(String(second.code))], ['p', 'c'])
  })

  it('tells by the number of a message which came earlier, and by 410 that it wants no more', async () => {
    const { id } = await server.hook(receiver.url, { action_types: ['pretix.event.order.placed'] })
    for (let index = 0; index < 3; index += 1) await order()
    await server.attempts(id, 3, env)
    const messages = receiver.received.map(({ body }) => JSON.parse(body))
    const inOrder = messages.toSorted((a, b) => a.notification_id - b.notification_id)
    const listed = (await ask('GET', `${server.ev}/orders/?ordering=datetime`, 200)).results as JsonObject[]
    assert.deepEqual(
      inOrder.map(({ code }) => code),
      listed.map(({ code }) => code),
    )
    receiver.answer = (response) => response.writeHead(410).end()
    await order()
    await server.attempts(id, 4, env)
    assert.equal((await ask('GET', `${server.org}/webhooks/${id}/`, 200)).enabled, false)
    await order()
    env.pass(86_400_000)
    await turn()
    assert.equal(receiver.received.length, 4)
  })
})
