import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { Database } from '../../../server/storage/database.ts'
import {
  appendForwarded,
  factsOf,
  nextRetry,
  queueCounts,
  reportAgain,
  reportAllAgain,
  retryNow,
  sentFactOf,
  waitingBefore,
  waitingFacts,
} from '../../../server/sync/outbox/outbox.ts'
import { recordResults } from '../../../server/sync/outbox/outbox-results.ts'
import { shownFacts } from '../../../server/sync/outbox/parked.ts'
import { engines } from '../../support/engines/engines.ts'

const at = (clock: string): string => `2030-06-01T${clock}.000000Z`
const now = at('10:00:00')

const fact = (seq: number, payload: object = { position: seq }): SentFact => ({
  nonce: `n${seq}`,
  kind: 'answers',
  event: 2,
  site: 9,
  site_seq: seq,
  device: 5,
  device_time: at('09:59:00'),
  mono: seq,
  boot: 'b',
  clock_offset: 1000,
  payload,
})

const seconds = (from: string, to: string | null): number =>
  (Date.parse(String(to)) - Date.parse(from)) / 1000

for (const engine of engines)
  describe(`the outbox, on ${engine.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await engine.open()
      await openData(db, realEnv)
      await db.transaction((tx) =>
        appendForwarded(
          tx,
          1,
          [1, 2, 3, 4, 5].map((seq) => fact(seq)),
        ),
      )
    })
    afterEach(() => db.close())

    const record = (results: readonly FactResult[], when = now, chance = 0): Promise<void> =>
      db.transaction((tx) => recordResults(tx, results, when, () => chance))
    const due = async (when = now): Promise<string[]> =>
      (await waitingFacts(db, when, 500)).map(({ nonce }) => nonce)

    it('keeps facts of others as they came, each once', async () => {
      await db.transaction((tx) => appendForwarded(tx, 1, [fact(3, { other: 1 }), fact(6)]))
      const rows = await waitingFacts(db, now, 500)
      assert.deepEqual(
        rows.map(sentFactOf),
        [1, 2, 3, 4, 5, 6].map((seq) => fact(seq)),
      )
      assert.ok(rows.every(({ organizer }) => organizer === 1))
    })

    it('tells of a row that was damaged on the disk, so that it is refused upstream and holds up nothing', async () => {
      for (const text of ['{"row": {"id": 7', 'null', '5']) {
        await db.run(sql`UPDATE outbox SET payload = ${text} WHERE nonce = 'n2'`)
        const rows = await waitingFacts(db, now, 500)
        assert.deepEqual(
          rows.map((row) => sentFactOf(row).payload),
          [1, 2, 3, 4, 5].map((seq) => (seq === 2 ? { unreadable: text } : fact(seq).payload)),
        )
        const { results } = await shownFacts(db, 'waiting', { offset: 0, size: 50 })
        assert.equal(results.length, 5)
      }
    })

    it('gives what waits in its order, up to a limit and besides some', async () => {
      assert.deepEqual(
        (await waitingFacts(db, now, 2, ['n1', 'n3'])).map(({ nonce }) => nonce),
        ['n2', 'n4'],
      )
    })

    it('is done with what is known upstream, parks what was refused and postpones the rest', async () => {
      await record([
        { nonce: 'n1', status: 'applied' },
        { nonce: 'n2', status: 'conflict', conflicts: [{ id: 1, kind: 'double_entry' }] },
        { nonce: 'n3', status: 'rejected', reason: 'forbidden', detail: 'No.' },
        { nonce: 'n4', status: 'retry', reason: 'unknown_order' },
        { nonce: 'unknown', status: 'applied' },
      ])
      assert.deepEqual(
        (await factsOf(db, ['n1', 'n2', 'n3', 'n4', 'n5'])).map(({ state, attempts, reason }) => [
          state,
          attempts,
          reason,
        ]),
        [
          ['done', 1, null],
          ['done', 1, null],
          ['parked', 1, 'forbidden'],
          ['waiting', 1, 'unknown_order'],
          ['waiting', 0, null],
        ],
      )
      assert.deepEqual(await due(), ['n5'])
      assert.deepEqual(await queueCounts(db), { waiting: 2, parked: 1, oldest: at('09:59:00') })
      const [second] = await factsOf(db, ['n2'])
      assert.deepEqual(JSON.parse(String(second?.result)), {
        status: 'conflict',
        conflicts: [{ id: 1, kind: 'double_entry' }],
      })
    })

    it('waits twice as long each time, five minutes at most', async () => {
      const waits: number[] = []
      for (let attempt = 0; attempt < 12; attempt += 1) {
        await record([{ nonce: 'n1', status: 'retry' }])
        waits.push(seconds(now, await nextRetry(db)))
      }
      assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
      await record([{ nonce: 'n2', status: 'retry' }], now, 1)
      assert.equal(seconds(now, await nextRetry(db)), 0.5)
    })

    it('tells again when it is time, and also when the clock was put back', async () => {
      await record([{ nonce: 'n1', status: 'retry' }])
      assert.deepEqual(await due(at('10:00:00')), ['n2', 'n3', 'n4', 'n5'])
      assert.deepEqual(await due(at('10:00:01')), ['n1', 'n2', 'n3', 'n4', 'n5'])
      assert.deepEqual(await due(at('09:00:00')), ['n1', 'n2', 'n3', 'n4', 'n5'])
    })

    it('does not take back what is done', async () => {
      await record([{ nonce: 'n1', status: 'applied' }])
      await record([{ nonce: 'n1', status: 'retry' }])
      await record([{ nonce: 'n1', status: 'rejected', reason: 'forbidden' }])
      const [row] = await factsOf(db, ['n1'])
      assert.deepEqual([row?.state, row?.attempts], ['done', 1])
    })

    it('reports again at once what a user wants reported', async () => {
      await record([
        { nonce: 'n1', status: 'rejected', reason: 'forbidden' },
        { nonce: 'n2', status: 'rejected', reason: 'forbidden' },
        { nonce: 'n3', status: 'retry' },
        { nonce: 'n4', status: 'applied' },
      ])
      assert.equal(await db.transaction((tx) => retryNow(tx, ['n1', 'n4'])), 1)
      assert.deepEqual(await due(), ['n1', 'n5'])
      assert.equal(await db.transaction((tx) => retryNow(tx, null)), 2)
      assert.deepEqual(await due(), ['n1', 'n2', 'n3', 'n5'])
      assert.equal(await db.transaction((tx) => retryNow(tx, [])), 0)
    })

    it('tells everything again but what was refused, after the upstream server has forgotten', async () => {
      await record([
        { nonce: 'n1', status: 'applied' },
        { nonce: 'n2', status: 'rejected', reason: 'forbidden' },
        { nonce: 'n3', status: 'retry' },
      ])
      assert.equal(await db.transaction((tx) => reportAllAgain(tx)), 4)
      assert.deepEqual(await due(), ['n1', 'n3', 'n4', 'n5'])
    })

    it('tells of a device again as it was last, and not as it was before', async () => {
      const of = (seq: number, id: unknown): SentFact => ({ ...fact(seq, { row: { id } }), kind: 'device' })
      const reported = [of(6, 8), of(7, 8), of(8, 9), of(9, 8), of(10, undefined), of(11, undefined)]
      await db.transaction((tx) => appendForwarded(tx, 1, reported))
      await record([6, 7, 8, 10, 11].map((seq) => ({ nonce: `n${seq}`, status: 'applied' })))
      await record([{ nonce: 'n9', status: 'rejected', reason: 'forbidden' }])
      const nonces = reported.map(({ nonce }) => nonce)
      assert.equal(await db.transaction((tx) => reportAgain(tx, nonces)), 4)
      assert.deepEqual((await due()).slice(5), ['n7', 'n8', 'n10', 'n11'])
      await record([7, 8, 10, 11].map((seq) => ({ nonce: `n${seq}`, status: 'applied' })))
      await db.transaction((tx) => reportAllAgain(tx))
      assert.deepEqual((await due()).slice(5), ['n7', 'n8', 'n10', 'n11'])
    })

    it('finds what waits about a ticket from before', async () => {
      await db.transaction((tx) =>
        appendForwarded(tx, 1, [
          fact(10, { row: { position: 77 } }),
          fact(11, { position: 77 }),
          fact(12, { position: 78 }),
          fact(13, { row: { position: 77 } }),
        ]),
      )
      const [last] = await factsOf(db, ['n13'])
      assert.ok(last)
      assert.deepEqual(
        (await waitingBefore(db, last, 77, 50)).map(({ nonce }) => nonce),
        ['n10', 'n11'],
      )
    })

    it('is shown to users page by page', async () => {
      await record([{ nonce: 'n2', status: 'rejected', reason: 'forbidden', detail: 'No.' }])
      const { count, results } = await shownFacts(db, 'waiting', { offset: 1, size: 2 })
      assert.deepEqual([count, results.map(({ nonce }) => nonce)], [4, ['n3', 'n4']])
      assert.deepEqual((await shownFacts(db, 'parked', { offset: 0, size: 50 })).results, [
        {
          nonce: 'n2',
          kind: 'answers',
          state: 'parked',
          at: '2030-06-01T09:59:01Z',
          text: 'Answers to questions',
          what: 'answers',
          subject: '',
          attempts: 1,
          reason: 'forbidden',
          detail: 'No.',
          retry_at: null,
        },
      ])
      assert.equal((await shownFacts(db, null, { offset: 0, size: 50 })).count, 5)
    })
  })
