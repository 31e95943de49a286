import sql, { join } from 'sql-template-tag'
import { type SpendingProblem, spendingProblem } from '../../domain/orders/gift-cards.ts'
import { impossible, invalid } from '../../errors.ts'
import { hundredths } from '../../resource/codec.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { issuersFor } from './gift-card-issuers.ts'
import { type CardKey, transact } from './gift-card-transactions.ts'
import { spendOffline } from './offline-gift-cards.ts'
import type { OfflineCharge, PaymentDetails, PaymentProvider } from './payment-provider.ts'

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
async function cardOf(tx: Tx, { organizer }: Place, details: PaymentDetails): Promise<CardCells> {
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

/** What a payment shows of its card. */
const detailsOf = ({ id, secret, slug }: CardCells): PaymentDetails => ({
  gift_card: { id, secret, organizer: slug },
})

/** The gift card that a payment names; refused where the order cannot be paid with it. */
async function usableCard(
  tx: Tx,
  at: OrderScope,
  { testmode, details }: Pick<OfflineCharge, 'testmode' | 'details'>,
): Promise<CardCells> {
  const card = await cardOf(tx, at.place, details)
  const facts = { ...card, testmode: card.testmode === 1 }
  const problem = spendingProblem(facts, { currency: at.event.currency, testmode }, tx.now)
  // That too little is left is found out where nobody else can spend it meanwhile.
  if (problem !== null && problem !== 'empty') throw impossible(problems[problem])
  return card
}

const keyOf = ({ organizer, id }: CardCells): CardKey => ({ issuer: organizer, id })

/**
 * A gift card, named in what is sent with the payment. 400 for a card that an order cannot be paid with, 409 when there
 * is too little on it. Without asking the upstream, as much is taken as the event lets.
 */
export const giftCardProvider: PaymentProvider = {
  id: 'giftcard',
  refundsAtOnce: true,
  async charge(tx, at, { order: { code, testmode }, amount, details }) {
    const card = await usableCard(tx, at, { testmode, details })
    await transact(tx, at.actor, keyOf(card), { ...changeFor(at, code), value: -amount })
    return detailsOf(card)
  },
  async refund(tx, at, { order, amount, details }) {
    const card = await cardOf(tx, at.place, details)
    await transact(tx, at.actor, keyOf(card), { value: amount, event: at.event.slug, order: order.code })
  },
  async offline(tx, at, { testmode, amount, details }) {
    const limit = hundredths(at.event.settings.gift_card_offline_limit)
    if (limit <= 0)
      throw invalid([
        'Gift cards are taken while the network is there. Take another way of paying, or enter the order without its payment, and the payment once the network is back.',
      ])
    const card = await usableCard(tx, at, { testmode, details })
    return {
      details: detailsOf(card),
      async take(order) {
        await spendOffline(tx, at, card.id, { ...changeFor(at, order), value: -amount, limit })
      },
    }
  },
}

const changeFor = ({ event }: OrderScope, order: string) => ({
  currency: event.currency,
  event: event.slug,
  order,
})
