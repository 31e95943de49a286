import { choice, datetime, id, integer, nullable, ref } from '../../fields.ts'
import { defineResource, type Row } from '../../resource.ts'

/** Part of a quota that a station or a hub may sell without asking; counted as taken while it is open. */
export const quotaLease = defineResource({
  name: 'quota_lease',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    quota: ref('quota', 'refuse'),
    device: ref('device', 'refuse'),
    site: integer({ minimum: 0 }),
    /** The hub's own lease that this one is a part of. */
    parent: nullable(integer({ minimum: 0 })),
    size: integer({ minimum: 0 }),
    /** How many were sold of it so far. */
    used: integer({ default: 0, minimum: 0 }),
    state: choice(['open', 'returned', 'expired']),
    created: datetime(),
    until: datetime(),
  },
  permission: { read: null, write: null },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type QuotaLease = Row<typeof quotaLease>
