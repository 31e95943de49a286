import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { revoke } from '../../support/ticketing/tickets.ts'
import { dayAt, openUpstreamNode, type ReportedScan, type UpstreamNode } from './upstream-node.ts'

interface Stored {
  readonly id: number
  readonly position: number | null
  readonly successful: number
  readonly error_reason: string | null
  readonly datetime: string
  readonly created: string
  readonly device: number | null
  readonly site: number
  readonly forced: number
  readonly ordinal: number | null
  readonly nonce: string
}

for (const engine of engines)
  describe(`a check-in that a station tells of, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
    })
    afterEach(() => upstream.close())

    const stored = () => upstream.database.all<Stored>(sql`SELECT * FROM checkin ORDER BY nonce, id`)
    const scan = (more: Partial<ReportedScan> & Pick<ReportedScan, 'position' | 'secret'>): ReportedScan => ({
      station: upstream.north,
      clock: '09:00',
      nonce: 'n1',
      ...more,
    })

    it('is stored as it happened, and the order counts as changed', async () => {
      const ticket = await upstream.sell('code')
      assert.deepEqual(
        await upstream.tell(scan({ position: ticket.id, secret: 'code', row: { gate: upstream.gate } })),
        {
          status: 'applied',
        },
      )
      const [row] = await stored()
      assert.deepEqual(
        [row?.position, row?.successful, row?.datetime, row?.device, row?.site, row?.forced],
        [ticket.id, 1, dayAt('09:00'), upstream.north.device, upstream.north.site, 0],
      )
      assert.equal(row?.created, dayAt('10:00'))
      const order = await upstream.database.get<{ last_modified: string }>(
        sql`SELECT last_modified FROM orders WHERE id = ${ticket.order}`,
      )
      assert.equal(order?.last_modified, dayAt('10:00'))
      const audited = await upstream.database.all<{ action: string; actor: number }>(
        sql`SELECT action, actor FROM audit WHERE action LIKE '%checkin'`,
      )
      assert.deepEqual(audited, [{ action: 'ticketsvc.event.checkin', actor: upstream.north.device }])
    })

    it('is stored once although it is reported twice under other numbers', async () => {
      const ticket = await upstream.sell('code')
      await upstream.tell(scan({ position: ticket.id, secret: 'code' }))
      assert.deepEqual(await upstream.tell(scan({ position: ticket.id, secret: 'code' })), {
        status: 'applied',
      })
      assert.equal((await stored()).length, 1)
    })

    it('that contradicts another is kept, marked as forced, and told apart from the one that stands', async () => {
      const ticket = await upstream.sell('code')
      const first = {
        position: ticket.id,
        secret: 'code',
        nonce: 'a',
        clock: '09:00',
        row: { gate: upstream.gate },
      }
      await upstream.tell(scan(first))
      const result = await upstream.tell(
        scan({ position: ticket.id, secret: 'code', nonce: 'b', clock: '09:05', station: upstream.south }),
      )
      assert.equal(result.status, 'conflict')
      assert.deepEqual(
        result.conflicts?.map(({ kind, lost, other }) => ({ kind, lost, other })),
        [
          {
            kind: 'double_entry',
            lost: true,
            other: {
              datetime: dayAt('09:00'),
              device: 'North',
              gate: 'North gate',
              pass: {
                id: (await stored())[0]?.id,
                type: 'entry',
                nonce: 'a',
                device: upstream.north.device,
                gate: upstream.gate,
              },
            },
          },
        ],
      )
      assert.deepEqual(
        (await stored()).map(({ nonce, successful, forced }) => [nonce, successful, forced]),
        [
          ['a', 1, 0],
          ['b', 1, 1],
        ],
      )
    })

    it('that came late but happened first stands, and the other one loses', async () => {
      const ticket = await upstream.sell('code')
      await upstream.tell(scan({ position: ticket.id, secret: 'code', nonce: 'late', clock: '09:05' }))
      const result = await upstream.tell(
        scan({
          position: ticket.id,
          secret: 'code',
          nonce: 'early',
          clock: '09:00',
          station: upstream.south,
        }),
      )
      assert.deepEqual([result.status, result.conflicts?.[0]?.lost], ['applied', false])
      assert.deepEqual(await upstream.conflicts(), ['double_entry late early'])
      assert.deepEqual(
        (await stored()).map(({ nonce, forced }) => [nonce, forced]),
        [
          ['early', 0],
          ['late', 1],
        ],
      )
    })

    it('is of the ticket whose code was scanned, also after it was replaced', async () => {
      const ticket = await upstream.sell('new code')
      await upstream.transactions.write((tx) => revoke(tx, upstream.place, 'old code', ticket.id))
      const result = await upstream.tell(scan({ position: null, secret: 'old code', clock: '10:00' }))
      assert.equal((await stored())[0]?.position, ticket.id)
      assert.deepEqual(
        [result.status, result.conflicts?.map(({ kind }) => kind)],
        ['conflict', ['revoked_used']],
      )
    })

    it('is no contradiction when the code was replaced later', async () => {
      const ticket = await upstream.sell('new code')
      await upstream.transactions.write((tx) => revoke(tx, upstream.place, 'old code', ticket.id))
      const reported = scan({ position: ticket.id, secret: 'old code', clock: '09:59' })
      assert.deepEqual(await upstream.tell(reported), { status: 'applied' })
    })

    it('is not of another ticket that happens to have the same number', async () => {
      const other = await upstream.sell('other')
      const meant = await upstream.sell('meant')
      await upstream.tell(scan({ position: other.id, secret: 'meant' }))
      assert.equal((await stored())[0]?.position, meant.id)
    })

    it('with a code that nobody knows is kept all the same, and pointed out', async () => {
      const result = await upstream.tell(scan({ position: 5, secret: 'nobody' }))
      assert.deepEqual([result.status, result.conflicts?.[0]?.kind], ['conflict', 'unknown_secret'])
      assert.deepEqual(await upstream.conflicts(), ['unknown_secret n1'])
      assert.deepEqual(
        (await stored()).map(({ position, successful }) => [position, successful]),
        [[null, 1]],
      )
    })

    it('waits a while for an order that a station has sold, and not for ever', async () => {
      const sold = 103 * 2 ** 32 + 5
      const soon = await upstream.tell(scan({ position: sold, secret: 'coming', clock: '09:55' }))
      assert.deepEqual([soon.status, soon.reason], ['retry', 'unknown_order'])
      assert.deepEqual(await stored(), [])
      const later = await upstream.tell(scan({ position: sold, secret: 'coming', clock: '09:45' }))
      assert.equal(later.status, 'conflict')
    })

    it('of a list that does not exist is refused with a reason', async () => {
      const ticket = await upstream.sell('code')
      const result = await upstream.tell(
        scan({ position: ticket.id, secret: 'code', row: { list: 999_999 } }),
      )
      assert.deepEqual([result.status, result.reason], ['rejected', 'unknown_list'])
      assert.deepEqual(await stored(), [])
    })

    it('that makes no sense is refused in words', async () => {
      const ticket = await upstream.sell('code')
      for (const row of [{ type: 'sideways' }, { datetime: 'yesterday' }, { id: 'x' }, { nonce: 7 }])
        await assert.rejects(upstream.tell(scan({ position: ticket.id, secret: 'code', row })), /Refusal/)
      await assert.rejects(
        upstream.apply(upstream.fact('checkin', upstream.north, { row: 'none' })),
        /Refusal/,
      )
    })

    it('that was refused is stored once, with its reason', async () => {
      const ticket = await upstream.sell('code')
      const row = { successful: false, error_reason: 'unpaid', ordinal: null }
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await upstream.tell(scan({ position: ticket.id, secret: 'code', row })), {
          status: 'applied',
        })
      assert.deepEqual(
        (await stored()).map(({ successful, error_reason, position }) => [
          successful,
          error_reason,
          position,
        ]),
        [[0, 'unpaid', ticket.id]],
      )
      const [audited] = await upstream.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE action LIKE '%checkin%'`,
      )
      assert.equal(audited?.action, 'ticketsvc.event.checkin.denied')
    })

    it('that was refused and whose code is known here is of that ticket', async () => {
      const ticket = await upstream.sell('sold meanwhile')
      const row = { successful: false, error_reason: 'invalid', ordinal: null, raw_barcode: 'sold meanwhile' }
      await upstream.tell(scan({ position: null, secret: null, row }))
      assert.equal((await stored())[0]?.position, ticket.id)
    })

    it('gets the time that it really happened at', async () => {
      const ticket = await upstream.sell('code')
      // The station's clock was an hour ahead, and it noted a scan of five minutes before.
      await upstream.tell(
        scan({
          position: ticket.id,
          secret: 'code',
          row: { datetime: dayAt('10:25'), created: dayAt('10:30') },
          context: { at: dayAt('09:30') },
        }),
      )
      assert.equal((await stored())[0]?.datetime, dayAt('09:25'))
    })

    it('keeps its time where that is right within a second', async () => {
      const ticket = await upstream.sell('code')
      const reported = scan({
        position: ticket.id,
        secret: 'code',
        context: { at: '2030-06-01T09:00:00.900000Z' },
      })
      await upstream.tell(reported)
      assert.equal((await stored())[0]?.datetime, dayAt('09:00'))
    })

    it('from the future is pointed out', async () => {
      const ticket = await upstream.sell('code')
      const result = await upstream.tell(
        scan({ position: ticket.id, secret: 'code', context: { at: dayAt('10:00'), skew: 3_600_000 } }),
      )
      assert.deepEqual(
        [result.status, result.conflicts?.map(({ kind }) => kind)],
        ['applied', ['clock_skew']],
      )
    })

    it('from years ago is kept and marked, and does not count as the first', async () => {
      const ticket = await upstream.sell('code')
      const lost = '1970-01-01T00:10:00.000000Z'
      const dead = scan({
        ...{ position: ticket.id, secret: 'code', nonce: 'dead clock' },
        row: { datetime: lost, created: lost },
        context: { at: lost, uncertain: true },
      })
      const first = await upstream.tell(dead)
      assert.deepEqual([first.status, first.conflicts?.map(({ kind }) => kind)], ['applied', ['clock_skew']])
      await upstream.tell(scan({ position: ticket.id, secret: 'code', station: upstream.south }))
      assert.deepEqual(
        (await stored()).map(({ nonce, datetime, forced }) => [nonce, datetime, forced]),
        [
          ['dead clock', lost, 1],
          ['n1', dayAt('09:00'), 0],
        ],
      )
      const [conflict] = await upstream.database.all(
        sql`SELECT datetime, other_datetime FROM conflict WHERE kind = 'double_entry'`,
      )
      assert.deepEqual({ ...conflict }, { datetime: lost, other_datetime: dayAt('09:00') })
    })

    it('names no product of another event', async () => {
      const own = { raw_item: upstream.item, raw_variation: 4711, raw_subevent: 4711 }
      await upstream.tell(scan({ position: null, secret: 'nobody', row: own }))
      const [row] = await upstream.database.all(
        sql`SELECT raw_item, raw_variation, raw_subevent FROM checkin`,
      )
      assert.deepEqual({ ...row }, { raw_item: upstream.item, raw_variation: null, raw_subevent: null })
    })

    it('at a time that no database should hold is refused', async () => {
      const ticket = await upstream.sell('code')
      for (const datetime of ['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'])
        await assert.rejects(
          upstream.tell(scan({ position: ticket.id, secret: 'code', row: { datetime } })),
          /datetime/,
        )
      assert.deepEqual(await stored(), [])
    })

    it('from the future is not pointed out by a hub, which cannot know when the top gets it', async () => {
      const ticket = await upstream.sell('code')
      const context = { at: dayAt('10:00'), skew: 3_600_000, upstream: true }
      const result = await upstream.tell(scan({ position: ticket.id, secret: 'code', context }))
      assert.deepEqual([result.status, result.conflicts ?? []], ['applied', []])
    })

    it('whose number is taken gets another one, and its sender is asked to join anew', async () => {
      const ticket = await upstream.sell('code')
      const other = await upstream.sell('other')
      const first = upstream.scanned(scan({ position: ticket.id, secret: 'code', nonce: 'a' }))
      await upstream.apply(first.fact, first.context)
      const { row } = first.fact.payload as { row: { id: number; ordinal: number } }
      const result = await upstream.tell(
        scan({
          position: other.id,
          secret: 'other',
          nonce: 'b',
          row: { id: row.id, ordinal: row.ordinal },
        }),
      )
      assert.deepEqual([result.rejoin, result.conflicts?.map(({ kind }) => kind)], [true, ['id_taken']])
      const rows = await stored()
      assert.deepEqual(
        rows.map(({ nonce, position }) => [nonce, position]),
        [
          ['a', ticket.id],
          ['b', other.id],
        ],
      )
      assert.notEqual(rows[1]?.id, row.id)
    })

    it('may have the place of another one in the order of its ticket', async () => {
      const ticket = await upstream.sell('code')
      await upstream.tell(scan({ position: ticket.id, secret: 'code', nonce: 'a', row: { ordinal: 1 } }))
      await upstream.tell(scan({ position: ticket.id, secret: 'code', nonce: 'b', row: { ordinal: 1 } }))
      assert.deepEqual(
        (await stored()).map(({ ordinal }) => ordinal),
        [1, null],
      )
    })

    it('cannot take a number that is not its station to give', async () => {
      const ticket = await upstream.sell('code')
      await upstream.tell(scan({ position: ticket.id, secret: 'code', row: { id: 123_456 } }))
      assert.notEqual((await stored())[0]?.id, 123_456)
    })

    it('is not taken for another scan with the same nonce', async () => {
      const [a, b] = [await upstream.sell('a'), await upstream.sell('b')]
      await upstream.tell(scan({ position: a.id, secret: 'a' }))
      await upstream.tell(scan({ position: b.id, secret: 'b' }))
      assert.equal((await stored()).length, 2)
    })

    it('loses the gate that does not exist any more', async () => {
      const ticket = await upstream.sell('code')
      await upstream.tell(scan({ position: ticket.id, secret: 'code', row: { gate: 987_654 } }))
      assert.equal((await stored()).length, 1)
    })
  })
