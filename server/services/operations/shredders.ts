import sql, { join, type Sql } from 'sql-template-tag'
import type { Shredder } from '../../../schema/actions/operations/shredders.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { waitingListEntry } from '../../../schema/resources/carts/waiting-list-entry.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { orderRefund } from '../../../schema/resources/orders/order-refund.ts'
import { rowOf, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { forgetFiles } from '../input/uploads.ts'
import { indexOrders, indexTickets } from '../orders/order-search-text.ts'
import { shredQuarantine } from './shredded-facts.ts'

/** So many rows are changed in a transaction: scans wait for no more. */
const rowsPerStep = 100

/** Looking for these takes longer than changing them. */
const entriesPerStep = 1000

/** What stands where something was deleted that cannot be nothing. */
const blackened = '█'

/** Deletes some rows' worth of personal data of an event; how many there were, none once all of it is gone. */
type Step = (tx: Tx, place: Place) => Promise<number>

const within = ({ organizer, event }: Place): Sql => sql`organizer = ${organizer} AND event = ${event}`

const some = async (tx: Tx, table: Sql, place: Place, condition: Sql): Promise<number[]> =>
  (
    await tx.all<{ id: number }>(
      sql`SELECT id FROM ${table} WHERE ${within(place)} AND (${condition}) ORDER BY id LIMIT ${rowsPerStep}`,
    )
  ).map(({ id }) => id)

/** What is changed of orders, and of which: others have nothing of it any more. */
const ofOrders =
  (condition: Sql, changes: Readonly<Record<string, null>>): Step =>
  async (tx, place) => {
    const ids = await some(tx, sql`orders`, place, condition)
    for (const id of ids) await updateRow(tx, order, place, { id, ...changes, last_modified: tx.now })
    await indexOrders(tx, place, ids)
    return ids.length
  }

const ofPositions =
  (condition: Sql, changes: Partial<Parameters<typeof updateRow<typeof orderPosition>>[3]>): Step =>
  async (tx, place) => {
    const ids = await some(tx, sql`order_position`, place, condition)
    for (const id of ids) await updateRow(tx, orderPosition, place, { ...changes, id })
    await indexTickets(tx, place, ids)
    return ids.length
  }

/** Entries of the audit trail keep who did what; what was said goes, as the seals allow. */
const forgetting =
  (resources: readonly string[], words: readonly string[]): Step =>
  (tx, place) =>
    tx.run(
      sql`UPDATE audit SET data = NULL WHERE organizer = ${place.organizer} AND id IN (
            SELECT id FROM audit WHERE ${within(place)} AND data IS NOT NULL AND resource IN (${join([...resources])})
              AND (${join(
                words.map((word) => sql`data LIKE ${`%"${word}"%`}`),
                ' OR ',
              )}) ORDER BY id LIMIT ${entriesPerStep})`,
    )

const ofOrder = ['order', 'order_position']

const removed =
  (table: Sql, condition: Sql): Step =>
  (tx, place) =>
    tx.run(
      sql`DELETE FROM ${table} WHERE ${within(place)} AND id IN (
            SELECT id FROM ${table} WHERE ${within(place)} AND (${condition}) ORDER BY id LIMIT ${rowsPerStep})`,
    )

/** What may be personal in an invoice; who sold, the numbers and the sums stay. */
const invoiceTexts = [
  ...['invoice_to', 'invoice_to_company', 'invoice_to_name', 'invoice_to_street', 'invoice_to_zipcode'],
  ...['invoice_to_city', 'invoice_to_state', 'invoice_to_vat_id', 'invoice_to_beneficiary', 'custom_field'],
  ...['introductory_text', 'additional_text', 'payment_provider_text', 'internal_reference'],
] as const

async function shredInvoices(tx: Tx, place: Place): Promise<number> {
  const rows = await tx.all<Cells>(
    sql`SELECT * FROM invoice WHERE ${within(place)} AND "shredded" = 0 ORDER BY id LIMIT ${rowsPerStep}`,
  )
  for (const cells of rows) {
    const row = rowOf(invoice, cells)
    // What is empty says nothing, and stays so.
    const how = row.invoice_to_transmission_info
    const texts = invoiceTexts.filter((name) => row[name]).map((name) => [name, blackened])
    await updateRow(tx, invoice, place, {
      ...Object.fromEntries(texts),
      ...{ id: row.id, shredded: true },
      ...(how && Object.keys(how).length > 0 ? { invoice_to_transmission_info: { _shredded: true } } : {}),
      lines: row.lines.map((line) => ({ ...line, description: blackened, attendee_name: blackened })),
    })
  }
  return rows.length
}

async function shredWaitingList(tx: Tx, place: Place): Promise<number> {
  const ids = await some(tx, sql`waiting_list_entry`, place, sql`email <> ${blackened}`)
  for (const id of ids)
    await updateRow(tx, waitingListEntry, place, { id, name_parts: {}, email: blackened, phone: blackened })
  return ids.length
}

async function shredComments(tx: Tx, place: Place): Promise<number> {
  const condition = sql`comment LIKE '%@%' AND id IN (SELECT w.voucher FROM waiting_list_entry w
    WHERE w.organizer = ${place.organizer} AND w.event = ${place.event} AND w.voucher IS NOT NULL)`
  const ids = await some(tx, sql`voucher`, place, condition)
  for (const id of ids) await updateRow(tx, voucher, place, { id, comment: blackened })
  return ids.length
}

/** Which gift card was paid with says nothing of a person, and where a refund goes to. */
const withDetails = sql`details <> '{}' AND provider <> 'giftcard'`

async function shredPayments(tx: Tx, place: Place): Promise<number> {
  const payments = await some(tx, sql`order_payment`, place, withDetails)
  for (const id of payments) await updateRow(tx, orderPayment, place, { id, details: {} })
  const refunds = await some(tx, sql`order_refund`, place, withDetails)
  for (const id of refunds) await updateRow(tx, orderRefund, place, { id, details: {} })
  return payments.length + refunds.length
}

const shredTransfers: Step = (tx, { organizer, event }) =>
  tx.run(
    sql`UPDATE bank_transaction SET payer = '', reference = '', iban = '', bic = '' WHERE organizer = ${organizer}
        AND (payer <> '' OR reference <> '' OR iban <> '' OR bic <> '') AND order_id IN (
          SELECT o.id FROM orders o WHERE o.organizer = ${organizer} AND o.event = ${event})`,
  )

async function shredAnswers(tx: Tx, place: Place): Promise<number> {
  const ids = await some(tx, sql`order_position`, place, sql`answers <> '[]'`)
  await forgetFiles(tx, place.organizer, ids)
  for (const id of ids) await updateRow(tx, orderPosition, place, { id, answers: [] })
  return ids.length
}

/** Notes about contradictions are written by hand, and name whom they are about. */
async function shredConflictNotes(tx: Tx, place: Place): Promise<number> {
  const ids = await some(tx, sql`conflict`, place, sql`note <> ''`)
  for (const id of ids) await updateRow(tx, conflict, place, { id, note: '' })
  return ids.length
}

/** What is done with the rows of each kind, one step after the other; tickets are drawn when they are asked for. */
const rowSteps: Readonly<Record<Shredder, readonly Step[]>> = {
  order_emails: [
    ofOrders(sql`email IS NOT NULL OR customer IS NOT NULL`, { email: null, customer: null }),
    ofPositions(sql`attendee_email IS NOT NULL`, { attendee_email: null }),
  ],
  phone_numbers: [ofOrders(sql`phone IS NOT NULL`, { phone: null })],
  attendee_info: [
    ofPositions(
      sql`attendee_name IS NOT NULL OR company IS NOT NULL OR street IS NOT NULL OR zipcode IS NOT NULL
          OR city IS NOT NULL OR attendee_name_parts <> '{}'`,
      {
        ...{ attendee_name: null, attendee_name_parts: {}, name_key: '' },
        ...{ company: null, street: null, zipcode: null, city: null },
      },
    ),
    shredConflictNotes,
  ],
  invoice_addresses: [ofOrders(sql`invoice_address IS NOT NULL`, { invoice_address: null })],
  question_answers: [shredAnswers],
  invoices: [shredInvoices],
  cachedtickets: [],
  payment_info: [shredPayments, shredTransfers],
  waiting_list: [shredWaitingList, shredComments],
}

/** What is done with what every server holds by itself about rows of each kind. */
const traceSteps: Readonly<Record<Shredder, readonly Step[]>> = {
  order_emails: [
    removed(sql`mail`, sql`"state" <> 'sending'`),
    forgetting(ofOrder, ['email', 'attendee_email', 'recipient', 'customer']),
  ],
  phone_numbers: [forgetting(ofOrder, ['phone'])],
  attendee_info: [
    forgetting(ofOrder, ['attendee_name', 'attendee_name_parts', 'company', 'street', 'zipcode', 'city']),
    forgetting(['conflict'], ['note']),
  ],
  invoice_addresses: [forgetting(ofOrder, ['invoice_address'])],
  question_answers: [forgetting([...ofOrder, 'checkin'], ['answers'])],
  invoices: [],
  cachedtickets: [],
  payment_info: [forgetting(['order', 'order_payment', 'order_refund'], ['info', 'details'])],
  waiting_list: [forgetting(['waiting_list_entry', 'voucher'], ['email', 'name_parts', 'phone', 'comment'])],
}

/** Every step that deletes some kinds of personal data from mails, the audit trail and the quarantine. */
export const traceShreddingSteps = (shredders: readonly Shredder[]): readonly Step[] => [
  ...shredders.flatMap((one) => traceSteps[one]),
  shredQuarantine(shredders),
]

/** Every step that deletes some kinds of personal data. */
export const shreddingSteps = (shredders: readonly Shredder[]): readonly Step[] => [
  ...shredders.flatMap((one) => rowSteps[one]),
  ...traceShreddingSteps(shredders),
]

/** Why personal data of an event may not be deleted now; null where it may. */
export async function whyNotShred(
  db: Queryable,
  { organizer, event }: Place,
  now: string,
): Promise<string | null> {
  const row = await db.get<{ live: number; has_subevents: number; end: string }>(
    sql`SELECT live, has_subevents, COALESCE(date_to, date_from) AS "end" FROM event
        WHERE organizer = ${organizer} AND id = ${event}`,
  )
  const last = row?.has_subevents
    ? await db.get<{ end: string | null }>(
        sql`SELECT MAX(CASE WHEN date_to > date_from THEN date_to ELSE date_from END) AS "end" FROM subevent
            WHERE organizer = ${organizer} AND event = ${event}`,
      )
    : row
  if (last?.end && last.end >= now) return 'Your event needs to be over to use this feature.'
  if (row?.live === 1) return 'Your ticket shop needs to be offline to use this feature.'
  return null
}
