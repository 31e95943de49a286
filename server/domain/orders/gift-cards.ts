import { isBefore } from '../../../schema/instants.ts'

/** What decides whether a gift card can be spent; the value in hundredths. */
interface CardFacts {
  readonly value: number
  readonly currency: string
  readonly testmode: boolean
  readonly expires: string | null
}

/** The largest value of a card, in hundredths: what an amount of money can be at all. */
export const mostOnCard = 99_999_999_999_99

/** Why a change of a card's value is refused. */
export type ChangeProblem = 'insufficient' | 'too-much' | 'currency'

/** What a card is worth after a change, or why it cannot be changed so. Amounts in hundredths; exactly zero is allowed. */
export type CardAfter = { readonly value: number } | { readonly problem: ChangeProblem }

/** Judges a change of what a card is worth; the currency is only looked at where one is given. */
export function cardAfter(
  card: Pick<CardFacts, 'value' | 'currency'>,
  change: number,
  currency: string | null = null,
): CardAfter {
  if (currency !== null && currency !== card.currency) return { problem: 'currency' }
  const value = card.value + change
  if (value < 0) return { problem: 'insufficient' }
  return value > mostOnCard ? { problem: 'too-much' } : { value }
}

/** Whether a card has expired: it can still be spent at the very moment of its expiry. */
export const isCardExpired = (card: Pick<CardFacts, 'expires'>, now: string): boolean =>
  card.expires !== null && isBefore(card.expires, now)

/** Why an order cannot be paid with a card, or null: it is of another currency or mode, expired, or empty. */
export type SpendingProblem = 'currency' | 'testmode' | 'expired' | 'empty'

/** Judges whether something can be bought with a card. */
export function spendingProblem(
  card: CardFacts,
  order: { readonly currency: string; readonly testmode: boolean },
  now: string,
): SpendingProblem | null {
  if (card.currency !== order.currency) return 'currency'
  if (card.testmode !== order.testmode) return 'testmode'
  if (isCardExpired(card, now)) return 'expired'
  return card.value > 0 ? null : 'empty'
}

/** Why a card cannot be spent from without asking: it would be raised, nobody may, or the limit is reached. */
type LimitProblem = 'raises' | 'off' | 'limit'

/**
 * Judges a change that is made without asking whoever knows what a card is worth, after others that they have not heard
 * of either; all in hundredths. No more than the limit is taken from a card so.
 */
export function limitProblem(change: number, unreported: number, limit: number): LimitProblem | null {
  if (change > 0) return 'raises'
  if (limit <= 0) return 'off'
  return -(unreported + change) > limit ? 'limit' : null
}
