import assert from 'node:assert/strict'
import type { Push } from '../../../schema/sync.ts'
import { appendForwarded } from '../../../server/sync/outbox/outbox.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { rowsIn, scanOf, scansOf, tellAbove } from '../receive/reported-facts.ts'
import { answer, openReportingStation, type ReportingStation } from '../receive/reporting-station.ts'
import { openUpstreamNode, type UpstreamNode } from '../receive/upstream-node.ts'

describe('a station and the server above it', () => {
  let above: UpstreamNode
  let station: ReportingStation
  /** What becomes of an answer on its way, after the upstream server has done everything. */
  let way: (response: Response) => Response | Promise<Response>
  beforeEach(async () => {
    way = (response) => response
    above = await openUpstreamNode(await openMemory())
    station = await openReportingStation(async (push: Push) => {
      const results = await tellAbove(above, above.north, push.facts, { clock: push })
      return way(answer({ protocol: 1, results }))
    })
  })
  afterEach(async () => {
    await station.close()
    await above.close()
  })

  const queue = (facts: Parameters<typeof appendForwarded>[2]): Promise<void> =>
    station.transactions.database.transaction((tx) => appendForwarded(tx, above.place.organizer, facts))
  const isDone = async (): Promise<boolean> => (await station.states()).waiting === undefined

  it('agree after every answer but the last was lost', async () => {
    await queue(scansOf(above, above.north, 120))
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
    assert.equal(await rowsIn(above.database, 'checkin'), 120)
    assert.equal(await rowsIn(above.database, 'seen_fact'), 120)
  })

  it('agree after the station was killed between the answer and noting it', async () => {
    await queue(scansOf(above, above.north, 30))
    const { promise: never } = Promise.withResolvers<Response>()
    way = () => never
    const killed = station.start()
    await station.until(async () => (await rowsIn(above.database, 'seen_fact')) === 30)
    await killed.stop()
    assert.deepEqual(await station.states(), { waiting: 30 })
    way = (response) => response
    station.start()
    await station.until(isDone)
    assert.ok((await station.rows()).every(({ result }) => result === '{"status":"duplicate"}'))
    assert.equal(await rowsIn(above.database, 'checkin'), 30)
  })

  it('agree on everything else when some of it cannot be taken', async () => {
    const good = scansOf(above, above.north, 50)
    const [first, middle, last] = [
      scanOf(above, above.north, { event: 4711 }),
      { ...scanOf(above, above.north), payload: { row: {} } },
      scanOf(above, above.south),
    ] as const
    await queue([first, ...good.slice(0, 25), middle, ...good.slice(25), last])
    station.start()
    await station.until(isDone)
    assert.equal(station.pushes.length, 1)
    assert.deepEqual(await station.states(), { parked: 3, done: 50 })
    assert.equal(await rowsIn(above.database, 'checkin'), 50)
  })
})
