import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { canonicalInstant, microsecondsOf } from '../../../schema/instants.ts'
import { waitingListEntry } from '../../../schema/resources/carts/waiting-list-entry.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addRow, addSeries, type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { sellBySeat } from '../../support/ticketing/seats.ts'
import {
  addSoldOut,
  availabilityOf,
  resize,
  type ShownEntry,
  type SoldOut,
  wait,
} from '../../support/ticketing/waiting-list.ts'

for (const engine of engines)
  describe(`a waiting list with room on ${engine.name}`, () => {
    let server: ShopServer
    let wanted: SoldOut
    const list = '/waitinglistentries/'
    const send = (id: number, status = 204): Promise<unknown> =>
      server.ask(status, 'POST', `${list}${id}/send_voucher/`)
    const read = (id: number): Promise<ShownEntry> => server.ask(200, 'GET', `${list}${id}/`)
    const entry = (more: RowData = {}): RowData => ({ email: 'ann@example.org', item: wanted.item, ...more })
    const settings = (values: RowData): Promise<RowData> => server.ask(200, 'PATCH', '/settings/', values)
    const voucherOf = async (id: number): Promise<RowData> =>
      server.ask(200, 'GET', `/vouchers/${(await read(id)).voucher}/`)

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    beforeEach(async () => {
      wanted = await addSoldOut(server)
    })

    it('sends a voucher that keeps the place for as long as the event says', async () => {
      await settings({ waiting_list_hours: 5 })
      const { id } = await wait(server, wanted.item, 'ann', { name: 'Ann Bell' })
      await resize(server, wanted.quota, 1)
      const sentAt = Date.now()
      await send(id)
      await settings({ waiting_list_hours: null })
      const voucher = await voucherOf(id)
      const { max_usages, redeemed, block_quota, allow_ignore_quota, price_mode, tag, item, variation } =
        voucher
      assert.deepEqual(
        { max_usages, redeemed, block_quota, allow_ignore_quota, price_mode, tag, item, variation },
        {
          ...{ max_usages: 1, redeemed: 0, block_quota: true, allow_ignore_quota: false, price_mode: 'none' },
          ...{ tag: 'waiting-list', item: wanted.item, variation: null },
        },
      )
      assert.match(String(voucher.comment), /Ann Bell <ann@example\.org>/)
      const hours =
        (microsecondsOf(String(canonicalInstant(String(voucher.valid_until)))) / 1e3 - sentAt) / 3.6e6
      assert.ok(hours >= 5 && hours < 5.1, String(hours))
      assert.equal((await availabilityOf(server, wanted.quota)).available_number, 0)
      await server.ask(400, 'POST', '/orders/', { positions: [{ item: wanted.item }] })
      await server.order({ positions: [{ item: wanted.item, voucher: voucher.code }] })
    })

    it('sends nothing while nothing is left, twice, or without an address: 400 with a list of sentences', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      const refused = async (of: number, pattern: RegExp) => {
        const [sentence, ...rest] = (await send(of, 400)) as string[]
        assert.deepEqual(rest, [])
        assert.match(String(sentence), pattern)
      }
      await refused(id, /not available/)
      await resize(server, wanted.quota, 2)
      await send(id)
      await refused(id, /sent for this entry already/)
      const place = { organizer: server.organizer, event: server.event }
      const mute = await server.running.transactions.write((tx) =>
        addRow(tx, waitingListEntry, place, { email: '', item: wanted.item, created: tx.now, locale: 'en' }),
      )
      await refused(mute, /no email address/)
      await server.ask(404, 'POST', `${list}4711/send_voucher/`)
      await server.ask(405, 'GET', `${list}${id}/send_voucher/`)
    })

    it('sends vouchers for what has no limit any more', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await resize(server, wanted.quota, null)
      await send(id)
      assert.equal((await voucherOf(id)).item, wanted.item)
    })

    it('gives the last place to one of many who are served at once', async () => {
      const ids = await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (who) => (await wait(server, wanted.item, who)).id),
      )
      await resize(server, wanted.quota, 1)
      const answers = await Promise.all(
        ids.map((id) => server.call('POST', `${server.ev}${list}${id}/send_voucher/`)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400, 400, 400])
      assert.equal((await availabilityOf(server, wanted.quota)).blocking_vouchers, 1)
    })

    it('leaves an entry with a voucher as it is', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await resize(server, wanted.quota, 1)
      await send(id)
      const before = await read(id)
      await server.ask(403, 'PATCH', `${list}${id}/`, { phone: '112' })
      await server.ask(403, 'PUT', `${list}${id}/`, entry())
      await server.ask(403, 'DELETE', `${list}${id}/`)
      assert.deepEqual(await read(id), before)
    })

    it('lets go of an entry with its voucher, so that nobody is served again who was taken off', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await resize(server, wanted.quota, 1)
      await send(id)
      await server.ask(204, 'DELETE', `/vouchers/${(await read(id)).voucher}/`)
      await server.ask(404, 'GET', `${list}${id}/`)
    })

    it('takes of the quota what people wait for, until their vouchers do', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await wait(server, wanted.item, 'ben')
      await resize(server, wanted.quota, 3)
      const { waiting_list, available_number, blocking_vouchers } = await availabilityOf(server, wanted.quota)
      assert.deepEqual([waiting_list, available_number, blocking_vouchers], [2, 1, 0])
      await send(id)
      const then = await availabilityOf(server, wanted.quota)
      assert.deepEqual([then.waiting_list, then.available_number, then.blocking_vouchers], [1, 1, 1])
      await server.order({ positions: [{ item: wanted.item }] })
      await server.ask(400, 'POST', '/orders/', { positions: [{ item: wanted.item }] })
      const empty = await availabilityOf(server, wanted.quota)
      assert.deepEqual([empty.waiting_list, empty.available], [1, false])
    })

    it('counts and serves by date and variation', async () => {
      const series = await addSeries(server)
      const at = async (status: number, method: string, path: string, body?: RowData): Promise<RowData> => {
        const answer = await server.call(method, series.ev + path, body)
        assert.equal(answer.status, status, JSON.stringify(answer.body))
        return answer.body as RowData
      }
      const quotas = (await at(200, 'GET', '/quotas/')).results as readonly { id: number; subevent: number }[]
      const quotaOf = (date: number) => `/quotas/${quotas.find(({ subevent }) => subevent === date)?.id}/`
      for (const date of [series.first, series.second]) await at(200, 'PATCH', quotaOf(date), { size: 0 })
      const who = { email: 'ann@example.org', item: series.withVariation }
      await at(400, 'POST', list, { ...who, subevent: series.first })
      await at(400, 'POST', list, { ...who, variation: series.variation })
      const { id } = await at(201, 'POST', list, {
        ...who,
        variation: series.variation,
        subevent: series.first,
      })
      await at(201, 'POST', list, { ...who, variation: series.variation, subevent: series.second })
      for (const date of [series.first, series.second])
        assert.equal((await at(200, 'GET', `${quotaOf(date)}availability/`)).waiting_list, 1)
      await at(200, 'PATCH', quotaOf(series.second), { size: 5 })
      await at(400, 'POST', `${list}${id}/send_voucher/`)
      await at(200, 'PATCH', quotaOf(series.first), { size: 5 })
      await at(204, 'POST', `${list}${id}/send_voucher/`)
      const voucher = await at(200, 'GET', `/vouchers/${(await at(200, 'GET', `${list}${id}/`)).voucher}/`)
      assert.deepEqual([voucher.variation, voucher.subevent], [series.variation, series.first])
    })

    it('promises no more seats than there are', async () => {
      await sellBySeat(server, wanted.item, ['W-1', 'W-2'])
      const ids: number[] = []
      for (const who of ['a', 'b', 'c']) ids.push((await wait(server, wanted.item, who)).id)
      await resize(server, wanted.quota, null)
      const answers = await Promise.all(
        ids.map((id) => server.call('POST', `${server.ev}${list}${id}/send_voucher/`)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 400])
    })

    it('tells the audit trail who was served', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await resize(server, wanted.quota, 1)
      await send(id)
      const { voucher } = await read(id)
      const rows = await server.running.transactions.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE row_id IN (${id}, ${voucher}) AND resource IN ('waiting_list_entry', 'voucher') ORDER BY id`,
      )
      assert.deepEqual(
        rows.map(({ action }) => action),
        [
          'ticketsvc.event.orders.waitinglist.added',
          'ticketsvc.voucher.added.waitinglist',
          'ticketsvc.event.orders.waitinglist.voucher_assigned',
        ],
      )
    })
  })
