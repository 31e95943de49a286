import { type Json, the } from '../json-schema.ts'

export const textShape = { type: 'string' }
export const wholeShape = { type: 'integer' }
export const yesNo = { type: 'boolean' }
export const moment = { type: 'string', format: 'date-time' }
export const textOrNull = { type: ['string', 'null'] }
export const wholeOrNull = { type: ['integer', 'null'] }
export const momentOrNull = { type: ['string', 'null'], format: 'date-time' }

/** Refusals of what is paid with gift cards: somebody else changes the same thing, or a card is not worth enough. */
export const busyOrPoor: Json = { anyOf: [the('Detail'), the('FieldErrors')] }
