import { flag, id, multilingual, nullable, percent, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** How an item is taxed. */
export const taxRule = defineResource({
  name: 'tax_rule',
  path: 'taxrules',
  scope: 'event',
  fields: {
    id: id(),
    name: multilingual(),
    internal_name: nullable(text({ default: '', maxLength: 190 })),
    /** What counts where no rule is named: true for exactly one of an event. */
    default: flag(false),
    rate: percent(),
    price_includes_tax: flag(true),
    eu_reverse_charge: flag(false),
    home_country: text({ default: '', maxLength: 2 }),
    keep_gross_if_rate_changes: flag(false),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: null, write: 'can_change_event_settings' },
  conditional: true,
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
