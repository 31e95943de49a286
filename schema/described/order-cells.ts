import { addressInput } from '../bodies/order-create.ts'
import { exactly, seen } from '../json-schema.ts'

const text = { type: 'string' }

/** An invoice address as it is stored with an order and shown. */
export const invoiceAddress = exactly({
  last_modified: { ...text, format: 'date-time' },
  ...Object.fromEntries(Object.entries(addressInput).map(([name, field]) => [name, seen(field)])),
  name_parts: { type: 'object', additionalProperties: text },
})

/** What is stored with a ticket of the seat that it holds, and shown. */
export const seatHeld = exactly({ id: { type: 'integer' }, name: text, seat_guid: text })
