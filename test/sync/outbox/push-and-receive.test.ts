import assert from 'node:assert/strict'
import type { Push } from '../../../schema/sync.ts'
import { appendForwarded } from '../../../server/sync/outbox/outbox.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { reportUpstream, rowsIn, scanOf, scansOf } from '../receive/reported-facts.ts'
import { answer, openReportingStation, type ReportingStation } from '../receive/reporting-station.ts'
import { openUpstreamNode, type UpstreamNode } from '../receive/upstream-node.ts'

describe('a station and the upstream server', () => {
  let upstream: UpstreamNode
  let station: ReportingStation
  /** What becomes of an answer on its way, after the upstream server has done everything. */
  let way: (response: Response) => Response | Promise<Response>
  beforeEach(async () => {
    way = (response) => response
    upstream = await openUpstreamNode(await openMemory())
    station = await openReportingStation(async (push: Push) => {
      const results = await reportUpstream(upstream, upstream.north, push.facts, { clock: push })
      return way(answer({ protocol: 1, results }))
    })
  })
  afterEach(async () => {
    await station.close()
    await upstream.close()
  })

  const queue = (facts: Parameters<typeof appendForwarded>[2]): Promise<void> =>
    station.transactions.database.transaction((tx) => appendForwarded(tx, upstream.place.organizer, facts))
  const isDone = async (): Promise<boolean> => (await station.states()).waiting === undefined

  it('agree after every answer but the last was lost', async () => {
    await queue(scansOf(upstream, upstream.north, 120))
    let lost = 0
    way = (response) => {
      lost += 1
      if (lost < 4) throw new TypeError('terminated')
      return response
    }
    station.start()
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await station.until(() => station.heard.length === attempt)
      await station.quiet()
      station.env.pass(4000)
    }
    await station.until(isDone)
    assert.deepEqual(station.heard.slice(0, 4), ['silent', 'silent', 'silent', 'answered'])
    assert.deepEqual(await station.states(), { done: 120 })
    assert.equal(await rowsIn(upstream.database, 'checkin'), 120)
    assert.equal(await rowsIn(upstream.database, 'seen_fact'), 120)
  })

  it('agree after the station was killed between the answer and noting it', async () => {
    await queue(scansOf(upstream, upstream.north, 30))
    const { promise: never } = Promise.withResolvers<Response>()
    way = () => never
    const killed = station.start()
    await station.until(async () => (await rowsIn(upstream.database, 'seen_fact')) === 30)
    await killed.stop()
    assert.deepEqual(await station.states(), { waiting: 30 })
    way = (response) => response
    station.start()
    await station.until(isDone)
    assert.ok((await station.rows()).every(({ result }) => result === '{"status":"duplicate"}'))
    assert.equal(await rowsIn(upstream.database, 'checkin'), 30)
  })

  it('agree on everything else when some of it cannot be taken', async () => {
    const good = scansOf(upstream, upstream.north, 50)
    const [first, middle, last] = [
      scanOf(upstream, upstream.north, { event: 4711 }),
      { ...scanOf(upstream, upstream.north), payload: { row: {} } },
      scanOf(upstream, upstream.south),
    ] as const
    await queue([first, ...good.slice(0, 25), middle, ...good.slice(25), last])
    station.start()
    await station.until(isDone)
    assert.equal(station.pushes.length, 1)
    assert.deepEqual(await station.states(), { parked: 3, done: 50 })
    assert.equal(await rowsIn(upstream.database, 'checkin'), 50)
  })
})
