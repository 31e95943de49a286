import sql, { join } from 'sql-template-tag'
import type { Resource, StoredRow } from '../../schema/resource.ts'
import { waitingListEntry } from '../../schema/resources/carts/waiting-list-entry.ts'
import { item } from '../../schema/resources/catalogue/item.ts'
import { variation } from '../../schema/resources/catalogue/variation.ts'
import { event } from '../../schema/resources/events/event.ts'
import { type PriceOverride, subevent } from '../../schema/resources/events/subevent.ts'
import type { ProductLine } from '../domain/quotas/quotas.ts'
import { isLongOver, isOnSale, isPresaleRunning, type SaleSpan } from '../domain/quotas/waiting-list.ts'
import type { Actor } from '../resource/actor.ts'
import { findRow, findRows, lockRow } from '../resource/store.ts'
import type { Place, Transactions } from '../resource/transactions.ts'
import { sendVoucher } from '../services/carts/waiting-list-voucher.ts'
import { eventById } from '../services/events/events.ts'
import type { OrderScope } from '../services/pricing/order-draft.ts'
import { productAvailability } from '../services/quotas/product-availability.ts'
import { waitingFor } from '../services/quotas/quota-counts.ts'
import { isHere } from '../storage/moved-organizers.ts'

/** The rule that serves the waiting list, as the audit trail knows it: nobody did it. */
const servingRule: Actor = {
  kind: 'command',
  id: 0,
  name: 'waiting list',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/** After so many of one event the others have their turn; the rest are served when it comes round again. */
const atOnce = 500

/**
 * Sends vouchers to those who wait, the most important first and then in the order in which they came, as far as there
 * is room and their events say so; how many. A node below another one leaves that to the server at the top. What fails
 * for one event is thrown after the others have had their turn.
 */
export async function serveWaitingLists(transactions: Transactions, now: string): Promise<number> {
  if (transactions.site > 0) return 0
  const waiting = await transactions.database.all<Place>(
    sql`SELECT DISTINCT w.organizer, w.event FROM waiting_list_entry w
        JOIN event ON event.organizer = w.organizer AND event.id = w.event
        WHERE w.voucher IS NULL AND event.live = 1 AND ${isHere(sql`w.organizer`)} ORDER BY w.organizer, w.event`,
  )
  const failures: unknown[] = []
  let sent = 0
  for (const { organizer, event: id } of waiting)
    try {
      sent += await serveEvent(transactions, { organizer, event: id }, now)
    } catch (cause) {
      failures.push(cause)
    }
  if (failures.length > 0) throw failures[0]
  return sent
}

async function serveEvent(transactions: Transactions, place: Place, now: string): Promise<number> {
  const { database } = transactions
  const facts = await eventById(database, place.organizer, place.event)
  if (!facts?.settings.waiting_list_enabled || !facts.settings.waiting_list_auto) return 0
  const sender: OrderScope = { place, event: facts, actor: servingRule }
  const open = await openProducts(transactions, sender, now)
  if (open.size === 0) return 0
  const entries = await database.all<ProductLine & { readonly id: number }>(
    sql`SELECT id, item, variation, subevent FROM waiting_list_entry
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND voucher IS NULL
        ORDER BY priority DESC, created, id`,
  )
  let sent = 0
  for (const entry of entries) {
    if (open.size === 0 || sent === atOnce) break
    if (!open.has(keyOf(entry))) continue
    const sending = await transactions.write(async (tx) => {
      const row = await lockRow(tx, waitingListEntry, place, { id: entry.id })
      // Somebody else may have served or removed it meanwhile.
      return row && row.voucher === null ? sendVoucher(tx, sender, row) : 'sent before'
    })
    if (sending === 'sent') sent += 1
    else if (sending === 'sold out' || sending === 'no seat') open.delete(keyOf(entry))
  }
  return sent
}

const keyOf = ({ item, variation, subevent }: ProductLine): string =>
  JSON.stringify([item, variation, subevent])

/** The products that somebody waits for, that are sold at a moment, and of which there seem to be some left. */
async function openProducts(
  transactions: Transactions,
  sender: OrderScope,
  now: string,
): Promise<Set<string>> {
  const { database } = transactions
  const { place } = sender
  const sold = await soldProducts(transactions, sender, await waitingFor(database, place), now)
  const left = await productAvailability(database, place, sold, { now, ignoreWaiting: true })
  return new Set(sold.filter((_, index) => left[index]?.state === 'available').map(keyOf))
}

const idsIn = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]))

/** Those of some products that are sold at a moment, on dates that are sold. */
async function soldProducts(
  { database }: Transactions,
  { place, event: facts }: OrderScope,
  lines: readonly ProductLine[],
  now: string,
): Promise<ProductLine[]> {
  const own = await findRow(database, event, { ...place, event: 0 }, { id: place.event })
  if (!own) return []
  const found = async <R extends Resource>(resource: R, ids: number[]): Promise<StoredRow<R>[]> =>
    ids.length === 0 ? [] : findRows(database, resource, place, { where: sql`id IN (${join(ids)})` })
  const items = byId(await found(item, idsIn(lines.map((line) => line.item))))
  const forms = byId(await found(variation, idsIn(lines.map((line) => line.variation))))
  const dates = byId(await found(subevent, idsIn(lines.map((line) => line.subevent))))
  if (isLongOver(facts.hasSubevents ? [...dates.values()] : [own], now)) return []
  return lines.filter((line) => {
    const date = line.subevent === null ? null : dates.get(line.subevent)
    return (
      date !== undefined &&
      isPresaleRunning(own, date, facts.timezone, now) &&
      isSold(items.get(line.item), overrideOf(date, 'item', line.item), now) &&
      (line.variation === null ||
        isSold(forms.get(line.variation), overrideOf(date, 'variation', line.variation), now))
    )
  })
}

const isSold = (row: SaleSpan | undefined, override: PriceOverride | undefined, now: string): boolean =>
  row !== undefined && isOnSale(row, override, now)

const overrideOf = (
  date: StoredRow<typeof subevent> | null,
  kind: 'item' | 'variation',
  id: number,
): PriceOverride | undefined => date?.[`${kind}_price_overrides`].find((one) => one[kind] === id)
