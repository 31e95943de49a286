import sql from 'sql-template-tag'
import { isBefore, readInstant } from '../../../schema/instants.ts'
import {
  changedLines,
  partOfLines,
  type ReceiptLine,
  type ReceiptPayment,
  reversedLines,
  totalAmount,
} from '../../domain/drawer/receipts.ts'
import { inLanguage } from '../../domain/text/multilingual.ts'
import { hundredths } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { PaymentDetails } from '../payments/payment-provider.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { drawerOf, receiptForOrder, writeReceipt } from './write-receipt.ts'

/** Money of an order that was taken or given back. */
interface MovedMoney extends MovedPart {
  readonly order: ReceiptOrder
}

/** The order that money is about. */
interface ReceiptOrder {
  readonly id: number
  readonly code: string
  readonly testmode: boolean
}

/** Money that was moved in one way. */
interface MovedPart {
  readonly provider: string
  /** In hundredths, never less than nothing. */
  readonly amount: number
  /** What was said with the payment. */
  readonly details?: PaymentDetails
}

interface SoldCells {
  readonly kind: 'product' | 'fee'
  readonly text: string
  readonly variation_text: string | null
  readonly amount: number
  readonly tax_rate: number
  readonly tax_value: number
  readonly item: number | null
  readonly variation: number | null
  readonly subevent: number | null
  readonly positionid: number | null
}

/** More lines than these are summed by tax rate, so that what a till reports stays small. */
const mostLines = 300

/** What an order is made of, as a receipt says it. */
export async function soldLines(
  tx: Tx,
  { place: { organizer }, event: { locale } }: OrderScope,
  order: number,
): Promise<ReceiptLine[]> {
  const rows = await tx.all<SoldCells>(
    sql`SELECT 'product' AS kind, item.name AS text, variation.value AS variation_text, p.price AS amount,
          p.tax_rate, p.tax_value, p.item, p.variation, p.subevent, p.positionid
        FROM order_position p JOIN item ON item.organizer = p.organizer AND item.id = p.item
        LEFT JOIN variation ON variation.organizer = p.organizer AND variation.id = p.variation
        WHERE p.organizer = ${organizer} AND p.order_id = ${order} AND p.canceled = 0 ORDER BY p.positionid`,
  )
  const fees = await tx.all<SoldCells>(
    sql`SELECT 'fee' AS kind, CASE WHEN description = '' THEN fee_type ELSE description END AS text,
          NULL AS variation_text, value AS amount, tax_rate, tax_value,
          NULL AS item, NULL AS variation, NULL AS subevent, NULL AS positionid
        FROM order_fee WHERE organizer = ${organizer} AND order_id = ${order} AND canceled = 0 ORDER BY id`,
  )
  const named = (text: string | null): string =>
    text === null ? '' : inLanguage(JSON.parse(text) as Record<string, string>, locale)
  return [...rows, ...fees].map(({ kind, text, variation_text, ...row }) => ({
    ...row,
    ...{ kind, tax_code: null },
    text: kind === 'fee' ? text : [named(text), named(variation_text)].filter((one) => one !== '').join(' '),
  }))
}

/** What of an order an amount is for: all of it line by line, or a part of it by tax rates. */
function linesFor(whole: readonly ReceiptLine[], amount: number, code: string): readonly ReceiptLine[] {
  const isWhole = totalAmount(whole.map((line) => line.amount)) === amount
  return isWhole && whole.length <= mostLines ? whole : partOfLines(whole, amount, code)
}

const amountIn = (value: unknown): number | null =>
  typeof value === 'string' && /^\d{1,9}(\.\d{1,2})?$/.test(value) ? hundredths(value) : null

/** By so much, in milliseconds, a sale may have begun before it was paid. */
const longestSale = 24 * 3_600_000

/** When somebody says that a sale began, as far as that can be. */
function startOf(tx: Tx, details: PaymentDetails | undefined): string {
  const said = typeof details?.started === 'string' ? readInstant(details.started) : null
  if (!said || isBefore(tx.now, said)) return tx.now
  return Date.parse(tx.now) - Date.parse(said) > longestSale ? tx.now : said
}

/** Money of an order that was moved at once. */
interface MovedParts {
  readonly order: ReceiptOrder
  readonly payments: readonly MovedPart[]
}

/** What of an order is on a receipt: whatever was sold, or what a change has brought. */
type LinesOfMoney = (whole: readonly ReceiptLine[], amount: number) => readonly ReceiptLine[]

async function recordMoney(
  tx: Tx,
  at: OrderScope,
  { order, payments: parts }: MovedParts,
  { type, linesOf }: { readonly type: 'sale' | 'refund'; readonly linesOf: LinesOfMoney },
): Promise<void> {
  const { actor, place, event } = at
  const found = actor.device && (await drawerOf(tx, place.organizer, actor.device.id))
  if (!found) return
  const isRefund = type === 'refund'
  const amount = totalAmount(parts.map((part) => part.amount))
  const lines = linesOf(await soldLines(tx, at, order.id), isRefund ? -amount : amount)
  if (lines.length === 0) return
  const payments = parts.map(
    ({ provider, amount: part, details }): ReceiptPayment => ({
      ...{ provider, amount: isRefund ? -part : part },
      ...{ given: amountIn(details?.given), change: amountIn(details?.change) },
    }),
  )
  const started = parts.find(({ details }) => typeof details?.started === 'string')?.details
  const original = isRefund ? await receiptForOrder(tx, place.organizer, event.slug, order.code) : undefined
  await writeReceipt(tx, actor, found, {
    ...{ type, sold_event: event.slug, order: order.code, currency: event.currency },
    ...{ training: order.testmode, started: startOf(tx, started) },
    lines,
    payments,
    reverses: original?.id ?? null,
  })
}

/** What of an order was sold for an amount, or taken back for one less than nothing. */
const sold =
  ({ code }: ReceiptOrder): LinesOfMoney =>
  (whole, amount) =>
    amount < 0 ? reversedLines(linesFor(whole, -amount, code)) : linesFor(whole, amount, code)

/** Writes the receipt of a payment that has arrived, where it was taken at a till. */
export const receiptOfPayment = (tx: Tx, at: OrderScope, { order, ...part }: MovedMoney): Promise<void> =>
  recordMoney(tx, at, { order, payments: [part] }, { type: 'sale', linesOf: sold(order) })

/** Writes one receipt for a sale that was paid in several ways, where it was made at a till. */
export const receiptOfPayments = async (tx: Tx, at: OrderScope, sale: MovedParts): Promise<void> => {
  if (sale.payments.length > 0) await recordMoney(tx, at, sale, { type: 'sale', linesOf: sold(sale.order) })
}

/** Writes the receipt of money that was given back at a till. */
export const receiptOfRefund = (tx: Tx, at: OrderScope, { order, ...part }: MovedMoney): Promise<void> =>
  recordMoney(tx, at, { order, payments: [part] }, { type: 'refund', linesOf: sold(order) })

/** An order that was changed, with what was on it before, and the money that moved with that. */
interface ChangedSale extends MovedParts {
  readonly before: readonly ReceiptLine[]
}

/**
 * Writes the receipt of a change, where it was made at a till: what was sold before is taken back, what is sold now
 * stands below it, and what was paid or given back is the difference.
 */
export const receiptOfChange = (
  tx: Tx,
  at: OrderScope,
  { before, ...moved }: ChangedSale,
  type: 'sale' | 'refund',
): Promise<void> =>
  recordMoney(tx, at, moved, {
    type,
    linesOf(whole, amount) {
      const lines = changedLines(before, whole)
      const isExact = totalAmount(lines.map((line) => line.amount)) === amount
      if (isExact && lines.length <= mostLines) return lines
      return amount === 0 ? [] : sold(moved.order)(whole, amount)
    },
  })
