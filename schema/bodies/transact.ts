import { json, money, nullable, text } from '../fields.ts'

/** A change of what a gift card is worth. */
export const transactInput = {
  /** Raises the value when positive, lowers it when negative. */
  value: money(),
  text: nullable(text({ default: '' })),
  /** Anything, stored with the change. */
  info: nullable(json({}, { bound: { most: 500 } })),
  /** Where it is sent, a card of another currency is refused. */
  currency: nullable(text({ maxLength: 3 })),
}
