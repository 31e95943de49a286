import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { PaidState } from '../../domain/terminals/terminal-answers.ts'
import { invalid, Refusal } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { PaymentDetails } from './payment-provider.ts'

/** What became of giving money back. */
type RefundState = 'pending' | 'done' | 'refused' | 'unknown'

/** Money that a till has asked for before there is a sale; the amount is in hundredths. */
export interface TillMoney {
  readonly organizer: number
  readonly id: string
  readonly event: number
  readonly device: number
  readonly sale: string
  readonly way: string
  readonly amount: number
  readonly currency: string
  readonly created: string
  readonly state: PaidState
  readonly reason: string | null
  readonly reference: string | null
  readonly details: JsonObject
  readonly basket: JsonObject
  readonly order_code: string | null
  readonly refund: RefundState | null
  readonly decided: string | null
}

interface TillMoneyCells extends Omit<TillMoney, 'details' | 'basket'> {
  readonly details: string
  readonly basket: string
}

const moneyOf = ({ details, basket, ...cells }: TillMoneyCells): TillMoney => ({
  ...cells,
  details: JSON.parse(details) as JsonObject,
  basket: JSON.parse(basket) as JsonObject,
})

/** The money that a till knows by an id. */
export async function tillMoney(
  db: Queryable,
  organizer: number,
  id: string,
): Promise<TillMoney | undefined> {
  const cells = await db.get<TillMoneyCells>(
    sql`SELECT * FROM till_payment WHERE organizer = ${organizer} AND id = ${id}`,
  )
  return cells && moneyOf(cells)
}

/** What is neither sold nor surely not taken: it may be with a guest who has nothing for it. */
const unsettled = sql`(state IN ('pending', 'unknown') AND order_code IS NULL
  OR state = 'paid' AND order_code IS NULL AND coalesce(refund, '') <> 'done')`

/** How much is not settled at this machine, of all organizers. */
export async function countUnsettled(db: Queryable): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM till_payment WHERE ${unsettled}`,
  )
  return row?.count ?? 0
}

/** All that is not settled at this machine, the oldest first; there is no way to leave any of it out. */
export async function unsettledMoney(db: Queryable, organizer: number): Promise<TillMoney[]> {
  const rows = await db.all<TillMoneyCells>(
    sql`SELECT * FROM till_payment WHERE organizer = ${organizer} AND ${unsettled} ORDER BY created, id`,
  )
  return rows.map(moneyOf)
}

/** Stores money before anybody is asked for it; what is stored already under its id is left as it is. */
export async function storeTillMoney(tx: Tx, money: Omit<TillMoney, 'created'>): Promise<TillMoney> {
  await tx.run(
    sql`INSERT INTO till_payment (organizer, id, event, device, sale, way, amount, currency, created, state, reason,
          reference, details, basket, order_code, refund, decided)
        VALUES (${money.organizer}, ${money.id}, ${money.event}, ${money.device}, ${money.sale}, ${money.way},
          ${money.amount}, ${money.currency}, ${tx.now}, ${money.state}, ${money.reason}, ${money.reference},
          ${JSON.stringify(money.details)}, ${JSON.stringify(money.basket)}, NULL, NULL, NULL)
        ON CONFLICT DO NOTHING`,
  )
  const stored = await tillMoney(tx, money.organizer, money.id)
  if (!stored) throw new Error('What was to be paid is gone.')
  if (stored.amount !== money.amount || stored.way !== money.way || stored.sale !== money.sale)
    throw new Refusal(409, { detail: 'Another payment was begun with this id. Begin a new one.' })
  return stored
}

type TillMoneyChange = Partial<
  Pick<TillMoney, 'state' | 'reason' | 'reference' | 'details' | 'order_code' | 'refund' | 'decided'>
>

/** Changes what is known of money; what was sold stays as it is. */
export async function changeTillMoney(
  tx: Tx,
  { organizer, id }: Pick<TillMoney, 'organizer' | 'id'>,
  change: (now: TillMoney) => TillMoneyChange,
): Promise<TillMoney> {
  await tx.get(sql`SELECT id FROM till_payment WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`)
  const before = await tillMoney(tx, organizer, id)
  if (!before) throw new Refusal(404, { detail: 'This payment is not known here.' })
  const { state, reason, reference, details, order_code, refund, decided } = { ...before, ...change(before) }
  await tx.run(
    sql`UPDATE till_payment SET state = ${state}, reason = ${reason}, reference = ${reference},
          details = ${JSON.stringify(details)}, order_code = ${order_code}, refund = ${refund}, decided = ${decided}
        WHERE organizer = ${organizer} AND id = ${id}`,
  )
  return { ...before, state, reason, reference, details, order_code, refund, decided }
}

/** The money that the details of a payment name; undefined where they name none that is known at this machine. */
async function namedMoney(tx: Tx, at: OrderScope, details: PaymentDetails): Promise<TillMoney | undefined> {
  const { till_payment: id } = details
  if (typeof id !== 'string') return undefined
  const { organizer } = at.place
  await tx.get(sql`SELECT id FROM till_payment WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`)
  return tillMoney(tx, organizer, id)
}

/** Checks money that an order is to be paid with; what is stored with the payment then. */
export async function checkTillMoney(
  tx: Tx,
  at: OrderScope,
  { amount, details }: { readonly amount: number; readonly details: PaymentDetails },
): Promise<PaymentDetails> {
  const money = await namedMoney(tx, at, details)
  if (!money) return details
  if (money.order_code !== null)
    throw new Refusal(409, {
      detail: `This card payment has paid for the order ${money.order_code} already.`,
    })
  if (money.refund !== null)
    throw new Refusal(409, { detail: 'This card payment was to be given back. Take the money anew.' })
  if (money.state !== 'paid')
    throw new Refusal(409, { detail: 'The terminal has not said that it was paid. Ask it again.' })
  if (money.amount !== amount || money.event !== at.place.event)
    throw invalid([`This card payment is of ${amountOf(money.amount)}, for another sale.`])
  return { ...details, ...money.details, reference: money.reference }
}

/** Marks the money that a payment names as spent for an order. */
export async function spendTillMoney(
  tx: Tx,
  at: OrderScope,
  details: PaymentDetails,
  order: string,
): Promise<void> {
  const money = await namedMoney(tx, at, details)
  if (money) await changeTillMoney(tx, money, () => ({ order_code: order }))
}

/** The first of some devices at which money was asked for that is not settled; undefined where all is. */
export async function tillWithUnsettledMoney(
  db: Queryable,
  organizer: number,
  tills: readonly number[],
): Promise<number | undefined> {
  const open = await unsettledMoney(db, organizer)
  return open.find(({ device }) => tills.includes(device))?.device
}
