import {
  datetime,
  flag,
  float,
  id,
  integer,
  json,
  multilingual,
  nullable,
  readOnly,
  ref,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** One occasion, or a series of them, that tickets are sold for. */
export const event = defineResource({
  name: 'event',
  path: 'events',
  scope: 'organizer',
  key: 'slug',
  fields: {
    name: multilingual(),
    slug: text({ maxLength: 50, format: 'slug' }),
    live: flag(false),
    testmode: flag(false),
    currency: text({ default: 'EUR', minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' }),
    date_from: datetime(),
    date_to: nullable(datetime()),
    date_admission: nullable(datetime()),
    is_public: flag(true),
    presale_start: nullable(datetime()),
    presale_end: nullable(datetime()),
    location: nullable(multilingual({ default: {} })),
    geo_lat: nullable(float({ minimum: -90, maximum: 90 })),
    geo_lon: nullable(float({ minimum: -180, maximum: 180 })),
    has_subevents: flag(false),
    meta_data: json<Record<string, string>>(
      { type: 'object', maxProperties: 500, additionalProperties: { type: 'string', maxLength: 1000 } },
      { default: {} },
    ),
    plugins: texts({ default: [] }),
    seating_plan: nullable(integer()),
    seat_category_mapping: json<Record<string, number | null>>(
      { type: 'object', maxProperties: 1000, additionalProperties: { type: ['integer', 'null'] } },
      { default: {} },
    ),
    timezone: text({ default: 'UTC', maxLength: 60 }),
    item_meta_properties: json<Record<string, string>>(
      { type: 'object', maxProperties: 500, additionalProperties: { type: 'string', maxLength: 1000 } },
      { default: {} },
    ),
    sales_channels: texts({ default: ['web'] }),
    all_sales_channels: flag(false),
  },
  hidden: {
    id: id(),
    settings: json({ type: 'object' }, { default: {} }),
    cloned_from: nullable(ref('event', 'clear')),
  },
  computed: {
    limit_sales_channels: readOnly(texts()),
    valid_keys: readOnly(json<Record<string, string[]>>({ type: 'object' })),
    /** Only where it is asked for. */
    best_availability_state: readOnly(nullable(integer())),
  },
  filters: whereEqual('is_public', 'live', 'testmode', 'has_subevents'),
  ordering: { allowed: ['date_from', 'slug'], default: 'slug' },
  permission: { read: null, write: 'can_change_event_settings', create: 'can_create_events' },
  unique: ['slug'],
  replicate: true,
  offline: 'forward',
})
