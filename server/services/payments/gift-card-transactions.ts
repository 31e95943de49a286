import type { StoredRow } from '../../../schema/resource.ts'
import { type GiftCard, giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { type ChangeProblem, cardAfter } from '../../domain/orders/gift-cards.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** The row of a change of what a card is worth. */
export type CardTransaction = StoredRow<typeof giftCardTransaction>

/** A change of what a card is worth: in hundredths, positive to raise it and negative to spend it. */
export interface CardChange {
  readonly value: number
  readonly text?: string | null
  readonly info?: unknown
  /** Where given, the card must be of this currency. */
  readonly currency?: string | null
  /** The slug of the event and the code of the order that it is about. */
  readonly event?: string | null
  readonly order?: string | null
}

/** A gift card of an organizer. */
export interface CardKey {
  readonly issuer: number
  readonly id: number
}

/** What is written down of a change that was made elsewhere: its id and its time. */
interface ChangeMade extends CardChange {
  readonly id?: number
  readonly datetime?: string
}

/** Why a card cannot be changed so, as it is answered. */
export function cardRefusal(problem: ChangeProblem, card: GiftCard): Refusal {
  switch (problem) {
    case 'insufficient':
      return new Refusal(409, {
        value: ['The gift card does not have sufficient credit for this operation.'],
      })
    case 'currency':
      return new Refusal(409, { currency: [`The gift card is in ${card.currency}.`] })
    case 'too-much':
      return invalid({ value: ['No gift card can be worth that much.'] })
  }
}

/** Writes down a change of what a card is worth; the row of the card itself is changed by whoever calls this. */
export async function recordChange(
  tx: Tx,
  place: Place,
  card: number,
  change: ChangeMade,
): Promise<CardTransaction> {
  const row: CardTransaction = {
    ...blankRow(giftCardTransaction),
    id: change.id ?? tx.nextId(),
    datetime: change.datetime ?? tx.now,
    value: amountOf(change.value),
    event: change.event ?? null,
    order: change.order ?? null,
    text: change.text ?? null,
    info: change.info ?? null,
    gift_card: card,
  }
  await insertRow(tx, giftCardTransaction, place, row)
  return row
}

/**
 * Changes what a gift card of an organizer is worth, and gives the card after it. Nobody else changes the card until
 * the transaction ends. 409 when it would go below zero or is of another currency, 404 when there is no such card.
 */
export async function transact(
  tx: Tx,
  actor: Actor,
  { issuer, id: card }: CardKey,
  change: CardChange,
): Promise<GiftCard> {
  const place: Place = { organizer: issuer, event: 0 }
  const row = await lockRow(tx, giftCard, place, { id: card })
  if (!row) throw notFound()
  const facts = { value: hundredths(row.value), currency: row.currency }
  const result = cardAfter(facts, change.value, change.currency)
  if ('problem' in result) throw cardRefusal(result.problem, row)
  const value = amountOf(result.value)
  await recordChange(tx, place, card, change)
  await updateRow(tx, giftCard, place, { id: card, value })
  tx.audit(place, actor, {
    action: 'ticketsvc.gift_card.transaction',
    resource: giftCard.name,
    row: card,
    data: { ...change, value: amountOf(change.value) },
  })
  return { ...row, value }
}
