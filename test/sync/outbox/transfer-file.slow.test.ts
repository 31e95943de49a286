import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { SentFact } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { Refusal } from '../../../server/errors.ts'
import { silentLog } from '../../../server/log.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import type { Database } from '../../../server/storage/database.ts'
import { importTransfer } from '../../../server/sync/node/import-transfer.ts'
import { appendForwarded } from '../../../server/sync/outbox/outbox.ts'
import { transferLines } from '../../../server/sync/outbox/transfer-file.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { clockNow, reportUpstream, rowsIn, scanOf, scansOf } from '../receive/reported-facts.ts'
import { openUpstreamNode, type UpstreamNode } from '../receive/upstream-node.ts'

/** The outbox of the station in the north, as a file. */
async function fileOf(
  upstream: UpstreamNode,
  station: Database,
  all = false,
  organizer = 'acme',
): Promise<Buffer> {
  const { device, site } = upstream.north
  const head = { organizer, site, device, exported: '2030-06-01T10:00:00.000000Z', clock: clockNow(upstream) }
  const lines: string[] = []
  for await (const line of transferLines(station, head, all)) lines.push(line)
  return Buffer.from(lines.join(''))
}

describe('a file with what a station has not reported', () => {
  let upstream: UpstreamNode
  let station: Database
  let facts: SentFact[]
  beforeEach(async () => {
    upstream = await openUpstreamNode(await openMemory())
    station = await openMemory()
    await openData(station, realEnv)
    facts = scansOf(upstream, upstream.north, 1100)
    await station.transaction((tx) => appendForwarded(tx, upstream.place.organizer, facts))
  })
  afterEach(async () => {
    await upstream.close()
    await station.close()
  })

  const bring = (bytes: Uint8Array, actor: Actor = commandActor) =>
    importTransfer(
      { transactions: upstream.transactions, env: { ...upstream.env, after: realEnv.after }, log: silentLog },
      { id: upstream.place.organizer, slug: 'acme' },
      actor,
      bytes,
    )

  it('brings all of it, once, however often it is imported', async () => {
    const file = await fileOf(upstream, station)
    const first = await bring(file)
    assert.deepEqual([first.facts, first.counts.applied, first.problems], [1100, 1100, []])
    assert.equal(await rowsIn(upstream.database, 'checkin'), 1100)
    const second = await bring(file)
    assert.deepEqual([second.counts.applied, second.counts.duplicate], [0, 1100])
    assert.equal(await rowsIn(upstream.database, 'checkin'), 1100)
    const reported = await reportUpstream(upstream, upstream.north, facts)
    assert.ok(reported.every(({ status }) => status === 'duplicate'))
  })

  it('leaves out what the upstream server knows, unless all is wanted', async () => {
    await station.run(sql`UPDATE outbox SET state = 'done' WHERE seq <= 1000`)
    await station.run(sql`UPDATE outbox SET state = 'parked' WHERE seq = 1001`)
    assert.equal((await bring(await fileOf(upstream, station))).facts, 100)
    assert.equal((await bring(await fileOf(upstream, station, true))).facts, 1100)
  })

  it('of a device that was revoked is brought by a person who may', async () => {
    await upstream.database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${upstream.north.device}`)
    assert.equal((await bring(await fileOf(upstream, station))).counts.applied, 1100)
  })

  it('says which facts were not taken, and why', async () => {
    const odd = [
      scanOf(upstream, upstream.north, { event: 4711 }),
      scanOf(upstream, upstream.north, { device: 4711 }),
      scanOf(upstream, upstream.north, { site: 0 }),
    ]
    await station.transaction((tx) => appendForwarded(tx, upstream.place.organizer, odd))
    const { counts, problems } = await bring(await fileOf(upstream, station))
    assert.deepEqual([counts.applied, counts.rejected, counts.retry], [1100, 2, 1])
    assert.deepEqual(
      problems.map(({ reason, text }) => [reason, text.replace(/code \d+/, 'code')]),
      [
        ['unknown_event', 'Refused entry, ticket code'],
        ['unknown_device', 'Refused entry, ticket code'],
        ['forbidden', 'Refused entry, ticket code'],
      ],
    )
  })

  const refusals: readonly (readonly [string, (file: Buffer) => Buffer, RegExp])[] = [
    ['that is empty', () => Buffer.alloc(0), /not a file that a station has exported/],
    ['of another kind', () => Buffer.from('{"format":"something"}\n{"end":true}\n'), /not a file/],
    ['that is cut off', (file) => file.subarray(0, file.length - 400), /cut off/],
    ['that ends after a line', (file) => file.subarray(0, file.lastIndexOf('{"end"')), /cut off/],
    [
      'in which something was changed',
      (file) => Buffer.from(file.toString().replace('"type":"entry"', '"type":"exit"')),
      /changed on its way/,
    ],
    [
      'in which a line is missing',
      (file) => Buffer.from(file.toString().split('\n').toSpliced(5, 1).join('\n')),
      /changed on its way/,
    ],
  ]
  for (const [what, change, sentence] of refusals)
    it(`is refused as a whole where it is one ${what}`, async () => {
      const bytes = change(await fileOf(upstream, station))
      await assert.rejects(bring(bytes), (cause: unknown) => {
        assert.ok(cause instanceof Refusal)
        assert.equal(cause.status, 400)
        assert.match(JSON.stringify(cause.body), sentence)
        return true
      })
      assert.equal(await rowsIn(upstream.database, 'checkin'), 0)
    })

  it('is refused by another organizer', async () => {
    const file = await fileOf(upstream, station, false, 'other')
    await assert.rejects(bring(file), /belongs to the organizer/)
  })
})
