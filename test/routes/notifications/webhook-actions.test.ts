import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import {
  standardWebhookActions,
  subscriptionOf,
  webhookActionTypes,
} from '../../../schema/webhook-actions.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  addList,
  addRow,
  addSeries,
  type Series,
  type ShopServer,
  type ShownOrder,
  startShop,
} from '../../support/ticketing/orders.ts'

/** What can be subscribed to and is not reported yet: nobody can ask for their money back here by themselves. */
const neverYet = ['ticketsvc.event.order.refund.requested']

const order = 'ticketsvc.event.order'

for (const engine of engines)
  describe(`what webhooks are sent on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    let list: number
    let all: number
    const place = () => ({ organizer: server.organizer, event: 0 })
    /** Adds a webhook at an address that is never called. */
    const addHook = (values: RowData = {}): Promise<number> =>
      server.running.transactions.write((tx) =>
        addRow(tx, webhook, place(), {
          target_url: 'http://127.0.0.1/',
          all_events: true,
          action_types: [...webhookActionTypes],
          signing_secret: 'whsec_',
          ...values,
        }),
      )

    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
      list = await addList(server)
      all = await addHook()
    })
    after(() => server.close())

    /** What is queued for a webhook, oldest first. */
    const queued = async (id: number): Promise<RowData[]> => {
      const rows = await server.running.transactions.database.all<{ body: string }>(
        sql`SELECT body FROM webhook_delivery WHERE webhook = ${id} ORDER BY notification`,
      )
      return rows.map(({ body }) => JSON.parse(body))
    }
    /** What is told while something is done. */
    const queuedBy = async (work: () => Promise<unknown>, id = all): Promise<RowData[]> => {
      const before = (await queued(id)).length
      await work()
      return (await queued(id)).slice(before)
    }

    const call = async (method: string, path: string, body?: unknown): Promise<RowData> => {
      const answer = await server.call(method, path, body)
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body as RowData
    }
    const pending = (values: RowData = {}): Promise<ShownOrder> =>
      server.order({ positions: [{ item: server.shop.ticket }], ...values })
    const post = ({ code }: ShownOrder, action: string, body: RowData = {}) =>
      call('POST', `${server.ev}/orders/${code}/${action}/`, body)
    const patch = ({ code }: ShownOrder, body: RowData) => call('PATCH', `${server.ev}/orders/${code}/`, body)
    const refunded = async (state: string): Promise<ShownOrder> => {
      const paid = await server.paidOrder()
      const source = state === 'external' ? 'external' : 'admin'
      await post(paid, 'refunds', { state, source, amount: '23.00', provider: 'manual' })
      return paid
    }
    const scan = ({ positions }: ShownOrder, nonce: string) =>
      call('POST', `${server.org}/checkinrpc/redeem/`, { secret: positions[0].secret, lists: [list], nonce })
    const addEvent = (slug: string) =>
      call('POST', `${server.org}/events/`, { name: slug, slug, date_from: '2031-01-01T10:00:00Z' })
    const addDate = () =>
      call('POST', `${series.ev}/subevents/`, { name: 'Third', date_from: '2030-06-03T10:00:00Z' })

    /** How each of them comes about. */
    const makers: Readonly<Record<string, () => Promise<unknown>>> = {
      [`${order}.placed`]: () => pending(),
      [`${order}.placed.require_approval`]: () => pending({ require_approval: true }),
      [`${order}.paid`]: async () => post(await pending(), 'mark_paid'),
      [`${order}.canceled`]: async () => post(await pending(), 'mark_canceled'),
      [`${order}.reactivated`]: async () => {
        const one = await pending()
        await post(one, 'mark_canceled')
        await post(one, 'reactivate')
      },
      [`${order}.expired`]: async () => post(await pending(), 'mark_expired'),
      [`${order}.expirychanged`]: async () => post(await pending(), 'extend', { expires: '2031-01-01' }),
      [`${order}.modified`]: async () =>
        patch(await pending(), { invoice_address: { company: 'Acme', name_parts: {} } }),
      [`${order}.contact.changed`]: async () => patch(await pending(), { email: 'ann@example.org' }),
      [`${order}.changed.*`]: async () => {
        const { positions } = await pending()
        await call('PATCH', `${server.ev}/orderpositions/${positions[0].id}/`, { price: '20.00' })
      },
      [`${order}.approved`]: async () => post(await pending({ require_approval: true }), 'approve'),
      [`${order}.denied`]: async () => post(await pending({ require_approval: true }), 'deny'),
      [`${order}.refund.created`]: () => refunded('created'),
      [`${order}.refund.created.externally`]: () => refunded('external'),
      [`${order}.refund.done`]: async () => post(await refunded('created'), 'refunds/1/done'),
      [`${order}.refund.canceled`]: async () => post(await refunded('created'), 'refunds/1/cancel'),
      [`${order}.refund.failed`]: () => refunded('failed'),
      'ticketsvc.event.checkin': async () => scan(await server.paidOrder(), 'in'),
      'ticketsvc.event.checkin.reverted': async () => {
        await scan(await server.paidOrder(), 'undone')
        await call('POST', `${server.org}/checkinrpc/annul/`, { nonce: 'undone', lists: [list] })
      },
      'ticketsvc.event.added': () => addEvent('fair'),
      'ticketsvc.event.changed': () => call('PATCH', `${server.ev}/`, { location: { en: 'Hall 1' } }),
      'ticketsvc.event.deleted': async () => {
        await addEvent('short')
        await call('DELETE', `${server.org}/events/short/`)
      },
      'ticketsvc.event.live.activated': () => call('PATCH', `${server.ev}/`, { live: true }),
      'ticketsvc.event.live.deactivated': () => call('PATCH', `${server.ev}/`, { live: false }),
      'ticketsvc.event.testmode.activated': () => call('PATCH', `${server.ev}/`, { testmode: true }),
      'ticketsvc.event.testmode.deactivated': () => call('PATCH', `${server.ev}/`, { testmode: false }),
      'ticketsvc.subevent.added': addDate,
      'ticketsvc.subevent.changed': () =>
        call('PATCH', `${series.ev}/subevents/${series.first}/`, { location: { en: 'Hall 2' } }),
      'ticketsvc.subevent.deleted': async () => {
        const { id } = await addDate()
        await call('DELETE', `${series.ev}/subevents/${id}/`)
      },
    }

    it('is everything that can be subscribed to, but for what is named here', () => {
      assert.deepEqual([...Object.keys(makers), ...neverYet].sort(), [...standardWebhookActions].sort())
    })

    for (const [action, work] of Object.entries(makers))
      it(`is ${action}, once`, async () => {
        const queuedEntries = await queuedBy(work)
        const meant = queuedEntries.filter((one) => subscriptionOf(String(one.action)) === action)
        assert.equal(meant.length, 1, JSON.stringify(queuedEntries))
        const [{ notification_id, organizer, event, ...rest } = {}] = meant
        const place =
          action === 'ticketsvc.event.added'
            ? 'fair'
            : action === 'ticketsvc.event.deleted'
              ? 'short'
              : 'gala'
        const isDate = action.startsWith('ticketsvc.subevent.')
        assert.deepEqual([organizer, event], ['acme', isDate ? 'series' : place])
        const row = await server.running.transactions.database.get<{ action: string }>(
          sql`SELECT action FROM audit WHERE id = ${Number(notification_id)}`,
        )
        assert.equal(row?.action, rest.action)
        const keys = action.startsWith(order)
          ? ['code', 'action']
          : action.startsWith('ticketsvc.event.checkin')
            ? [
                ...['code', 'orderposition_id', 'orderposition_positionid'],
                ...['checkin_list', 'type', 'first_checkin', 'action'],
              ]
            : isDate
              ? ['subevent', 'action']
              : ['action']
        assert.deepEqual(Object.keys(rest), keys)
        for (const [key, value] of Object.entries(rest)) assert.ok(value !== null && value !== undefined, key)
      })

    it('is what they list, at the events that they are for, while they are enabled', async () => {
      const here = await addHook({ all_events: false, limit_events: ['gala'] })
      const there = await addHook({ all_events: false, limit_events: ['series'] })
      const nowhere = await addHook({ all_events: false })
      const paidOnly = await addHook({ action_types: [`${order}.paid`] })
      const changes = await addHook({ action_types: [`${order}.changed.*`] })
      const off = await addHook({ enabled: false })
      const [one] = await Promise.all([server.paidOrder()])
      await call('PATCH', `${server.ev}/orderpositions/${one.positions[0].id}/`, { price: '20.00' })
      await addDate()
      const actionsOf = async (id: number) => (await queued(id)).map(({ action }) => action)
      const dates = ['ticketsvc.subevent.added']
      const orders = [`${order}.placed`, `${order}.paid`, `${order}.changed.price`]
      assert.deepEqual((await actionsOf(here)).slice(0, 3), orders)
      assert.deepEqual(await actionsOf(there), dates)
      assert.deepEqual(await actionsOf(nowhere), [])
      assert.deepEqual(await actionsOf(paidOnly), [`${order}.paid`])
      assert.deepEqual(await actionsOf(changes), [`${order}.changed.price`])
      assert.deepEqual(await actionsOf(off), [])
      const ids = async (id: number) =>
        (await queued(id)).map((queuedEntries) => queuedEntries.notification_id)
      assert.ok((await ids(all)).includes((await ids(paidOnly))[0]))
      const database = server.running.transactions
      await database.write((tx) => updateRow(tx, webhook, place(), { id: off, enabled: true }))
      await pending()
      assert.deepEqual(await actionsOf(off), [`${order}.placed`])
    })

    it('is said in the words that each has subscribed with, of which some have two', async () => {
      const inOwn = await addHook({ action_types: [`${order}.placed`, `${order}.changed.*`] })
      const inReference = await addHook({
        action_types: ['pretix.event.order.placed', 'pretix.event.order.changed.*'],
      })
      const inBoth = await addHook({ action_types: [`${order}.placed`, 'pretix.event.order.placed'] })
      const { positions } = await pending()
      await call('PATCH', `${server.ev}/orderpositions/${positions[0].id}/`, { price: '20.00' })
      const actionsOf = async (id: number) => (await queued(id)).map(({ action }) => action)
      assert.deepEqual(await actionsOf(inOwn), [`${order}.placed`, `${order}.changed.price`])
      assert.deepEqual(await actionsOf(inReference), [
        'pretix.event.order.placed',
        'pretix.event.order.changed.price',
      ])
      assert.deepEqual(await actionsOf(inBoth), [`${order}.placed`])
      const rows = await server.running.transactions.database.all<{ action: string }>(
        sql`SELECT action FROM webhook_delivery WHERE webhook = ${inReference} ORDER BY notification`,
      )
      assert.deepEqual(
        rows.map(({ action }) => action),
        await actionsOf(inReference),
      )
    })

    it('is listed in order, in either words, and lists are filtered by who is enabled', async () => {
      const action_types = [`${order}.placed`, 'pretix.event.checkin', `${order}.paid`, `${order}.placed`]
      const body = { target_url: 'https://hooks.example.org/', all_events: true, action_types }
      const made = await call('POST', `${server.org}/webhooks/`, body)
      assert.deepEqual(made.action_types, ['pretix.event.checkin', `${order}.paid`, `${order}.placed`])
      const refused = await server.call('POST', `${server.org}/webhooks/`, {
        ...body,
        action_types: ['pretix.nothing'],
      })
      assert.equal(refused.status, 400)
      await call('DELETE', `${server.org}/webhooks/${made.id}/`)
      const idsWhere = async (query: string) => {
        const { results } = await call('GET', `${server.org}/webhooks/?page_size=50&${query}`)
        return (results as RowData[]).map(({ id }) => id)
      }
      assert.deepEqual(await idsWhere('enabled=false'), [made.id])
      assert.ok((await idsWhere('enabled=true')).includes(all))
      assert.ok(!(await idsWhere('enabled=true')).includes(made.id))
    })

    it('is not what is refused, what is taken back, or what changes nothing', async () => {
      const queuedEntries = await queuedBy(async () => {
        const body = { secret: 'unheard-of', lists: [list] }
        assert.equal((await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)).status, 404)
        await server.call('PATCH', `${server.ev}/`, { currency: 'nothing' })
        await call('PATCH', `${server.ev}/`, {})
        await assert.rejects(
          server.running.transactions.write(async (tx) => {
            const actor = { kind: 'command', id: 0 } as never
            const entry = { action: 'ticketsvc.event.changed', resource: 'event', row: server.event }
            tx.audit({ organizer: server.organizer, event: server.event }, actor, entry)
            await tx.run(sql`INSERT INTO organizer (id) VALUES (1)`)
          }),
        )
      })
      assert.deepEqual(queuedEntries, [])
    })

    it('hears once of a scan that is sent again', async () => {
      const paid = await server.paidOrder()
      const queuedEntries = await queuedBy(async () => {
        await scan(paid, 'again')
        await scan(paid, 'again')
      })
      assert.equal(queuedEntries.length, 1)
    })

    it('is not meant for another event with the name of one that was deleted', async () => {
      await addEvent('twice')
      const id = await addHook({ all_events: false, limit_events: ['twice', 'gala'] })
      await call('DELETE', `${server.org}/events/twice/`)
      await addEvent('twice')
      const queuedEntries = (await queued(id)).map(({ action, event }) => [action, event])
      assert.deepEqual(queuedEntries, [['ticketsvc.event.deleted', 'twice']])
      const shown = await call('GET', `${server.org}/webhooks/${id}/`)
      assert.deepEqual(shown.limit_events, ['gala'])
    })
  })
