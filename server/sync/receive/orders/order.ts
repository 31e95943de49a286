import sql, { join } from 'sql-template-tag'
import { order } from '../../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../../schema/resources/orders/order-position.ts'
import { mayPayLater } from '../../../domain/orders/invoices.ts'
import { counts, type QuotaFacts } from '../../../domain/quotas/quotas.ts'
import { insertRow, insertRows, named } from '../../../resource/store.ts'
import type { Place, Tx } from '../../../resource/transactions.ts'
import { noteBlock } from '../../../services/codes/code-lists.ts'
import { forgetRefusedCodes } from '../../../services/codes/refused-tickets.ts'
import { eventById } from '../../../services/events/events.ts'
import { keepFiles } from '../../../services/input/uploads.ts'
import { invoiceNewOrder } from '../../../services/invoices/order-invoices.ts'
import { mailOrder } from '../../../services/notifications/order-mails.ts'
import { followMemberships } from '../../../services/orders/granted-memberships.ts'
import { recordPlaced } from '../../../services/orders/order-drafts.ts'
import { indexOrders } from '../../../services/orders/order-search-text.ts'
import { writeTransactions } from '../../../services/orders/order-transactions.ts'
import { countSales } from '../../../services/quotas/lease-counting.ts'
import { leasesWhere, oneOf } from '../../../services/quotas/lease-rows.ts'
import { lockQuotas } from '../../../services/quotas/quota-usage.ts'
import type { Applied, Applier, ApplyContext } from '../applier.ts'
import { conflictsOf, type OrderFindings } from './order-conflicts.ts'
import { hasTakenIds, settleCode, settleSecrets, withFreshIds } from './order-identity.ts'
import { readSentOrder, type SentOrder, type SentSale } from './order-payload.ts'

/**
 * Applies an order that was sold at a station: it is stored as it was sold, whatever has become of the quota meanwhile,
 * and counted against the leases it was sold from. Contradictions are kept for a person to look at. What entered with
 * the sale is reported by facts of its own.
 */
export const applyOrder: Applier = async (tx, context, fact) => {
  const { place, upstream } = context
  const reported = readSentOrder(fact)
  const missing = await missingProduct(tx, place, reported)
  if (missing) return missing
  const here = await tx.get<{ secret: string; event: number }>(
    sql`SELECT secret, event FROM orders WHERE organizer = ${place.organizer} AND id = ${reported.order.id}${tx.forUpdate}`,
  )
  if (here?.secret === reported.order.secret && here.event === place.event) return { status: 'applied' }
  // Whoever gives leases and whoever sells waits, so that the last one is sold over the limit by somebody and not
  // nobody.
  const quotas = await lockQuotas(tx, place, reported.positions)
  const isTaken = here !== undefined || (await hasTakenIds(tx, place.organizer, reported))
  const isLate = await countSales(tx, place, await salesCounted(tx, place, reported, quotas), fact.site)
  // The top gives the ids, and its rows come here with the changes.
  if (isTaken && upstream) return { status: 'applied', rejoin: true }
  const own = isTaken ? withFreshIds(tx, reported) : reported
  const { sent, renamed } = await settleCode(tx, place, own, fact.site)
  const settled = await settleSecrets(tx, place, sent)
  await storeOrder(tx, context, settled.sent)
  const secrets = settled.sent.positions.map(({ secret }) => secret)
  if (!upstream) await forgetRefusedCodes(tx, place.organizer, secrets)
  if (!upstream) await invoiceSale(tx, context, settled.sent.order)
  const found: OrderFindings = {
    fact,
    quotas,
    sent: settled.sent,
    given: isTaken ? reported.order.id : null,
    renamed,
    replaced: settled.replaced,
    isLate,
  }
  const conflicts = upstream ? [] : await conflictsOf(tx, context, found)
  const rejoin = isTaken ? { rejoin: true } : {}
  return conflicts.length > 0
    ? { status: 'conflict', conflicts, ...rejoin }
    : { status: 'applied', ...rejoin }
}

/** Of each quota, no more was taken from leases than there are positions that it counts. */
async function salesCounted(
  tx: Tx,
  { organizer }: Place,
  { leases, positions }: SentOrder,
  quotas: readonly QuotaFacts[],
): Promise<SentSale[]> {
  if (leases.length === 0) return []
  const named = oneOf(leases.flatMap(({ lease, parent }) => (parent === null ? [lease] : [lease, parent])))
  const quotaOf = new Map((await leasesWhere(tx, organizer, named)).map(({ id, quota }) => [id, quota]))
  const left = new Map(
    quotas.map((quota) => [quota.id, positions.filter((line) => counts(quota, line)).length]),
  )
  return leases.flatMap((sale) => {
    const quota = quotaOf.get(sale.lease) ?? quotaOf.get(sale.parent ?? 0)
    if (quota === undefined) return [sale]
    const count = Math.min(sale.count, left.get(quota) ?? 0)
    left.set(quota, (left.get(quota) ?? 0) - count)
    return count > 0 ? [{ ...sale, count }] : []
  })
}

async function storeOrder(tx: Tx, { place, actor }: ApplyContext, sent: SentOrder): Promise<void> {
  const rules = new Set(
    await existing(
      tx,
      place,
      'tax_rule',
      [...sent.positions, ...sent.fees].map((row) => row.tax_rule),
    ),
  )
  // A rule that was deleted meanwhile is forgotten; the tax itself stays as it was charged.
  const ruled = <R extends { readonly tax_rule: number | null }>(row: R): R =>
    row.tax_rule !== null && !rules.has(row.tax_rule) ? { ...row, tax_rule: null } : row
  recordPlaced(tx, { actor, place }, sent.order)
  await insertRow(tx, order, place, sent.order)
  const parentsFirst = [...sent.positions].sort(
    (a, b) => Number(a.addon_to !== null) - Number(b.addon_to !== null),
  )
  await insertRows(tx, orderPosition, place, parentsFirst.map(ruled))
  await insertRows(tx, orderFee, place, sent.fees.map(ruled))
  await insertRows(tx, orderPayment, place, [...sent.payments])
  for (const { id, secret, blocked, answers } of sent.positions) {
    if (blocked) await noteBlock(tx, place, { id, secret }, true)
    await keepFiles(tx, { organizer: place.organizer, position: id }, answers)
  }
  await indexOrders(tx, place, [sent.order.id])
  await writeTransactions(tx, place.organizer, [sent.order.id], sent.order.datetime)
  await followMemberships(tx, place, sent.order.id)
}

/**
 * Makes the invoice of an order that was sold elsewhere, where it has one: numbers are given at the top only. What a till
 * has sold to be paid later is mailed with it.
 */
async function invoiceSale(
  tx: Tx,
  { place, actor }: ApplyContext,
  { id, status, valid_if_pending, sales_channel }: SentOrder['order'],
): Promise<void> {
  const event = await eventById(tx, place.organizer, place.event)
  if (!event) return
  await invoiceNewOrder(tx, { actor, place, event }, id)
  const isPaidLater = status === 'n' && valid_if_pending && mayPayLater(event.settings, sales_channel)
  if (isPaidLater) await mailOrder(tx, { place, event }, id, { template: 'order_placed' })
}

/** Why an order cannot be stored: it is for something that was deleted meanwhile. */
async function missingProduct(tx: Tx, place: Place, { positions }: SentOrder): Promise<Applied | null> {
  for (const table of ['item', 'variation', 'subevent'] as const) {
    const known = new Set(
      await existing(
        tx,
        place,
        table,
        positions.map((row) => row[table]),
      ),
    )
    const lost = positions.find(({ [table]: wanted }) => wanted !== null && !known.has(wanted))
    if (lost)
      return {
        status: 'rejected',
        reason: 'unknown_product',
        detail: `The order is for something that does not exist here: ${table} ${lost[table]}.`,
      }
  }
  return null
}

/** Those of some ids that exist in a table of the event. */
async function existing(
  tx: Tx,
  { organizer, event }: Place,
  table: 'item' | 'variation' | 'subevent' | 'tax_rule',
  wanted: readonly (number | null)[],
): Promise<number[]> {
  const ids = [...new Set(wanted.filter((id) => id !== null))]
  if (ids.length === 0) return []
  const found = await tx.all<{ id: number }>(
    sql`SELECT id FROM ${named(table)} WHERE organizer = ${organizer} AND event = ${event} AND id IN (${join(ids)})`,
  )
  return found.map(({ id }) => id)
}
