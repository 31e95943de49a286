import { datetime, flag, id, integer, nullable, ref, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** One call of a webhook, and what came of it; forgotten after thirty days. */
export const webhookAttempt = defineResource({
  name: 'webhook_attempt',
  path: 'attempts',
  scope: 'organizer',
  parent: { resource: 'webhook', field: 'webhook' },
  fields: {
    id: id(),
    datetime: datetime(),
    /** The same at every attempt to tell of the same thing. */
    notification_id: integer(),
    action_type: text(),
    target_url: text({ maxLength: 2000 }),
    is_retry: flag(),
    /** 0 where there was no answer. */
    return_code: integer(),
    success: flag(),
    /** Milliseconds. */
    duration: integer(),
    /** Why there was no answer. */
    error: nullable(text()),
    payload: text(),
    /** The beginning of it. */
    response_body: text({ default: '' }),
    /** When it is tried again, or null when it is not. */
    next_attempt: nullable(datetime()),
  },
  hidden: { webhook: ref('webhook', 'cascade') },
  filters: whereEqual('success', 'notification_id', 'action_type'),
  ordering: { allowed: ['id', 'datetime'], default: '-id' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: false,
  offline: 'forward',
})
