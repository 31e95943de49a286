import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { mostReportedBytes, mostReportedFacts } from '../../../schema/sync.ts'
import { engines } from '../../support/engines/engines.ts'
import { inShort, reportUpstream, rowsIn, scanOf, scansOf } from './reported-facts.ts'
import { openUpstreamNode, type ReportingDevice, type UpstreamNode } from './upstream-node.ts'

for (const engine of engines)
  describe(`how much a device may report on a day, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let station: ReportingDevice
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      station = upstream.south
      await upstream.database.run(
        sql`UPDATE device SET site_end = NULL, former_sites = NULL WHERE id = ${station.device}`,
      )
    })
    afterEach(() => upstream.close())

    const report = async (facts: readonly unknown[], who = station, isVouchedFor = false) =>
      inShort(await reportUpstream(upstream, who, facts, { isVouchedFor }))
    /** The device has reported so much on a day. */
    const reported = (facts: number, { bytes = 0, day = '2030-06-01', days = 1, who = station } = {}) =>
      upstream.database.run(
        sql`INSERT INTO reported_amount (organizer, device, day, days, facts, bytes)
            VALUES (${upstream.place.organizer}, ${who.device}, ${day}, ${days}, ${facts}, ${bytes})
            ON CONFLICT (organizer, device) DO UPDATE SET day = ${day}, days = ${days}, facts = ${facts}, bytes = ${bytes}`,
      )
    const left = () =>
      upstream.database.get(
        sql`SELECT day, days, facts FROM reported_amount WHERE device = ${station.device}`,
      )

    it('is bounded; what is beyond stays at it, and the office hears of it once', async () => {
      await reported(mostReportedFacts - 2)
      const facts = scansOf(upstream, station, 5)
      const results = await report(facts)
      assert.deepEqual(results, [...Array(2).fill('applied'), ...Array(3).fill('retry report_limit')])
      assert.deepEqual(await report(facts.slice(2)), Array(3).fill('retry report_limit'))
      assert.deepEqual(await report(facts.slice(0, 2)), ['duplicate', 'duplicate'])
      assert.equal(await rowsIn(upstream.database, 'checkin'), 2)
      const conflicts = await upstream.database.all<{ kind: string; device: number }>(
        sql`SELECT kind, device FROM conflict`,
      )
      assert.deepEqual(conflicts, [{ kind: 'report_limit', device: station.device }])
      assert.deepEqual(await report([scanOf(upstream, upstream.north)], upstream.north), ['applied'])
    })

    it('is bounded by bytes as well', async () => {
      await reported(5, { bytes: mostReportedBytes - 1 })
      assert.deepEqual(await report(scansOf(upstream, station, 2)), ['applied', 'retry report_limit'])
    })

    it('goes on the next day', async () => {
      await reported(mostReportedFacts, { day: '2030-05-31' })
      assert.deepEqual(await report(scansOf(upstream, station, 2)), ['applied', 'applied'])
      assert.deepEqual(await left(), { day: '2030-06-01', days: 1, facts: 2 })
    })

    it('is as much as for every day since it last reported, and for a week at most', async () => {
      await reported(mostReportedFacts, { day: '2030-05-29' })
      await report(scansOf(upstream, station, 1))
      assert.deepEqual(await left(), { day: '2030-06-01', days: 3, facts: 1 })
      await reported(3 * mostReportedFacts - 1, { days: 3 })
      assert.deepEqual(await report(scansOf(upstream, station, 2)), ['applied', 'retry report_limit'])
      await reported(1, { day: '2029-06-01' })
      await report(scansOf(upstream, station, 1))
      assert.deepEqual(await left(), { day: '2030-06-01', days: 7, facts: 1 })
    })

    it('counts nothing twice, nor what is not taken in', async () => {
      const facts = scansOf(upstream, station, 3)
      await report(facts)
      await report(facts)
      await report([{ ...scanOf(upstream, station), site: 99 }])
      assert.deepEqual(await left(), { day: '2030-06-01', days: 7, facts: 3 })
    })

    it('is not asked where a person brings a file, and more for a hub', async () => {
      await reported(mostReportedFacts * 7, { days: 7 })
      assert.deepEqual(await report([scanOf(upstream, station)]), ['retry report_limit'])
      assert.deepEqual(await report([scanOf(upstream, station)], station, true), ['applied'])
      await reported(mostReportedFacts * 9, { who: upstream.north })
      assert.deepEqual(await report([scanOf(upstream, upstream.north)], upstream.north), ['applied'])
      await reported(mostReportedFacts * 10, { who: upstream.north })
      assert.deepEqual(await report([scanOf(upstream, upstream.north)], upstream.north), [
        'retry report_limit',
      ])
    })
  })
