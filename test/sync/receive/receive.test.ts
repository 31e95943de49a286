import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { SentFact } from '../../../schema/sync.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import { sentFactOf, waitingFacts } from '../../../server/sync/outbox/outbox.ts'
import { appliers } from '../../../server/sync/receive/receive.ts'
import { bothEngines, quickest } from '../../support/engines/engines.ts'
import { countUrgent } from '../../support/engines/urgent-transactions.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { clockNow, inShort, reportUpstream, rowsIn, scanOf, scansOf } from './reported-facts.ts'
import { openUpstreamNode, type ReportingDevice, type UpstreamNode } from './upstream-node.ts'

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word)

for (const engine of bothEngines)
  describe(`what stations tell, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
    })
    afterEach(() => upstream.close())

    it('is applied, and answered one by one in order', async () => {
      const facts = scansOf(upstream, upstream.north, 60)
      const results = await reportUpstream(upstream, upstream.north, facts)
      assert.deepEqual(inShort(results), times(60, 'applied'))
      assert.deepEqual(
        results.map(({ nonce }) => nonce),
        facts.map(({ nonce }) => nonce),
      )
      assert.equal(await rowsIn(upstream.database, 'checkin'), 60)
    })

    it('goes before other writes where somebody may wait for it: few scans that come at once', async () => {
      const urgent = countUrgent(upstream.database)
      const urgentBy = async (facts: readonly SentFact[], live = true): Promise<number> => {
        urgent.count = 0
        await reportUpstream(upstream, upstream.north, facts, { live })
        return urgent.count
      }
      const few = scansOf(upstream, upstream.north, 3)
      const order = { ...scanOf(upstream, upstream.north), kind: 'order' as const }
      assert.equal(await urgentBy(few), 1)
      assert.equal(await urgentBy(scansOf(upstream, upstream.north, 11)), 0)
      assert.equal(await urgentBy([order, ...scansOf(upstream, upstream.north, 2)]), 0)
      assert.equal(await urgentBy(scansOf(upstream, upstream.north, 3), false), 0)
    })

    it('is answered as the first time when it is reported again, and changes nothing', async () => {
      const ticket = await upstream.sell('twice')
      const entry = (station: ReportingDevice, nonce: string): SentFact => {
        const row = { gate: null, ordinal: 1 }
        const scan = { station, position: ticket.id, secret: 'twice', clock: '10:00', nonce, row }
        return upstream.scanned(scan).fact
      }
      const first = entry(upstream.north, 'a')
      const second = entry(upstream.south, 'b')
      const [admitted] = await reportUpstream(upstream, upstream.north, [first])
      const [contradicted] = await reportUpstream(upstream, upstream.south, [second])
      assert.equal(admitted?.status, 'applied')
      assert.equal(contradicted?.status, 'conflict')
      assert.ok((contradicted.conflicts?.length ?? 0) > 0)
      const audited = await rowsIn(upstream.database, 'audit')
      const again = await reportUpstream(upstream, upstream.south, [second])
      assert.equal(JSON.stringify(again), JSON.stringify([{ ...contradicted, status: 'duplicate' }]))
      assert.equal(await rowsIn(upstream.database, 'checkin'), 2)
      assert.equal(await rowsIn(upstream.database, 'audit'), audited)
    })

    it('is taken or rejected where it holds what no index takes, and never reported again for ever', async () => {
      const long = Array.from({ length: 400 }, (_, index) => hashToken(String(index))).join('')
      for (const field of ['raw_barcode', 'nonce']) {
        const fact = scanOf(upstream, upstream.north)
        const { row, ...rest } = fact.payload as { row: object }
        const reported = { ...fact, payload: { ...rest, row: { ...row, [field]: long } } }
        const [result] = await reportUpstream(upstream, upstream.north, [reported])
        assert.ok(['applied', 'rejected'].includes(result?.status ?? ''), JSON.stringify(result))
      }
    })

    it('is applied once in whatever order and however often it comes', async () => {
      const facts = scansOf(upstream, upstream.north, 8)
      const [a, b, c, ...rest] = facts as [SentFact, SentFact, SentFact, ...SentFact[]]
      assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, [c, a, c])), [
        'applied',
        'applied',
        'duplicate',
      ])
      assert.deepEqual(
        inShort(await reportUpstream(upstream, upstream.north, [b, a, ...rest.toReversed()])),
        ['applied', 'duplicate', ...times(5, 'applied')],
      )
      assert.equal(await rowsIn(upstream.database, 'checkin'), 8)
      assert.equal(await rowsIn(upstream.database, 'seen_fact'), 8)
    })

    it('is applied once when it comes twice at the same time', async () => {
      const facts = scansOf(upstream, upstream.north, 30)
      const both = await Promise.all([
        reportUpstream(upstream, upstream.north, facts),
        reportUpstream(upstream, upstream.north, facts),
      ])
      const words = both.flat().map(({ status }) => status)
      assert.equal(words.filter((word) => word === 'applied').length, 30)
      assert.equal(words.filter((word) => word === 'duplicate').length, 30)
      assert.equal(await rowsIn(upstream.database, 'checkin'), 30)
    })

    for (const place of [0, 15, 29])
      it(`is not kept back by one at place ${place} that nothing can be done with`, async () => {
        const poisons: readonly [unknown, string][] = [
          [{ ...scanOf(upstream, upstream.north), payload: { row: { id: 'no' } } }, 'rejected refused'],
          [{ ...scanOf(upstream, upstream.north), kind: 'weather' }, 'retry unknown_kind'],
          [{ ...scanOf(upstream, upstream.north), nonce: 'broken\u0000' }, 'rejected malformed'],
          [{ ...scanOf(upstream, upstream.north), site: 'north' }, 'rejected malformed'],
          ['nothing of the kind', 'rejected malformed'],
          [null, 'rejected malformed'],
          [{ ...scanOf(upstream, upstream.north), event: 4711 }, 'rejected unknown_event'],
        ]
        for (const [poison, word] of poisons) {
          const facts: unknown[] = scansOf(upstream, upstream.north, 29)
          facts.splice(place, 0, poison)
          const results = inShort(await reportUpstream(upstream, upstream.north, facts))
          assert.equal(results.splice(place, 1)[0], word)
          assert.deepEqual(results, times(29, 'applied'))
        }
      })

    it('is reported again later where applying it fails, and keeps nothing of the attempt', async () => {
      const facts = scansOf(upstream, upstream.north, 30)
      const bad = facts[10]?.nonce
      const failing = {
        ...appliers,
        checkin: async (...given: Parameters<typeof appliers.checkin>) => {
          const result = await appliers.checkin(...given)
          if (given[2].nonce === bad) throw new Error('a mistake of ours')
          return result
        },
      }
      const results = await reportUpstream(upstream, upstream.north, facts, { appliers: failing })
      const expected = times(30, 'applied')
      expected[10] = 'retry failed'
      assert.deepEqual(inShort(results), expected)
      assert.equal(await rowsIn(upstream.database, 'checkin'), 29)
      assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, facts)), [
        ...times(10, 'duplicate'),
        'applied',
        ...times(19, 'duplicate'),
      ])
    })

    it('that is refused can be reported again once it is acceptable', async () => {
      const fact = scanOf(upstream, upstream.north)
      const refused = { ...fact, event: 4711 }
      assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, [refused])), [
        'rejected unknown_event',
      ])
      assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, [fact])), ['applied'])
    })

    describe('and who may tell it', () => {
      it('is a device of itself only', async () => {
        const forged = [
          scanOf(upstream, upstream.south),
          scanOf(upstream, upstream.north, { site: upstream.south.site }),
          scanOf(upstream, upstream.north, { device: upstream.south.device }),
          scanOf(upstream, upstream.north, { site: 0 }),
          scanOf(upstream, upstream.north, { site: 5000 }),
        ]
        assert.deepEqual(
          inShort(await reportUpstream(upstream, upstream.north, forged)),
          times(forged.length, 'rejected forbidden'),
        )
        assert.equal(await rowsIn(upstream.database, 'checkin'), 0)
        assert.equal(await rowsIn(upstream.database, 'seen_fact'), 0)
      })

      it('is a device also of what it did under a number that it had before', async () => {
        await upstream.database.run(sql`UPDATE node SET next_site = 200 WHERE id = 1`)
        const facts = [scanOf(upstream, { ...upstream.north, site: 150 })]
        assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, facts)), ['applied'])
      })

      it('is a device of events that it may enter', async () => {
        const { organizer } = upstream.place
        const station = await upstream.transactions.write(async (tx) => {
          await addEvent(tx, organizer, 'ball')
          const rights = { site: 110, site_end: 111, all_events: false, limit_events: ['ball'] }
          return { device: await addDevice(tx, organizer, 9, 'limited', rights), site: 110 }
        })
        assert.deepEqual(inShort(await reportUpstream(upstream, station, [scanOf(upstream, station)])), [
          'rejected forbidden',
        ])
      })

      it('is a hub for its own devices, once these are known', async () => {
        const { organizer } = upstream.place
        const hub = await upstream.transactions.write(async (tx) => ({
          device: await addDevice(tx, organizer, 7, 'hub', { site: 300, site_end: 310 }),
          site: 300,
        }))
        const child = { device: 300 * 2 ** 32 + 1, site: 301 }
        const scan = scanOf(upstream, child)
        assert.deepEqual(inShort(await reportUpstream(upstream, hub, [scan])), ['retry unknown_device'])
        await upstream.transactions.write((tx) =>
          addDevice(tx, organizer, 8, 'child', { site: 301, site_end: 302 }).then((id) =>
            tx.run(sql`UPDATE device SET id = ${child.device} WHERE id = ${id}`),
          ),
        )
        assert.deepEqual(inShort(await reportUpstream(upstream, hub, [scan])), ['applied'])
        assert.deepEqual(
          inShort(
            await reportUpstream(upstream, hub, [
              scanOf(upstream, child, { site: 320 }),
              scanOf(upstream, upstream.north, { site: 302 }),
            ]),
          ),
          ['rejected forbidden', 'rejected forbidden'],
        )
        const row = await upstream.database.get(
          sql`SELECT device, site FROM checkin WHERE device = ${child.device}`,
        )
        assert.deepEqual(row, { device: child.device, site: 301 })
      })

      it('is a hub whose own device asks the hub instead of being a station', async () => {
        const { organizer } = upstream.place
        const hub = await upstream.transactions.write(async (tx) => ({
          device: await addDevice(tx, organizer, 7, 'hub', { site: 300, site_end: 310 }),
          site: 300,
        }))
        const tablet = { device: 300 * 2 ** 32 + 1, site: 300 }
        await upstream.transactions.write((tx) =>
          addDevice(tx, organizer, 8, 'tablet').then((id) =>
            tx.run(sql`UPDATE device SET id = ${tablet.device} WHERE id = ${id}`),
          ),
        )
        assert.deepEqual(inShort(await reportUpstream(upstream, hub, [scanOf(upstream, tablet)])), [
          'applied',
        ])
        // A device that central knows from elsewhere is not the hub's, even where it claims so.
        const { device: stranger } = upstream.north
        assert.deepEqual(
          inShort(await reportUpstream(upstream, hub, [scanOf(upstream, { device: stranger, site: 300 })])),
          ['rejected forbidden'],
        )
      })
    })

    it('under a number that another copy of the same data used is applied, and the sender asked to join anew', async () => {
      const reported = scanOf(upstream, upstream.north)
      const copy = scanOf(upstream, upstream.north, { site_seq: reported.site_seq })
      const [first] = await reportUpstream(upstream, upstream.north, [reported])
      const [second] = await reportUpstream(upstream, upstream.north, [copy])
      assert.equal(first?.rejoin, undefined)
      assert.deepEqual([second?.status, second?.rejoin], ['applied', true])
    })

    it('from a clock that is far ahead happened now, and says so', async () => {
      const ahead = '2030-06-01T11:00:00.000000Z'
      const facts = [scanOf(upstream, upstream.north, { device_time: ahead })]
      const [result] = await reportUpstream(upstream, upstream.north, facts)
      assert.deepEqual(
        [result?.status, result?.conflicts?.map(({ kind }) => kind)],
        ['applied', ['clock_skew']],
      )
    })

    it('by a revoked device waits in quarantine', async () => {
      const before = scanOf(upstream, upstream.north)
      await reportUpstream(upstream, upstream.north, [before])
      await upstream.database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${upstream.north.device}`)
      const facts = [before, scanOf(upstream, upstream.north), { nonce: 'broken' }]
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(inShort(await reportUpstream(upstream, upstream.north, facts)), [
          'duplicate',
          'quarantined',
          'rejected malformed',
        ])
      assert.equal(await rowsIn(upstream.database, 'checkin'), 1)
      assert.equal(await rowsIn(upstream.database, 'quarantine'), 1)
    })
  })

describe('a hub that gets a report', () => {
  let hub: UpstreamNode
  beforeEach(async () => {
    hub = await openUpstreamNode(await quickest.open(), 100)
    await hub.database.run(
      sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end, with_orders, state, settings)
          VALUES (1, 'http://central', ${hub.place.organizer}, 'acme', 1, 'Hub', 'full', 't', 'hub', 100, 200, 1, 'following', '{}')`,
    )
  })
  afterEach(() => hub.close())

  it('passes it on with the time it found, once, and in the order in which it came', async () => {
    const facts = scansOf(hub, hub.north, 40).map((fact, index) => ({
      ...fact,
      mono: 1000 + index,
      boot: 'x',
    }))
    const clock = { ...clockNow(hub), boot: 'x', mono: 5000 }
    await reportUpstream(hub, hub.north, facts, { clock })
    await reportUpstream(hub, hub.north, facts, { clock })
    const waiting = await waitingFacts(hub.database, '2031-01-01T00:00:00.000000Z', 500)
    // Central never heard the clock of the station: what was dated by it goes on by those of the hub.
    const { boot, mono } = hub.clock.stamp()
    const dated = facts.map((fact, index) => ({
      ...fact,
      boot,
      mono: mono - 4000 + index,
      device_time: `2030-06-01T09:59:56.${String(index).padStart(3, '0')}000Z`,
      clock_offset: null,
    }))
    assert.deepEqual(waiting.map(sentFactOf), dated)
    assert.deepEqual(
      waiting.map(({ seq }) => seq),
      facts.map((_, index) => index + 1),
    )
  })

  it('does not pass on what it refuses itself', async () => {
    await reportUpstream(hub, hub.north, [scanOf(hub, hub.south), scanOf(hub, hub.north, { event: 4711 })])
    assert.equal(await rowsIn(hub.database, 'outbox'), 0)
  })

  it('has reported again later what happened under a number that it may have given before its disk was put back', async () => {
    await hub.database.run(sql`UPDATE node SET next_site = 150, site_end = 200 WHERE id = 1`)
    const under = (site: number) => scanOf(hub, { ...hub.north, site })
    assert.deepEqual(inShort(await reportUpstream(hub, hub.north, [under(160), under(199), under(200)])), [
      'retry unknown_site',
      'retry unknown_site',
      'rejected forbidden',
    ])
    // A hub below it passes on what its own stations tell.
    const below = { device: 160 * 2 ** 32 + 1, site: 161 }
    assert.deepEqual(inShort(await reportUpstream(hub, hub.north, [scanOf(hub, below)])), [
      'retry unknown_site',
    ])
    // The hub has joined anew, under other numbers.
    await hub.database.run(sql`UPDATE node SET site = 1000, next_site = 1001, site_end = 1100 WHERE id = 1`)
    await hub.database.run(
      sql`UPDATE device SET former_sites = '[[100, 200]]' WHERE id = ${hub.south.device}`,
    )
    await hub.database.run(sql`UPDATE upstream SET device = ${hub.south.device} WHERE id = 1`)
    assert.deepEqual(inShort(await reportUpstream(hub, hub.north, [under(160)])), ['applied'])
  })
})
