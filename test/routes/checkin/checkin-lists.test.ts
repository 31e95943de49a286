import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

for (const engine of engines)
  describe(`check-in lists on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const series = () => `${server.org}/events/tour`
    const lists = () => `${series()}/checkinlists/`
    const dates: Record<string, number> = {}
    const names = async (query: string): Promise<unknown[]> =>
      valuesOf(await ask('GET', `${lists()}?${query}`, 200), 'name')

    before(async () => {
      server = await startTestServer(await engine.open())
      await ask('POST', `${server.org}/events/`, 201, {
        name: 'Tour',
        slug: 'tour',
        date_from: '2030-01-01T10:00:00Z',
        has_subevents: true,
      })
      for (const [name, day] of [
        ['late', '2030-03-01'],
        ['early', '2030-01-01'],
      ] as const) {
        const body = { name, date_from: `${day}T10:00:00Z`, date_to: `${day}T12:00:00Z` }
        dates[name] = Number((await ask('POST', `${series()}/subevents/`, 201, body)).id)
      }
      for (const [name, subevent] of [
        ['b late', dates.late],
        ['z any', null],
        ['b early', dates.early],
        ['a early', dates.early],
        ['a any', null],
      ] as const)
        await ask('POST', lists(), 201, { name, subevent })
    })
    after(() => server.close())

    for (const [query, found] of [
      ['', ['a any', 'z any', 'a early', 'b early', 'b late']],
      ['ordering=name', ['a any', 'a early', 'b early', 'b late', 'z any']],
      ['ordering=-subevent__date_from,-name', ['b late', 'b early', 'a early', 'z any', 'a any']],
      ['ordering=id', ['b late', 'z any', 'b early', 'a early', 'a any']],
      ['ordering=secret', ['a any', 'z any', 'a early', 'b early', 'b late']],
      ['ends_after=2030-01-01T12:00:01Z', ['a any', 'z any', 'b late']],
      ['ends_after=2030-01-01T12:00:00Z', ['a any', 'z any', 'a early', 'b early', 'b late']],
      ['ends_after=2031-01-01', ['a any', 'z any']],
    ] as const)
      it(`are listed by ${query || 'date, then name'}`, async () =>
        assert.deepEqual(await names(query), found))

    it('have rules about what is of their event, and of no other', async () => {
      const name = { en: 'Ticket' }
      const own = await ask('POST', `${series()}/items/`, 201, { name, default_price: '1.00' })
      const foreign = await ask('POST', `${server.ev}/items/`, 201, { name, default_price: '1.00' })
      const about = (kind: string, id: unknown) => ({
        name: 'By product',
        subevent: dates.late,
        rules: { inList: [{ var: kind }, { objectList: [{ lookup: [kind, String(id), 'Ticket'] }] }] },
      })
      const refused = await ask('POST', lists(), 400, about('product', foreign.id))
      assert.deepEqual(refused, { rules: [`There is no product ${foreign.id} here.`] })
      await ask('POST', lists(), 400, about('variation', own.id))
      await ask('POST', lists(), 400, about('gate', 4711))
      const list = await ask('POST', lists(), 201, about('product', own.id))
      await ask('DELETE', `${series()}/items/${own.id}/`, 204)
      // What was deleted since keeps nobody from writing the rest.
      await ask('PUT', `${lists()}${list.id}/`, 200, about('product', own.id))
      await ask('DELETE', `${lists()}${list.id}/`, 204)
    })

    it('are listed for one date, with or without those for every date', async () => {
      assert.deepEqual(await names(`subevent=${dates.early}`), ['a early', 'b early'])
      assert.deepEqual(await names(`subevent_match=${dates.early}`), ['a any', 'z any', 'a early', 'b early'])
    })

    it('leave out what nobody asked for, and show the whole date when asked', async () => {
      const shown = async (query: string) =>
        (await ask('GET', `${lists()}?${query}`, 200)).results as RowData[]
      const [first] = await shown('exclude=checkin_count&exclude=rules')
      assert.ok(first && !('checkin_count' in first) && !('rules' in first) && first.position_count === 0)
      const expanded = await shown('expand=subevent&ordering=-subevent__date_from')
      const date = await ask('GET', `${series()}/subevents/${dates.late}/`, 200)
      assert.deepEqual([expanded[0]?.subevent, expanded.at(-1)?.subevent], [date, null])
      const id = expanded[0]?.id
      assert.deepEqual((await ask('GET', `${lists()}${id}/?expand=subevent`, 200)).subevent, date)
      assert.equal((await ask('GET', `${lists()}${id}/`, 200)).subevent, dates.late)
    })

    it('belong to dates of a series only', async () => {
      const refused = await ask('POST', `${server.ev}/checkinlists/`, 400, {
        name: 'L',
        subevent: dates.late,
      })
      assert.deepEqual(Object.keys(refused), ['subevent'])
    })

    it('count the tickets that belong to them and those that have entered', async () => {
      const item = await ask('POST', `${server.ev}/items/`, 201, { name: 'T', default_price: '5' })
      await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: 9, items: [item.id] })
      const list = await ask('POST', `${server.ev}/checkinlists/`, 201, { name: 'Door' })
      const positions = [{ item: item.id }, { item: item.id }]
      const order = await ask('POST', `${server.ev}/orders/`, 201, {
        status: 'p',
        payment_provider: 'manual',
        positions,
      })
      const [ticket] = order.positions as { secret: string }[]
      const path = `${server.ev}/checkinlists/${list.id}/`
      const counts = async () => {
        const { position_count, checkin_count } = await ask('GET', path, 200)
        return [position_count, checkin_count]
      }
      assert.deepEqual(await counts(), [2, 0])
      await ask('POST', `${server.org}/checkinrpc/redeem/`, 201, { lists: [list.id], secret: ticket?.secret })
      assert.deepEqual(await counts(), [2, 1])
      await ask('DELETE', path, 204)
      const { checkins } =
        ((await ask('GET', `${server.ev}/orders/${order.code}/`, 200)).positions as RowData[])[0] ?? {}
      assert.deepEqual(checkins, [])
    })

    it('say what is wrong with their rules', async () => {
      for (const rules of [
        { shout: [] },
        { and: [{ var: 'weather' }] },
        { var: 'now' },
        { '<': [1, 2], '>': [2, 1] },
      ]) {
        const refused = await ask('POST', lists(), 400, { name: 'L', rules })
        assert.deepEqual(Object.keys(refused), ['rules'])
        assert.ok((refused.rules as string[]).every((message) => message.length > 10))
      }
      for (const rules of [{}, { and: [] }, { '<=': [{ var: 'entries_today' }, 2] }])
        assert.deepEqual((await ask('POST', lists(), 201, { name: 'L', rules })).rules, rules)
    })

    it('are changed by who may change the event, and seen by who may scan or see orders', async () => {
      const all = await ask('GET', lists(), 200)
      assert.ok(Number(all.count) > 5)
      await ask('PATCH', `${lists()}${(all.results as RowData[])[0]?.id}/`, 401, {}, 'Device none')
    })
  })
