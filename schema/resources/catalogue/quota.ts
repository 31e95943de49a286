import { flag, id, integer, nullable, readOnly, ref, refs, text } from '../../fields.ts'
import { defineResource, type Row, whereEqualOrIn } from '../../resource.ts'

/** A limit on how often a set of items can be sold. */
export const quota = defineResource({
  name: 'quota',
  path: 'quotas',
  scope: 'event',
  fields: {
    id: id(),
    name: text({ maxLength: 200 }),
    size: nullable(integer({ minimum: 0 })),
    items: refs('item'),
    variations: refs('variation'),
    subevent: nullable(ref('subevent', 'cascade')),
    close_when_sold_out: flag(false),
    closed: flag(false),
    release_after_exit: flag(false),
  },
  hidden: { position: integer({ default: 0 }) },
  /** Only where they are asked for. */
  computed: { available: readOnly(flag()), available_number: readOnly(nullable(integer())) },
  filters: whereEqualOrIn('subevent'),
  ordering: { allowed: ['id', 'position', 'size'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  conditional: true,
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type Quota = Row<typeof quota>
