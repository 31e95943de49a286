import { choice, datetime, flag, id, integer, money, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** What a voucher may do to a price: nothing, replace it, take an amount off it, or take a percentage off it. */
const priceModes = ['none', 'set', 'subtract', 'percent'] as const

/** One of the things that a voucher may do to a price. */
export type PriceMode = (typeof priceModes)[number]

/** A code that lets its holder buy something, for less or from what is kept back. */
export const voucher = defineResource({
  name: 'voucher',
  path: 'vouchers',
  scope: 'event',
  fields: {
    id: id(),
    code: text({ default: '', minLength: 5, maxLength: 255 }),
    max_usages: integer({ default: 1, minimum: 1, maximum: 2147483647 }),
    redeemed: readOnly(integer({ default: 0 })),
    min_usages: integer({ default: 1, minimum: 1, maximum: 2147483647 }),
    valid_until: nullable(datetime()),
    block_quota: flag(false),
    allow_ignore_quota: flag(false),
    price_mode: choice(priceModes, { default: 'none' }),
    value: nullable(money()),
    item: nullable(ref('item', 'refuse')),
    variation: nullable(ref('variation', 'refuse')),
    quota: nullable(ref('quota', 'refuse')),
    seat: nullable(text({ maxLength: 190 })),
    tag: text({ default: '', maxLength: 255 }),
    comment: text({ default: '' }),
    subevent: nullable(ref('subevent', 'cascade')),
    show_hidden_items: flag(true),
    budget: nullable(money()),
    budget_used: readOnly(money({ default: '0.00' })),
    all_addons_included: flag(false),
    all_bundles_included: flag(false),
  },
  filters: whereEqual(
    'max_usages',
    'redeemed',
    'block_quota',
    'allow_ignore_quota',
    'price_mode',
    'value',
    'item',
    'variation',
    'quota',
    'tag',
    'subevent',
  ),
  ordering: { allowed: ['id', 'code', 'max_usages', 'valid_until', 'value'], default: 'id' },
  permission: { read: 'can_view_vouchers', write: 'can_change_vouchers' },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type Voucher = Row<typeof voucher>
