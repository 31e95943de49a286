import type { JsonObject } from '../../../schema/fields.ts'
import { type GiftCard, giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { mostOnCard } from '../../domain/orders/gift-cards.ts'
import { impossible } from '../../errors.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { findRow, lockRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type RecordedConflict, recordConflict } from '../../services/checkin/conflict-rows.ts'
import type { CardTransaction } from '../../services/payments/gift-card-transactions.ts'
import { applyChange } from '../../services/payments/offline-gift-cards.ts'
import type { Applied, Applier, ApplyContext } from './applier.ts'

/** Characters: as many as a till can send with a change. */
const mostInfo = 65_536

/** The change that a payload reports; throws 400 for what is none. Only spending happens without asking. */
function readChange(payload: unknown): Omit<CardTransaction, 'datetime'> {
  const row = (payload as { row?: JsonObject | null } | null)?.row ?? {}
  const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
  if (!isId(row.id) || !isId(row.gift_card)) throw impossible('The change of the gift card has no id.')
  if (typeof row.value !== 'string' || !/^-\d{1,11}\.\d\d$/.test(row.value))
    throw impossible('A station takes money from a gift card, and does nothing else with it.')
  const word = (value: unknown, most: number): string | null =>
    typeof value === 'string' ? value.slice(0, most) : null
  return {
    ...{ id: row.id, gift_card: row.gift_card, value: row.value },
    ...{ event: word(row.event, 50), order: word(row.order, 16), text: word(row.text, 5000) },
    info: JSON.stringify(row.info ?? null).length > mostInfo ? null : (row.info ?? null),
  }
}

/**
 * Applies what a station has taken from a gift card without asking. What happened stays: where the card is not worth
 * that much, it is worth less than nothing afterwards, and a person gets to see it.
 */
export const applyGiftCard: Applier = async (tx, context, fact) => {
  const { upstream, actor } = context
  const place: Place = { organizer: context.place.organizer, event: 0 }
  const reported = readChange(fact.payload)
  const card = await lockRow(tx, giftCard, place, { id: reported.gift_card })
  if (!card) return { status: 'rejected', reason: 'unknown_card', detail: 'There is no such gift card here.' }
  const known = await findRow(tx, giftCardTransaction, place, { id: reported.id })
  if (known && known.gift_card === reported.gift_card && known.value === reported.value)
    return { status: 'applied' }
  // The top gives the ids, and its rows come here with the changes.
  if (known && upstream) return { status: 'applied', rejoin: true }
  if (hundredths(card.value) + hundredths(reported.value) < -mostOnCard)
    return { status: 'rejected', reason: 'too_large', detail: 'No gift card can lack that much.' }
  const id = known ? tx.nextId() : reported.id
  const left = await applyChange(tx, place, card, { ...reported, id, datetime: context.at })
  tx.audit(place, actor, {
    action: 'ticketsvc.gift_card.transaction',
    resource: giftCard.name,
    row: reported.gift_card,
    data: { value: reported.value, event: reported.event, order: reported.order, text: reported.text },
  })
  const answer: Applied = { status: 'applied', ...(known ? { rejoin: true } : {}) }
  if (left >= 0 || upstream) return answer
  const conflict = await recordOverdraft(tx, context, { fact, card, reported, left })
  return { ...answer, status: 'conflict', conflicts: [conflict] }
}

interface Overdraft {
  readonly fact: Parameters<Applier>[2]
  readonly card: GiftCard
  readonly reported: Omit<CardTransaction, 'datetime'>
  /** What the card is worth now, in hundredths: less than nothing. */
  readonly left: number
}

/** Keeps for a person to look at that more was taken from a card than there was. */
const recordOverdraft = (
  tx: Tx,
  { place, at }: ApplyContext,
  { fact, card, reported, left }: Overdraft,
): Promise<RecordedConflict> =>
  recordConflict(tx, place, {
    key: fact.nonce,
    kind: 'overdrawn_card',
    severity: 'warning',
    position: null,
    list: null,
    checkin: null,
    other_checkin: null,
    device: fact.device,
    other_device: null,
    datetime: at,
    other_datetime: null,
    data: {
      ...{ gift_card: card.id, taken: amountOf(-hundredths(reported.value)) },
      ...{ short: amountOf(-left), currency: card.currency, code: reported.order },
    },
  })
