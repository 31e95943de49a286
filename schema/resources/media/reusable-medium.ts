import { choice, datetime, flag, id, json, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** What a medium is read as. */
export const mediumTypes = ['barcode', 'nfc_uid', 'nfc_mf0aes'] as const

/** A wristband or card that stands for tickets and money, and for others later. */
export const reusableMedium = defineResource({
  name: 'reusable_medium',
  path: 'reusablemedia',
  scope: 'organizer',
  fields: {
    id: id(),
    created: readOnly(datetime()),
    updated: readOnly(datetime()),
    type: choice(mediumTypes),
    identifier: text({ maxLength: 200 }),
    claim_token: nullable(text({ default: '', maxLength: 200 })),
    label: nullable(text({ default: '', maxLength: 200 })),
    active: flag(true),
    expires: nullable(datetime()),
    /** The customer's identifier. */
    customer: nullable(text({ maxLength: 190 })),
    /** The ids of positions of any event. Those that this server does not have are not shown. */
    linked_orderpositions: json<readonly number[]>(
      { type: 'array', items: { type: 'integer' }, uniqueItems: true, maxItems: 100 },
      { default: [] },
    ),
    linked_giftcard: nullable(ref('gift_card', 'clear')),
    info: json<Readonly<Record<string, unknown>>>({ type: 'object' }, { default: {} }),
    notes: nullable(text({ default: '' })),
  },
  computed: {
    organizer: readOnly(text()),
    /** For programs that know one ticket of a medium only; not there where there are several. */
    linked_orderposition: readOnly(nullable(json({ type: ['integer', 'object'] }))),
  },
  filters: {
    ...whereEqual('identifier', 'type', 'active', 'customer', 'linked_giftcard'),
    updated_since: { field: 'updated', by: 'at-least' },
    created_since: { field: 'created', by: 'at-least' },
  },
  ordering: { allowed: ['created', 'updated', 'identifier', 'type', 'id'], default: '-updated,-id' },
  permission: { read: 'can_manage_reusable_media', write: 'can_manage_reusable_media' },
  immutable: ['type', 'identifier'],
  omit: ['delete'],
  since: 'updated_since',
  only: { checkin: ['label'], sale: ['claim_token', 'customer', 'linked_giftcard', 'info', 'notes'] },
  replicate: true,
  offline: 'forward',
})

export type ReusableMedium = Row<typeof reusableMedium>
