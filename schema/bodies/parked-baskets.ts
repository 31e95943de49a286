import type { Static } from 'typebox'
import { shownList, shownMoment, shownRecord, shownText, shownWhole } from '../shown.ts'

/** The body by which a till parks a basket; its lines are stored as they are. */
export const parkedBasketBody = {
  type: 'object',
  required: ['name', 'tickets', 'lines'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S' },
    tickets: { type: 'integer', minimum: 1, maximum: 500 },
    lines: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 500 },
  },
} as const

/** The body by which a till takes a basket up, with the till's own id. */
export const basketTakeBody = {
  type: 'object',
  required: ['till'],
  properties: { till: { type: 'string', minLength: 8, maxLength: 64 } },
} as const

const parkedBasket = shownRecord({
  id: shownText,
  name: shownText,
  tickets: shownWhole,
  parked: shownMoment,
})

/** A basket that can be taken up again. */
export type ParkedBasket = Static<typeof parkedBasket>

const parkedBaskets = shownRecord({ results: shownList(parkedBasket) })

/** All of them, the oldest first. */
export type ParkedBaskets = Static<typeof parkedBaskets>
