import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { verifyChain } from '../../../server/domain/drawer/receipt-chain.ts'
import { findRows } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { closeDrawer } from '../../../server/services/drawer/drawer-closing.ts'
import { moveCash, openDrawer } from '../../../server/services/drawer/drawer-sessions.ts'
import { printReceipt } from '../../../server/services/drawer/receipt-prints.ts'
import { linkOf } from '../../../server/services/drawer/receipt-rows.ts'
import { eventBySlug } from '../../../server/services/events/events.ts'
import type { OrderScope } from '../../../server/services/pricing/order-draft.ts'
import { sentFactOf } from '../../../server/sync/outbox/outbox.ts'
import { restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

const cash = { payment_provider: 'boxoffice' }

describe('what tills report', () => {
  let world: TillWorld
  beforeEach(async () => {
    world = await startTills(100)
  })
  afterEach(() => world.close())

  const scopeOf = async ({ transactions, place, actor }: Till): Promise<OrderScope> => {
    const event = await eventBySlug(transactions.database, place.organizer, 'gala')
    assert.ok(event)
    return { actor, place, event }
  }
  const at = async <T>(till: Till, work: (tx: Tx, scope: OrderScope) => Promise<T>): Promise<T> => {
    const scope = await scopeOf(till)
    return till.transactions.write((tx) => work(tx, scope))
  }
  const opened = async (name: string) => {
    const till = await world.join(name)
    await world.lease(till, 20)
    const drawer = await at(till, (tx, scope) =>
      openDrawer(tx, scope, { name, float: '50.00', training: false }),
    )
    return { till, drawer }
  }
  const close = (till: Till, drawer: number, counted: string) =>
    at(till, (tx, scope) => closeDrawer(tx, scope, drawer, { counted }))
  const receiptsAt = ({ transactions: { database }, place }: Till) => findRows(database, receipt, place)
  const statuses = async (till: Till) => (await world.push(till)).map(({ status }) => status)
  const copied = async (table: string, { database }: Till) =>
    database.all(
      table === 'drawer'
        ? sql`SELECT * FROM drawer ORDER BY id`
        : table === 'receipt'
          ? sql`SELECT * FROM receipt ORDER BY id`
          : sql`SELECT * FROM closing ORDER BY id`,
    )

  it('is at central as it was written, each once, whatever is reported again', async () => {
    const { till, drawer } = await opened('a')
    await till.sell(world.item, 2, cash)
    await at(till, (tx, scope) => moveCash(tx, scope, drawer, { amount: '-20.00', reason: 'Safe' }))
    await close(till, drawer, '75.00')
    await world.push(till, world.central, true)
    assert.deepEqual(new Set(await statuses(till)), new Set(['duplicate']))
    for (const table of ['drawer', 'receipt', 'closing'])
      assert.deepEqual(await copied(table, world.central), await copied(table, till), table)
    assert.deepEqual(verifyChain((await receiptsAt(world.central)).map(linkOf)), [])
    const [closed] = await copied('closing', world.central)
    assert.deepEqual([closed?.expected, closed?.counted, closed?.difference], [7600, 7500, -100])
  })

  it('is how often a receipt was given out, and central mails it', async () => {
    const { till } = await opened('a')
    const { id = 0 } = (await receiptsAt(till))[0] ?? {}
    await at(till, (tx, scope) => printReceipt(tx, scope, id, { way: 'paper', email: '', locale: '' }))
    await at(till, (tx, scope) =>
      printReceipt(tx, scope, id, { way: 'mail', email: 'a@example.org', locale: 'en' }),
    )
    assert.equal((await till.database.all(sql`SELECT id FROM mail`)).length, 0)
    await world.push(till, world.central, true)
    assert.deepEqual(new Set(await statuses(till)), new Set(['duplicate']))
    const prints = ({ transactions: { database }, place }: Till) => findRows(database, receiptPrint, place)
    assert.deepEqual(await prints(world.central), await prints(till))
    assert.deepEqual(
      (await prints(world.central)).map(({ copy, way }) => [copy, way]),
      [
        [0, 'paper'],
        [1, 'mail'],
      ],
    )
    const mails = await world.central.database.all(sql`SELECT "recipient", receipt_print FROM mail`)
    assert.deepEqual(mails, [{ recipient: 'a@example.org', receipt_print: (await prints(till))[1]?.id }])
  })

  it('is taken in in any order', async () => {
    const { till, drawer } = await opened('a')
    await till.sell(world.item, 1, cash)
    await close(till, drawer, '50.00')
    const here = await Promise.all(['drawer', 'receipt', 'closing'].map((one) => copied(one, till)))
    await till.database.run(sql`UPDATE outbox SET seq = 1000 - seq`)
    assert.deepEqual(new Set(await statuses(till)), new Set(['applied']))
    const there = await Promise.all(['drawer', 'receipt', 'closing'].map((one) => copied(one, world.central)))
    assert.deepEqual(there, here)
  })

  it('is refused where it is not the own till, or does not say what was hashed', async () => {
    const { till } = await opened('a')
    const other = await world.join('b')
    const facts = (await till.waiting()).map((fact): SentFact => sentFactOf(fact))
    const fact = facts.find(({ kind }) => kind === 'receipt')
    assert.ok(fact)
    const { row } = fact.payload as { row: StoredReceipt }
    const forged = async (values: object): Promise<unknown> => {
      const payload = JSON.stringify({ row: { ...row, ...values } })
      await till.database.run(
        sql`UPDATE outbox SET payload = ${payload}, nonce = nonce || 'x' WHERE kind = 'receipt'`,
      )
      const results = await world.push(till, world.central, true)
      return results.find((_, index) => facts[index]?.kind === 'receipt')?.reason
    }
    assert.equal(await forged({ till: other.device }), 'not_theirs')
    assert.equal(await forged({ site: other.site }), 'not_theirs')
    assert.equal(await forged({ id: 7 }), 'foreign_id')
    assert.equal(await forged({ total: '1.00' }), 'impossible_amount')
    assert.equal(await forged({ reason: 'Changed' }), 'wrong_hash')
    assert.equal((await receiptsAt(world.central)).length, 0)
    assert.equal(await forged({}), undefined)
    assert.equal((await receiptsAt(world.central)).length, 1)
  })

  it('shows a number that a till has given twice, and keeps both', async () => {
    const { till } = await opened('a')
    const before = await till.database.all<{ number: number; hash: string }>(
      sql`SELECT number, hash FROM till_count`,
    )
    await till.sell(world.item, 1, cash)
    await world.push(till)
    // The disk is put back to before the sale, and another one is made.
    await till.database.run(
      sql`UPDATE till_count SET number = ${before[0]?.number ?? 0}, hash = ${before[0]?.hash ?? ''}`,
    )
    await till.sell(world.item, 2, cash)
    assert.ok((await statuses(till)).includes('conflict'))
    assert.deepEqual(
      (await world.conflicts()).map(({ kind, data }) => [kind, data.number]),
      [['receipt_twice', 2]],
    )
    const faults = verifyChain((await receiptsAt(world.central)).map(linkOf))
    assert.deepEqual(faults, [{ number: 2, problem: 'twice' }])
  })

  it('shows a closing number that a till has given twice, and keeps both', async () => {
    const { till, drawer } = await opened('a')
    const before = await till.database.all<{ number: number; hash: string }>(
      sql`SELECT number, hash FROM till_count WHERE kind = 'closing'`,
    )
    await close(till, drawer, '50.00')
    await world.push(till)
    // The disk is put back to before the closing, and another drawer is closed.
    await till.database.run(
      sql`UPDATE till_count SET number = ${before[0]?.number ?? 0}, hash = ${before[0]?.hash ?? ''} WHERE kind = 'closing'`,
    )
    const again = await at(till, (tx, scope) =>
      openDrawer(tx, scope, { name: 'a', float: '10.00', training: false }),
    )
    await close(till, again, '10.00')
    assert.ok((await statuses(till)).includes('conflict'))
    assert.deepEqual(
      (await world.conflicts()).map(({ kind, data }) => [kind, data.number]),
      [['closing_twice', 1]],
    )
    assert.equal((await copied('closing', world.central)).length, 2)
  })

  it('is put back into a fresh copy: drawers as they are by now, receipts and closings', async () => {
    const { till, drawer } = await opened('a')
    await till.sell(world.item, 1, cash)
    await close(till, drawer, '50.00')
    const here = await Promise.all(['drawer', 'receipt', 'closing'].map((one) => copied(one, till)))
    const facts = await till.waiting()
    for (const table of ['closing', 'receipt', 'drawer']) await till.database.script(`DELETE FROM ${table}`)
    await till.transactions.write((tx) =>
      restoreFacts(
        tx,
        facts.filter(({ kind }) => ['drawer', 'receipt', 'closing'].includes(kind)),
      ),
    )
    assert.deepEqual(
      await Promise.all(['drawer', 'receipt', 'closing'].map((one) => copied(one, till))),
      here,
    )
  })

  it('is not closed while a basket is open or a card payment is not known', async () => {
    const { till, drawer } = await opened('a')
    const { code } = await till.sell(world.item, 1, { status: 'n', payment_provider: 'cardterminal' })
    await till.database.run(sql`UPDATE order_payment SET state = 'pending'`)
    await assert.rejects(close(till, drawer, '50.00'), /card payment/)
    await till.database.run(sql`UPDATE order_payment SET state = 'canceled'`)
    await close(till, drawer, '50.00')
    assert.ok(code)
  })
})
