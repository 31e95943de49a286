import { datetime, eventSlugs, flag, id, nullable, text, texts } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'
import { webhookActionTypes } from '../../webhook-actions.ts'

/** An address that hears what happens. */
export const webhook = defineResource({
  name: 'webhook',
  path: 'webhooks',
  scope: 'organizer',
  fields: {
    id: id(),
    enabled: flag(true),
    target_url: text({ maxLength: 2000 }),
    all_events: flag(false),
    limit_events: eventSlugs(),
    action_types: texts({ each: { enum: [...webhookActionTypes] } }),
    comment: nullable(text({ default: '', maxLength: 255 })),
  },
  hidden: {
    /** What messages are signed with; it is needed as it is, so it cannot be stored as a hash. */
    signing_secret: text({ maxLength: 190 }),
    /** The one before it, with which they are signed as well until a moment. */
    former_secret: nullable(text({ maxLength: 190 })),
    former_until: nullable(datetime()),
  },
  computed: {
    /** Shown once, to whoever creates the webhook. */
    secret: text(),
  },
  filters: whereEqual('enabled'),
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  omit: ['delete'],
  replicate: false,
  offline: 'forward',
})
