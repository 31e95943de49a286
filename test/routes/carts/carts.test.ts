import assert from 'node:assert/strict'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addRow, addSeries, type Series, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

interface Shown extends RowData {
  readonly id: number
  readonly cart_id: string
  readonly expires: string
  readonly datetime: string
  readonly addons: readonly RowData[]
  readonly bundled: readonly RowData[]
}

for (const engine of engines)
  describe(`cart positions on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    /** An item whose add-ons are `extra`, and with which `gift` comes. */
    let base: number
    let extra: number
    let gift: number
    let giftQuota: number
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
      await server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const addons = await addRow(tx, category, place, { name: { en: 'Extras' }, is_addon: true })
        const sold = { default_price: '5.00' }
        base = await addRow(tx, item, place, { name: { en: 'Base' }, ...sold })
        extra = await addRow(tx, item, place, { name: { en: 'Extra' }, ...sold, category: addons })
        gift = await addRow(tx, item, place, { name: { en: 'Gift' }, ...sold })
        await addRow(tx, itemAddon, place, { addon_category: addons, item: base, max_count: 1 })
        await addRow(tx, itemBundle, place, { bundled_item: gift, item: base })
        await addRow(tx, quota, place, { name: 'Base', size: 50, items: [base, extra] })
        giftQuota = await addRow(tx, quota, place, { name: 'Gifts', size: 2, items: [gift] })
      })
    })
    after(() => server.close())

    const path = '/cartpositions/'
    const make = (body: RowData): Promise<Shown> => server.ask(201, 'POST', path, { price: '1.00', ...body })
    const refused = (body: RowData): Promise<RowData> =>
      server.ask(400, 'POST', path, { price: '1.00', ...body })
    const remove = (...carts: readonly RowData[]) =>
      Promise.all(carts.map(({ id }) => server.ask(204, 'DELETE', `${path}${id}/`)))
    const inSeries = async (status: number, body: RowData): Promise<RowData> => {
      const answer = await server.call('POST', `${series.ev}${path}`, { price: '1.00', ...body })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      return answer.body as RowData
    }
    const keysOf = (body: unknown): string[] => Object.keys(body as RowData)

    it('are shown with every field of the interface', async () => {
      const { shop } = server
      const { addons, bundled, ...made } = await make({
        item: shop.ticket,
        price: '-3.5',
        attendee_name_parts: { given_name: 'Ada', family_name: 'Lovelace' },
        attendee_email: 'ada@example.org',
        includes_tax: false,
        expires: '2040-01-01T10:00:00+01:00',
        cart_id: 'mine@api',
        answers: [{ question: shop.meal, options: [shop.vegan] }],
      })
      assert.deepEqual([addons, bundled], [[], []])
      const { id, datetime, ...rest } = made
      assert.match(datetime, /^20\d\d-.*Z$/)
      assert.deepEqual(rest, {
        cart_id: 'mine@api',
        expires: '2040-01-01T09:00:00Z',
        item: shop.ticket,
        variation: null,
        price: '-3.50',
        attendee_name: 'Ada Lovelace',
        attendee_name_parts: { given_name: 'Ada', family_name: 'Lovelace' },
        attendee_email: 'ada@example.org',
        voucher: null,
        addon_to: null,
        is_bundled: false,
        subevent: null,
        includes_tax: false,
        answers: [
          {
            question: shop.meal,
            answer: 'vegan',
            options: [shop.vegan],
            question_identifier: 'meal',
            option_identifiers: ['vegan'],
          },
        ],
        seat: null,
      })
      assert.deepEqual(await server.ask(200, 'GET', `${path}${id}/`), made)
      await remove(made)
    })

    it('hold for as long as the event says, in a cart of their own, when nothing is said', async () => {
      const made = await make({ item: server.shop.ticket, attendee_name: 'Ada' })
      assert.match(made.cart_id, /^[A-Za-z0-9]{48}@api$/)
      assert.equal(Date.parse(made.expires) - Date.parse(made.datetime), 30 * 60_000)
      assert.deepEqual(made.attendee_name_parts, { _legacy: 'Ada' })
      assert.equal(made.attendee_name, 'Ada')
      assert.deepEqual(made.answers, [])
      await remove(made)
    })

    it('are listed by time or cart, page by page, where they were made here', async () => {
      const ids = ['b@api', 'a@api']
      const made: Shown[] = []
      for (const cart_id of ids) made.push(await make({ item: server.shop.ticket, cart_id }))
      const other = await server.running.transactions.write((tx) =>
        addRow(
          tx,
          cartPosition,
          { organizer: server.organizer, event: server.event },
          {
            ...{
              cart_id: 'shop',
              datetime: tx.now,
              expires: tx.now,
              item: server.shop.ticket,
              price: '1.00',
            },
          },
        ),
      )
      const list = async (query: string) => {
        const page = await server.ask<{ count: number; results: Shown[] }>(200, 'GET', path + query)
        return [page.count, ...page.results.map((row) => row.cart_id)]
      }
      assert.deepEqual(await list(''), [2, 'b@api', 'a@api'])
      assert.deepEqual(await list('?ordering=cart_id'), [2, 'a@api', 'b@api'])
      assert.deepEqual(await list('?ordering=-cart_id&page_size=1&page=2'), [2, 'a@api'])
      await server.ask(404, 'GET', `${path}${other}/`)
      await server.ask(404, 'DELETE', `${path}${other}/`)
      await server.ask(404, 'GET', `${path}999999/`)
      await server.ask(405, 'PATCH', `${path}${made[0]?.id}/`, { price: '2.00' })
      await remove(...made)
    })

    it('bring add-ons and bundled products along, and take them away again', async () => {
      const expires = '2040-01-01T10:00:00Z'
      const made = await make({
        item: base,
        expires,
        addons: [{ item: extra, price: '2.00', attendee_name: 'Eve', cart_id: 'other@api' }],
        bundled: [{ item: gift, price: '0.00', expires: '2050-01-01T10:00:00Z', voucher: 'NOTHING' }],
      })
      const [addon] = made.addons
      const [bundled] = made.bundled
      assert.deepEqual(
        [addon, bundled].map((row) => [row?.addon_to, row?.is_bundled, row?.cart_id, row?.expires]),
        [
          [made.id, false, made.cart_id, expires],
          [made.id, true, made.cart_id, expires],
        ],
      )
      assert.equal(addon?.attendee_name, 'Eve')
      const page = await server.ask<{ count: number; results: RowData[] }>(200, 'GET', path)
      assert.equal(page.count, 3)
      assert.ok(!('addons' in (page.results[0] ?? {})))
      await remove(made)
      assert.equal((await server.ask<{ count: number }>(200, 'GET', path)).count, 0)
    })

    it('are refused with products that do not belong together', async () => {
      assert.deepEqual(keysOf(await refused({ item: base, addons: [{ item: gift, price: '1' }] })), [
        'addons',
      ])
      assert.deepEqual(keysOf(await refused({ item: base, bundled: [{ item: extra, price: '1' }] })), [
        'bundled',
      ])
      assert.deepEqual(await refused({ item: base, addons: [{ item: extra }] }), {
        addons: [{ price: ['This field is required.'] }],
      })
    })

    it('are refused field by field', async () => {
      const { shop } = server
      const { ticket, dinner, adult, old, unlisted, meal, fish, vegan, allergies } = shop
      const cases: readonly (readonly [RowData, readonly string[]])[] = [
        [{}, ['item']],
        [{ item: ticket, price: null }, ['price']],
        [{ item: ticket, price: 'free' }, ['price']],
        [{ item: 999999 }, ['item']],
        [{ item: old }, ['item']],
        [{ item: ticket, cart_id: 'mine' }, ['cart_id']],
        [{ item: ticket, sales_channel: 'pigeon' }, ['sales_channel']],
        [{ item: ticket, subevent: series.first }, ['subevent']],
        [{ item: ticket, variation: adult }, ['non_field_errors']],
        [{ item: dinner }, ['non_field_errors']],
        [{ item: dinner, variation: 999999 }, ['non_field_errors']],
        [{ item: unlisted }, ['non_field_errors']],
        [{ item: ticket, attendee_name: 'A', attendee_name_parts: { given_name: 'A' } }, ['attendee_name']],
        [{ item: ticket, attendee_name_parts: { nickname: 'A' } }, ['attendee_name_parts']],
        [{ item: ticket, attendee_email: 'nobody' }, ['attendee_email']],
        [{ item: ticket, voucher: 'UNKNOWN' }, ['voucher']],
        [{ item: ticket, seat: 'A1' }, ['seat']],
        [{ item: ticket, answers: [{ question: meal, options: [fish, vegan] }] }, ['answers']],
        [{ item: ticket, answers: [{ question: allergies, answer: 'x', options: [fish] }] }, ['answers']],
        [{ item: ticket, answers: [{ question: 999999, answer: 'x' }] }, ['answers']],
      ]
      for (const [body, keys] of cases)
        assert.deepEqual(keysOf(await refused(body)), keys, JSON.stringify(body))
      assert.equal((await server.ask<{ count: number }>(200, 'GET', path)).count, 0)
    })

    it('are for a date of a series', async () => {
      const { item: plain, first } = series
      assert.deepEqual(keysOf(await inSeries(400, { item: plain })), ['non_field_errors'])
      assert.deepEqual(keysOf(await inSeries(400, { item: plain, subevent: null })), ['subevent'])
      assert.deepEqual(keysOf(await inSeries(400, { item: plain, subevent: 999999 })), ['subevent'])
      const made = await inSeries(201, { item: plain, subevent: first })
      assert.equal(made.subevent, first)
      assert.equal((await server.call('DELETE', `${series.ev}${path}${made.id}/`)).status, 204)
    })

    it('hold their quota until they are deleted or expire', async () => {
      const { rare } = server.shop
      const held = [await make({ item: rare }), await make({ item: rare })]
      const message = ['There is not enough quota available on quota "Rare".']
      assert.deepEqual(await refused({ item: rare }), message)
      await server.ask(400, 'POST', '/orders/', { positions: [{ item: rare }] })
      await remove(held[0] ?? {})
      const over = await make({ item: rare, expires: '2020-01-01T00:00:00Z' })
      const instead = await make({ item: rare })
      assert.deepEqual(await refused({ item: rare }), message)
      await remove(over, instead, held[1] ?? {})
      assert.equal((await server.ask<{ count: number }>(200, 'GET', path)).count, 0)
    })

    it('take everything that belongs together or nothing', async () => {
      const bundle = { item: gift, price: '0.00' }
      await refused({ item: base, bundled: [bundle, bundle, bundle] })
      const made = await make({ item: base, bundled: [bundle, bundle] })
      const left = await server.ask<RowData>(200, 'GET', `/quotas/${giftQuota}/availability/`)
      assert.equal(left.cart_positions, 2)
      await remove(made)
    })

    it('are made in bulk, each by itself, in one cart where none is named', async () => {
      const { rare, ticket } = server.shop
      const body = (values: RowData) => ({ price: '1.00', ...values })
      const { results } = await server.ask<{
        results: { success: boolean; errors: unknown; data: Shown | null }[]
      }>(200, 'POST', `${path}bulk_create/`, [
        body({ item: rare }),
        body({ item: 999999 }),
        body({ item: rare, cart_id: 'own@api' }),
        body({ item: rare }),
        body({ item: ticket }),
        'nonsense',
      ])
      assert.deepEqual(
        results.map(({ success, data }) => [success, data?.cart_id === 'own@api']),
        [
          [true, false],
          [false, false],
          [true, true],
          [false, false],
          [true, false],
          [false, false],
        ],
      )
      assert.deepEqual(
        results.map(({ errors }) => errors),
        [
          null,
          { item: ['Invalid pk "999999" - object does not exist.'] },
          null,
          { non_field_errors: ['There is not enough quota available on quota "Rare".'] },
          null,
          { non_field_errors: ['Invalid data. Expected an object.'] },
        ],
      )
      const made = results.flatMap(({ data }) => data ?? [])
      assert.equal(made[0]?.cart_id, made[2]?.cart_id)
      assert.deepEqual(made[0]?.addons, [])
      await remove(...made)
      const noList = await server.ask<RowData>(400, 'POST', `${path}bulk_create/`, { item: rare })
      assert.deepEqual(keysOf(noList), ['error'])
    })

    it('take the uses of a voucher, which is found however it is written', async () => {
      const { ticket, rare } = server.shop
      const voucher = await server.ask<RowData>(201, 'POST', '/vouchers/', {
        code: 'TWICE',
        max_usages: 2,
        item: ticket,
      })
      const first = await make({ item: ticket, voucher: 'twice' })
      assert.equal(first.voucher, voucher.id)
      assert.deepEqual(keysOf(await refused({ item: rare, voucher: 'TWICE' })), ['voucher'])
      const second = await make({ item: ticket, voucher: 'Twice' })
      assert.deepEqual(keysOf(await refused({ item: ticket, voucher: 'TWICE' })), ['voucher'])
      await remove(first, second)
    })

    it('by a voucher that has its own part of the quota are not counted twice', async () => {
      const { rare, rareQuota } = server.shop
      await server.ask(201, 'POST', '/vouchers/', { code: 'KEPT1', item: rare, block_quota: true })
      await server.ask(201, 'POST', '/vouchers/', { code: 'MORE1', item: rare, allow_ignore_quota: true })
      const left = async () => {
        const shown = await server.ask<RowData>(200, 'GET', `/quotas/${rareQuota}/availability/`)
        return [shown.available_number, shown.blocking_vouchers, shown.cart_positions]
      }
      assert.deepEqual(await left(), [1, 1, 0])
      const kept = await make({ item: rare, voucher: 'KEPT1' })
      assert.deepEqual(await left(), [1, 1, 0])
      const plain = await make({ item: rare })
      assert.deepEqual(await left(), [0, 1, 1])
      await refused({ item: rare })
      const more = await make({ item: rare, voucher: 'MORE1' })
      assert.deepEqual(await left(), [0, 1, 2])
      await remove(kept, plain, more)
      assert.deepEqual(await left(), [1, 1, 0])
    })
  })
