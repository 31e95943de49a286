import {
  datetime,
  flag,
  float,
  id,
  integer,
  json,
  money,
  multilingual,
  nullable,
  readOnly,
  ref,
  text,
} from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** A price or availability of an item or variation that differs on one date. */
export interface PriceOverride {
  readonly item?: number
  readonly variation?: number
  readonly disabled: boolean
  readonly available_from: string | null
  readonly available_until: string | null
  readonly price: string | null
}

const exception = {
  disabled: flag(false),
  available_from: nullable(datetime()),
  available_until: nullable(datetime()),
  price: nullable(money()),
}

/** The fields of what one item costs on a date. */
export const itemOverride = { item: ref('item'), ...exception }

/** The fields of what one variation costs on a date. */
export const variationOverride = { variation: ref('variation'), ...exception }

const overrides = () =>
  json<PriceOverride[]>({ type: 'array', maxItems: 1000, items: { type: 'object' } }, { default: [] })

/** One date of an event series. */
export const subevent = defineResource({
  name: 'subevent',
  path: 'subevents',
  scope: 'event',
  fields: {
    id: id(),
    name: multilingual(),
    active: flag(false),
    is_public: flag(true),
    date_from: datetime(),
    date_to: nullable(datetime()),
    date_admission: nullable(datetime()),
    presale_start: nullable(datetime()),
    presale_end: nullable(datetime()),
    frontpage_text: nullable(multilingual({ default: {} })),
    location: nullable(multilingual({ default: {} })),
    geo_lat: nullable(float({ minimum: -90, maximum: 90 })),
    geo_lon: nullable(float({ minimum: -180, maximum: 180 })),
    item_price_overrides: overrides(),
    variation_price_overrides: overrides(),
    meta_data: json<Record<string, string>>(
      { type: 'object', maxProperties: 500, additionalProperties: { type: 'string', maxLength: 1000 } },
      { default: {} },
    ),
    seating_plan: nullable(integer()),
    seat_category_mapping: json<Record<string, number | null>>(
      { type: 'object', maxProperties: 1000, additionalProperties: { type: ['integer', 'null'] } },
      { default: {} },
    ),
    last_modified: readOnly(datetime()),
  },
  computed: {
    event: readOnly(text()),
    /** Only where it is asked for. */
    best_availability_state: readOnly(nullable(integer())),
  },
  filters: {
    ...whereEqual('active', 'is_public'),
    modified_since: { field: 'last_modified', by: 'at-least' },
  },
  ordering: { allowed: ['id', 'date_from', 'last_modified'], default: 'date_from' },
  permission: { read: null, write: 'can_change_event_settings', create: 'can_create_events' },
  conditional: true,
  since: 'modified_since',
  only: { sale: ['item_price_overrides', 'variation_price_overrides'] },
  replicate: true,
  offline: 'forward',
})
