import { datetime, id, nullable, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A ticket of a sale that was reported and not taken in: the door says so until somebody decides about the sale. */
export const refusedTicket = defineResource({
  name: 'refused_ticket',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    secret: text({ maxLength: 1024 }),
    device: nullable(ref('device', 'clear')),
    /** The nonce of the sale. */
    fact: text(),
    /** Why that was not taken in. */
    reason: text({ default: '' }),
    created: datetime(),
  },
  permission: { read: null, write: null },
  replicate: true,
  offline: 'forward',
})
