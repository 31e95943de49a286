import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('items', () => {
  let server: TestServer
  const ask = asking(() => server)
  const items = () => `${server.ev}/items/`
  const make = (body: RowData = {}) =>
    ask('POST', items(), 201, { name: 'Ticket', default_price: '23.00', ...body })
  const forms = (item: RowData): { id: number; price: string }[] =>
    item.variations as { id: number; price: string }[]
  const below = (item: RowData, part: string): string => `${items()}${item.id}/${part}/`
  const order = (position: RowData) => ask('POST', `${server.ev}/orders/`, 201, { positions: [position] })
  const quota = (item: RowData, variations: number[] = []) =>
    ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: 9, items: [item.id], variations })
  let food: RowData
  let vat: RowData

  before(async () => {
    server = await startTestServer()
    food = await ask('POST', `${server.ev}/categories/`, 201, { name: 'Food', is_addon: true })
    vat = await ask('POST', `${server.ev}/taxrules/`, 201, { name: 'VAT', rate: '19' })
  })
  after(() => server.close())

  it('are made with their variations, add-ons and bundles at once', async () => {
    const drink = await make({ name: 'Drink' })
    const item = await make({
      variations: [{ value: 'Day' }, { value: { de: 'Nacht' }, default_price: 12.5, active: false }],
      addons: [{ addon_category: food.id, max_count: 3 }],
      bundles: [{ bundled_item: drink.id, designated_price: '2' }],
    })
    assert.equal(item.has_variations, true)
    const [day, night] = item.variations as RowData[]
    assert.deepEqual([day?.value, day?.price, day?.default_price], [{ en: 'Day' }, '23.00', null])
    assert.deepEqual([night?.price, night?.active, typeof night?.id], ['12.50', false, 'number'])
    assert.deepEqual(item.addons, [
      {
        addon_category: food.id,
        min_count: 0,
        max_count: 3,
        position: 0,
        multi_allowed: false,
        price_included: false,
      },
    ])
    assert.deepEqual(item.bundles, [
      { bundled_item: drink.id, bundled_variation: null, count: 1, designated_price: '2.00' },
    ])
    assert.deepEqual(await ask('GET', `${items()}${item.id}/`, 200), item)
    const listed = await ask('GET', below(item, 'variations'), 200)
    assert.deepEqual(listed.results, item.variations)
  })

  it('need a voucher where nobody sees them without one', async () => {
    const hidden = await make({ hide_without_voucher: true })
    assert.equal(hidden.require_voucher, true)
    const plain = await make()
    assert.equal(plain.require_voucher, false)
    const changed = await ask('PATCH', `${items()}${plain.id}/`, 200, { hide_without_voucher: true })
    assert.equal(changed.require_voucher, true)
  })

  it('say for each part what is wrong with it', async () => {
    const formed = await make({ variations: [{ value: 'Day' }] })
    const bundling = await make({
      bundles: [{ bundled_item: formed.id, bundled_variation: forms(formed)[0]?.id }],
    })
    const refused = await ask('POST', items(), 400, {
      name: 'Ticket',
      default_price: '23.00',
      category: food.id,
      variations: [{ value: 'Day' }, {}, { value: 'Night', default_price: 'much' }],
      addons: [{ addon_category: food.id }, { addon_category: 99_999_999 }],
      bundles: [{ bundled_item: formed.id }, { bundled_item: bundling.id }, 7],
    })
    const messages = JSON.parse(JSON.stringify(refused), (_, value) =>
      typeof value === 'string' ? '…' : value,
    )
    assert.deepEqual(messages, {
      variations: [{}, { value: ['…'] }, { default_price: ['…'] }],
      addons: [{ addon_category: ['…'] }, { addon_category: ['…'] }],
      bundles: [{}, {}, { non_field_errors: ['…'] }],
    })
    const bundles = [{ bundled_item: formed.id }, { bundled_item: bundling.id }]
    const again = await ask('POST', items(), 400, { name: 'T', default_price: '1', bundles })
    assert.deepEqual(
      (again.bundles as object[]).map((errors) => Object.keys(errors)),
      [['non_field_errors'], ['non_field_errors']],
    )
    assert.deepEqual(await ask('POST', items(), 400, { name: 'T', default_price: '1', variations: 'Day' }), {
      variations: ['Expected a list of items.'],
    })
  })

  it('refuse a second add-on of one category', async () => {
    const addons = [{ addon_category: food.id }, { addon_category: food.id }]
    const refused = await ask('POST', items(), 400, { name: 'T', default_price: '1', addons })
    assert.deepEqual(Object.keys((refused.addons as object[])[1] ?? {}), ['addon_category'])
    const item = await make({ addons: [{ addon_category: food.id }] })
    await ask('POST', below(item, 'addons'), 400, { addon_category: food.id })
  })

  it('do not take their parts with a change', async () => {
    const item = await make()
    const path = `${items()}${item.id}/`
    for (const part of ['variations', 'addons', 'bundles']) {
      for (const method of ['PATCH', 'PUT']) {
        const body = { name: 'T', default_price: '1', [part]: [] }
        assert.deepEqual(Object.keys(await ask(method, path, 400, body)), ['non_field_errors'])
      }
    }
  })

  it('show and are chosen by their tax rate', async () => {
    const taxed = await make({ tax_rule: vat.id })
    const free = await make()
    assert.deepEqual([taxed.tax_rate, free.tax_rate], ['19.00', '0.00'])
    const at = async (rate: string) => valuesOf(await ask('GET', `${items()}?tax_rate=${rate}`, 200), 'id')
    for (const rate of ['19', '19.0', '19.00']) assert.deepEqual(await at(rate), [taxed.id])
    assert.ok((await at('0')).includes(free.id))
    assert.ok(!(await at('0')).includes(taxed.id))
    assert.deepEqual(Object.keys(await ask('GET', `${items()}?tax_rate=high`, 400)), ['tax_rate'])
    await ask('PATCH', `${server.ev}/taxrules/${vat.id}/`, 200, { rate: '20' })
    assert.equal((await ask('GET', `${items()}${taxed.id}/`, 200)).tax_rate, '20.00')
  })

  it('are found by a piece of their names, also of the internal one', async () => {
    const chair = await make({ name: { en: 'Chair', de: 'Klappstuhl' }, internal_name: 'Row 100%' })
    const found = async (words: string) =>
      valuesOf(await ask('GET', `${items()}?search=${encodeURIComponent(words)}`, 200), 'id')
    for (const words of ['chai', 'STUHL', 'row 100%']) assert.deepEqual(await found(words), [chair.id], words)
    for (const words of ['nothing', '100_']) assert.deepEqual(await found(words), [], words)
  })

  it('have variations for ever or never', async () => {
    const plain = await make()
    assert.equal(plain.has_variations, false)
    assert.deepEqual(Object.keys(await ask('POST', below(plain, 'variations'), 403, { value: 'Day' })), [
      'detail',
    ])
    const formed = await make({ variations: [{ value: 'Day' }, { value: 'Night' }] })
    const [first, second] = forms(formed)
    await ask('DELETE', `${below(formed, 'variations')}${first?.id}/`, 204)
    await ask('DELETE', `${below(formed, 'variations')}${second?.id}/`, 403)
    await ask('POST', below(formed, 'variations'), 201, { value: 'Noon' })
  })

  it('give variations without a price of their own theirs', async () => {
    const item = await make({ variations: [{ value: 'Day' }] })
    const path = `${below(item, 'variations')}${forms(item)[0]?.id}/`
    await ask('PATCH', `${items()}${item.id}/`, 200, { default_price: '30' })
    assert.equal((await ask('GET', path, 200)).price, '30.00')
    assert.equal((await ask('PATCH', path, 200, { default_price: '0', price: '99.00' })).price, '0.00')
  })

  it('do not show parts of each other', async () => {
    const [one, other] = [
      await make({ variations: [{ value: 'A' }] }),
      await make({ variations: [{ value: 'B' }] }),
    ]
    const path = `${below(other, 'variations')}${forms(one)[0]?.id}/`
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await ask(method, path, 404, method === 'PATCH' ? {} : undefined)
    await ask('GET', `${items()}99999999/variations/`, 404)
  })

  it('cannot be bundled with themselves, nor in a chain', async () => {
    const [cup, drink, menu] = [await make(), await make(), await make()]
    await ask('POST', below(cup, 'bundles'), 400, { bundled_item: cup.id })
    await ask('POST', below(drink, 'bundles'), 201, { bundled_item: cup.id })
    await ask('POST', below(menu, 'bundles'), 400, { bundled_item: drink.id })
    await ask('POST', below(cup, 'bundles'), 400, { bundled_item: menu.id })
    const formed = await make({ variations: [{ value: 'A' }] })
    const refused = await ask('POST', below(menu, 'bundles'), 400, { bundled_item: formed.id })
    assert.deepEqual(Object.keys(refused), ['non_field_errors'])
    const part = { bundled_item: formed.id, bundled_variation: forms(formed)[0]?.id }
    await ask('POST', below(menu, 'bundles'), 201, part)
  })

  it('stay once they are ordered, as do their variations and tax rules', async () => {
    const item = await make({ variations: [{ value: 'Day' }, { value: 'Night' }], tax_rule: vat.id })
    const [first, second] = forms(item)
    await quota(item, [Number(first?.id), Number(second?.id)])
    await order({ item: item.id, variation: first?.id, price: '5.00' })
    assert.deepEqual(Object.keys(await ask('DELETE', `${items()}${item.id}/`, 403)), ['detail'])
    await ask('DELETE', `${below(item, 'variations')}${first?.id}/`, 403)
    await ask('DELETE', `${below(item, 'variations')}${second?.id}/`, 204)
    await ask('DELETE', `${server.ev}/taxrules/${vat.id}/`, 403)
  })

  it('are taken off everything that names them when they are deleted', async () => {
    const item = await make({ variations: [{ value: 'Day' }] })
    const other = await make()
    const form = Number(forms(item)[0]?.id)
    const { id: limit } = await ask('POST', `${server.ev}/quotas/`, 201, {
      name: 'Q',
      size: 1,
      items: [item.id, other.id],
      variations: [form],
    })
    const { id: asked } = await ask('POST', `${server.ev}/questions/`, 201, {
      question: 'Why?',
      type: 'S',
      items: [item.id, other.id],
    })
    const { id: door } = await ask('POST', `${server.ev}/checkinlists/`, 201, {
      name: 'Door',
      all_products: false,
      limit_products: [item.id],
    })
    await ask('POST', below(other, 'bundles'), 201, { bundled_item: item.id, bundled_variation: form })
    await ask('DELETE', `${items()}${item.id}/`, 204)
    const left = await ask('GET', `${server.ev}/quotas/${limit}/`, 200)
    assert.deepEqual([left.items, left.variations], [[other.id], []])
    assert.deepEqual((await ask('GET', `${server.ev}/questions/${asked}/`, 200)).items, [other.id])
    assert.deepEqual((await ask('GET', `${server.ev}/checkinlists/${door}/`, 200)).limit_products, [])
    assert.deepEqual((await ask('GET', `${items()}${other.id}/`, 200)).bundles, [])
  })

  it('lose a category that is deleted, and quotas that hide them', async () => {
    const category = await ask('POST', `${server.ev}/categories/`, 201, { name: 'Old' })
    const other = await make()
    const hiding = await quota(other)
    const item = await make({ category: category.id, hidden_if_available: hiding.id })
    await ask('DELETE', `${server.ev}/categories/${category.id}/`, 204)
    await ask('DELETE', `${server.ev}/quotas/${hiding.id}/`, 204)
    const left = await ask('GET', `${items()}${item.id}/`, 200)
    assert.deepEqual([left.category, left.hidden_if_available], [null, null])
  })
})
