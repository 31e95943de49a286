import sql from 'sql-template-tag'
import { type GiftCard, giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { cardAfter, limitProblem } from '../../domain/orders/gift-cards.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { payloadOf } from '../../resource/facts.ts'
import { findRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type CardChange, type CardTransaction, cardRefusal, recordChange } from './gift-card-transactions.ts'

/** What a fact about a gift card says: a change that was made where the upstream was not asked. */
interface ReportedChange {
  readonly row: CardTransaction
}

/** Nobody was asked, so whoever wanted to pay may choose another way. */
const later = (detail: string): Refusal =>
  new Refusal(503, { detail, reason: 'offline' }, { 'Retry-After': '10' })

/** A change of a card that the upstream is not asked for. */
interface OfflineChange extends CardChange {
  /** How much may be spent of the card, in hundredths, until the upstream has heard of it. */
  readonly limit: number
}

/**
 * Spends from a gift card on a node below another one without asking it; the card after it. The place is that of the
 * event it is reported with. 503 where it takes the upstream, 409 where the card is known not to be worth enough.
 */
export async function spendOffline(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  card: number,
  { limit, ...change }: OfflineChange,
): Promise<GiftCard> {
  const top: Place = { organizer: place.organizer, event: 0 }
  const row = await lockRow(tx, giftCard, top, { id: card })
  if (!row) throw notFound()
  const changes = await unreported(tx, card)
  switch (limitProblem(change.value, changes, limit)) {
    case 'raises':
      throw later(
        'Money is put on gift cards by the central server or hub, which cannot be asked at the moment.',
      )
    case 'off':
      throw later(
        'Gift cards are changed on the central server or hub, which cannot be reached at the moment. Scanning and selling go on.',
      )
    case 'limit':
      throw later(
        `Without the central server or hub, ${amountOf(limit)} can be taken from a gift card, and ${amountOf(-changes)} were taken.`,
      )
  }
  const known = await tx.get<{ sum: number | string | null }>(
    sql`SELECT sum(value) AS sum FROM gift_card_transaction WHERE organizer = ${place.organizer} AND gift_card = ${card}`,
  )
  const facts = { value: Number(known?.sum ?? 0), currency: row.currency }
  const result = cardAfter(facts, change.value, change.currency)
  if ('problem' in result) throw cardRefusal(result.problem, row)
  const value = amountOf(result.value)
  const written = await recordChange(tx, top, card, change)
  await updateRow(tx, giftCard, top, { id: card, value })
  tx.fact(place, actor.device?.id ?? null, {
    kind: 'gift_card',
    payload: { row: written } satisfies ReportedChange,
  })
  tx.audit(top, actor, {
    action: 'ticketsvc.gift_card.transaction',
    resource: giftCard.name,
    row: card,
    data: { ...change, value: amountOf(change.value) },
  })
  return { ...row, value }
}

/** The sum of the changes of a card that the upstream does not know of yet, in hundredths. */
async function unreported(tx: Tx, card: number): Promise<number> {
  const facts = await tx.all<{ payload: string }>(
    sql`SELECT payload FROM outbox WHERE kind = 'gift_card' AND state <> 'done'`,
  )
  return facts
    .map(({ payload }) => (payloadOf(payload).row ?? {}) as Partial<CardTransaction>)
    .filter((row) => row.gift_card === card)
    .reduce((sum, row) => sum + hundredths(String(row.value)), 0)
}

/** The event that a change of a card is reported with that is about none: that of this station, or the newest one. */
export async function eventToReportWith(
  tx: Tx,
  actor: Actor,
  organizer: number,
  preferred: number | null,
): Promise<Place> {
  const rows = await tx.all<{ id: number }>(
    sql`SELECT id FROM event WHERE organizer = ${organizer} ORDER BY id DESC`,
  )
  const open = rows.map(({ id }) => id).filter((id) => actor.allEvents || actor.events.has(id))
  const event = open.find((id) => id === preferred) ?? open[0]
  if (event === undefined)
    throw later('This is changed on the central server or hub, which cannot be reached.')
  return { organizer, event }
}

/** What is missing from a copy of the data of a change that was made here. */
export async function repeatChange(tx: Tx, organizer: number, { row }: ReportedChange): Promise<void> {
  const place: Place = { organizer, event: 0 }
  if (await findRow(tx, giftCardTransaction, place, { id: row.id })) return
  const card = await findRow(tx, giftCard, place, { id: row.gift_card })
  if (!card) return
  await applyChange(tx, place, card, row)
}

/** Writes down a change that was made elsewhere, as it was, and gives the value of the card after it in hundredths. */
export async function applyChange(
  tx: Tx,
  place: Place,
  card: GiftCard,
  row: Omit<CardTransaction, 'gift_card'>,
): Promise<number> {
  const change = hundredths(row.value)
  const value = hundredths(card.value) + change
  await recordChange(tx, place, card.id, { ...row, value: change })
  await updateRow(tx, giftCard, place, { id: card.id, value: amountOf(value) })
  return value
}
