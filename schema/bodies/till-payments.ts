import type { Static } from 'typebox'
import { shownList, shownMoment, shownOrNull, shownRecord, shownText, shownWholeOrNull } from '../shown.ts'

/** The body by which a till begins to take money from a terminal; the basket is stored as it is. */
export const tillPaymentBody = {
  type: 'object',
  required: ['id', 'sale', 'amount', 'basket'],
  properties: {
    id: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' },
    sale: { type: 'string', minLength: 8, maxLength: 64 },
    amount: { type: 'string', pattern: '^[0-9]{1,7}\\.[0-9]{2}$' },
    basket: { type: 'object' },
  },
} as const

/** The body by which somebody says what became of a payment that nobody else knows of. */
export const tillDecisionBody = {
  type: 'object',
  required: ['taken', 'reason'],
  properties: {
    taken: { type: 'boolean' },
    reason: { type: 'string', minLength: 3, maxLength: 190 },
  },
} as const

/** The body that names the order which a payment has paid for at the server above. */
export const tillSpentBody = {
  type: 'object',
  required: ['order'],
  properties: { order: { type: 'string', minLength: 1, maxLength: 16 } },
} as const

/** The body that says where the card terminal of a station is. */
export const terminalBody = {
  type: 'object',
  required: ['host'],
  properties: {
    /** Empty where there is none. */
    host: { type: 'string', maxLength: 253, pattern: '^[A-Za-z0-9.:-]*$' },
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    password: { type: 'string', pattern: '^[0-9]{6}$' },
  },
} as const

const tillPayment = shownRecord({
  id: shownText,
  sale: shownText,
  amount: shownText,
  currency: shownText,
  created: shownMoment,
  /** paid, declined, pending or unknown. */
  state: shownText,
  reason: shownOrNull(shownText),
  reference: shownOrNull(shownText),
  order: shownOrNull(shownText),
  refund: shownOrNull(shownText),
  /** What the terminal is at, by its number. */
  progress: shownWholeOrNull,
  /** What was to be sold, in how many words that takes. */
  tickets: shownWholeOrNull,
})

/** Money that a till has asked a terminal for, as its screen shows it; amounts are decimal. */
export type ShownTillPayment = Static<typeof tillPayment>

const tillPayments = shownRecord({ results: shownList(tillPayment) })

/** All of it that is not settled. */
export type ShownTillPayments = Static<typeof tillPayments>
