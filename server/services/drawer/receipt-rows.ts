import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import {
  receipt,
  type ShownReceiptLine,
  type ShownReceiptPayment,
  type ShownTax,
  type StoredReceipt,
} from '../../../schema/resources/drawer/receipt.ts'
import type { CountedReceipt } from '../../domain/drawer/drawer-count.ts'
import type { ChainLink, ReceiptContent } from '../../domain/drawer/receipt-chain.ts'
import type { ReceiptLine, ReceiptPayment, ReceiptTax } from '../../domain/drawer/receipts.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A line as it is stored and shown. */
export const shownLine = ({ amount, tax_rate, tax_value, ...line }: ReceiptLine): ShownReceiptLine => ({
  ...line,
  ...{ amount: amountOf(amount), tax_rate: amountOf(tax_rate), tax_value: amountOf(tax_value) },
})

const lineOf = ({ amount, tax_rate, tax_value, ...line }: ShownReceiptLine): ReceiptLine => ({
  ...line,
  ...{ amount: hundredths(amount), tax_rate: hundredths(tax_rate), tax_value: hundredths(tax_value) },
})

const orNull = <T, R>(value: T | null, as: (value: T) => R): R | null => (value === null ? null : as(value))

/** A payment in the same form. */
export const shownPayment = ({ provider, amount, given, change }: ReceiptPayment): ShownReceiptPayment => ({
  ...{ provider, amount: amountOf(amount) },
  ...{ given: orNull(given, amountOf), change: orNull(change, amountOf) },
})

const paymentOf = ({ provider, amount, given, change }: ShownReceiptPayment): ReceiptPayment => ({
  ...{ provider, amount: hundredths(amount) },
  ...{ given: orNull(given, hundredths), change: orNull(change, hundredths) },
})

/** The sum of a tax rate in the same form. */
export const shownTax = ({ rate, code, net, tax, gross }: ReceiptTax): ShownTax => ({
  ...{ rate: amountOf(rate), code },
  ...{ net: amountOf(net), tax: amountOf(tax), gross: amountOf(gross) },
})

const stored = (moment: string): string => readInstant(moment) ?? moment

/** What a stored receipt says, as it is hashed and counted. */
export function contentOf(row: StoredReceipt): ReceiptContent {
  const { till, site, number, type, drawer, sold_event, order, cashier, staff } = row
  const { training, currency, reverses, reason, signing } = row
  return {
    ...{ till, site, number, type, drawer, event: sold_event, order, cashier, staff },
    ...{ started: stored(row.started), ended: stored(row.ended), training, currency, reverses, reason },
    total: hundredths(row.total),
    lines: row.lines.map(lineOf),
    payments: row.payments.map(paymentOf),
    ...(row.hash_version > 1 ? { signing } : {}),
  }
}

/** The same as a link of its chain. */
export function linkOf(row: StoredReceipt): ChainLink<ReceiptContent> {
  const { number, previous_hash, hash, hash_version } = row
  return { number, previous_hash, hash, hash_version, content: contentOf(row) }
}

/** The receipts of a drawer, as far as they are known here, in the order in which they were written. */
export async function receiptsOf(db: Queryable, place: Place, drawer: number): Promise<CountedReceipt[]> {
  const rows = await findRows(db, receipt, place, {
    where: sql`"drawer" = ${drawer}`,
    order: sql`"ended", id`,
  })
  return rows.map(contentOf)
}

/** Adds the number of the device to rows of tills, by which the API names it. */
export async function presentWithDevice<R extends { readonly till: number | null }>(
  db: Queryable,
  organizer: number,
  rows: readonly R[],
): Promise<readonly (R & JsonObject)[]> {
  if (rows.length === 0) return []
  const devices = await db.all<{ id: number; device_id: number }>(
    sql`SELECT id, device_id FROM device WHERE organizer = ${organizer}`,
  )
  const numbers = new Map(devices.map((one) => [one.id, one.device_id]))
  return rows.map((row) => ({ ...row, device_id: numbers.get(row.till ?? 0) ?? null }))
}
