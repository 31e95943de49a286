import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { movementKinds } from '../../../schema/receipt-words.ts'
import { device as deviceResource } from '../../../schema/resources/devices/device.ts'
import type { StoredClosing } from '../../../schema/resources/drawer/closing.ts'
import type { StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { findRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** The id of the device with a number; 404 for what a device asks of another one. */
export async function posDevice(db: Queryable, { actor, organizer }: Scope, number: number): Promise<number> {
  const row = await findRow(db, deviceResource, { organizer: organizer.id, event: 0 }, { device_id: number })
  if (!row || (actor.device && actor.device.id !== row.id)) throw notFound()
  return row.id
}

/** Something that an app keeps by itself. */
interface PosDocument {
  readonly device: number
  readonly kind: 'receipt' | 'closing'
  /** The number that the app has given it: what it sends again under the same is the same. */
  readonly localId: number
  readonly data: JsonObject
}

/** Keeps what an app has sent as it was sent first; the id under which it is kept. */
export async function keepPosDocument(
  tx: Tx,
  { actor, organizer, place }: Scope,
  { device, kind, localId, data }: PosDocument,
): Promise<number> {
  const of = sql`organizer = ${organizer.id} AND device = ${device} AND kind = ${kind} AND local_id = ${localId}`
  const known = await tx.get<{ id: number }>(sql`SELECT id FROM pos_document WHERE ${of}`)
  if (known) return known.id
  const id = tx.nextId()
  await tx.run(
    sql`INSERT INTO pos_document (organizer, id, device, kind, local_id, received, data)
        VALUES (${organizer.id}, ${id}, ${device}, ${kind}, ${localId}, ${tx.now}, ${JSON.stringify(data)})`,
  )
  tx.audit(place, actor, {
    ...{ action: `ticketsvc.pos.${kind}`, resource: 'pos_document', row: id },
    data: { device, number: localId },
  })
  return id
}

/** What an app has sent of a device, the oldest first. */
export async function posDocuments(
  db: Queryable,
  { organizer }: Scope,
  device: number,
  kind: PosDocument['kind'],
): Promise<JsonObject[]> {
  const rows = await db.all<{ id: number; data: string }>(
    sql`SELECT id, data FROM pos_document WHERE organizer = ${organizer.id} AND device = ${device} AND kind = ${kind}
        ORDER BY local_id`,
  )
  return rows.map(({ id, data }) => ({ ...JSON.parse(data), server_id: id }))
}

/** The words that apps for tills have for lines of cash that moves. */
const movementWords = {
  ...{ float: 'CHANGE_START', cash_in: 'CHANGE_IN', cash_out: 'CHANGE_OUT', difference: 'CHANGE_DIFF' },
} as const

function lineWord({ kind, amount }: StoredReceipt['lines'][number]): string {
  const movement = movementKinds.find((one) => one === kind)
  if (movement) return movementWords[movement]
  if (kind === 'no_sale') return 'NO_SALE'
  const isBack = hundredths(amount) < 0
  if (kind === 'order_part') return isBack ? 'REFUND_ORDER' : 'PAY_ORDER'
  return isBack ? 'PRODUCT_RETURN' : 'PRODUCT_SALE'
}

const paymentWords: Readonly<Record<string, string>> = { boxoffice: 'cash', cardterminal: 'external' }

/** A receipt of ours in the form that apps for tills know. */
export const posReceipt = (row: StoredReceipt): JsonObject => ({
  ...{ receipt_id: row.number, server_id: row.id, event: row.sold_event, order: row.order, open: false },
  order_full: row.order === null ? '-' : `${row.sold_event?.toUpperCase()}-${row.order}`,
  payment_type: paymentWords[row.payments[0]?.provider ?? ''] ?? row.payments[0]?.provider ?? null,
  ...{ datetime_opened: row.started, datetime_closed: row.ended, closing_id: null, canceled: false },
  ...{ currency: row.currency, printed: false, payment_data: {}, training: row.training },
  ...{ cashier: row.staff, cashier_name: row.cashier, additional_text: row.reason, fiscalisation_data: {} },
  lines: row.lines.map((line, index) => ({
    ...{ position_id: line.positionid ?? index + 1, type: lineWord(line), sale_text: line.text },
    ...{ price: line.amount, tax_rate: line.tax_rate, tax_value: line.tax_value, canceled: false },
    ...{ item: line.item, variation: line.variation, subevent: line.subevent },
  })),
  payments: row.payments.map(({ provider, amount }) => ({
    ...{ payment_type: paymentWords[provider] ?? provider, amount, status: 'confirmed' },
  })),
})

/** A closing of ours in the same form; `of` are the receipts of its drawer. */
export function posClosing(row: StoredClosing, of: readonly StoredReceipt[]): JsonObject {
  const numbers = of
    .filter(({ till, site }) => till === row.till && site === row.site)
    .map(({ number }) => number)
  const sums = row.sums as { readonly sales?: string }
  return {
    ...{ closing_id: row.number, server_id: row.id, datetime: row.closed },
    first_receipt: numbers.length > 0 ? Math.min(...numbers) : null,
    last_receipt: numbers.length > 0 ? Math.max(...numbers) : null,
    ...{ payment_sum: sums.sales ?? '0.00', payment_sum_cash: row.expected, cash_counted: row.counted },
    ...{ cashier: row.staff, cashier_name: row.cashier, invoice_settings: '{}', data: row.sums },
  }
}
