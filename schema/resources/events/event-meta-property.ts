import { flag, id, json, multilingual, nullable, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** One value that a meta property may have. */
interface MetaChoice {
  readonly key: string
  readonly label?: Readonly<Record<string, string>> | string
}

/** Something that can be said of every event of an organizer, such as its genre; events say it in `meta_data`. */
export const eventMetaProperty = defineResource({
  name: 'event_meta_property',
  path: 'event_meta_properties',
  scope: 'organizer',
  fields: {
    id: id(),
    name: text({ maxLength: 50, pattern: '^[A-Za-z0-9_\\- ]+$' }),
    default: text({ default: '', maxLength: 1000 }),
    /** No event goes live while it says nothing about this. */
    required: flag(false),
    /** Only those who may change the organizer's settings may change its values. */
    protected: flag(false),
    filter_public: flag(false),
    public_label: nullable(multilingual({ default: {} })),
    filter_allowed: flag(true),
    choices: nullable(
      json<MetaChoice[]>({
        type: 'array',
        maxItems: 1000,
        items: {
          type: 'object',
          properties: {
            key: { type: 'string', maxLength: 1000 },
            label: { type: ['object', 'string'] },
          },
          required: ['key'],
        },
      }),
    ),
  },
  ordering: { allowed: ['id', 'name'], default: 'name' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  unique: ['name'],
  replicate: true,
  offline: 'forward',
})
