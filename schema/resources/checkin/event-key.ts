import { choice, datetime, id, integer, nullable, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** How ticket codes can be signed. */
export const signatureSchemes = ['pretix_sig1', 'gatehouse_1'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

/** A pair of keys that signs the ticket codes of an event; stations hold the public one. */
export const eventKey = defineResource({
  name: 'event_key',
  path: 'ticketkeys',
  scope: 'event',
  fields: {
    id: id(),
    scheme: choice(signatureSchemes),
    key_id: integer({ minimum: 0, maximum: 65535 }),
    /** Base64 of a PEM. */
    public_key: text(),
    created: datetime(),
    /** Since when it signs nothing any more; what it signed before stays valid. */
    retired: nullable(datetime()),
  },
  hidden: { private_key: nullable(text()) },
  permission: { read: null, write: 'can_change_event_settings' },
  filters: whereEqual('scheme'),
  ordering: { allowed: ['created', 'key_id'], default: '-key_id' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: true,
  offline: 'forward',
})
