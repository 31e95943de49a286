import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import type { Change, Transactions } from '../../server/resource/transactions.ts'
import type { Database } from '../../server/storage/database.ts'
import { bothEngines } from '../support/engines/engines.ts'
import { seeded } from '../support/ticketing/messy-guest-list.ts'

const gala = { organizer: 1, event: 2 }
const ball = { organizer: 1, event: 3 }
const writers = 16
const writesEach = 25

interface Entry {
  readonly seq: number
  readonly row_id: number
  readonly op: string
}

for (const engine of bothEngines)
  describe(`the change feed on ${engine.name}`, () => {
    let database: Database
    let transactions: Transactions
    before(async () => {
      database = await engine.open()
      transactions = await openData(database, realEnv)
    })
    after(() => database.close())

    const entriesOf = (event: number, after: number) =>
      database.all<Entry>(
        sql`SELECT seq, row_id, op FROM change WHERE organizer = 1 AND event = ${event} AND seq > ${after} ORDER BY seq`,
      )

    it('numbers changes without gaps in the order they become visible, and a reader misses none', async () => {
      const draw = seeded(20_300_601)
      let writing = true
      const written: number[] = []
      const seen: number[] = []
      let cursor = 0
      const read = async () => {
        for (const { seq, row_id } of await entriesOf(gala.event, cursor)) {
          assert.equal(seq, cursor + 1)
          cursor = seq
          seen.push(row_id)
        }
      }
      const write = async () => {
        for (let count = 0; count < writesEach; count += 1) {
          const rows = 1 + Math.floor(draw() * 4)
          const fails = draw() < 0.2
          const first = draw() < 0.5 ? [gala, ball] : [ball, gala]
          const isUrgent = draw() < 0.5
          const attempt = transactions.write(
            async (tx) => {
              const own: number[] = []
              for (const place of first)
                for (let row = 0; row < rows; row += 1) {
                  const id = tx.nextId()
                  tx.changed(place, 'thing', id, 'put')
                  if (place === gala) own.push(id)
                }
              await tx.get(sql`SELECT seq FROM feed WHERE organizer = 1 AND event = 0`)
              if (fails) throw new Error('no')
              return own
            },
            { isUrgent },
          )
          written.push(...(await attempt.catch(() => [])))
        }
      }
      const polling = (async () => {
        while (writing) {
          await read()
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      await Promise.all(Array.from({ length: writers }, write))
      writing = false
      await polling
      await read()
      assert.ok(written.length > writers * writesEach * 0.5)
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        written.toSorted((a, b) => a - b),
      )
    })

    it('keeps the latest of several changes of a row, also within a transaction', async () => {
      const place = { organizer: 1, event: 9 }
      await transactions.write(async (tx) => {
        tx.changed(place, 'thing', 1, 'put')
        tx.changed(place, 'thing', 2, 'put')
        tx.changed(place, 'thing', 1, 'delete')
      })
      assert.deepEqual(
        (await entriesOf(9, 0)).map((entry) => ({ ...entry })),
        [
          { seq: 1, row_id: 1, op: 'delete' },
          { seq: 2, row_id: 2, op: 'put' },
        ],
      )
      await transactions.write(async (tx) => tx.changed(place, 'thing', 1, 'put'))
      assert.deepEqual(
        (await entriesOf(9, 0)).map((entry) => ({ ...entry })),
        [
          { seq: 2, row_id: 2, op: 'put' },
          { seq: 3, row_id: 1, op: 'put' },
        ],
      )
    })

    it('tells listeners of what was committed, and of nothing else', async () => {
      const heard: Change[] = []
      const stop = transactions.onCommit((changes) => heard.push(...changes))
      const place = { organizer: 1, event: 10 }
      await transactions.write(async (tx) => tx.changed(place, 'thing', 5, 'put'))
      await assert.rejects(
        transactions.write(async (tx) => {
          tx.changed(place, 'thing', 6, 'put')
          throw new Error('no')
        }),
      )
      stop()
      await transactions.write(async (tx) => tx.changed(place, 'thing', 7, 'put'))
      assert.deepEqual(
        heard.map((change) => change.row),
        [5],
      )
    })

    it('shows nothing that was rolled back to readers beside the transaction', async () => {
      const place = { organizer: 1, event: 11 }
      let beside: Promise<Entry[]> | undefined
      await assert.rejects(
        transactions.write(async (tx) => {
          await tx.run(
            sql`INSERT INTO change (organizer, event, resource, row_id, seq, op, site) VALUES (1, 11, 'thing', 1, 1, 'put', 0)`,
          )
          const inside = await tx.all(sql`SELECT seq FROM change WHERE event = ${place.event}`)
          assert.equal(inside.length, 1)
          beside = entriesOf(place.event, 0)
          throw new Error('no')
        }),
        /no/,
      )
      assert.deepEqual(await beside, [])
    })
  })
