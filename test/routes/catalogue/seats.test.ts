import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, updateRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { isSeated, seatProblems, seatsByGuid } from '../../../server/services/catalogue/seats.ts'
import { smallLayout } from '../../fixtures/layout.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addOrder } from '../../support/ticketing/tickets.ts'

const settings = {
  seating_minimal_distance: 0,
  seating_distance_within_row: false,
  seating_allow_blocked_seats_for_channel: ['boxoffice'],
}

for (const engine of engines)
  describe(`seats on ${engine.name}`, () => {
    let server: TestServer
    let plan: number
    let stalls: number
    let circle: number
    const ask = asking(() => server)
    const seats = () => `${server.ev}/seats/`
    const rows = async (query = '') => resultsOf(await ask('GET', `${seats()}?${query}`, 200))
    const guids = async (query = '') => (await rows(query)).map(({ seat_guid }) => seat_guid)
    const seat = async (guid: string) => {
      const [row] = await rows(`seat_guid=${guid}`)
      assert.ok(row)
      return row
    }
    const place = () => ({ organizer: server.organizer, event: server.event })
    const write = <T>(work: (tx: Tx) => Promise<T>) => server.running.transactions.write(work)
    const makePlan = async (...size: Parameters<typeof smallLayout>) =>
      Number(
        (
          await ask('POST', `${server.org}/seatingplans/`, 201, {
            name: 'Hall',
            layout: smallLayout(...size),
          })
        ).id,
      )
    /** Sells a seat in an order with a status; the position's id. */
    const sell = async (guid: string, values: RowData = {}, position: RowData = {}): Promise<number> => {
      const { id } = await seat(guid)
      const ticket = { item: stalls, seat_id: id, ...position }
      const { positions } = await write((tx) =>
        addOrder(tx, place(), [{ ...ticket, secret: `sold${tx.nextId()}` }], values),
      )
      return Number(positions[0])
    }
    const problems = (wanted: readonly string[], channel = 'web', more: RowData = {}) =>
      write(async (tx) => {
        const found = await seatsByGuid(tx, place(), null, wanted)
        const question = { place: place(), date: null, channel, settings: { ...settings, ...more } }
        return [...(await seatProblems(tx, question, found.values())).keys()].sort()
      })

    before(async () => {
      server = await startTestServer(await engine.open())
      ;[stalls, circle] = await write(async (tx) => [
        await addItem(tx, place(), 'Stalls'),
        await addItem(tx, place(), 'Circle'),
      ])
      plan = await makePlan(3, 3)
      await ask('PATCH', `${server.ev}/`, 200, {
        seating_plan: plan,
        seat_category_mapping: { Stalls: stalls, Circle: null },
      })
    })
    after(() => server.close())

    it('are made from the plan of the event, in its order', async () => {
      const all = await rows()
      assert.deepEqual(
        all.map(({ seat_guid }) => seat_guid),
        ['1-1', '1-2', '1-3', '2-1', '2-2', '2-3', '3-1', '3-2', '3-3'],
      )
      const { id, ...first } = all[0] ?? {}
      assert.equal(typeof id, 'number')
      assert.deepEqual(first, {
        subevent: null,
        zone_name: 'Hall',
        row_name: '1',
        row_label: null,
        seat_number: '1',
        seat_label: null,
        seat_guid: '1-1',
        product: stalls,
        blocked: false,
        orderposition: null,
        cartposition: null,
        voucher: null,
      })
      assert.equal(all[8]?.product, null)
    })

    it('follow what is sold for their category', async () => {
      await ask('PATCH', `${server.ev}/`, 200, { seat_category_mapping: { Stalls: stalls, Circle: circle } })
      assert.deepEqual([(await seat('1-1')).product, (await seat('3-3')).product], [stalls, circle])
      const { database } = server.running.transactions
      const answers = [stalls, circle, 4711].map((item) => isSeated(database, place(), null, item))
      assert.deepEqual(await Promise.all(answers), [true, true, false])
    })

    it('keep categories that the plan does not have, and refuse items that the event does not have', async () => {
      const event = `${server.ev}/`
      const refused = await ask('PATCH', event, 400, { seat_category_mapping: { Stalls: 4711 } })
      assert.deepEqual(Object.keys(refused), ['seat_category_mapping'])
      const usual = { Stalls: stalls, Circle: circle }
      const more = { ...usual, Balcony: stalls }
      const kept = await ask('PATCH', event, 200, { seat_category_mapping: more })
      assert.deepEqual(kept.seat_category_mapping, more)
      await ask('PATCH', event, 200, { seat_category_mapping: usual })
    })

    it('are chosen by each of their words', async () => {
      assert.deepEqual(await guids('row_name=2'), ['2-1', '2-2', '2-3'])
      assert.deepEqual(await guids('row_name=2&seat_number=3'), ['2-3'])
      assert.deepEqual(await guids('zone_name=Elsewhere'), [])
      assert.equal((await guids('zone_name=Hall')).length, 9)
      const second = await ask('GET', `${seats()}?page=2&page_size=4`, 200)
      assert.deepEqual(valuesOf(second, 'seat_guid'), ['2-2', '2-3', '3-1', '3-2'])
    })

    it('are taken out of sale and put back, one by one or together', async () => {
      const one = await seat('3-1')
      assert.equal(
        (await ask('PATCH', `${seats()}${one.id}/`, 200, { blocked: true, seat_guid: 'x' })).blocked,
        true,
      )
      assert.equal((await ask('GET', `${seats()}${one.id}/`, 200)).seat_guid, '3-1')
      assert.deepEqual(Object.keys(await ask('PATCH', `${seats()}${one.id}/`, 400, { blocked: 'x' })), [
        'blocked',
      ])
      const two = await seat('3-2')
      const answer = await ask('POST', `${seats()}bulk_block/`, 200, {
        ids: [two.id],
        seat_guids: ['3-3', '3-1'],
      })
      assert.deepEqual(answer, {})
      assert.deepEqual(await guids('blocked=true'), ['3-1', '3-2', '3-3'])
      const wrong = await ask('POST', `${seats()}bulk_unblock/`, 400, {
        ids: [999999999],
        seat_guids: ['3-1', '9-9'],
      })
      assert.deepEqual(Object.keys(wrong).sort(), ['ids', 'seat_guids'])
      assert.deepEqual(await guids('blocked=true'), ['3-1', '3-2', '3-3'])
      await ask('POST', `${seats()}bulk_unblock/`, 400, {})
      await ask('POST', `${seats()}bulk_unblock/`, 200, { seat_guids: ['3-1', '3-2', '3-3'] })
      assert.deepEqual(await guids('blocked=true'), [])
    })

    it('are neither made nor deleted by hand', async () => {
      const { id } = await seat('3-3')
      await ask('POST', seats(), 405, {})
      for (const method of ['PUT', 'DELETE'])
        await ask(method, `${seats()}${id}/`, 405, method === 'PUT' ? {} : undefined)
      await ask('GET', `${seats()}999999999/`, 404)
    })

    it('are held by tickets that are not canceled, of orders that stand', async () => {
      for (const [status, position, isHeld] of [
        ['p', {}, true],
        ['n', {}, true],
        ['e', {}, false],
        ['c', {}, false],
        ['p', { canceled: true }, false],
      ] as const) {
        const id = await sell('2-1', { status }, position)
        assert.equal((await seat('2-1')).orderposition, isHeld ? id : null, status)
        assert.equal((await guids('is_available=true')).includes('2-1'), !isHeld)
        assert.deepEqual(await problems(['2-1', '2-2']), isHeld ? ['2-1'] : [])
        await write((tx) => updateRow(tx, orderPosition, place(), { id, seat_id: null }))
      }
    })

    it('are held by carts until these expire, and by vouchers until they are used up', async () => {
      const { id } = await seat('2-2')
      const cart = await write(async (tx) => {
        const made = tx.nextId()
        const row = {
          cart_id: 'x@api',
          datetime: tx.now,
          expires: '2999-01-01T00:00:00Z',
          item: stalls,
          price: '1.00',
        }
        await insertRow(tx, cartPosition, place(), {
          ...blankRow(cartPosition),
          ...row,
          seat_id: Number(id),
          id: made,
        })
        return made
      })
      assert.equal((await seat('2-2')).cartposition, cart)
      assert.deepEqual(await problems(['2-2']), ['2-2'])
      await write((tx) => updateRow(tx, cartPosition, place(), { id: cart, expires: '2020-01-01T00:00:00Z' }))
      assert.equal((await seat('2-2')).cartposition, null)
      const { database } = server.running.transactions
      const kept = await write(async (tx) => {
        const made = tx.nextId()
        await insertRow(tx, voucher, place(), {
          ...blankRow(voucher),
          code: 'SEATED',
          seat: '2-2',
          item: stalls,
          id: made,
        })
        return made
      })
      assert.equal((await seat('2-2')).voucher, kept)
      assert.deepEqual(await problems(['2-2']), ['2-2'])
      await database.run(sql`UPDATE voucher SET redeemed = max_usages WHERE id = ${kept}`)
      assert.equal((await seat('2-2')).voucher, null)
      await database.run(sql`DELETE FROM voucher WHERE id = ${kept}`)
    })

    it('show who holds them to whoever asks and may see it', async () => {
      const id = await sell('2-3', { status: 'p' }, { attendee_email: 'ann@example.org' })
      const path = `${seats()}?seat_guid=2-3&expand=orderposition&expand=voucher`
      const holder = async (authorization?: string) =>
        resultsOf(await ask('GET', path, 200, undefined, authorization))[0]?.orderposition
      const shown = (await holder()) as RowData
      assert.deepEqual([shown.id, shown.attendee_email], [id, 'ann@example.org'])
      assert.deepEqual(Object.keys(shown.order as RowData), ['code', 'event'])
      const downloads = shown.downloads as { output: string; url: string }[]
      assert.deepEqual(
        downloads.map(({ output }) => output),
        ['pdf', 'roll'],
      )
      assert.match(downloads[0]?.url ?? '', new RegExp(`/orderpositions/${id}/download/pdf/$`))
      await write((tx) => addToken(tx, server.organizer, 'usher', { all_events: true }))
      assert.equal(await holder('Token usher'), id)
      await write((tx) => updateRow(tx, orderPosition, place(), { id, seat_id: null }))
    })

    it('that are blocked are for the channels alone that may sell them', async () => {
      await ask('POST', `${seats()}bulk_block/`, 200, { seat_guids: ['3-3'] })
      assert.deepEqual(await problems(['3-3']), ['3-3'])
      assert.deepEqual(await problems(['3-3'], 'boxoffice'), [])
      await ask('POST', `${seats()}bulk_unblock/`, 200, { seat_guids: ['3-3'] })
    })

    it('are kept apart from those of others where the event asks for it', async () => {
      const id = await sell('2-2', { status: 'p' })
      const apart = { seating_minimal_distance: 11 }
      assert.deepEqual(await problems(['1-1', '1-2', '2-1', '3-3'], 'web', apart), ['1-2', '2-1'])
      const row = { ...apart, seating_distance_within_row: true }
      assert.deepEqual(await problems(['1-1', '1-2', '2-1', '3-3'], 'web', row), ['2-1'])
      await write((tx) => updateRow(tx, orderPosition, place(), { id, seat_id: null }))
      assert.deepEqual(await problems(['1-1', '1-2', '2-1'], 'web', apart), [])
    })

    it('are sold once, however many want one at once', async () => {
      const { id } = await seat('3-1')
      const buy = () =>
        write(async (tx) => {
          const found = await seatsByGuid(tx, place(), null, ['3-1'])
          const question = { place: place(), date: null, channel: 'web', settings }
          if ((await seatProblems(tx, question, found.values())).size > 0) return false
          await addOrder(tx, place(), [{ item: stalls, seat_id: id, secret: `once${tx.nextId()}` }], {
            status: 'p',
          })
          return true
        })
      const bought = await Promise.all(Array.from({ length: 12 }, buy))
      assert.equal(bought.filter(Boolean).length, 1)
    })

    it('that do not exist are not found', async () =>
      assert.deepEqual(
        [...(await write((tx) => seatsByGuid(tx, place(), null, ['9-9', '1-1']))).keys()],
        ['1-1'],
      ))

    it('stay when the plan changes, unless it has no such seat', async () => {
      const before = await seat('1-1')
      await ask('POST', `${seats()}bulk_block/`, 200, { seat_guids: ['1-1'] })
      const small = await makePlan(3, 2)
      await ask('PATCH', `${server.ev}/`, 200, { seating_plan: small })
      const after = await seat('1-1')
      assert.deepEqual([after.id, after.blocked, after.product], [before.id, true, stalls])
      assert.deepEqual(await guids(), ['1-1', '1-2', '2-1', '2-2', '3-1', '3-2'])
      await ask('PATCH', `${server.ev}/`, 200, { seating_plan: plan })
      assert.equal((await guids()).length, 9)
    })

    it('are not taken away from those who have bought them', async () => {
      await sell('1-3', { status: 'p' })
      const one = await makePlan(1, 1)
      for (const seating_plan of [one, null]) {
        const refused = await ask('PATCH', `${server.ev}/`, 400, { seating_plan })
        assert.deepEqual(Object.keys(refused), ['seating_plan'])
      }
      assert.equal((await guids()).length, 9)
    })

    it('hold the plan that they are made from', async () => {
      const path = `${server.org}/seatingplans/${plan}/`
      await ask('PATCH', path, 403, { name: 'Other' })
      await ask('PUT', path, 403, { name: 'Other', layout: smallLayout(1, 1) })
      await ask('DELETE', path, 403)
      const unused = await makePlan(1, 1)
      const text = JSON.stringify(smallLayout(2, 2))
      const changed = await ask('PATCH', `${server.org}/seatingplans/${unused}/`, 200, { layout: text })
      assert.deepEqual(changed.layout, smallLayout(2, 2))
      await ask('DELETE', `${server.org}/seatingplans/${unused}/`, 204)
    })

    it('belong to the dates of a series, each with a plan of its own', async () => {
      const series = `${server.org}/events/tour`
      const start = { name: 'Tour', date_from: '2030-01-01T10:00:00Z' }
      await ask('POST', `${server.org}/events/`, 201, { ...start, slug: 'tour', has_subevents: true })
      const item = await ask('POST', `${series}/items/`, 201, { name: 'Seat', default_price: '1' })
      const seating = { seating_plan: plan, seat_category_mapping: { Stalls: item.id } }
      const date = await ask('POST', `${series}/subevents/`, 201, { ...start, ...seating })
      const bare = await ask('POST', `${series}/subevents/`, 201, start)
      const of = (row: RowData) => `${series}/subevents/${row.id}/seats/`
      const found = resultsOf(await ask('GET', of(date), 200))
      assert.deepEqual([found.length, found[0]?.subevent, found[0]?.product], [9, date.id, item.id])
      assert.equal((await ask('GET', of(bare), 200)).count, 0)
      await ask('PATCH', `${of(date)}${found[0]?.id}/`, 200, { blocked: true })
      await ask('POST', `${of(date)}bulk_unblock/`, 200, { seat_guids: ['1-1'] })
      await ask('GET', `${of(bare)}${found[0]?.id}/`, 404)
      // The wrong one of the two paths leads nowhere.
      await ask('GET', `${series}/seats/`, 404)
      await ask('GET', `${server.ev}/subevents/${date.id}/seats/`, 404)
      await ask('GET', `${series}/subevents/999999999/seats/`, 404)
      for (const [path, body, key] of [
        [`${series}/`, { seating_plan: plan }, 'seating_plan'],
        [`${series}/subevents/${bare.id}/`, { seating_plan: 999999999 }, 'seating_plan'],
        [
          `${series}/subevents/${date.id}/`,
          { seat_category_mapping: { Stalls: stalls } },
          'seat_category_mapping',
        ],
      ] as const)
        assert.deepEqual(Object.keys(await ask('PATCH', path, 400, body)), [key])
      await ask('DELETE', `${series}/subevents/${date.id}/`, 204)
      const left = await server.running.transactions.database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM seat WHERE subevent = ${Number(date.id)}`,
      )
      assert.equal(Number(left?.count), 0)
    })
  })
