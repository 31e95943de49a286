import sql, { join } from 'sql-template-tag'
import { type SpendingProblem, spendingProblem } from '../../domain/orders/gift-cards.ts'
import { impossible } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { EventScope } from '../pricing/order-draft.ts'
import { issuersFor } from './gift-card-issuers.ts'
import { transact } from './gift-card-transactions.ts'

/** The provider of payments that are taken from a gift card. */
export const cardProvider = 'giftcard'

/** The order that is paid with a card. */
export interface CardOrder {
  readonly code: string
  readonly testmode: boolean
}

/** What a payment tells of its card, as it is stored and shown. */
type Details = Readonly<Record<string, unknown>>

/** What is taken from a card or put back on it, in hundredths, and what the payment tells of the card. */
interface CardPayment {
  readonly amount: number
  readonly details: Details
}

interface CardCells {
  readonly id: number
  readonly organizer: number
  readonly slug: string
  readonly secret: string
  readonly value: number
  readonly currency: string
  readonly testmode: number
  readonly expires: string | null
}

const problems: Readonly<Record<Exclude<SpendingProblem, 'empty'>, string>> = {
  currency: 'The gift card is in another currency.',
  testmode: 'Gift cards of the test mode are for test orders, and no others.',
  expired: 'The gift card has expired.',
}

/** The card that a payment names, by its id or its code; 400 when there is none that this organizer takes. */
async function cardOf(tx: Tx, { organizer }: Place, details: Details): Promise<CardCells> {
  const { gift_card: named, gift_card_secret: code } = details
  const known = typeof named === 'object' && named !== null ? (named as { id?: unknown }).id : named
  const wanted =
    Number.isSafeInteger(known) && typeof known === 'number'
      ? sql`c.id = ${known}`
      : typeof code === 'string'
        ? sql`lower(c.secret) = ${code.trim().toLowerCase()}`
        : null
  const issuers = [organizer, ...(await issuersFor(tx, organizer))]
  const found =
    wanted &&
    (await tx.get<CardCells>(
      sql`SELECT c.id, c.organizer, o.slug, c.secret, c.value, c.currency, c.testmode, c.expires
          FROM gift_card c JOIN organizer o ON o.id = c.organizer
          WHERE ${wanted} AND c.organizer IN (${join(issuers)}) ORDER BY c.organizer = ${organizer} DESC LIMIT 1`,
    ))
  if (!found)
    throw impossible(
      'Name the gift card in `info`: its id as `gift_card`, or its code as `gift_card_secret`.',
    )
  return found
}

/** What a payment tells of its card. */
const detailsOf = ({ id, secret, slug }: CardCells): Details => ({
  gift_card: { id, secret, organizer: slug },
})

/** Refuses a card that an order cannot be paid with. */
function checkCard(tx: Tx, { event }: EventScope, order: Pick<CardOrder, 'testmode'>, card: CardCells): void {
  const facts = { ...card, testmode: card.testmode === 1 }
  const problem = spendingProblem(facts, { currency: event.currency, testmode: order.testmode }, tx.now)
  // That too little is left is found out where nobody else can spend it meanwhile.
  if (problem !== null && problem !== 'empty') throw impossible(problems[problem])
}

/**
 * Takes the amount of a payment, in hundredths, from the gift card that it names; what the payment then tells of it. 400
 * for a card that this cannot be paid with, 409 when there is too little on it.
 */
export async function chargeCard(
  tx: Tx,
  at: EventScope,
  order: CardOrder,
  { amount, details }: CardPayment,
): Promise<Details> {
  const { actor, place, event } = at
  const card = await cardOf(tx, place, details)
  checkCard(tx, at, order, card)
  const change = { value: -amount, currency: event.currency, event: event.slug, order: order.code }
  await transact(tx, actor, { issuer: card.organizer, id: card.id }, change)
  return detailsOf(card)
}

/**
 * The card that an order is paid with on a node below another one, as the payment tells of it; 400 for one that it
 * cannot be paid with, or of somebody else: only the server above can ask for that.
 */
export async function cardHere(
  tx: Tx,
  at: EventScope,
  order: Pick<CardOrder, 'testmode'>,
  details: Details,
): Promise<{ readonly id: number; readonly details: Details }> {
  const card = await cardOf(tx, at.place, details)
  checkCard(tx, at, order, card)
  return { id: card.id, details: detailsOf(card) }
}

/** Puts an amount, in hundredths, back on the gift card that a payment was taken from. */
export async function creditCard(
  tx: Tx,
  at: EventScope,
  order: CardOrder,
  { amount, details }: CardPayment,
): Promise<void> {
  const { actor, place, event } = at
  const card = await cardOf(tx, place, details)
  const change = { value: amount, event: event.slug, order: order.code }
  await transact(tx, actor, { issuer: card.organizer, id: card.id }, change)
}
