import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { shredderIds } from '../../../schema/actions/operations/shredders.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { carryOutShredding, type Shredding } from '../../../server/services/operations/shreddings.ts'
import type { Database } from '../../../server/storage/database.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

/** All that is personal in what the tests write has this in it. */
const personal = /qzxada/i

/** Everything that a database holds. */
async function everythingIn(database: Database): Promise<string> {
  const tables = await database.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
          AND name NOT LIKE 'position_search_%'`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, await database.all(sql`SELECT * FROM ${raw(`"${name}"`)}`)]),
  )
  return JSON.stringify(rows)
}

describe('what is reported late of an event whose personal data was deleted', () => {
  let world: TillWorld
  let till: Till
  let photo: number
  beforeEach(async () => {
    world = await startTills(10)
    const { central, place, item } = world
    photo = await central.transactions.write((tx) =>
      addRow(tx, question, place, {
        ...{ question: { en: 'Diet' }, type: 'S', items: [item], identifier: 'diet' },
      }),
    )
    till = await world.join('till')
    await world.lease(till, 5)
  })
  afterEach(() => world.close())

  const sell = (): Promise<unknown> =>
    till.sell(world.item, 1, {
      ...{ email: 'qzxada@example.org', phone: '+49 30 qzxada' },
      invoice_address: { name_parts: { full_name: 'Qzxada B' }, street: 'Qzxada Street', country: 'DE' },
      payment_info: { payer: 'Qzxada D' },
      positions: [
        {
          ...{ item: world.item, attendee_name_parts: { full_name: 'Qzxada C' }, company: 'Qzxada Ltd' },
          attendee_email: 'qzxada-c@example.org',
          answers: [{ question: photo, answer: 'qzxada nuts', options: [] }],
        },
      ],
    })

  async function shred(shredders: readonly string[] = shredderIds): Promise<void> {
    const { transactions, database } = world.central
    const row = await transactions.write(async (tx) => {
      const { organizer, event } = world.place
      await tx.run(
        sql`INSERT INTO shredding (organizer, id, event, "file", "credential", "shredders", "exported", "state", "message", "created", "actor")
            VALUES (${organizer}, ${`s${tx.nextId()}`}, ${event}, 'f', 'c', ${JSON.stringify(shredders)}, ${tx.now}, 'running', NULL,
              ${tx.now}, '{"kind":"command","id":0,"name":"somebody"}')`,
      )
      return tx.get<Shredding>(sql`SELECT * FROM shredding WHERE "state" = 'running'`)
    })
    assert.ok(row)
    await carryOutShredding(transactions, row)
    assert.doesNotMatch(await everythingIn(database), /qzxada/i)
  }

  it('comes without it, and is counted and paid as it was sold', async () => {
    await sell()
    assert.match(await everythingIn(till.database), personal)
    await shred()
    world.time.now += minutes(5)
    assert.deepEqual(
      (await world.push(till)).map(({ status }) => status),
      ['applied'],
    )
    assert.doesNotMatch(await everythingIn(world.central.database), personal)
    assert.equal(await world.sold(), 1)
    const [sold] = await world.central.database.all(
      sql`SELECT o.total, o.status, o.email, p.answers, p.attendee_name FROM orders o
          JOIN order_position p ON p.order_id = o.id AND p.organizer = o.organizer`,
    )
    assert.deepEqual(
      { ...sold },
      { total: 2300, status: 'p', email: null, answers: '[]', attendee_name: null },
    )
  })

  it('keeps what was not deleted, and what happened afterwards', async () => {
    await sell()
    await shred(['order_emails'])
    await world.push(till)
    const emails = sql`SELECT o.email, p.attendee_name FROM orders o
      JOIN order_position p ON p.order_id = o.id AND p.organizer = o.organizer ORDER BY o.datetime`
    assert.deepEqual((await world.central.database.all(emails)).map(Object.values), [[null, 'Qzxada C']])
    world.time.now += minutes(5)
    await sell()
    await world.push(till)
    assert.deepEqual((await world.central.database.all(emails)).map(Object.values), [
      [null, 'Qzxada C'],
      ['qzxada@example.org', 'Qzxada C'],
    ])
  })

  it('is deleted where it waits in quarantine, and comes there without it', async () => {
    const { database } = world.central
    await sell()
    await database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${till.device}`)
    assert.deepEqual(
      (await world.push(till)).map(({ status }) => status),
      ['quarantined'],
    )
    assert.match(await everythingIn(database), personal)
    await shred()
    const [fact] = await database.all<{ fact: string }>(sql`SELECT fact FROM quarantine`)
    assert.match(String(fact?.fact), /"total":"23.00"/)
    await database.run(sql`DELETE FROM quarantine`)
    await till.database.run(sql`UPDATE outbox SET state = 'waiting'`)
    await world.push(till)
    assert.doesNotMatch(await everythingIn(database), personal)
    assert.equal((await database.all(sql`SELECT nonce FROM quarantine`)).length, 1)
  })
})
