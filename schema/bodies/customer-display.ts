import type { Static } from 'typebox'
import { shownChoice, shownList, shownRecord, shownText, shownTextOrNull, shownWhole } from '../shown.ts'

const line = shownRecord({
  name: shownText,
  /** What it is together with: its date, its seat, what is added to it. */
  details: shownList(shownText),
  count: shownWhole,
  amount: shownTextOrNull,
})

const customerDisplay = shownRecord({
  /** Nothing is sold at the moment; a basket is filled; it is paid; it was sold. */
  phase: shownChoice(['idle', 'basket', 'paying', 'sold']),
  locale: shownText,
  currency: shownText,
  event_name: shownText,
  lines: shownList(line),
  /** What it costs, what of that is still to be paid, what was handed over and what goes back. */
  total: shownTextOrNull,
  due: shownTextOrNull,
  given: shownTextOrNull,
  change: shownTextOrNull,
})

/** What a till has its guest see: amounts are decimal, and nobody is named. */
export type CustomerDisplay = Static<typeof customerDisplay>

/** A line of it. */
export type DisplayedLine = Static<typeof line>

const text = { type: 'string', maxLength: 400 } as const
const amountOrNull = { type: ['string', 'null'], pattern: '^-?\\d{1,10}\\.\\d{2}$' } as const

/** The same as the body by which the till says it. */
export const customerDisplayBody = {
  type: 'object',
  required: ['phase', 'locale', 'currency', 'event_name', 'lines', 'total', 'due', 'given', 'change'],
  additionalProperties: false,
  properties: {
    phase: { type: 'string', enum: ['idle', 'basket', 'paying', 'sold'] },
    locale: { type: 'string', maxLength: 20 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    event_name: text,
    lines: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['name', 'details', 'count', 'amount'],
        additionalProperties: false,
        properties: {
          name: text,
          details: { type: 'array', maxItems: 100, items: text },
          count: { type: 'integer', minimum: 1, maximum: 500 },
          amount: amountOrNull,
        },
      },
    },
    total: amountOrNull,
    due: amountOrNull,
    given: amountOrNull,
    change: amountOrNull,
  },
} as const

const displaysTold = shownRecord({ displays: shownWhole })

/** How many displays were told. */
export type DisplaysTold = Static<typeof displaysTold>

const displayKey = shownRecord({ key: shownText })

/** By which another browser is let in to a display. */
export type DisplayKey = Static<typeof displayKey>

/** What is told to a till whose display was opened: by its id. */
export interface DisplayOpened {
  readonly till: string
}
