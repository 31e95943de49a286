import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { SentFact } from '../../../schema/sync.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import { sentFactOf, waitingFacts } from '../../../server/sync/outbox/outbox.ts'
import { appliers } from '../../../server/sync/receive/appliers.ts'
import { engines, quickest } from '../../support/engines/engines.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { clockNow, inShort, rowsIn, scanOf, scansOf, tellAbove } from './reported-facts.ts'
import { openUpstreamNode, type ReportingDevice, type UpstreamNode } from './upstream-node.ts'

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word)

for (const engine of engines)
  describe(`what stations tell, on ${engine.name}`, () => {
    let above: UpstreamNode
    beforeEach(async () => {
      above = await openUpstreamNode(await engine.open())
    })
    afterEach(() => above.close())

    it('is applied, and answered one by one in order', async () => {
      const facts = scansOf(above, above.north, 60)
      const results = await tellAbove(above, above.north, facts)
      assert.deepEqual(inShort(results), times(60, 'applied'))
      assert.deepEqual(
        results.map(({ nonce }) => nonce),
        facts.map(({ nonce }) => nonce),
      )
      assert.equal(await rowsIn(above.database, 'checkin'), 60)
    })

    it('is answered as the first time when it is told again, and changes nothing', async () => {
      const ticket = await above.sell('twice')
      const entry = (station: ReportingDevice, nonce: string): SentFact => {
        const row = { gate: null, ordinal: 1 }
        const scan = { station, position: ticket.id, secret: 'twice', clock: '10:00', nonce, row }
        return above.scanned(scan).fact
      }
      const first = entry(above.north, 'a')
      const second = entry(above.south, 'b')
      const [admitted] = await tellAbove(above, above.north, [first])
      const [contradicted] = await tellAbove(above, above.south, [second])
      assert.equal(admitted?.status, 'applied')
      assert.equal(contradicted?.status, 'conflict')
      assert.ok((contradicted.conflicts?.length ?? 0) > 0)
      const audited = await rowsIn(above.database, 'audit')
      const again = await tellAbove(above, above.south, [second])
      assert.equal(JSON.stringify(again), JSON.stringify([{ ...contradicted, status: 'duplicate' }]))
      assert.equal(await rowsIn(above.database, 'checkin'), 2)
      assert.equal(await rowsIn(above.database, 'audit'), audited)
    })

    it('is taken or rejected where it holds what no index takes, and never told again for ever', async () => {
      const long = Array.from({ length: 400 }, (_, index) => hashToken(String(index))).join('')
      for (const field of ['raw_barcode', 'nonce']) {
        const fact = scanOf(above, above.north)
        const { row, ...rest } = fact.payload as { row: object }
        const told = { ...fact, payload: { ...rest, row: { ...row, [field]: long } } }
        const [result] = await tellAbove(above, above.north, [told])
        assert.ok(['applied', 'rejected'].includes(result?.status ?? ''), JSON.stringify(result))
      }
    })

    it('is applied once in whatever order and however often it comes', async () => {
      const facts = scansOf(above, above.north, 8)
      const [a, b, c, ...rest] = facts as [SentFact, SentFact, SentFact, ...SentFact[]]
      assert.deepEqual(inShort(await tellAbove(above, above.north, [c, a, c])), [
        'applied',
        'applied',
        'duplicate',
      ])
      assert.deepEqual(inShort(await tellAbove(above, above.north, [b, a, ...rest.toReversed()])), [
        'applied',
        'duplicate',
        ...times(5, 'applied'),
      ])
      assert.equal(await rowsIn(above.database, 'checkin'), 8)
      assert.equal(await rowsIn(above.database, 'seen_fact'), 8)
    })

    it('is applied once when it comes twice at the same time', async () => {
      const facts = scansOf(above, above.north, 30)
      const both = await Promise.all([
        tellAbove(above, above.north, facts),
        tellAbove(above, above.north, facts),
      ])
      const words = both.flat().map(({ status }) => status)
      assert.equal(words.filter((word) => word === 'applied').length, 30)
      assert.equal(words.filter((word) => word === 'duplicate').length, 30)
      assert.equal(await rowsIn(above.database, 'checkin'), 30)
    })

    for (const place of [0, 15, 29])
      it(`is not kept back by one at place ${place} that nothing can be done with`, async () => {
        const poisons: readonly [unknown, string][] = [
          [{ ...scanOf(above, above.north), payload: { row: { id: 'no' } } }, 'rejected refused'],
          [{ ...scanOf(above, above.north), kind: 'weather' }, 'retry unknown_kind'],
          [{ ...scanOf(above, above.north), nonce: 'broken\u0000' }, 'rejected malformed'],
          [{ ...scanOf(above, above.north), site: 'north' }, 'rejected malformed'],
          ['nothing of the kind', 'rejected malformed'],
          [null, 'rejected malformed'],
          [{ ...scanOf(above, above.north), event: 4711 }, 'rejected unknown_event'],
        ]
        for (const [poison, word] of poisons) {
          const facts: unknown[] = scansOf(above, above.north, 29)
          facts.splice(place, 0, poison)
          const results = inShort(await tellAbove(above, above.north, facts))
          assert.equal(results.splice(place, 1)[0], word)
          assert.deepEqual(results, times(29, 'applied'))
        }
      })

    it('is told again later where applying it fails, and keeps nothing of the attempt', async () => {
      const facts = scansOf(above, above.north, 30)
      const bad = facts[10]?.nonce
      const failing = {
        ...appliers,
        checkin: async (...given: Parameters<typeof appliers.checkin>) => {
          const result = await appliers.checkin(...given)
          if (given[2].nonce === bad) throw new Error('a mistake of ours')
          return result
        },
      }
      const results = await tellAbove(above, above.north, facts, { appliers: failing })
      const expected = times(30, 'applied')
      expected[10] = 'retry failed'
      assert.deepEqual(inShort(results), expected)
      assert.equal(await rowsIn(above.database, 'checkin'), 29)
      assert.deepEqual(inShort(await tellAbove(above, above.north, facts)), [
        ...times(10, 'duplicate'),
        'applied',
        ...times(19, 'duplicate'),
      ])
    })

    it('that is refused can be told again once it is acceptable', async () => {
      const fact = scanOf(above, above.north)
      const refused = { ...fact, event: 4711 }
      assert.deepEqual(inShort(await tellAbove(above, above.north, [refused])), ['rejected unknown_event'])
      assert.deepEqual(inShort(await tellAbove(above, above.north, [fact])), ['applied'])
    })

    describe('and who may tell it', () => {
      it('is a device of itself only', async () => {
        const forged = [
          scanOf(above, above.south),
          scanOf(above, above.north, { site: above.south.site }),
          scanOf(above, above.north, { device: above.south.device }),
          scanOf(above, above.north, { site: 0 }),
          scanOf(above, above.north, { site: 5000 }),
        ]
        assert.deepEqual(
          inShort(await tellAbove(above, above.north, forged)),
          times(forged.length, 'rejected forbidden'),
        )
        assert.equal(await rowsIn(above.database, 'checkin'), 0)
        assert.equal(await rowsIn(above.database, 'seen_fact'), 0)
      })

      it('is a device also of what it did under a number that it had before', async () => {
        await above.database.run(sql`UPDATE node SET next_site = 200 WHERE id = 1`)
        const facts = [scanOf(above, above.north, { site: 150 })]
        assert.deepEqual(inShort(await tellAbove(above, above.north, facts)), ['applied'])
      })

      it('is a device of events that it may enter', async () => {
        const { organizer } = above.place
        const station = await above.transactions.write(async (tx) => {
          await addEvent(tx, organizer, 'ball')
          const rights = { site: 110, site_end: 111, all_events: false, limit_events: ['ball'] }
          return { device: await addDevice(tx, organizer, 9, 'limited', rights), site: 110 }
        })
        assert.deepEqual(inShort(await tellAbove(above, station, [scanOf(above, station)])), [
          'rejected forbidden',
        ])
      })

      it('is a hub for its own devices, once these are known', async () => {
        const { organizer } = above.place
        const hub = await above.transactions.write(async (tx) => ({
          device: await addDevice(tx, organizer, 7, 'hub', { site: 300, site_end: 310 }),
          site: 300,
        }))
        const child = { device: 300 * 2 ** 32 + 1, site: 301 }
        const scan = scanOf(above, child)
        assert.deepEqual(inShort(await tellAbove(above, hub, [scan])), ['retry unknown_device'])
        await above.transactions.write((tx) =>
          addDevice(tx, organizer, 8, 'child', { site: 301, site_end: 302 }).then((id) =>
            tx.run(sql`UPDATE device SET id = ${child.device} WHERE id = ${id}`),
          ),
        )
        assert.deepEqual(inShort(await tellAbove(above, hub, [scan])), ['applied'])
        assert.deepEqual(
          inShort(
            await tellAbove(above, hub, [
              scanOf(above, child, { site: 320 }),
              scanOf(above, above.north, { site: 302 }),
            ]),
          ),
          ['rejected forbidden', 'rejected forbidden'],
        )
        const row = await above.database.get(
          sql`SELECT device, site FROM checkin WHERE device = ${child.device}`,
        )
        assert.deepEqual(row, { device: child.device, site: 301 })
      })

      it('is a hub whose own device asks the hub instead of being a station', async () => {
        const { organizer } = above.place
        const hub = await above.transactions.write(async (tx) => ({
          device: await addDevice(tx, organizer, 7, 'hub', { site: 300, site_end: 310 }),
          site: 300,
        }))
        const tablet = { device: 300 * 2 ** 32 + 1, site: 300 }
        await above.transactions.write((tx) =>
          addDevice(tx, organizer, 8, 'tablet').then((id) =>
            tx.run(sql`UPDATE device SET id = ${tablet.device} WHERE id = ${id}`),
          ),
        )
        assert.deepEqual(inShort(await tellAbove(above, hub, [scanOf(above, tablet)])), ['applied'])
        // A device that central knows from elsewhere is not the hub's, even where it claims so.
        const { device: stranger } = above.north
        assert.deepEqual(
          inShort(await tellAbove(above, hub, [scanOf(above, { device: stranger, site: 300 })])),
          ['rejected forbidden'],
        )
      })
    })

    it('under a number that another copy of the same data used is applied, and the sender asked to join anew', async () => {
      const told = scanOf(above, above.north)
      const copy = scanOf(above, above.north, { site_seq: told.site_seq })
      const [first] = await tellAbove(above, above.north, [told])
      const [second] = await tellAbove(above, above.north, [copy])
      assert.equal(first?.rejoin, undefined)
      assert.deepEqual([second?.status, second?.rejoin], ['applied', true])
    })

    it('from a clock that is far ahead happened now, and says so', async () => {
      const ahead = '2030-06-01T11:00:00.000000Z'
      const facts = [scanOf(above, above.north, { device_time: ahead })]
      const [result] = await tellAbove(above, above.north, facts)
      assert.deepEqual(
        [result?.status, result?.conflicts?.map(({ kind }) => kind)],
        ['applied', ['clock_skew']],
      )
    })

    it('by a revoked device waits in quarantine', async () => {
      const before = scanOf(above, above.north)
      await tellAbove(above, above.north, [before])
      await above.database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${above.north.device}`)
      const facts = [before, scanOf(above, above.north), { nonce: 'broken' }]
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(inShort(await tellAbove(above, above.north, facts)), [
          'duplicate',
          'quarantined',
          'rejected malformed',
        ])
      assert.equal(await rowsIn(above.database, 'checkin'), 1)
      assert.equal(await rowsIn(above.database, 'quarantine'), 1)
    })
  })

describe('a hub that is told something', () => {
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
    await tellAbove(hub, hub.north, facts, { clock })
    await tellAbove(hub, hub.north, facts, { clock })
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
    await tellAbove(hub, hub.north, [scanOf(hub, hub.south), scanOf(hub, hub.north, { event: 4711 })])
    assert.equal(await rowsIn(hub.database, 'outbox'), 0)
  })

  it('has told again later what happened under a number that it may have given before its disk was put back', async () => {
    await hub.database.run(sql`UPDATE node SET next_site = 150, site_end = 200 WHERE id = 1`)
    const under = (site: number) => scanOf(hub, hub.north, { site })
    assert.deepEqual(inShort(await tellAbove(hub, hub.north, [under(160), under(199), under(200)])), [
      'retry unknown_site',
      'retry unknown_site',
      'rejected forbidden',
    ])
    // A hub below it passes on what its own stations tell.
    const below = { device: 160 * 2 ** 32 + 1, site: 161 }
    assert.deepEqual(inShort(await tellAbove(hub, hub.north, [scanOf(hub, below)])), ['retry unknown_site'])
    // The hub has joined anew, under other numbers.
    await hub.database.run(sql`UPDATE node SET site = 1000, next_site = 1001, site_end = 1100 WHERE id = 1`)
    await hub.database.run(
      sql`UPDATE device SET former_sites = '[[100, 200]]' WHERE id = ${hub.south.device}`,
    )
    await hub.database.run(sql`UPDATE upstream SET device = ${hub.south.device} WHERE id = 1`)
    assert.deepEqual(inShort(await tellAbove(hub, hub.north, [under(160)])), ['applied'])
  })
})
