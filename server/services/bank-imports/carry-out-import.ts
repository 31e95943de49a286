import sql from 'sql-template-tag'
import { orderRefund } from '../../../schema/resources/orders/order-refund.ts'
import { bankReferencesIn } from '../../domain/orders/bank-references.ts'
import { amountOf } from '../../resource/codec.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import { eventById } from '../events/events.ts'
import { mailIfPaid, mailOrder } from '../notifications/order-mails.ts'
import { enterRefund, finishRefund } from '../order-actions/order-refunds.ts'
import { cancelPayment, enterPayment, receivePayment } from '../order-actions/payment-actions.ts'
import { lockOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { isOpen, paidFor, paymentsOf, refundsOf } from '../payments/order-payments.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { BankImportRow, BankTransactionRow } from './bank-imports.ts'
import { type Matching, matchingOf, type Named, orderNamed } from './bank-matching.ts'

const provider = 'banktransfer'

/** The imports that are still to be carried out. */
export const openBankImports = (db: Queryable): Promise<BankImportRow[]> =>
  db.all<BankImportRow>(
    sql`SELECT * FROM bank_import WHERE state IN ('pending', 'running') AND ${isHere(sql`organizer`)} ORDER BY organizer, id`,
  )

/**
 * Carries an import out, each of its transactions in a transaction of its own, so that scans and sales wait for one at
 * most and what was done is done once, whoever goes on with it. What fails leaves the rest to be imported again.
 */
export async function carryOutBankImport(transactions: Transactions, row: BankImportRow): Promise<void> {
  const { database } = transactions
  const { organizer, id } = row
  const enter = (state: BankImportRow['state']): Promise<number> =>
    transactions.write((tx) =>
      tx.run(sql`UPDATE bank_import SET state = ${state} WHERE organizer = ${organizer} AND id = ${id}`),
    )
  await enter('running')
  try {
    const matching = await matchingOf(database, row)
    const waiting = await database.all<{ id: number }>(
      sql`SELECT id FROM bank_transaction
          WHERE organizer = ${organizer} AND bank_import = ${id} AND state = 'imported' ORDER BY id`,
    )
    for (const one of waiting) await transactions.write((tx) => match(tx, matching, one.id))
  } catch (cause) {
    await enter('error')
    throw cause
  }
  await enter('completed')
}

/** What becomes of a transaction. */
interface Outcome extends Pick<BankTransactionRow, 'state'> {
  readonly message?: string
  readonly order?: number
}

/** Matches a transaction with the orders that its reference names, unless somebody else has done that. */
async function match(tx: Tx, matching: Matching, id: number): Promise<void> {
  const { organizer } = matching.row
  const row = await tx.get<BankTransactionRow>(
    sql`SELECT * FROM bank_transaction
        WHERE organizer = ${organizer} AND id = ${id} AND state = 'imported'${tx.forUpdate}`,
  )
  if (!row) return
  const { state, message = '', order = null } = await outcomeOf(tx, matching, row)
  await tx.run(
    sql`UPDATE bank_transaction SET state = ${state}, message = ${message}, order_id = ${order}
        WHERE organizer = ${organizer} AND id = ${id}`,
  )
}

/** An order with all that is needed to pay it; what is still missing for it is in hundredths. */
interface Payable {
  readonly at: OrderScope
  readonly order: OrderCells
  readonly due: number
}

async function payable(tx: Tx, { row, actor }: Matching, { code, event: id }: Named): Promise<Payable> {
  const place: Place = { organizer: row.organizer, event: id }
  const event = await eventById(tx, row.organizer, id)
  if (!event) throw new Error(`The event ${id} of the order ${code} is not there.`)
  const order = await lockOrder(tx, place, code)
  const total = order.status === 'c' ? 0 : order.total
  return { at: { place, event, actor }, order, due: total - (await paidFor(tx, place, order.id)) }
}

async function outcomeOf(tx: Tx, matching: Matching, row: BankTransactionRow): Promise<Outcome> {
  if (row.amount === 0) return { state: 'discarded' }
  const named = new Map<number, Named>()
  for (const reference of bankReferencesIn(row.reference, matching.pattern)) {
    const order = await orderNamed(tx, matching, reference)
    if (order) named.set(order.id, order)
  }
  const orders: Payable[] = []
  for (const one of named.values()) orders.push(await payable(tx, matching, one))
  const [first] = orders
  if (!first) return { state: 'nomatch' }
  const order = first.order.id
  const isSplit = orders.length > 1
  if (isSplit && orders.reduce((sum, { due }) => sum + due, 0) !== row.amount)
    return { state: 'nomatch', message: 'Automatic split to multiple orders not possible.', order }
  for (const one of orders) {
    const refusal = whyNot(one, row)
    if (refusal) return { ...refusal, order }
  }
  for (const one of orders) await moveMoney(tx, one, isSplit ? one.due : row.amount)
  return { state: 'valid', order }
}

/** Why a transaction cannot be entered for an order. */
function whyNot({ order, due, at }: Payable, { currency }: BankTransactionRow): Outcome | null {
  if (order.status === 'p' && due <= 0) return { state: 'already' }
  if (order.status === 'c') return { state: 'error', message: 'The order has already been canceled.' }
  if (currency !== null && currency !== at.event.currency)
    return { state: 'error', message: 'Currencies do not match.' }
  return null
}

async function moveMoney(tx: Tx, one: Payable, amount: number): Promise<void> {
  if (amount < 0) await giveBack(tx, one, -amount)
  else if (amount > 0) await pay(tx, one, amount)
}

/** Enters a transfer that has arrived; others that were waited for are given up, as is what it is paid with instead. */
async function pay(tx: Tx, { at, order }: Payable, amount: number): Promise<void> {
  const { place } = at
  const open = async () =>
    (await paymentsOf(tx, place, order.id)).filter((one) => isOpen(one) && one.provider === provider)
  const last = (await paymentsOf(tx, place, order.id)).at(-1)
  const expected = (await open()).findLast((one) => one.amount === amount)
  if (expected) await receivePayment(tx, at, order, { localId: expected.local_id, force: false })
  else {
    const draft = { state: 'confirmed', provider, amount, payment_date: null, details: {} } as const
    await enterPayment(tx, at, order, { draft, force: false })
  }
  const given = await lockOrder(tx, place, order.code)
  // What is pending in another way may be on its way here already.
  const isReplaced = !expected && last?.state === 'created' && last.provider !== provider
  for (const { local_id } of [...(isReplaced ? [last] : []), ...(await open())])
    await cancelPayment(tx, at, given, local_id)
  await mailIfPaid(tx, at, order, null)
  const missing = order.total - (await paidFor(tx, place, order.id))
  if (missing <= 0 || given.status !== 'n') return
  const more = { missing: `${amountOf(missing)} ${at.event.currency}` }
  await mailOrder(tx, at, order.id, { template: 'order_incomplete_payment', wanted: null, more })
}

/** Enters money that was sent back: by a refund that was under way, or else as one that is to be looked at. */
async function giveBack(tx: Tx, { at, order, due }: Payable, amount: number): Promise<void> {
  const { place } = at
  const refunds = await refundsOf(tx, place, order.id)
  const expected = refunds.find(
    (one) =>
      one.amount === amount &&
      (one.provider === 'manual' || one.provider === provider) &&
      (one.state === 'created' || one.state === 'transit'),
  )
  if (expected) {
    await updateRow(tx, orderRefund, place, { id: expected.id, provider })
    return finishRefund(tx, at, order, expected.local_id)
  }
  const payments = await paymentsOf(tx, place, order.id)
  const payment = payments.find((one) => one.provider === provider && one.state === 'confirmed')
  // What was paid too much is back, and nobody has to look at it.
  const isSettled = payment !== undefined && payment.amount >= amount && due + amount === 0
  await enterRefund(tx, at, order, {
    ...{ state: isSettled ? 'done' : 'external', source: 'external', amount, provider },
    ...{ payment: payment?.local_id ?? null, execution_date: tx.now, comment: null, details: {} },
    ...{ cancels: false, reopens: false },
  })
}
