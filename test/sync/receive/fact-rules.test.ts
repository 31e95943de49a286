import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { siteSpan } from '../../../schema/sites.ts'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { readOutboxTotals } from '../../../server/services/quotas/lease-outbox.ts'
import { decideQuarantine } from '../../../server/sync/receive/decide-quarantine.ts'
import { engines, quickest } from '../../support/engines/engines.ts'
import { type Sale, saleSent } from '../../support/ticketing/sale-sent.ts'
import { addDevice, addQuestion } from '../../support/ticketing/tickets.ts'
import { inShort, reportUpstream, rowsIn, scanOf } from './reported-facts.ts'
import { dayAt, openUpstreamNode, type ReportingDevice, type UpstreamNode } from './upstream-node.ts'

const saleOf = (upstream: UpstreamNode, station: ReportingDevice, change: Sale = {}): SentFact =>
  upstream.fact('order', station, saleSent(upstream.item, station.site, change))

for (const engine of engines)
  describe(`what a device reports beyond what it may do, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let gate: ReportingDevice
    let till: ReportingDevice
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      const { organizer } = upstream.place
      await upstream.transactions.write(async (tx) => {
        const make = async (number: number, security_profile: string) => {
          const site = 110 + number
          return {
            device: await addDevice(tx, organizer, number, security_profile, { security_profile, site }),
            site,
          }
        }
        gate = await make(11, 'gate')
        till = await make(12, 'boxoffice')
      })
    })
    afterEach(() => upstream.close())

    const sale = (station: ReportingDevice, change: Sale = {}): SentFact => saleOf(upstream, station, change)

    const report = (station: ReportingDevice, ...facts: SentFact[]): Promise<FactResult[]> =>
      reportUpstream(upstream, station, facts)
    const conflictsKept = () =>
      upstream.database.all<{ kind: string; device: number; data: string }>(
        sql`SELECT kind, device, data FROM conflict ORDER BY datetime, id`,
      )
    async function countOf(table: 'orders' | 'order_position' | 'order_payment'): Promise<number> {
      const counts = {
        orders: sql`SELECT count(*) AS count FROM orders`,
        order_position: sql`SELECT count(*) AS count FROM order_position`,
        order_payment: sql`SELECT count(*) AS count FROM order_payment`,
      }
      return Number((await upstream.database.get<{ count: number }>(counts[table]))?.count)
    }
    const decide = (nonces: readonly string[] | null, action: 'apply' | 'discard' = 'apply') =>
      decideQuarantine(
        {
          transactions: upstream.transactions,
          env: { ...upstream.env, after: realEnv.after },
          log: silentLog,
        },
        upstream.place.organizer,
        commandActor,
        { action, nonces },
      )

    describe('a sale', () => {
      it('of a device that may not sell stands apart, with a conflict that names it', async () => {
        const facts = [sale(gate), sale(gate, { price: '-500.00' }), sale(gate, { price: '99999999999.99' })]
        const results = await report(gate, ...facts)
        assert.deepEqual(inShort(results), Array(3).fill('quarantined may_not_sell'))
        assert.deepEqual(
          [await countOf('orders'), await countOf('order_position'), await countOf('order_payment')],
          [0, 0, 0],
        )
        const [first, ...others] = await conflictsKept()
        assert.equal(others.length, 2)
        assert.deepEqual([first?.kind, first?.device], ['refused_sale', gate.device])
        const data = (await conflictsKept())
          .map((one) => JSON.parse(one.data))
          .map(({ code, reason, tickets }) => [code, reason, tickets])
        assert.deepEqual(
          data.toSorted(),
          facts
            .map(({ payload }) => [(payload as { order: { code: string } }).order.code, 'may_not_sell', 1])
            .toSorted(),
        )
        assert.deepEqual(
          results.map(({ conflicts }) => conflicts?.map(({ kind }) => kind)),
          Array(3).fill(['refused_sale']),
        )
      })

      it('of such a device is answered alike when it is reported again', async () => {
        const fact = sale(gate)
        await report(gate, fact)
        assert.deepEqual(inShort(await report(gate, fact)), ['quarantined may_not_sell'])
        assert.deepEqual(
          [await rowsIn(upstream.database, 'quarantine'), (await conflictsKept()).length],
          [1, 1],
        )
      })

      it('of such a device is taken in by a person who names it, and by nobody who takes all', async () => {
        const fact = sale(gate)
        await report(gate, fact)
        assert.deepEqual((await decide(null)).applied, 0)
        assert.equal(await countOf('orders'), 0)
        assert.deepEqual((await decide([fact.nonce])).applied, 1)
        assert.equal(await countOf('orders'), 1)
        assert.deepEqual(inShort(await report(gate, fact)), ['duplicate'])
      })

      it('of such a device keeps nobody out whose ticket it names before that is reported', async () => {
        const named = { position: { secret: 'code' } }
        await report(gate, sale(gate, named), sale(gate))
        const noted = () =>
          upstream.database.all(sql`SELECT secret FROM refused_ticket WHERE secret = 'code'`)
        assert.equal((await noted()).length, 1)
        assert.deepEqual(inShort(await report(till, sale(till, named))), ['applied'])
        assert.deepEqual(await noted(), [])
      })

      it('of such a device stays apart also without the name of a device', async () => {
        const results = await report(gate, { ...sale(gate), device: null })
        assert.deepEqual(inShort(results), ['quarantined may_not_sell'])
      })

      it('of many tickets by such a device makes none of them valid', async () => {
        const facts = Array.from({ length: 30 }, () => sale(gate, { count: 50 }))
        await report(gate, ...facts)
        assert.deepEqual([await countOf('order_position'), (await conflictsKept()).length], [0, 30])
      })

      it('of a box office is stored', async () => {
        assert.deepEqual(inShort(await report(till, sale(till), sale(till, { price: '0.00' }))), [
          'applied',
          'applied',
        ])
        assert.equal(await countOf('orders'), 2)
      })

      for (const [what, change] of [
        ['whose total is not that of its parts', { order: { total: '1.00' } }],
        ['whose total is that of nothing', { order: { total: '-23.00' } }],
        ['with a payment of less than nothing', { payment: { amount: '-23.00' } }],
        ['with a payment of more than it costs', { payment: { amount: '99999999999.99' } }],
      ] as const)
        it(`${what} is not stored`, async () => {
          const results = await report(till, sale(till, change))
          assert.deepEqual(inShort(results), ['quarantined impossible_amount'])
          assert.equal(await countOf('orders'), 0)
          assert.deepEqual(
            (await conflictsKept()).map(({ kind }) => kind),
            ['refused_sale'],
          )
        })

      for (const [what, change] of [
        ['at the beginning of time', { order: { datetime: '0001-01-01T00:00:00.000000Z' } }],
        ['at its end', { order: { expires: '9999-12-31T00:00:00.000000Z' } }],
        ['of a ticket for the end of time', { position: { valid_until: '9999-01-01T00:00:00Z' } }],
      ] as const)
        it(`${what} is not stored`, async () => {
          assert.deepEqual(inShort(await report(till, sale(till, change))), ['rejected refused'])
          assert.equal(await countOf('orders'), 0)
        })

      it('under ids of another site is not stored, and these stay free', async () => {
        const { next_id } = (await upstream.database.get<{ next_id: number }>(
          sql`SELECT next_id FROM node`,
        )) ?? { next_id: 0 }
        const fact = sale(till)
        const payload = fact.payload as { positions: RowData[]; payments: RowData[]; order: RowData }
        const lifted = (rows: readonly RowData[]) =>
          rows.map((row, index) => ({ ...row, id: next_id + 5000 + index }))
        const taking = [
          sale(till, { site: 0 }),
          sale(till, { site: upstream.south.site }),
          { ...fact, nonce: 'positions', payload: { ...payload, positions: lifted(payload.positions) } },
          { ...fact, nonce: 'payments', payload: { ...payload, payments: lifted(payload.payments) } },
        ]
        assert.deepEqual(
          inShort(await report(till, ...taking)),
          Array(taking.length).fill('quarantined foreign_id'),
        )
        assert.deepEqual(
          [await countOf('orders'), await countOf('order_position'), await countOf('order_payment')],
          [0, 0, 0],
        )
      })
    })

    describe('a lease', () => {
      let lease: number
      let ofSouth: number
      beforeEach(async () => {
        const { transactions, place, south } = upstream
        await transactions.write(async (tx) => {
          const id = tx.nextId()
          const values = { name: 'House', size: 300, items: [upstream.item], variations: [] }
          await insertRow(tx, quota, place, { ...blankRow(quota), ...values, id })
          const times = { created: dayAt('10:00'), until: dayAt('14:00') }
          const one = {
            ...blankRow(quotaLease),
            ...times,
            quota: id,
            used: 0,
            state: 'open' as const,
            parent: null,
          }
          lease = 5001
          ofSouth = 5002
          await insertRow(tx, quotaLease, place, { ...one, id: lease, ...till, size: 240 })
          await insertRow(tx, quotaLease, place, { ...one, id: ofSouth, ...south, size: 240 })
        })
      })

      const used = async (id: number) =>
        (await upstream.database.get<{ used: number }>(sql`SELECT used FROM quota_lease WHERE id = ${id}`))
          ?.used

      it('of its own counts what is sold, however often a sale names it', async () => {
        const leases = Array.from({ length: 120 }, () => ({ lease, parent: null, count: 2 }))
        assert.deepEqual(inShort(await report(till, sale(till, { count: 2, leases }))), ['applied'])
        assert.equal(await used(lease), 2)
      })

      it('of somebody else is not sold from, nor one that it calls a part of that', async () => {
        const results = await report(
          till,
          sale(till, { leases: [{ lease: ofSouth, parent: null, count: 1 }] }),
          sale(till, { leases: [{ lease: 9999, parent: ofSouth, count: 1 }] }),
        )
        assert.deepEqual(inShort(results), ['quarantined not_theirs', 'quarantined not_theirs'])
        assert.deepEqual([await used(lease), await used(ofSouth)], [0, 0])
      })
    })

    describe('a gift card', () => {
      const card = 4711
      beforeEach(async () => {
        const { organizer } = upstream.place
        await upstream.transactions.write((tx) =>
          tx.run(
            sql`INSERT INTO gift_card (organizer, id, secret, currency, value, testmode, expires, conditions)
                VALUES (${organizer}, ${card}, 'CARD', 'EUR', 5000, 0, NULL, NULL)`,
          ),
        )
      })
      const spent = (station: ReportingDevice, id = station.site * siteSpan + 77) =>
        upstream.fact('gift_card', station, { row: { id, gift_card: card, value: '-5.00' } })
      const worth = async () =>
        Number((await upstream.database.get<{ value: number }>(sql`SELECT value FROM gift_card`))?.value)

      it('pays nothing at a device that may not sell', async () => {
        assert.deepEqual(inShort(await report(gate, spent(gate))), ['rejected may_not_sell'])
        assert.equal(await worth(), 5000)
      })

      it('pays nothing under an id of another site', async () => {
        assert.deepEqual(inShort(await report(till, spent(till, 77))), ['rejected foreign_id'])
        assert.equal(await worth(), 5000)
      })

      it('pays at a box office', async () => {
        assert.deepEqual(inShort(await report(till, spent(till))), ['applied'])
        assert.equal(await worth(), 4500)
      })
    })

    describe('an answer', () => {
      let asked: number
      let diet: number
      let ticket: number
      beforeEach(async () => {
        await upstream.transactions.write(async (tx) => {
          asked = await addQuestion(tx, upstream.place, [upstream.item], { identifier: 'asked' })
          diet = await addQuestion(tx, upstream.place, [upstream.item], {
            identifier: 'diet',
            ask_during_checkin: false,
          })
        })
        ticket = (
          await upstream.sell('code', { answers: [{ question: diet, answer: 'vegan', options: [] }] })
        ).id
      })
      const say = (question: number, removed: readonly number[] = []) =>
        upstream.fact('answers', gate, {
          position: ticket,
          answers: [{ question, answer: 'changed', options: [] }],
          removed,
        })
      const stored = async () => {
        const row = await upstream.database.get<{ answers: string }>(
          sql`SELECT answers FROM order_position WHERE id = ${ticket}`,
        )
        return (JSON.parse(row?.answers ?? '[]') as { question: number; answer: string }[])
          .map(({ question, answer }) => `${question === diet ? 'diet' : 'asked'} ${answer}`)
          .sort()
      }

      it('to what is not asked at the entrance changes nothing', async () => {
        assert.deepEqual(inShort(await report(gate, say(diet), say(asked, [diet]))), [
          'rejected not_asked',
          'rejected not_asked',
        ])
        assert.deepEqual(await stored(), ['diet vegan'])
      })

      it('to such a question changes nothing beside a scan either, which is taken', async () => {
        const { fact } = upstream.scanned({
          ...{ station: gate, position: ticket, secret: 'code', clock: '10:00', nonce: 'signed' },
          payload: {
            answers: [diet, asked].map((question) => ({ question, answer: 'changed', options: [] })),
          },
        })
        assert.deepEqual(inShort(await report(gate, fact)), ['applied'])
        assert.deepEqual(await stored(), ['asked changed', 'diet vegan'])
      })

      it('to what is asked there is stored', async () => {
        assert.deepEqual(inShort(await report(gate, say(asked))), ['applied'])
        assert.deepEqual(await stored(), ['asked changed', 'diet vegan'])
      })
    })

    describe('an undone check-in', () => {
      let ticket: number
      beforeEach(async () => {
        ticket = (await upstream.sell('code')).id
      })
      const entry = (station: ReportingDevice, nonce: string, clock = '09:58') =>
        upstream.scanned({ station, position: ticket, secret: 'code', nonce, clock }).fact
      const undo = (station: ReportingDevice, nonce: string | null, checkin = 0, clock = '09:59') => ({
        ...upstream.fact('annulment', station, { checkin, nonce, at: dayAt(clock), explanation: null }),
        device_time: dayAt(clock),
      })
      const admitted = async () =>
        (await upstream.database.all(sql`SELECT id FROM checkin WHERE successful = 1`)).length

      it('is not one of others that names no device', async () => {
        const own = { ...entry(upstream.south, 'by a program'), device: null }
        const noNonce = entry(upstream.south, 'x')
        const row = { ...(noNonce.payload as { row: RowData }).row, nonce: null, device: null }
        const other = { ...noNonce, device: null, payload: { row, secret: 'code' } }
        await report(upstream.south, own, other)
        const [first, second] = await upstream.database.all<{ id: number }>(
          sql`SELECT id FROM checkin ORDER BY id`,
        )
        const results = await report(
          gate,
          { ...undo(gate, 'by a program'), device: null },
          { ...undo(gate, null, first?.id), device: null },
          { ...undo(gate, null, second?.id), device: null },
        )
        assert.deepEqual(
          results.map(({ status }) => status),
          ['retry', 'retry', 'retry'],
        )
        assert.equal(await admitted(), 2)
        assert.deepEqual(
          inShort(await report(upstream.south, { ...undo(upstream.south, 'by a program'), device: null })),
          ['applied'],
        )
      })

      it('is one of the last quarter of an hour', async () => {
        const late = entry(gate, 'late', '09:00')
        await report(gate, { ...late, device_time: dayAt('09:00') })
        assert.deepEqual(inShort(await report(gate, undo(gate, 'late', 0, '09:30'))), ['rejected too_late'])
        assert.equal(await admitted(), 1)
        assert.deepEqual(inShort(await report(gate, undo(gate, 'late', 0, '09:10'))), ['applied'])
        assert.equal(await admitted(), 0)
      })

      it('is in time by the times of its station where the scan was dated by a clock that was wrong', async () => {
        const fact = entry(gate, 'dated wrongly', '09:00')
        await report(gate, { ...fact, device_time: dayAt('09:00') })
        const undone = (scanned: string) => {
          const one = undo(gate, 'dated wrongly')
          return { ...one, payload: { ...(one.payload as object), scanned: dayAt(scanned) } }
        }
        assert.deepEqual(inShort(await report(gate, undone('09:30'))), ['rejected too_late'])
        assert.deepEqual(inShort(await report(gate, undone('09:58'))), ['applied'])
        assert.equal(await admitted(), 0)
      })
    })

    it('is no scan under an id of another site', async () => {
      const forged = [scanOf(upstream, gate), scanOf(upstream, gate)].map((fact, index) => ({
        ...fact,
        payload: {
          ...(fact.payload as object),
          row: { ...(fact.payload as { row: object }).row, id: index + 9000 },
        },
      }))
      assert.deepEqual(inShort(await report(gate, ...forged)), Array(2).fill('rejected foreign_id'))
    })

    it('leaves its own scans as they are', async () => {
      const { id } = await upstream.sell('code')
      const { fact } = upstream.scanned({
        station: gate,
        position: id,
        secret: 'code',
        clock: '10:00',
        nonce: 'own',
      })
      assert.deepEqual(inShort(await report(gate, fact, scanOf(upstream, gate))), ['applied', 'applied'])
    })
  })

describe('a hub that is reported a sale of a device that may not sell', () => {
  it('does not take it in, and passes it on to where people decide', async () => {
    const hub = await openUpstreamNode(await quickest.open(), 100)
    const { database, place, transactions } = hub
    await database.run(
      sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end, with_orders, state, settings)
          VALUES (1, 'http://central', ${place.organizer}, 'acme', 1, 'Hub', 'full', 't', 'hub', 100, 200, 1, 'following', '{}')`,
    )
    const site = 110
    const lease = { id: 5001, quota: 0, device: hub.north.device, site: 100, parent: null, size: 9 }
    const gate = await transactions.write(async (tx) => {
      const id = tx.nextId()
      const values = { name: 'House', size: 9, items: [hub.item], variations: [] }
      await insertRow(tx, quota, place, { ...blankRow(quota), ...values, id })
      const times = { created: dayAt('10:00'), until: dayAt('14:00'), used: 0, state: 'open' as const }
      await insertRow(tx, quotaLease, place, { ...blankRow(quotaLease), ...times, ...lease, quota: id })
      return {
        device: await addDevice(tx, place.organizer, 11, 'gate', { security_profile: 'gate', site }),
        site,
      }
    })
    const leases = [{ lease: lease.id, parent: null, count: 1 }]
    // It does not say whose it is: at the top it would be that of the hub.
    const sold = { ...saleOf(hub, gate, { leases }), device: null }
    for (const status of ['quarantined may_not_sell', 'duplicate may_not_sell'])
      assert.deepEqual(inShort(await reportUpstream(hub, gate, [sold])), [status])
    const counted = await transactions.write((tx) => readOutboxTotals(tx, [lease.id], []))
    const tables = [sql`orders`, sql`conflict`, sql`quarantine`, sql`outbox`].map(
      (table) => sql`SELECT count(*) AS count FROM ${table}`,
    )
    const counts = await Promise.all(tables.map((one) => database.get<{ count: number }>(one)))
    assert.deepEqual(
      [counts.map((row) => Number(row?.count)), counted.leases.get(lease.id)?.sold ?? 0],
      [[0, 0, 0, 1], 0],
    )
    assert.deepEqual(await database.all(sql`SELECT device FROM outbox`), [{ device: gate.device }])
    await hub.close()
  })
})
