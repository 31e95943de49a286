import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { microsecondsOf } from '../../../schema/instants.ts'
import type { Resource } from '../../../schema/resource.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { sellsBy } from '../../../schema/security-profiles.ts'
import { siteOf } from '../../../schema/sites.ts'
import { type FactKind, factKinds, type SentFact } from '../../../schema/sync.ts'
import { hundredths } from '../../resource/codec.ts'
import { isObject } from '../../resource/input.ts'
import type { Tx } from '../../resource/transactions.ts'
import { longestUndo } from '../../services/checkin/annul.ts'
import { leasesWhere, oneOf } from '../../services/quotas/lease-rows.ts'
import { checkinsMeant } from './annulment.ts'
import type { Applied } from './applier.ts'
import { leasesIn, readSentOrder } from './orders/order-payload.ts'
import { isBelow, isOf, refusalOf, type Sender, type Surroundings } from './receive-rights.ts'
import { devicesById, type KnownDevice } from './senders.ts'
import { sentReceipt } from './till.ts'

/** A fact, when it happened by the right time, and who reports it. */
export interface ReportedFact {
  readonly sender: Sender
  readonly fact: SentFact
  readonly at: string
}

interface Asked extends ReportedFact {
  /** The device where it happened. */
  readonly author: KnownDevice
}

/** Asks one thing of a fact: why it cannot be taken in, or null. */
type Rule = (tx: Tx, asked: Asked) => Applied | null | Promise<Applied | null>

const refuse = (reason: string, detail: string): Applied => ({ status: 'rejected', reason, detail })

/** The rows in a payload by their names there, one or a list of them. */
const rowsSent: Readonly<Partial<Record<FactKind, Readonly<Record<string, Resource>>>>> = {
  checkin: { row: checkin },
  order: { order, positions: orderPosition, fees: orderFee, payments: orderPayment },
  gift_card: { row: giftCardTransaction },
  print: { row: printLog },
  drawer: { row: drawer },
  receipt: { row: receipt },
  closing: { row: closing },
  receipt_print: { row: receiptPrint },
  receipt_signature: { row: receiptSignature },
}

interface SentRow {
  readonly resource: Resource
  readonly row: JsonObject
}

function rowsOf({ kind, payload }: SentFact): SentRow[] {
  const sent: JsonObject = isObject(payload) ? payload : {}
  return Object.entries(rowsSent[kind] ?? {}).flatMap(([name, resource]) =>
    [sent[name]].flat().flatMap((row) => (isObject(row) ? [{ resource, row }] : [])),
  )
}

/** What cannot be read, or has dates or amounts that cannot be stored, is nobody's sale: this throws 400. */
const wholeOrder: Rule = (_, { fact }) => {
  readSentOrder(fact)
  return fact.event === 0 ? refuse('unknown_event', 'An order belongs to an event.') : null
}

const sells: Rule = (_, { sender, author }) =>
  sender.isApproved ||
  [sender.device, author].every(({ actor }) => !actor.device || sellsBy(actor.device.profile))
    ? null
    : refuse(
        'may_not_sell',
        'The profile of this device does not let it sell. Somebody has to decide about it.',
      )

/** Ids are made by the site where something happened: whoever takes others' keeps these from their own rows. */
const ownIds: Rule = (_, { fact }) =>
  rowsOf(fact).every(({ row: { id } }) => typeof id !== 'number' || siteOf(id) === fact.site)
    ? null
    : refuse('foreign_id', 'It has an id that another site makes.')

/** What some rows of a fact come to, in hundredths; what is canceled costs nothing. */
const sumOf = (rows: readonly SentRow[], of: Resource, name: string): number =>
  rows
    .filter(({ resource, row }) => resource === of && row.canceled !== true)
    .reduce((sum, { row }) => sum + hundredths(String(row[name])), 0)

/** An order costs what its parts cost, and no more than that is paid; money back is less than nothing. */
const possibleAmounts: Rule = (_, { fact }) => {
  const rows = rowsOf(fact)
  const total = sumOf(rows, order, 'total')
  const paid = sumOf(rows, orderPayment, 'amount')
  const isPossible =
    total === sumOf(rows, orderPosition, 'price') + sumOf(rows, orderFee, 'value') &&
    paid >= Math.min(0, total) &&
    paid <= Math.max(0, total)
  return isPossible ? null : refuse('impossible_amount', 'Its amounts cannot be those of a sale.')
}

/** Whoever sells from a lease holds it, or is below whoever holds what it is a part of. */
const ownLeases: Rule = async (tx, { sender: { organizer }, fact }) => {
  const sales = leasesIn(isObject(fact.payload) ? fact.payload.leases : null)
  if (sales.length === 0) return null
  const named = sales.flatMap(({ lease, parent }) => (parent === null ? [lease] : [lease, parent]))
  const known = new Map((await leasesWhere(tx, organizer, oneOf(named))).map((row) => [row.id, row]))
  const holders = await devicesById(tx, organizer, [
    ...new Set([...known.values()].map(({ device }) => device)),
  ])
  const isTheirs = sales.every(({ lease, parent }) => {
    const own = known.get(lease)
    if (own) return own.site === fact.site
    const whole = known.get(parent ?? 0)
    const holder = whole && holders.get(whole.device)
    return !whole || (holder !== undefined && (isOf(holder, fact.site) || isBelow(holder, fact.site)))
  })
  return isTheirs ? null : refuse('not_theirs', 'It was sold from a lease of somebody else.')
}

/** At an entrance people answer what is asked there; everything else is the matter of whoever sells. */
const askedAtEntrance: Rule = async (tx, { sender: { organizer }, fact }) => {
  const { answers, removed } = isObject(fact.payload) ? fact.payload : {}
  const questions = [
    ...(Array.isArray(answers) ? answers.map((one) => (isObject(one) ? one.question : null)) : []),
    ...(Array.isArray(removed) ? removed : []),
  ].filter((id) => Number.isSafeInteger(id))
  if (questions.length === 0) return null
  const other = await tx.get(
    sql`SELECT id FROM question WHERE organizer = ${organizer} AND event = ${fact.event}
          AND id IN (${join(questions)}) AND ask_during_checkin = 0 LIMIT 1`,
  )
  return other ? refuse('not_asked', 'It answers a question that is not asked at check-in.') : null
}

/** By so much, in milliseconds, the clocks of two moments may differ. */
const clockMargin = 120_000

const instantsIn = (...values: readonly unknown[]): number[] =>
  values.flatMap((value) => (typeof value === 'string' ? [microsecondsOf(value)] : []))

/**
 * As at the interface; both moments are as near as anything that is known of them says. The station's own time of the scan
 * counts as well: whoever dated it on the way may have had a clock that was wrong.
 */
const inTime: Rule = async (tx, { sender: { organizer }, fact, at }) => {
  const { at: noted, scanned } = isObject(fact.payload) ? fact.payload : {}
  const found = await checkinsMeant(tx, { organizer, event: fact.event }, fact)
  const scans = found.filter(({ successful }) => successful === 1)
  const undone = instantsIn(at, noted)
  const isInTime = instantsIn(...scans.map(({ datetime }) => datetime), scanned).some((scan) =>
    undone.some((one) => Math.abs(one - scan) <= (longestUndo + clockMargin) * 1000),
  )
  return scans.length === 0 || isInTime
    ? null
    : refuse('too_late', 'A check-in can be undone for fifteen minutes only.')
}

/** What a till reports is its own: its device, and the site where it happened; and it belongs to an event. */
const ownTill: Rule = (_, { fact, author }) => {
  if (fact.event === 0) return refuse('unknown_event', 'What a till does belongs to an event.')
  return rowsOf(fact).every(({ row: { till, site } }) => till === author.id && site === fact.site)
    ? null
    : refuse('not_theirs', 'It says that another till has done it.')
}

/** A receipt comes to what its lines come to, and that is what was paid or given back. */
const possibleReceipt: Rule = (_, { fact }) => {
  const row = sentReceipt(fact)
  const total = hundredths(row.total)
  const sums = [row.lines, row.payments].map((rows) =>
    rows.reduce((sum, { amount }) => sum + hundredths(amount), 0),
  )
  return sums.every((sum) => sum === total)
    ? null
    : refuse('impossible_amount', 'Its amounts cannot be those of a receipt.')
}

/** What is asked of each kind of fact; what has to be known for a device, a lease or a name is asked where it is applied. */
const rules: Readonly<Record<FactKind, readonly Rule[]>> = {
  checkin: [ownIds],
  annulment: [inTime],
  answers: [askedAtEntrance],
  attendee_name: [],
  order: [wholeOrder, sells, ownIds, possibleAmounts, ownLeases],
  device: [],
  lease: [],
  gift_card: [sells, ownIds],
  print: [ownIds],
  drawer: [sells, ownIds, ownTill],
  receipt: [sells, ownIds, ownTill, possibleReceipt],
  closing: [sells, ownIds, ownTill],
  receipt_print: [sells, ownIds, ownTill],
  receipt_signature: [sells, ownIds, ownTill],
}

/**
 * Why a fact is not taken in, or null: it asks whether its sender may report it, and whether the device where it
 * happened can have done that. Central and hubs ask the same, so that both hold the same. Tickets of a sale may be in
 * somebody's hands: it is `quarantined` then, for a person to decide about.
 */
export async function refusalFor(
  tx: Tx,
  { devices, events }: Surroundings,
  reported: ReportedFact,
): Promise<Applied | null> {
  const { sender, fact } = reported
  const refusal = await refusalOf(tx, sender, { devices, events }, fact)
  if (refusal) return refusal
  // A program that is newer than this one may know it one day: it is kept by who knows it and reported again.
  if (!factKinds.includes(fact.kind))
    return { status: 'retry', reason: 'unknown_kind', detail: 'This server is too old to understand it.' }
  const author = await authorOf(tx, sender, devices, fact)
  for (const rule of rules[fact.kind]) {
    const found = await rule(tx, { ...reported, author })
    if (found) return fact.kind === 'order' && fact.event !== 0 ? { ...found, status: 'quarantined' } : found
  }
  return null
}

/** The device where a fact happened: the one that it names, or the one that has its site. */
async function authorOf(
  tx: Tx,
  { organizer, device }: Sender,
  devices: Surroundings['devices'],
  fact: SentFact,
): Promise<KnownDevice> {
  if (fact.device !== null) return devices.get(fact.device) ?? device
  if (isOf(device, fact.site)) return device
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM device WHERE organizer = ${organizer} AND site = ${fact.site}`,
  )
  return (row && (await devicesById(tx, organizer, [row.id])).get(row.id)) ?? device
}

/** A fact that names the device where it happened: whom the top does not know by the site would be taken for the hub. */
export const naming = async (
  tx: Tx,
  sender: Sender,
  { devices }: Surroundings,
  fact: SentFact,
): Promise<SentFact> => ({
  ...fact,
  device: (await authorOf(tx, sender, devices, fact)).id,
})
