import assert from 'node:assert/strict'
import { event } from '../../schema/resources/events/event.ts'
import { serveWaitingLists } from '../../server/jobs/waiting-list.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { updateRow } from '../../server/resource/store.ts'
import type { Transactions } from '../../server/resource/transactions.ts'
import { engines } from '../support/engines/engines.ts'
import { addSeries, type ShopServer, startShop } from '../support/ticketing/orders.ts'
import { addSoldOut, resize, type ShownEntry, type SoldOut, wait } from '../support/ticketing/waiting-list.ts'

// Far ahead, so that the server's own jobs find that the presale has not begun.
const now = '2035-03-01T12:00:00.000000Z'
const usual: RowData = {
  live: true,
  presale_start: '2035-01-01T00:00:00.000000Z',
  presale_end: null,
  date_from: '2035-06-01T10:00:00.000000Z',
  date_to: null,
}

for (const engine of engines)
  describe(`the waiting list that serves itself on ${engine.name}`, () => {
    let server: ShopServer
    let wanted: SoldOut
    const run = (at = now): Promise<number> => serveWaitingLists(server.running.transactions, at)
    const setEvent = (values: RowData): Promise<void> =>
      server.running.transactions.write((tx) =>
        updateRow(tx, event, { organizer: server.organizer, event: 0 }, { id: server.event, ...values }),
      )
    const settings = (values: RowData) => server.ask(200, 'PATCH', '/settings/', values)
    const changeItem = (values: RowData) => server.ask(200, 'PATCH', `/items/${wanted.item}/`, values)
    const served = async (...entries: readonly ShownEntry[]): Promise<boolean[]> => {
      const rows: ShownEntry[] = []
      for (const { id } of entries) rows.push(await server.ask(200, 'GET', `/waitinglistentries/${id}/`))
      return rows.map(({ voucher }) => voucher !== null)
    }

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    beforeEach(async () => {
      await setEvent(usual)
      wanted = await addSoldOut(server)
    })
    // What one test leaves waiting is not served in the next.
    afterEach(async () => {
      await resize(server, wanted.quota, 0)
      await changeItem({ active: false })
    })

    it('sends as many vouchers as there is room, in the order in which people came', async () => {
      const first = await wait(server, wanted.item, 'a')
      const second = await wait(server, wanted.item, 'b')
      const third = await wait(server, wanted.item, 'c')
      assert.equal(await run(), 0)
      await resize(server, wanted.quota, 2)
      assert.equal(await run(), 2)
      assert.deepEqual(await served(first, second, third), [true, true, false])
      assert.equal(await run(), 0)
    })

    it('serves the more important first', async () => {
      const first = await wait(server, wanted.item, 'a', { priority: -1 })
      const second = await wait(server, wanted.item, 'b')
      const third = await wait(server, wanted.item, 'c', { priority: 5 })
      await resize(server, wanted.quota, 1)
      await run()
      assert.deepEqual(await served(first, second, third), [false, false, true])
      await resize(server, wanted.quota, 2)
      await run()
      assert.deepEqual(await served(first, second, third), [false, true, true])
    })

    it('does not let those who wait for something else keep anybody waiting', async () => {
      const other = await addSoldOut(server)
      const head = await wait(server, other.item, 'a', { priority: 9 })
      const entry = await wait(server, wanted.item, 'b')
      await resize(server, wanted.quota, 1)
      assert.equal(await run(), 1)
      assert.deepEqual(await served(head, entry), [false, true])
    })

    it('serves everybody who waits for what has no limit', async () => {
      const entries = [await wait(server, wanted.item, 'a'), await wait(server, wanted.item, 'b')]
      await resize(server, wanted.quota, null)
      assert.equal(await run(), 2)
      assert.deepEqual(await served(...entries), [true, true])
    })

    it('sends each voucher once, however often it runs at the same time', async () => {
      await wait(server, wanted.item, 'a')
      await wait(server, wanted.item, 'b')
      await resize(server, wanted.quota, 1)
      const counts = await Promise.all([run(), run(), run()])
      assert.equal(
        counts.reduce((all, count) => all + count, 0),
        1,
      )
    })

    for (const [title, off, on] of [
      ['the event says that it is not', { waiting_list_auto: false }, { waiting_list_auto: null }],
      ['the event has none', { waiting_list_enabled: false }, { waiting_list_enabled: null }],
    ] as const)
      it(`is left alone where ${title}`, async () => {
        await wait(server, wanted.item, 'a')
        await resize(server, wanted.quota, 1)
        await settings(off)
        assert.equal(await run(), 0)
        await settings(on)
        assert.equal(await run(), 1)
      })

    const stopped: readonly (readonly [string, RowData])[] = [
      ['the event is not live', { live: false }],
      ['the presale has not begun', { presale_start: '2035-03-01T12:00:00.000001Z' }],
      ['the presale has ended', { presale_end: '2035-03-01T11:59:59.999999Z' }],
      [
        'the event was over two weeks ago',
        {
          date_from: '2035-02-01T10:00:00.000000Z',
          date_to: '2035-02-01T12:00:00.000000Z',
          presale_end: '2035-12-01T00:00:00.000000Z',
        },
      ],
    ]
    for (const [title, values] of stopped)
      it(`sends nothing while ${title}`, async () => {
        await wait(server, wanted.item, 'a')
        await resize(server, wanted.quota, 1)
        await setEvent(values)
        assert.equal(await run(), 0)
        await setEvent(usual)
        assert.equal(await run(), 1)
      })

    for (const [title, values, back] of [
      ['is switched off', { active: false }, { active: true }],
      ['is not sold yet', { available_from: '2035-03-02T00:00:00Z' }, { available_from: null }],
      ['is not sold any more', { available_until: '2035-02-28T00:00:00Z' }, { available_until: null }],
    ] as const)
      it(`sends nothing for a product that ${title}`, async () => {
        await wait(server, wanted.item, 'a')
        await resize(server, wanted.quota, 1)
        await changeItem(values)
        assert.equal(await run(), 0)
        await changeItem(back)
        assert.equal(await run(), 1)
      })

    it('looks at each date of a series, and at what is sold on it', async () => {
      const series = await addSeries(server)
      const { organizer } = server
      await server.running.transactions.write((tx) =>
        updateRow(
          tx,
          event,
          { organizer, event: 0 },
          { id: series.event, live: true, presale_start: String(usual.presale_start) },
        ),
      )
      const at = async (method: string, path: string, body?: RowData): Promise<RowData> => {
        const answer = await server.call(method, series.ev + path, body)
        assert.ok(answer.status < 300, JSON.stringify(answer.body))
        return answer.body as RowData
      }
      const resizeAll = async (size: number): Promise<void> => {
        const { results } = await at('GET', '/quotas/')
        for (const { id } of results as readonly RowData[]) await at('PATCH', `/quotas/${id}/`, { size })
      }
      const setDates = async (values: RowData): Promise<void> => {
        for (const date of [series.first, series.second]) await at('PATCH', `/subevents/${date}/`, values)
      }
      await resizeAll(0)
      // The second date does not sell this variation.
      for (const subevent of [series.first, series.second])
        await at('POST', '/waitinglistentries/', {
          ...{ email: 'ann@example.org', item: series.withVariation, variation: series.variation },
          subevent,
        })
      await resizeAll(9)
      const days = { active: true, date_from: '2035-06-01T10:00:00Z' }
      await setDates({ ...days, active: false })
      assert.equal(await run(), 0)
      await setDates({ ...days, presale_end: '2035-03-01T11:59:59Z' })
      assert.equal(await run(), 0)
      await setDates({ ...days, presale_end: null })
      assert.equal(await run(), 1)
      const { results } = await at('GET', '/waitinglistentries/?has_voucher=true')
      assert.deepEqual(
        (results as readonly RowData[]).map(({ subevent }) => subevent),
        [series.first],
      )
      await at('PATCH', `/subevents/${series.second}/`, { variation_price_overrides: [] })
      assert.equal(await run(), 1)
    })

    it('is the work of the server at the top', async () => {
      const entry = await wait(server, wanted.item, 'a')
      await resize(server, wanted.quota, 1)
      const below: Transactions = { ...server.running.transactions, site: 3 }
      assert.equal(await serveWaitingLists(below, now), 0)
      assert.deepEqual(await served(entry), [false])
      assert.equal(await run(), 1)
    })
  })
