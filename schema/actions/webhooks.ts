import { momentOrNull, textShape } from '../described/shapes.ts'
import { integer } from '../fields.ts'
import { exactly } from '../json-schema.ts'
import { type Action, bodyWith, defineAction, hidden, org, refusedOrHidden } from './action.ts'

const day = 86_400

/** What may be said when a webhook gets a new secret. */
const rotationInput = {
  /** Seconds for which messages are signed with the secret before it as well. */
  keep_former_seconds: integer({ default: day, minimum: 0, maximum: 30 * day }),
}

const one = `${org}/webhooks/:id/` as const
const needs = 'can_change_organizer_settings'

export const webhookDisable = defineAction({
  name: 'webhook_disable',
  tag: 'webhook',
  method: 'delete',
  path: one,
  summary: 'Disables a webhook; it stays, and can be enabled again.',
  needs,
  shows: null,
  answers: { '204': 'Disabled.', ...hidden },
})

export const webhookRotateSecret = defineAction({
  name: 'webhook_rotate_secret',
  tag: 'webhook',
  method: 'post',
  path: `${one}rotate_secret/`,
  summary:
    'Gives a webhook a new secret, which is shown this once; the one before it stays valid for a while.',
  needs,
  body: bodyWith(rotationInput),
  shows: exactly({ secret: textShape, former_valid_until: momentOrNull }),
  answers: { '200': 'The secret.', ...refusedOrHidden },
})

/** Endpoints of webhooks beyond the standard ones. */
export const webhookActions: readonly Action[] = [webhookDisable, webhookRotateSecret]
