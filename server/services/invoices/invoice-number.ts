import sql from 'sql-template-tag'
import { invoicePrefix } from '../../domain/orders/invoices.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { OrderCells } from '../orders/order-present.ts'
import type { OrderScope } from '../pricing/order-draft.ts'

/** What the number of an invoice is made for; the date is `YYYY-MM-DD`. */
interface Numbered {
  readonly order: Pick<OrderCells, 'id' | 'code' | 'testmode'>
  readonly date: string
  readonly isCancellation: boolean
}

/** The number of an invoice, and what it begins with. */
interface InvoiceNumber {
  readonly prefix: string
  readonly number: string
}

/**
 * The next free number of an invoice. Others wait for it until the commit, so that numbers follow each other without a
 * gap, and one that is not committed is given again.
 */
export async function nextInvoiceNumber(
  tx: Tx,
  { place, event: { slug, settings } }: OrderScope,
  { order, date, isCancellation }: Numbered,
): Promise<InvoiceNumber> {
  const testmode = order.testmode === 1
  const prefix = invoicePrefix(settings, { slug, date, isCancellation, testmode })
  const { organizer } = place
  const digits = settings.invoice_numbers_counter_length
  for (let turn = await ofOrder(tx, organizer, order.id, prefix); ; turn += 1) {
    const number = settings.invoice_numbers_consecutive
      ? `${prefix}${String(await counted(tx, organizer, prefix)).padStart(digits, '0')}`
      : `${prefix}${order.code}-${turn}`
    const taken = await tx.get(
      sql`SELECT id FROM invoice WHERE organizer = ${organizer} AND "number" = ${number}`,
    )
    if (!taken) return { prefix, number }
  }
}

/** The next number under a prefix, which the row that counts them remembers. */
async function counted(tx: Tx, organizer: number, prefix: string): Promise<number> {
  const row = await tx.get<{ last: number }>(
    sql`INSERT INTO invoice_counter (organizer, prefix, last) VALUES (${organizer}, ${prefix}, 1)
        ON CONFLICT (organizer, prefix) DO UPDATE SET last = invoice_counter.last + 1 RETURNING last`,
  )
  if (!row) throw new Error('The counter of invoices did not count.')
  return row.last
}

/** Which invoice of its order it is under a prefix. */
async function ofOrder(tx: Tx, organizer: number, order: number, prefix: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM invoice
        WHERE organizer = ${organizer} AND order_id = ${order} AND prefix = ${prefix}`,
  )
  return (row?.count ?? 0) + 1
}
