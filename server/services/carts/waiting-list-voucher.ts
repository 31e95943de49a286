import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { type Voucher, voucher } from '../../../schema/resources/carts/voucher.ts'
import {
  type WaitingListEntry,
  waitingListEntry,
} from '../../../schema/resources/carts/waiting-list-entry.ts'
import { event } from '../../../schema/resources/events/event.ts'
import type { ProductLine } from '../../domain/quotas/quotas.ts'
import { fullName } from '../../domain/text/names.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { isFreeAt, isSeated, seatsOf } from '../catalogue/seats.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { occasionValues, ownWords } from '../notifications/order-mails.ts'
import { inWords, readable } from '../orders/ticket-print.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { productAvailability } from '../quotas/product-availability.ts'
import { isBlockingAt } from '../quotas/quota-counts.ts'
import { lockQuotas } from '../quotas/quota-usage.ts'
import { addVoucher } from '../vouchers/voucher-redeem.ts'
import { lineOf } from './waiting-list-behaviour.ts'

/** What became of the wish to send somebody a voucher. */
export type Sending = 'sent' | 'sold out' | 'no seat' | 'sent before' | 'no address'

/** What marks vouchers that were made for people who waited. */
const waitingListTag = 'waiting-list'

/**
 * Makes the voucher that keeps a place for somebody who waits, for as long as the event says. The entry must be locked.
 * Whether others wait for longer is not asked.
 */
export async function sendVoucher(tx: Tx, sender: OrderScope, entry: WaitingListEntry): Promise<Sending> {
  const { place, actor } = sender
  const problem = await problemOf(tx, place, entry)
  if (problem !== undefined) return problem
  const made = await addVoucher(tx, place, voucherFor(tx, sender, entry))
  await updateRow(tx, waitingListEntry, place, { id: entry.id, voucher: made.id })
  await mailVoucher(tx, sender, entry, made)
  tx.audit(place, actor, {
    action: 'ticketsvc.voucher.added.waitinglist',
    resource: voucher.name,
    row: made.id,
    data: { waiting_list_entry: entry.id },
  })
  tx.audit(place, actor, {
    action: 'ticketsvc.event.orders.waitinglist.voucher_assigned',
    resource: waitingListEntry.name,
    row: entry.id,
    data: { voucher: made.id },
  })
  return 'sent'
}

/** Mails the voucher to whoever waits, in the language in which they asked. */
async function mailVoucher(
  tx: Tx,
  { place, event: facts }: OrderScope,
  entry: WaitingListEntry,
  made: Voucher,
): Promise<void> {
  const { locale } = entry
  const { item, subevent } = lineOf(entry)
  const product = await tx.get<{ name: string }>(
    sql`SELECT name FROM item WHERE organizer = ${place.organizer} AND id = ${item}`,
  )
  const until = String(made.valid_until)
  await queueMail(tx, place, {
    to: entry.email,
    template: 'waiting_list_voucher',
    locale,
    values: {
      ...(await occasionValues(tx, place, facts, { locale, subevent })),
      name: fullName(entry.name_parts, facts.nameScheme) ?? '',
      product: readable(product?.name, locale),
      voucher: made.code,
      valid_until: inWords(until, facts.timezone, locale, { dateStyle: 'long', timeStyle: 'short' }),
    },
    words: ownWords(facts, 'waiting_list_voucher'),
  })
}

const hour = 3600e6

function voucherFor(tx: Tx, { event: facts }: OrderScope, entry: WaitingListEntry) {
  const name = fullName(entry.name_parts, facts.nameScheme)
  return {
    ...lineOf(entry),
    max_usages: 1,
    block_quota: true,
    price_mode: 'none' as const,
    tag: waitingListTag,
    comment: `Made for ${[name, `<${entry.email}>`].filter(Boolean).join(' ')} on the waiting list.`,
    valid_until: instantAt(microsecondsOf(tx.now) + facts.settings.waiting_list_hours * hour),
  }
}

async function problemOf(
  tx: Tx,
  place: Place,
  entry: WaitingListEntry,
): Promise<Exclude<Sending, 'sent'> | undefined> {
  const line = lineOf(entry)
  await lockQuotas(tx, place, [line])
  const [left] = await productAvailability(tx, place, [line], { now: tx.now, ignoreWaiting: true })
  if (left?.state !== 'available') return 'sold out'
  if ((await isSeated(tx, place, line.subevent, line.item)) && !(await hasSeat(tx, place, line)))
    return 'no seat'
  if (entry.voucher !== null) return 'sent before'
  return entry.email.includes('@') ? undefined : 'no address'
}

/** Whether there are more free seats for a product than people who were promised one. */
async function hasSeat(tx: Tx, place: Place, { item, subevent }: ProductLine): Promise<boolean> {
  // Two who are served at once would both be promised the last one.
  await lockRow(tx, event, { ...place, event: 0 }, { id: place.event })
  const free = await tx.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM seat
        WHERE ${seatsOf(place, subevent)} AND seat.product = ${item} AND ${isFreeAt(tx.now)}`,
  )
  const promised = await tx.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM voucher
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND item = ${item}
          AND coalesce(subevent, 0) = ${subevent ?? 0} AND seat IS NULL AND ${isBlockingAt(tx.now)}
          AND id IN (SELECT w.voucher FROM waiting_list_entry w
            WHERE w.organizer = ${place.organizer} AND w.event = ${place.event} AND w.voucher IS NOT NULL)`,
  )
  return (free?.count ?? 0) > (promised?.count ?? 0)
}
