import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { voucher } from '../../schema/resources/carts/voucher.ts'
import { category } from '../../schema/resources/catalogue/category.ts'
import { itemAddon } from '../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../schema/resources/catalogue/item-bundle.ts'
import { question } from '../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { taxRule } from '../../schema/resources/catalogue/tax-rule.ts'
import { event as eventResource } from '../../schema/resources/events/event.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { updateRow } from '../../server/resource/store.ts'
import type { Tx } from '../../server/resource/transactions.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addDevice, addItem, addSubevent, addVariation } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

const atTill = { sales_channels: ['web', 'boxoffice'] }

describe('what a till sells', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
  })
  afterEach(() => desk.close())

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => desk.transactions.write(work)

  const addQuota = (tx: Tx, size: number | null, items: readonly number[], more: RowData = {}) =>
    addRow(tx, quota, desk.place, { name: 'House', size, items, ...more })

  async function sold(query = ''): Promise<SaleCatalogue> {
    const { status, body } = await desk.call('GET', `/api/v1/station/sale/${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as SaleCatalogue
  }

  const names = ({ products }: SaleCatalogue): (string | undefined)[] => products.map(({ name }) => name.en)

  it('is sold at a drawer of its own, or at one that is open at another till of the same server', async () => {
    const { place } = desk
    await write((tx) =>
      addDevice(tx, place.organizer, 7, 'tablet', { security_profile: 'boxoffice', name: 'Tablet' }),
    )
    const ev = '/api/v1/organizers/acme/events/gala'
    const tablet = { Authorization: 'Device tablet' }
    const opened = await desk.call('POST', `${ev}/drawers/`, { float: '50.00', name: 'Bar' }, tablet)
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    const before = await sold()
    assert.equal(before.drawer, null)
    assert.deepEqual(
      before.other_drawers.map(({ name, tills }) => [name, tills]),
      [['Bar', [{ name: 'Tablet', cashier: null, here: false }]]],
    )
    const joined = await desk.call('POST', `${ev}/drawers/${opened.body.id}/join/`, {})
    assert.equal(joined.status, 200, JSON.stringify(joined.body))
    const after = await sold()
    assert.deepEqual(after.other_drawers, [])
    assert.deepEqual(
      after.drawer?.tills.map(({ here }) => here),
      [true, false],
    )
  })

  it('comes with the products in its price, and is left as long as all of them are', async () => {
    const { ticket, parking, meal } = await write(async (tx) => {
      const ids = {
        ticket: await addItem(tx, desk.place, 'Ticket', { ...atTill, default_price: '40.00' }),
        parking: await addItem(tx, desk.place, 'Parking', { require_bundling: true, sales_channels: [] }),
        meal: await addItem(tx, desk.place, 'Meal', atTill),
      }
      await addRow(tx, itemBundle, desk.place, { item: ids.ticket, bundled_item: ids.parking, count: 1 })
      const vegan = await addVariation(tx, desk.place, ids.meal, 'Vegan')
      const more = { bundled_variation: vegan, count: 2, designated_price: '5.00' }
      await addRow(tx, itemBundle, desk.place, { item: ids.ticket, bundled_item: ids.meal, ...more })
      await addQuota(tx, 100, [ids.ticket])
      await addQuota(tx, 30, [ids.parking])
      await addQuota(tx, 9, [ids.meal], { variations: [vegan] })
      return ids
    })
    const shown = (await sold()).products.find(({ id }) => id === ticket)
    assert.deepEqual(
      shown?.bundles.map(({ product, count, name, variation_name }) => [
        ...[product, count, name.en, variation_name?.en],
      ]),
      [
        [parking, 1, 'Parking', undefined],
        [meal, 2, 'Meal', 'Vegan'],
      ],
    )
    assert.equal(shown?.left, 4)
    assert.deepEqual(names(await sold()), ['Ticket'])
  })

  it('is not left where something of it is in no quota, and shares a quota with what it comes with', async () => {
    const [lonely, twin] = await write(async (tx) => {
      const part = await addItem(tx, desk.place, 'Part', { require_bundling: true })
      const own = await addItem(tx, desk.place, 'Lonely', atTill)
      await addQuota(tx, 100, [own])
      await addRow(tx, itemBundle, desk.place, { item: own, bundled_item: part, count: 1 })
      const guest = await addItem(tx, desk.place, 'Guest', { require_bundling: true })
      const pair = await addItem(tx, desk.place, 'Pair', atTill)
      await addRow(tx, itemBundle, desk.place, { item: pair, bundled_item: guest, count: 1 })
      await addQuota(tx, 7, [pair, guest])
      return [own, pair]
    })
    const { products } = await sold()
    const left = (item: number | undefined) => products.find(({ id }) => id === item)?.left
    assert.deepEqual([left(lonely), left(twin)], [0, 3])
  })

  it('comes with what is asked about it when it is sold: no files, nothing hidden or asked at the entrance', async () => {
    await write(async (tx) => {
      const more = { ...atTill, admission: true, personalized: true }
      const item = await addItem(tx, desk.place, 'Seat', more)
      const other = await addItem(tx, desk.place, 'Mug', { ...atTill, admission: false, personalized: true })
      await addQuota(tx, null, [item, other])
      const ask = (text: string, position: number, fields: RowData) =>
        addRow(tx, question, desk.place, {
          ...{ question: { en: text }, identifier: text, type: 'S', items: [item], position },
          ...fields,
        })
      const meal = await ask('Meal', 2, { type: 'C', required: true })
      await ask('First', 1, {})
      await ask('Photo', 3, { type: 'F', required: true })
      await ask('Hidden', 4, { hidden: true })
      await ask('Door', 5, { ask_during_checkin: true })
      await addRow(tx, questionOption, desk.place, {
        ...{ question: meal, identifier: 'VEGAN', answer: { en: 'Vegan' } },
      })
      const settings = { attendee_names_required: true, till_email_required: true }
      await updateRow(tx, eventResource, desk.place, { id: desk.place.event, settings })
    })
    const { products, questions, demands } = await sold()
    assert.deepEqual(
      products.map(({ personalized }) => personalized),
      [true, false],
    )
    assert.deepEqual(
      questions.map((one) => [
        one.question.en,
        one.required,
        one.options.map(({ identifier }) => identifier),
      ]),
      [
        ['First', false, []],
        ['Meal', true, ['VEGAN']],
      ],
    )
    const only = { attendee_name: true, attendee_email: false, company: false, email: true }
    assert.deepEqual(demands, only)
  })

  it('is paid later where the event lets that and makes invoices for it by itself', async () => {
    const invoices = { invoice_generate: 'True', invoice_generate_sales_channels: ['web', 'boxoffice'] }
    for (const [settings, may] of [
      [{}, false],
      [{ till_pay_later: true }, false],
      [invoices, false],
      [{ ...invoices, till_pay_later: true, invoice_generate: 'user' }, false],
      [{ ...invoices, till_pay_later: true, invoice_generate_sales_channels: ['web'] }, false],
      [{ ...invoices, till_pay_later: true }, true],
    ] as const) {
      await write((tx) => updateRow(tx, eventResource, desk.place, { id: desk.place.event, settings }))
      assert.equal((await sold()).pays_later, may, JSON.stringify(settings))
    }
  })

  it('is in the order of the positions, with prices that include taxes and what is left', async () => {
    await write(async (tx) => {
      const rule = await addRow(tx, taxRule, desk.place, {
        name: { en: 'VAT' },
        rate: '19.00',
        price_includes_tax: false,
      })
      const dear = await addItem(tx, desk.place, 'Dear', { ...atTill, position: 2, tax_rule: rule })
      const cheap = await addItem(tx, desk.place, 'Cheap', { ...atTill, position: 1, default_price: '1.50' })
      await addQuota(tx, 3, [dear])
      await addQuota(tx, null, [cheap])
    })
    const catalogue = await sold()
    assert.equal(catalogue.currency, 'EUR')
    assert.deepEqual(
      catalogue.products.map(({ name, price, left }) => ({ name: name.en, price, left })),
      [
        { name: 'Cheap', price: '1.50', left: null },
        { name: 'Dear', price: '27.37', left: 3 },
      ],
    )
  })

  it('does not hold what other channels sell, what is in no quota, or what is not on sale now', async () => {
    await write(async (tx) => {
      const wrong = [
        { sales_channels: ['web'] },
        { active: false },
        { available_until: '2020-01-01T00:00:00Z' },
        { available_from: '2099-01-01T00:00:00Z' },
        { require_voucher: true },
        { hide_without_voucher: true },
        { require_bundling: true },
      ]
      const items: number[] = []
      for (const values of wrong) items.push(await addItem(tx, desk.place, 'Wrong', { ...atTill, ...values }))
      items.push(await addItem(tx, desk.place, 'Right', atTill))
      items.push(
        await addItem(tx, desk.place, 'Everywhere', { sales_channels: [], all_sales_channels: true }),
      )
      await addItem(tx, desk.place, 'Without quota', atTill)
      await addQuota(tx, 10, items)
    })
    assert.deepEqual(names(await sold()), ['Right', 'Everywhere'])
  })

  it('counts once what variations share', async () => {
    await write(async (tx) => {
      const shirt = await addItem(tx, desk.place, 'T-shirt', atTill)
      const small = await addVariation(tx, desk.place, shirt, 'S', atTill)
      const large = await addVariation(tx, desk.place, shirt, 'L', atTill)
      await addQuota(tx, 200, [shirt], { variations: [small, large] })
      await addQuota(tx, 30, [shirt], { variations: [large] })
    })
    const [shirt] = (await sold()).products
    assert.deepEqual(
      shirt?.variations.map(({ left }) => left),
      [200, 30],
    )
    assert.equal(shirt?.left, 200)
  })

  it('has variations with their own prices and stocks, and what is added to it', async () => {
    const made = await write(async (tx) => {
      const extras = await addRow(tx, category, desk.place, { name: { en: 'Extras' }, is_addon: true })
      const day = await addItem(tx, desk.place, 'Day', atTill)
      const adult = await addVariation(tx, desk.place, day, 'Adult', { ...atTill, default_price: '40.00' })
      const child = await addVariation(tx, desk.place, day, 'Child', { ...atTill, default_price: '20.00' })
      const online = await addVariation(tx, desk.place, day, 'Online')
      await addRow(tx, itemAddon, desk.place, {
        item: day,
        addon_category: extras,
        min_count: 1,
        max_count: 2,
      })
      await addQuota(tx, 5, [day], { variations: [adult, online] })
      await addQuota(tx, 7, [day], { variations: [child] })
      return { adult, child, extras }
    })
    const [day] = (await sold()).products
    assert.deepEqual(day?.variations, [
      { id: made.adult, name: { en: 'Adult' }, price: '40.00', left: 5 },
      { id: made.child, name: { en: 'Child' }, price: '20.00', left: 7 },
    ])
    assert.equal(day?.left, 12)
    assert.deepEqual(day?.addons, [
      {
        category: made.extras,
        min_count: 1,
        max_count: 2,
        multi_allowed: false,
        price_included: false,
      },
    ])
  })

  describe('with a voucher', () => {
    const asked = (code: string) =>
      desk.call('GET', `/api/v1/station/sale/?voucher=${encodeURIComponent(code)}`)

    it('has what it is for, hidden products too, at its price and as often as it can be used', async () => {
      await write(async (tx) => {
        const open = await addItem(tx, desk.place, 'Open', atTill)
        const hidden = await addItem(tx, desk.place, 'Hidden', {
          ...{ ...atTill, require_voucher: true, hide_without_voucher: true, default_price: '40.00' },
        })
        await addQuota(tx, 10, [open, hidden])
        await addRow(tx, voucher, desk.place, {
          ...{
            code: 'CREW2',
            item: hidden,
            max_usages: 3,
            redeemed: 1,
            price_mode: 'percent',
            value: '25.00',
          },
        })
      })
      assert.deepEqual(names(await sold()), ['Open'])
      const { status, body } = await asked(' crew2 ')
      assert.equal(status, 200, JSON.stringify(body))
      const catalogue = body as unknown as SaleCatalogue
      assert.deepEqual(catalogue.voucher, { code: 'CREW2', uses_left: 2 })
      assert.deepEqual(
        catalogue.products.map(({ name, price, left }) => [name.en, price, left]),
        [['Hidden', '30.00', 2]],
      )
    })

    it('leaves what is sold out to one that keeps a place, and to no other', async () => {
      await write(async (tx) => {
        const item = await addItem(tx, desk.place, 'Rare', atTill)
        await addQuota(tx, 0, [item])
        await addRow(tx, voucher, desk.place, { code: 'PLAIN', item })
        await addRow(tx, voucher, desk.place, { code: 'AHEAD', item, allow_ignore_quota: true })
      })
      const left = async (code: string) =>
        ((await asked(code)).body as unknown as SaleCatalogue).products.map((one) => one.left)
      assert.deepEqual(await left('PLAIN'), [0])
      assert.deepEqual(await left('AHEAD'), [1])
    })

    it('says why it cannot be redeemed: unknown, over, or used', async () => {
      await write(async (tx) => {
        await addRow(tx, voucher, desk.place, { code: 'OVER1', valid_until: '2020-01-01T00:00:00Z' })
        await addRow(tx, voucher, desk.place, { code: 'USED1', redeemed: 1 })
      })
      for (const [code, status, words] of [
        ['NOBODY', 404, /not known/],
        ['OVER1', 409, /not valid any more/],
        ['USED1', 409, /used already/],
      ] as const) {
        const answer = await asked(code)
        assert.equal(answer.status, status)
        assert.match(String(answer.body.detail), words)
      }
    })
  })

  it('is that of one date of a series: the one asked for, or the next', async () => {
    const made = await write(async (tx) => {
      await updateRow(tx, eventResource, desk.place, { id: desk.place.event, has_subevents: true })
      const day = await addItem(tx, desk.place, 'Day', atTill)
      const date = (name: string, date_from: string, more: RowData = {}) =>
        addSubevent(tx, desk.place, name, { date_from, ...more })
      await date('Past', '2020-01-01T10:00:00Z')
      const sunday = await date('Sunday', '2098-01-02T10:00:00Z', {
        item_price_overrides: [{ item: day, price: '5.00', disabled: false }],
      })
      const saturday = await date('Saturday', '2098-01-01T10:00:00Z')
      await addQuota(tx, 2, [day], { subevent: sunday })
      await addQuota(tx, 4, [day], { subevent: saturday })
      return { saturday, sunday }
    })
    const first = await sold()
    assert.equal(first.subevent, made.saturday)
    assert.deepEqual(
      first.dates.map(({ name }) => name.en),
      ['Saturday', 'Sunday'],
    )
    assert.deepEqual([first.products[0]?.price, first.products[0]?.left], ['23.00', 4])
    const second = await sold(`?subevent=${made.sunday}`)
    assert.equal(second.subevent, made.sunday)
    assert.deepEqual([second.products[0]?.price, second.products[0]?.left], ['5.00', 2])
  })

  it('is sold at a station that is a till: its scanner admits nobody', async () => {
    await desk.sell('ticket')
    const taskAfter = async (more: RowData) => {
      const { settings } = (await desk.setUp(more)).body as { settings: Settings }
      return settings.task
    }
    assert.equal(await taskAfter({ task: 'box-office' }), 'box-office')
    const scanned = await desk.scan('ticket', { source: 'hid' })
    assert.equal(scanned.status, 409)
    assert.deepEqual(await desk.transactions.database.all(sql`SELECT id FROM checkin`), [])
    assert.equal(await taskAfter({}), 'box-office')
    await desk.setUp({ task: 'entrance' })
    assert.equal((await desk.scan('ticket', { source: 'hid' })).body.status, 'ok')
  })

  it('is shown to the screens of the station alone', async () => {
    const { status } = await desk.call('GET', '/api/v1/station/sale/', undefined, {
      Authorization: 'Token all',
    })
    assert.equal(status, 401)
  })

  it('is sold to the screen of the station at the price that was shown, and at no other', async () => {
    const item = await write(async (tx) => {
      const made = await addItem(tx, desk.place, 'Ticket', atTill)
      await addQuota(tx, 2, [made])
      return made
    })
    const order = (expected_total: string) =>
      desk.call('POST', '/api/v1/organizers/acme/events/gala/orders/', {
        positions: [{ item }, { item }],
        sales_channel: 'boxoffice',
        status: 'p',
        payment_provider: 'boxoffice',
        expected_total,
      })
    const refused = await order('40.00')
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body, {
      expected_total: ['The order costs 46.00 now, not 40.00. Say the new price and ask again.'],
    })
    assert.equal((await sold()).products[0]?.left, 2)
    assert.equal((await order('46.00')).status, 201)
    assert.equal((await sold()).products[0]?.left, 0)
  })
})
