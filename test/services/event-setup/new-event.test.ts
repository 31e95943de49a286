import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { Refusal } from '../../../server/errors.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { createOrganizer } from '../../../server/services/accounts/accounts.ts'
import { createEvent, type NewEvent } from '../../../server/services/event-setup/new-event.ts'
import { engines } from '../../support/engines/engines.ts'

const gala: NewEvent = {
  slug: 'gala',
  name: 'Gala',
  starts: '31.12.2030 19:30',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  products: ['Guest', 'VIP'],
}

for (const engine of engines)
  describe(`making an event with an entrance on ${engine.name}`, () => {
    let data: Transactions
    let organizer: { id: number; slug: string }

    before(async () => {
      data = await openData(await engine.open(), realEnv)
      const { id } = await data.write((tx) => createOrganizer(tx, 'acme', 'Acme'))
      organizer = { id: id, slug: 'acme' }
    })

    after(() => data.database.close())

    const make = (wanted: Partial<NewEvent> = {}) =>
      data.write((tx) => createEvent(tx, organizer, { ...gala, ...wanted }))

    it('makes what an entrance needs, live, at the time its own clocks show', async () => {
      const made = await make()
      assert.deepEqual(
        made.products.map(({ name }) => name),
        ['Guest', 'VIP'],
      )
      const event = await data.database.get(
        sql`SELECT live, date_from, timezone FROM event WHERE id = ${made.id}`,
      )
      assert.deepEqual(event, {
        live: 1,
        date_from: '2030-12-31T18:30:00.000000Z',
        timezone: 'Europe/Berlin',
      })
      const list = await data.database.get(
        sql`SELECT all_products FROM checkin_list WHERE event = ${made.id} AND id = ${made.checkin_list}`,
      )
      assert.deepEqual(list, { all_products: 1 })
      const sold = await data.database.all(
        sql`SELECT DISTINCT all_sales_channels FROM item WHERE event = ${made.id}`,
      )
      assert.deepEqual(sold, [{ all_sales_channels: 1 }])
      const quota = await data.database.get<{ size: number | null; items: string }>(
        sql`SELECT size, items FROM quota WHERE event = ${made.id}`,
      )
      assert.equal(quota?.size, null)
      assert.deepEqual(
        JSON.parse(quota?.items),
        made.products.map(({ id }) => id),
      )
    })

    const refusals: readonly (readonly [string, Partial<NewEvent>, RegExp])[] = [
      ['a slug that is taken', {}, /already/],
      ['a slug of other characters', { slug: 'ga la' }, /letters, digits/],
      ['a time that is none', { slug: 'a', starts: 'tomorrow' }, /2030-12-31T19:30/],
      ['a time zone that is none', { slug: 'a', timezone: 'Mars' }, /Europe\/Berlin/],
      ['the same ticket type twice', { slug: 'a', products: ['A', 'A'] }, /two ticket types/],
      ['a currency that is none', { slug: 'a', currency: 'euro' }, /currency/],
    ]
    for (const [what, wanted, words] of refusals)
      it(`refuses ${what}, and leaves nothing behind`, async () => {
        const count = () => data.database.get(sql`SELECT count(*) AS n FROM event`)
        const before = await count()
        await assert.rejects(make(wanted), (cause) => {
          assert.ok(cause instanceof Refusal)
          assert.match(JSON.stringify(cause.body), words)
          return true
        })
        assert.deepEqual(await count(), before)
      })
  })
