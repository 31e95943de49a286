import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { addToken } from '../../support/servers/servers.ts'
import { addRow, addSeries, type Series, type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addUsedVoucher, type ShownVoucher } from '../../support/ticketing/vouchers.ts'

describe('vouchers', () => {
  let server: ShopServer
  let series: Series
  const ask = asking(() => server)
  const make = (body: RowData, status = 201): Promise<ShownVoucher> =>
    server.ask(status, 'POST', '/vouchers/', body)
  const change = (id: number, body: RowData, status = 200): Promise<ShownVoucher> =>
    server.ask(status, 'PATCH', `/vouchers/${id}/`, body)
  const keysOf = async (answer: Promise<RowData>): Promise<string[]> => Object.keys(await answer)
  const contradiction = ['non_field_errors']

  before(async () => {
    server = await startShop()
    series = await addSeries(server)
  })
  after(() => server.close())

  it('have the form of the contract, defaults included', async () => {
    const { id, code, ...rest } = await make({})
    assert.match(code, /^[ABCDEFGHKLMNPQRSTUVWXYZ2-9]{16}$/)
    assert.equal(typeof id, 'number')
    assert.deepEqual(rest, {
      max_usages: 1,
      redeemed: 0,
      min_usages: 1,
      valid_until: null,
      block_quota: false,
      allow_ignore_quota: false,
      price_mode: 'none',
      value: null,
      item: null,
      variation: null,
      quota: null,
      seat: null,
      tag: '',
      comment: '',
      subevent: null,
      show_hidden_items: true,
      budget: null,
      budget_used: '0.00',
      all_addons_included: false,
      all_bundles_included: false,
    })
  })

  it('keep their code in capital letters, and none has that of another', async () => {
    const { id, code } = await make({ code: ' straße7 ' })
    assert.equal(code, 'STRASSE7')
    assert.deepEqual(await keysOf(make({ code: 'Strasse7' }, 400)), ['code'])
    const other = await make({ code: 'ÄÖÜ-12' })
    assert.deepEqual(await keysOf(change(other.id, { code: 'strasse7' }, 400)), ['code'])
    assert.equal((await change(id, { code: 'strasse7', comment: 'x' })).code, 'STRASSE7')
    assert.equal((await server.ask<ShownVoucher>(200, 'PUT', `/vouchers/${id}/`, {})).code, 'STRASSE7')
    assert.deepEqual(await keysOf(make({ code: 'four' }, 400)), ['code'])
    assert.equal((await make({ code: 'z'.repeat(255) })).code.length, 255)
    assert.deepEqual(await keysOf(make({ code: 'y'.repeat(256) }, 400)), ['code'])
    const elsewhere = await ask('POST', `${series.ev}/vouchers/`, 201, { code: 'STRASSE7' })
    assert.equal(elsewhere.code, 'STRASSE7')
  })

  it('are for what exists and goes together', async () => {
    const { ticket, dinner, adult, rareQuota } = server.shop
    const place = { organizer: server.organizer, event: server.event }
    const { bundled, addon } = await server.running.transactions.write(async (tx) => {
      const drinks = await addRow(tx, category, place, { name: { en: 'Drinks' }, is_addon: true })
      const values = { name: { en: 'Soda' }, default_price: '2.00' }
      return {
        bundled: await addRow(tx, item, place, { ...values, require_bundling: true }),
        addon: await addRow(tx, item, place, { ...values, category: drinks }),
      }
    })
    const refused: readonly RowData[] = [
      { quota: rareQuota, item: ticket },
      { quota: rareQuota, item: dinner, variation: adult },
      { quota: rareQuota, variation: adult },
      { variation: adult },
      { item: ticket, variation: adult },
      { item: bundled },
      { item: addon },
      { block_quota: true },
      { block_quota: true, item: dinner },
    ]
    for (const body of refused)
      assert.deepEqual(await keysOf(make(body, 400)), contradiction, JSON.stringify(body))
    for (const body of [
      {},
      { item: ticket },
      { item: dinner },
      { item: dinner, variation: adult },
      { quota: rareQuota },
      { block_quota: true, item: ticket },
      { block_quota: true, item: dinner, variation: adult },
    ])
      await make(body)
    assert.deepEqual(await keysOf(make({ item: series.item }, 400)), ['item'])
    const made = await make({ item: dinner, variation: adult })
    assert.deepEqual(await keysOf(change(made.id, { item: ticket }, 400)), contradiction)
    assert.deepEqual(await keysOf(change(made.id, { quota: rareQuota }, 400)), contradiction)
    await change(made.id, { item: null, variation: null, quota: rareQuota })
  })

  it('belong to a date in a series only, and need one there to block quota', async () => {
    const at = `${series.ev}/vouchers/`
    await ask('POST', at, 201, { item: series.item })
    await ask('POST', at, 201, { item: series.item, subevent: series.first })
    await ask('POST', at, 201, { item: series.item, subevent: series.first, block_quota: true })
    for (const body of [
      { item: series.item, block_quota: true },
      { item: series.item, block_quota: true, allow_ignore_quota: true },
    ])
      assert.deepEqual(await keysOf(ask('POST', at, 400, body)), contradiction)
    assert.deepEqual(await keysOf(make({ subevent: series.first }, 400)), ['subevent'])
  })

  it('cannot be limited to fewer uses than they have had, nor to fewer than they need', async () => {
    const id = await addUsedVoucher(server, { code: 'USED3', max_usages: 5, redeemed: 3 })
    await change(id, { max_usages: 3 })
    assert.deepEqual(await keysOf(change(id, { max_usages: 2 }, 400)), contradiction)
    assert.deepEqual(await keysOf(change(id, { min_usages: 4 }, 400)), contradiction)
    await change(id, { min_usages: 3 })
    assert.deepEqual(await keysOf(make({ max_usages: 1, min_usages: 2 }, 400)), contradiction)
    assert.deepEqual(await keysOf(make({ max_usages: 0 }, 400)), ['max_usages'])
    assert.equal((await change(id, { redeemed: 0, budget_used: '5.00' })).redeemed, 3)
  })

  it('are found by code in any case, and by whether they can still be used', async () => {
    await addUsedVoucher(server, {
      code: 'GONE-1',
      tag: 'a',
      redeemed: 1,
      valid_until: '2999-01-01T00:00:00Z',
    })
    await addUsedVoucher(server, { code: 'LATE-1', tag: 'a', valid_until: '2020-01-01T00:00:00Z' })
    await addUsedVoucher(server, { code: 'GOOD-1', tag: 'a', valid_until: '2999-01-01T00:00:00Z' })
    await addUsedVoucher(server, { code: 'GOOD-2', tag: 'a', max_usages: 2, redeemed: 1 })
    const found = async (query: string) =>
      valuesOf(await ask('GET', `${server.ev}/vouchers/?${query}`, 200), 'code')
    assert.deepEqual(await found('code=good-1'), ['GOOD-1'])
    assert.deepEqual(await found('code=GOOD'), [])
    assert.deepEqual(await found('tag=a&active=true'), ['GOOD-1', 'GOOD-2'])
    assert.deepEqual(await found('tag=a&active=false'), ['GONE-1', 'LATE-1'])
    assert.deepEqual(await found('tag=a&redeemed=1'), ['GONE-1', 'GOOD-2'])
    assert.deepEqual(await found('tag=a&redeemed=0&active=true'), ['GOOD-1'])
    assert.deepEqual(await found('tag=a&ordering=-code'), ['LATE-1', 'GOOD-2', 'GOOD-1', 'GONE-1'])
    const { rareQuota } = server.shop
    const { code } = await make({ quota: rareQuota, tag: 'b' })
    assert.deepEqual(await found(`quota=${rareQuota}&tag=b`), [code])
    assert.deepEqual(await found('quota=&tag=b&active='), [code])
    assert.deepEqual(await keysOf(ask('GET', `${server.ev}/vouchers/?active=maybe`, 400)), ['active'])
  })

  it('are deleted while nothing was bought with them', async () => {
    const { id } = await make({})
    await server.ask(204, 'DELETE', `/vouchers/${id}/`)
    await server.ask(404, 'GET', `/vouchers/${id}/`)
    const used = await addUsedVoucher(server, { code: 'REDEEMED-1', redeemed: 1 })
    assert.deepEqual(await keysOf(server.ask(403, 'DELETE', `/vouchers/${used}/`)), ['detail'])
    const ordered = await make({})
    const { positions } = await server.paidOrder()
    await server.running.transactions.database.run(
      sql`UPDATE order_position SET voucher = ${ordered.id} WHERE id = ${positions[0].id}`,
    )
    await server.ask(403, 'DELETE', `/vouchers/${ordered.id}/`)
    assert.equal((await server.ask<ShownVoucher>(200, 'GET', `/vouchers/${ordered.id}/`)).redeemed, 0)
  })

  it('keep what they are bound to from being deleted', async () => {
    const thing = await ask('POST', `${server.ev}/items/`, 201, {
      name: 'Bound',
      default_price: '1.00',
      variations: [{ value: 'A' }, { value: 'B' }],
    })
    const [first] = thing.variations as { id: number }[]
    const limit = await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Bound', size: 1, items: [] })
    const bound = [
      [await make({ item: thing.id, variation: first?.id }), `/items/${thing.id}/variations/${first?.id}/`],
      [await make({ item: thing.id }), `/items/${thing.id}/`],
      [await make({ quota: limit.id }), `/quotas/${limit.id}/`],
    ] as const
    for (const [, path] of bound) assert.deepEqual(await keysOf(server.ask(403, 'DELETE', path)), ['detail'])
    for (const [voucher, path] of bound) {
      assert.deepEqual(await server.ask(200, 'GET', `/vouchers/${voucher.id}/`), voucher)
      await server.ask(204, 'DELETE', `/vouchers/${voucher.id}/`)
      await server.ask(204, 'DELETE', path)
    }
  })

  it('are seen by devices and teams that may see them, and changed by those that may', async () => {
    await server.running.transactions.write((tx) =>
      addToken(tx, server.organizer, 'looker', { all_events: true, can_view_vouchers: true }),
    )
    const path = `${server.ev}/vouchers/`
    await ask('GET', path, 200, undefined, 'Token looker')
    await ask('POST', path, 403, {}, 'Token looker')
    await ask('POST', `${path}batch_create/`, 403, [], 'Token looker')
  })
})
