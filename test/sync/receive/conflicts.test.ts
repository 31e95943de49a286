import assert from 'node:assert/strict'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { Resource } from '../../../schema/resource.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { conflictId } from '../../../server/services/checkin/conflict-rows.ts'
import { reconcileConflicts } from '../../../server/services/checkin/conflicts.ts'
import { engines, quickest } from '../../support/engines/engines.ts'
import { addList, revoke } from '../../support/ticketing/tickets.ts'
import { dayAt, openUpstreamNode, type ReportedScan, type UpstreamNode } from './upstream-node.ts'

interface StoredConflict {
  readonly id: number
  readonly kind: string
  readonly severity: string
  readonly state: string
  readonly detected: string
  readonly device: number | null
  readonly other_device: number | null
  readonly datetime: string
  readonly other_datetime: string | null
  readonly data: string
}

for (const engine of engines)
  describe(`contradictions, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
    })
    afterEach(() => upstream.close())

    const kept = () => upstream.database.all<StoredConflict>(sql`SELECT * FROM conflict ORDER BY id`)
    const enter = (position: number, nonce: string, clock: string, more: Partial<ReportedScan> = {}) =>
      upstream.tell({ station: upstream.north, position, secret: 'code', nonce, clock, ...more })
    const annul = (nonce: string, station = upstream.north) =>
      upstream.apply(upstream.fact('annulment', station, { checkin: 0, nonce, explanation: null }))
    const reconcile = (position: number) =>
      upstream.transactions.write((tx) => reconcileConflicts(tx, upstream.place, upstream.list, position))
    const change = (resource: Resource, id: number, values: Record<string, unknown>) =>
      upstream.transactions.write((tx) => updateRow(tx, resource, upstream.place, { id, ...values }))

    it('say who was where and when, and are known by the scan that loses', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05', { station: upstream.south, row: { gate: upstream.gate } })
      const [row, ...others] = await kept()
      assert.deepEqual(others, [])
      assert.deepEqual(
        [row?.id, row?.kind, row?.severity, row?.state, row?.detected],
        [conflictId('double_entry', 'b'), 'double_entry', 'critical', 'open', dayAt('10:00')],
      )
      assert.deepEqual(
        [row?.device, row?.other_device, row?.datetime, row?.other_datetime],
        [upstream.south.device, upstream.north.device, dayAt('09:05'), dayAt('09:00')],
      )
      const data = JSON.parse(row?.data ?? '{}')
      assert.deepEqual(
        [data.nonce, data.other_nonce, data.gate, data.site, data.other_site],
        ['b', 'a', upstream.gate, upstream.south.site, upstream.north.site],
      )
    })

    it('have ids that every database and every program can hold', () => {
      const ids = Array.from({ length: 1000 }, (_, index) => conflictId('double_entry', String(index)))
      assert.ok(ids.every((id) => Number.isSafeInteger(id) && id > 0))
      assert.equal(new Set(ids).size, 1000)
      assert.notEqual(conflictId('double_entry', 'a'), conflictId('rule_violation', 'a'))
    })

    it('are one for each entry too many, whichever comes first', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'c', '09:10')
      await enter(id, 'a', '09:00', { station: upstream.south })
      await enter(id, 'b', '09:05')
      assert.deepEqual(await upstream.conflicts(), ['double_entry b a', 'double_entry c a'])
    })

    it('go when they are not true any more, with a trace for those who follow', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05', { station: upstream.south })
      const [row] = await kept()
      assert.equal((await annul('b', upstream.south)).status, 'applied')
      assert.deepEqual(await kept(), [])
      const trace = await upstream.database.get<{ op: string }>(
        sql`SELECT op FROM change WHERE resource = 'conflict' AND row_id = ${row?.id}`,
      )
      assert.equal(trace?.op, 'delete')
    })

    it('pass to the next when the entry that stood is undone', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05', { station: upstream.south })
      await enter(id, 'c', '09:10')
      await annul('a')
      assert.deepEqual(await upstream.conflicts(), ['double_entry c b'])
      const marks = await upstream.database.all<{ nonce: string; forced: number }>(
        sql`SELECT nonce, forced FROM checkin WHERE successful = 1 ORDER BY nonce`,
      )
      assert.deepEqual(
        marks.map(({ nonce, forced }) => [nonce, forced]),
        [
          ['b', 0],
          ['c', 1],
        ],
      )
    })

    it('stay as they are once somebody has resolved them', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05', { station: upstream.south })
      const [row] = await kept()
      await upstream.transactions.write((tx) =>
        updateRow(tx, conflict, upstream.place, { id: Number(row?.id), state: 'resolved', note: 'brothers' }),
      )
      await enter(id, 'c', '09:01')
      await annul('b', upstream.south)
      const after = await kept()
      assert.deepEqual(after.map(({ kind, state, other_datetime }) => [kind, state, other_datetime]).sort(), [
        ['double_entry', 'open', dayAt('09:00')],
        ['double_entry', 'resolved', dayAt('09:00')],
      ])
    })

    it('are not written again when nothing is new', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05')
      const seq = () => upstream.database.get(sql`SELECT seq FROM feed WHERE event = ${upstream.place.event}`)
      const before = await seq()
      await reconcile(id)
      assert.deepEqual(await seq(), before)
    })

    it('do not arise between lists', async () => {
      const { id } = await upstream.sell('code')
      const other = await upstream.transactions.write((tx) => addList(tx, upstream.place, 'Other'))
      await enter(id, 'a', '09:00')
      await enter(id, 'b', '09:05', { row: { list: other } })
      assert.deepEqual(await kept(), [])
    })

    it('are found with an order that was canceled before, and not with one canceled since', async () => {
      const ticket = await upstream.sell('code')
      await change(order, ticket.order, { status: 'c', cancellation_date: dayAt('09:30') })
      await enter(ticket.id, 'a', '09:00')
      assert.deepEqual(await kept(), [])
      const result = await enter(ticket.id, 'b', '09:40', { row: { type: 'entry' } })
      assert.deepEqual(await upstream.conflicts(), ['double_entry b a'])
      assert.equal(result.status, 'conflict')
      const canceled = await upstream.sell('canceled')
      await change(order, canceled.order, { status: 'c', cancellation_date: dayAt('08:00') })
      const used = await enter(canceled.id, 'c', '09:00', { secret: 'canceled' })
      assert.deepEqual(
        used.conflicts?.map(({ kind }) => kind),
        ['canceled_used'],
      )
    })

    it('are found with a revoked, a blocked and an unpaid ticket', async () => {
      const revoked = await upstream.sell('new')
      await upstream.transactions.write((tx) => revoke(tx, upstream.place, 'old', revoked.id))
      await enter(revoked.id, 'a', '10:00', { secret: 'old' })
      const blocked = await upstream.sell('blocked', { blocked: ['admin'] })
      await enter(blocked.id, 'b', '09:00', { secret: 'blocked' })
      const unpaid = await upstream.sell('unpaid', {}, { status: 'n' })
      await enter(unpaid.id, 'c', '09:00', { secret: 'unpaid' })
      assert.deepEqual(await upstream.conflicts(), ['blocked_used b', 'revoked_used a', 'unpaid_used c'])
    })

    it('are not found where a ticket was blocked, or a list changed, only after the entry', async () => {
      const ticket = await upstream.sell('code')
      const audited = (action: string, resource: string, row: number, at: string) =>
        upstream.database.run(
          sql`INSERT INTO audit (organizer, id, event, at, actor_kind, actor, action, resource, row_id, data)
              VALUES (${upstream.place.organizer}, ${row + 1_000_000}, ${upstream.place.event}, ${at}, 'token', 1, ${action}, ${resource}, ${row}, NULL)`,
        )
      await upstream.transactions.write((tx) =>
        updateRow(tx, orderPosition, upstream.place, { id: ticket.id, blocked: ['admin'] }),
      )
      await audited('ticketsvc.event.order.changed.add_block', 'order', ticket.order, dayAt('09:30'))
      await enter(ticket.id, 'a', '09:00')
      assert.deepEqual(await kept(), [])

      const other = await upstream.sell('other')
      await change(checkinList, upstream.list, {
        rules: { isAfter: [{ var: 'now' }, { buildTime: ['custom', dayAt('09:50')] }] },
      })
      await audited('ticketsvc.event.checkin_list.changed', 'checkin_list', upstream.list, dayAt('09:30'))
      await enter(other.id, 'b', '09:00', { secret: 'other' })
      assert.deepEqual(await kept(), [])
      const later = await upstream.sell('later')
      await enter(later.id, 'c', '09:40', { secret: 'later' })
      assert.deepEqual(await upstream.conflicts(), ['rule_violation c'])
    })

    it('go when a ticket that was admitted unpaid is paid', async () => {
      const ticket = await upstream.sell('code', {}, { status: 'n' })
      await enter(ticket.id, 'a', '09:00')
      assert.deepEqual(await upstream.conflicts(), ['unpaid_used a'])
      await change(order, ticket.order, { status: 'p' })
      await reconcile(ticket.id)
      assert.deepEqual(await kept(), [])
    })
  })

describe('contradictions on a copy of the data', () => {
  let hub: UpstreamNode
  beforeEach(async () => {
    hub = await openUpstreamNode(await quickest.open(), 100)
  })
  afterEach(() => hub.close())

  const enter = (position: number, secret: string, nonce: string, station = hub.north) =>
    hub.tell({ station, position, secret, nonce, clock: nonce === 'a' ? '09:00' : '09:05' })

  it('between stations are found there as well, under the same number', async () => {
    const { id } = await hub.sell('code')
    await enter(id, 'code', 'a')
    await enter(id, 'code', 'b', hub.south)
    const rows = await hub.database.all<{ id: number }>(sql`SELECT id FROM conflict`)
    assert.deepEqual(rows, [{ id: conflictId('double_entry', 'b') }])
  })

  it('that only the upstream server can tell are neither made nor taken away there', async () => {
    const { id } = await hub.sell('blocked', { blocked: ['admin'] })
    await enter(id, 'blocked', 'a')
    assert.deepEqual(await hub.conflicts(), [])
    const known = await hub.database.get<{ id: number }>(sql`SELECT id FROM checkin`)
    await hub.database.run(
      sql`INSERT INTO conflict (organizer, event, id, kind, severity, state, detected, "position", list, checkin, datetime, data, note)
          VALUES (${hub.place.organizer}, ${hub.place.event}, 1, 'blocked_used', 'critical', 'open', ${dayAt('10:00')}, ${id}, ${hub.list}, ${known?.id}, ${dayAt('09:00')}, '{"cause":"state"}', '')`,
    )
    await hub.transactions.write((tx) => reconcileConflicts(tx, hub.place, hub.list, id))
    assert.deepEqual(await hub.conflicts(), ['blocked_used a'])
  })
})

describe('any facts about tickets', () => {
  it('leave the same contradictions in any order and however often they are reported', async () => {
    const step = fc.record({
      clock: fc.nat(9).map((minute) => `09:0${minute}`),
      type: fc.constantFrom('entry', 'entry', 'exit'),
      south: fc.boolean(),
      annulled: fc.constantFrom(false, false, true),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (steps, chance) => {
          const upstream = await openUpstreamNode(await quickest.open())
          try {
            const results: unknown[] = []
            for (const secret of ['in order', 'at random']) {
              const { id } = await upstream.sell(secret)
              const facts = steps.flatMap((one, index) => {
                const station = one.south ? upstream.south : upstream.north
                const nonce = `${secret}/${index}`
                const scan = upstream.scanned({
                  station,
                  position: id,
                  secret,
                  nonce,
                  clock: one.clock,
                  row: { type: one.type, ordinal: null },
                })
                const undone = {
                  fact: upstream.fact('annulment', station, { checkin: 0, nonce }),
                  context: {},
                }
                return one.annulled ? [scan, undone] : [scan]
              })
              const order = [...facts, ...facts]
                .map((reported, index) => ({
                  reported,
                  key: secret === 'in order' ? index : (chance[index] ?? index),
                }))
                .sort((a, b) => a.key - b.key)
              for (let round = 0; round < 2; round += 1)
                for (const { reported } of order) await upstream.apply(reported.fact, reported.context)
              const conflicts = (await upstream.conflicts()).filter((one) => one.includes(secret))
              const marks = await upstream.database.all<{
                nonce: string
                forced: number
                successful: number
              }>(sql`SELECT nonce, forced, successful FROM checkin WHERE "position" = ${id} ORDER BY nonce`)
              results.push(JSON.stringify([conflicts, marks]).replaceAll(secret, ''))
            }
            assert.equal(results[0], results[1])
          } finally {
            await upstream.close()
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})
