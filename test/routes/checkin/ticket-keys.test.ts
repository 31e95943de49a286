import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { eventKey } from '../../../schema/resources/checkin/event-key.ts'
import { readPublicKey } from '../../../server/domain/signed-tickets/keys.ts'
import {
  looksSigned,
  type TicketKey,
  verifyTicket,
} from '../../../server/domain/signed-tickets/signed-ticket.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { findRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  type ShopServer,
  type ShownOrder,
  type ShownPosition,
  startShop,
} from '../../support/ticketing/orders.ts'

type Scheme = 'pretix_sig1' | 'gatehouse_1'

interface ShownKey {
  readonly id: number
  readonly scheme: Scheme
  readonly key_id: number
  readonly public_key: string
  readonly created: string
  readonly retired: string | null
}

interface Page<T> {
  readonly count: number
  readonly results: readonly T[]
}

for (const engine of engines)
  describe(`keys of signed tickets, on ${engine.name}`, () => {
    let shop: ShopServer
    before(async () => {
      shop = await startShop(await engine.open())
    })
    after(() => shop.close())

    const generate = (kind: string | null) =>
      shop.ask(200, 'PATCH', '/settings/', { ticket_secret_generator: kind })
    const keys = async (scheme: Scheme): Promise<readonly ShownKey[]> =>
      (await shop.ask<Page<ShownKey>>(200, 'GET', `/ticketkeys/?scheme=${scheme}`)).results
    const toCheck = async (scheme: Scheme): Promise<TicketKey[]> =>
      (await keys(scheme)).flatMap((one) => {
        const key = readPublicKey(one.public_key)
        return key ? [{ ...one, key }] : []
      })
    const read = async (scheme: Scheme, code: string) => verifyTicket(code, await toCheck(scheme))
    const revoked = async (): Promise<readonly unknown[]> =>
      (await shop.ask<Page<RowData>>(200, 'GET', '/revokedsecrets/')).results.map((row) => row.secret)
    const codeOf = (order: ShownOrder): string => order.positions[0].secret
    const again = (code: string) => shop.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)

    it('are none as long as codes are random', async () => {
      const order = await shop.paidOrder()
      assert.equal(looksSigned(codeOf(order)), false)
      assert.deepEqual(await keys('pretix_sig1'), [])
      await shop.ask(204, 'DELETE', `/orders/${(await shop.paidOrder({ testmode: true })).code}/`)
      assert.deepEqual(await revoked(), [])
    })

    it('are made for a scheme that is chosen, and no other can be', async () => {
      const refused = await shop.ask<RowData>(400, 'PATCH', '/settings/', {
        ticket_secret_generator: 'rot13',
      })
      assert.deepEqual(Object.keys(refused), ['ticket_secret_generator'])
      await generate('pretix_sig1')
      const [key, ...rest] = await keys('pretix_sig1')
      assert.ok(key)
      assert.deepEqual(rest, [])
      assert.deepEqual(Object.keys(key).sort(), [
        'created',
        'id',
        'key_id',
        'public_key',
        'retired',
        'scheme',
      ])
      const pem = Buffer.from(key.public_key, 'base64').toString()
      assert.match(pem, /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=]+\n-----END PUBLIC KEY-----\n$/)
      assert.deepEqual((await shop.ask<RowData>(200, 'GET', '/')).valid_keys, {
        pretix_sig1: [key.public_key],
      })
    })

    for (const scheme of ['pretix_sig1', 'gatehouse_1'] as const)
      describe(`of the scheme ${scheme}`, () => {
        before(() => generate(scheme))

        it('sign what is sold', async () => {
          const times = { valid_from: '2030-06-01T10:00:00Z', valid_until: '2030-06-01T12:00:00Z' }
          const order = await shop.order({
            positions: [
              { item: shop.shop.dinner, variation: shop.shop.child, ...times },
              { item: shop.shop.ticket },
            ],
          })
          const [dinner, ticket] = order.positions
          const said = await read(scheme, dinner.secret)
          assert.equal(said?.item, shop.shop.dinner)
          assert.equal(said?.variation, shop.shop.child)
          assert.equal(said?.valid_from, '2030-06-01T10:00:00.000000Z')
          assert.equal(said?.valid_until, '2030-06-01T12:00:00.000000Z')
          assert.equal(said?.position, scheme === 'gatehouse_1' ? dinner.id : null)
          assert.equal(typeof said?.issued, scheme === 'gatehouse_1' ? 'string' : 'object')
          assert.equal((await read(scheme, String(ticket?.secret)))?.item, shop.shop.ticket)
          assert.notEqual(dinner.secret, ticket?.secret)
        })

        it('leave alone the code that an order brings', async () => {
          const order = await shop.order({ positions: [{ item: shop.shop.ticket, secret: `own-${scheme}` }] })
          assert.equal(codeOf(order), `own-${scheme}`)
        })

        it('sign what is added to an order', async () => {
          const order = await shop.paidOrder()
          const body = { order: order.code, item: shop.shop.ticket }
          const added = await shop.ask<ShownPosition>(201, 'POST', '/orderpositions/', body)
          assert.equal((await read(scheme, added.secret))?.item, shop.shop.ticket)
        })

        it('sign the new code of a ticket, and the old one is revoked', async () => {
          const order = await shop.paidOrder()
          const [{ id, secret }] = order.positions
          const after = await shop.ask<ShownPosition>(
            200,
            'POST',
            `/orderpositions/${id}/regenerate_secrets/`,
          )
          assert.notEqual(after.secret, secret)
          assert.equal((await read(scheme, after.secret))?.item, shop.shop.ticket)
          assert.ok((await revoked()).includes(secret))
          const twice = await shop.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/regenerate_secrets/`)
          assert.ok((await revoked()).includes(after.secret))
          assert.ok(!(await revoked()).includes(codeOf(twice)))
        })

        it('sign a new code when what the old one says is not true any more', async () => {
          const [{ id, secret }] = (await shop.paidOrder()).positions
          const name = await shop.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${id}/`, {
            attendee_email: 'a@example.org',
          })
          assert.equal(name.secret, secret)
          const moved = await shop.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${id}/`, {
            valid_until: '2031-01-01T00:00:00Z',
          })
          assert.equal((await read(scheme, moved.secret))?.valid_until, '2031-01-01T00:00:00.000000Z')
          const other = await shop.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${id}/`, {
            item: shop.shop.free,
          })
          assert.equal((await read(scheme, other.secret))?.item, shop.shop.free)
          const own = await shop.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${id}/`, {
            secret: `patched-${scheme}`,
          })
          assert.equal(own.secret, `patched-${scheme}`)
          for (const code of [secret, moved.secret, other.secret]) assert.ok((await revoked()).includes(code))
        })

        it('have their codes revoked when a position is canceled', async () => {
          const order = await shop.paidOrder({
            positions: [{ item: shop.shop.ticket }, { item: shop.shop.ticket }],
          })
          const [first, second] = order.positions
          await shop.ask(204, 'DELETE', `/orderpositions/${first.id}/`)
          const list = await revoked()
          assert.ok(list.includes(first.secret))
          assert.ok(!list.includes(second?.secret))
        })

        it('have their codes revoked when the order is canceled, for good: it comes back with new ones', async () => {
          const order = await shop.paidOrder()
          await shop.ask(200, 'POST', `/orders/${order.code}/mark_canceled/`, {})
          assert.equal((await revoked()).filter((code) => code === codeOf(order)).length, 1)
          assert.equal(codeOf(await again(order.code)), codeOf(order))
          await shop.ask(200, 'POST', `/orders/${order.code}/reactivate/`)
          const back = await again(order.code)
          assert.notEqual(codeOf(back), codeOf(order))
          assert.equal((await read(scheme, codeOf(back)))?.item, shop.shop.ticket)
          const list = await revoked()
          assert.equal(list.filter((code) => code === codeOf(order)).length, 1)
          assert.ok(!list.includes(codeOf(back)))
        })

        it('have their codes revoked when an order is canceled for a fee, denied, or deleted', async () => {
          const kept = await shop.paidOrder()
          await shop.ask(200, 'POST', `/orders/${kept.code}/mark_canceled/`, { cancellation_fee: '5.00' })
          const waiting = await shop.order({
            positions: [{ item: shop.shop.ticket }],
            require_approval: true,
          })
          await shop.ask(200, 'POST', `/orders/${waiting.code}/deny/`, {})
          const test = await shop.paidOrder({ testmode: true })
          await shop.ask(204, 'DELETE', `/orders/${test.code}/`)
          const list = await revoked()
          for (const order of [kept, waiting, test]) assert.ok(list.includes(codeOf(order)))
        })

        it('are replaced in mid-event: old codes stay good, new ones are signed anew', async () => {
          const before = await shop.paidOrder()
          const [old] = await keys(scheme)
          const fresh = await shop.ask<ShownKey>(201, 'POST', '/ticketkeys/rotate/', { scheme })
          assert.ok(!('private_key' in fresh))
          const after = await shop.paidOrder()
          assert.equal(fresh.key_id, Number(old?.key_id) + 1)
          assert.equal((await read(scheme, codeOf(before)))?.key_id, old?.key_id)
          assert.equal((await read(scheme, codeOf(after)))?.key_id, fresh.key_id)
          const [first, second] = await keys(scheme)
          assert.deepEqual([first?.id, first?.retired], [fresh.id, null])
          assert.equal(second?.id, old?.id)
          assert.ok(second?.retired)
          const { valid_keys } = await shop.ask<{ valid_keys: Record<string, string[]> }>(200, 'GET', '/')
          assert.deepEqual(valid_keys[scheme]?.slice(0, 2), [fresh.public_key, old?.public_key])
        })
      })

    it('are replaced for a scheme that there is, by who may change the settings', async () => {
      await shop.ask(400, 'POST', '/ticketkeys/rotate/', { scheme: 'random' })
      await shop.ask(400, 'POST', '/ticketkeys/rotate/', {})
      await shop.running.transactions.write((tx) =>
        addToken(tx, shop.organizer, 'seller', {
          all_events: true,
          can_change_orders: true,
          can_view_orders: true,
        }),
      )
      const authorization = { Authorization: 'Token seller' }
      const rotate = `${shop.ev}/ticketkeys/rotate/`
      const answer = await shop.call('POST', rotate, { scheme: 'pretix_sig1' }, authorization)
      assert.equal(answer.status, 403)
      assert.equal((await shop.call('GET', `${shop.ev}/ticketkeys/`, undefined, authorization)).status, 200)
      for (const method of ['POST', 'PUT', 'DELETE'])
        assert.equal((await shop.call(method, `${shop.ev}/ticketkeys/`, {})).status, 405)
    })

    describe('and codes that are blocked', () => {
      const blocked = async (query = ''): Promise<readonly RowData[]> =>
        (await shop.ask<Page<RowData>>(200, 'GET', `/blockedsecrets/${query}`)).results
      const stateOf = async (secret: string): Promise<unknown> =>
        (await blocked()).find((row) => row.secret === secret)?.blocked

      it('are listed with their history, the newest first', async () => {
        const [{ id, secret }] = (await shop.paidOrder()).positions
        const set = (action: string, name: string) =>
          shop.ask(200, 'POST', `/orderpositions/${id}/${action}/`, { name })
        assert.equal(await stateOf(secret), undefined)
        await set('add_block', 'admin')
        await set('add_block', 'api:stolen')
        assert.equal(await stateOf(secret), true)
        await set('remove_block', 'admin')
        assert.equal(await stateOf(secret), true)
        await set('remove_block', 'api:stolen')
        assert.equal(await stateOf(secret), false)
        const [first] = await blocked()
        assert.deepEqual(Object.keys(first ?? {}).sort(), ['blocked', 'id', 'secret', 'updated'])
        assert.equal(first?.secret, secret)
        assert.deepEqual((await blocked('?blocked=true')).map((row) => row.secret).includes(secret), false)
        assert.deepEqual((await blocked('?blocked=false')).map((row) => row.secret).includes(secret), true)
        assert.equal((await blocked(`?updated_since=${String(first?.updated)}`)).length, 1)
        assert.equal((await blocked('?updated_since=2099-01-01T00:00:00Z')).length, 0)
      })

      it('stay blocked under a new code', async () => {
        const [{ id, secret }] = (await shop.paidOrder()).positions
        await shop.ask(200, 'POST', `/orderpositions/${id}/add_block/`, { name: 'admin' })
        const after = await shop.ask<ShownPosition>(200, 'POST', `/orderpositions/${id}/regenerate_secrets/`)
        assert.equal(await stateOf(after.secret), true)
        assert.equal(await stateOf(secret), true)
        const own = await shop.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${id}/`, {
          secret: `blocked-${id}`,
        })
        assert.equal(await stateOf(own.secret), true)
      })

      it('cannot be changed by hand', async () => {
        assert.equal((await shop.call('POST', `${shop.ev}/blockedsecrets/`, {})).status, 405)
      })
    })

    describe('of both schemes', () => {
      it('never show their private half, neither in answers nor in the audit trail nor to a copy of the event', async () => {
        const place = { organizer: shop.organizer, event: shop.event }
        const { database } = shop.running.transactions
        const [newest, oldest] = await keys('gatehouse_1')
        const row = await findRow(database, eventKey, place, { id: Number(newest?.id) })
        const secret = String(row?.private_key)
        assert.ok(secret.length > 100)
        assert.equal(
          (await findRow(database, eventKey, place, { id: Number(oldest?.id) }))?.private_key,
          null,
        )
        const answers = await Promise.all(
          [`/ticketkeys/`, `/ticketkeys/${newest?.id}/`, '/', '/settings/?explain=true'].map((path) =>
            shop.call('GET', shop.ev + path),
          ),
        )
        for (const answer of answers) {
          assert.equal(answer.status, 200)
          assert.doesNotMatch(JSON.stringify(answer.body), /private/i)
          assert.ok(!JSON.stringify(answer.body).includes(secret))
        }
        const audit = await database.all<{ data: string | null }>(sql`SELECT data FROM audit`)
        assert.ok(audit.every(({ data }) => !data?.includes(secret) && !data?.includes('private_key')))
        const copy = await shop.ask<RowData>(201, 'POST', '/clone/', {
          name: { en: 'Copy' },
          slug: `copy-${newest?.id}`,
          date_from: '2031-06-01T10:00:00Z',
        })
        const base = `${shop.org}/events/${copy.slug}`
        assert.deepEqual((await shop.call('GET', `${base}/ticketkeys/`)).body, {
          count: 0,
          next: null,
          previous: null,
          results: [],
        })
        const settings = (await shop.call('GET', `${base}/settings/`)).body as RowData
        assert.equal(settings.ticket_secret_generator, 'gatehouse_1')
      })
    })
  })
