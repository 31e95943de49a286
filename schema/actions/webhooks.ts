import { rotationInput } from '../bodies/webhook-secret.ts'
import { momentOrNull, text } from '../described/shapes.ts'
import { bodyOf, exactly } from '../json-schema.ts'
import { type Action, hidden, org, refusedOrHidden } from './action.ts'

const one = `${org}/webhooks/:id/`
const needs = 'can_change_organizer_settings'

/** Endpoints of webhooks beyond the standard ones. */
export const webhookActions: readonly Action[] = [
  {
    name: 'webhook_disable',
    tag: 'webhook',
    method: 'delete',
    path: one,
    summary: 'Disables a webhook; it stays, and can be enabled again.',
    needs,
    shows: null,
    answers: { '204': 'Disabled.', ...hidden },
  },
  {
    name: 'webhook_rotate_secret',
    tag: 'webhook',
    method: 'post',
    path: `${one}rotate_secret/`,
    summary:
      'Gives a webhook a new secret, which is shown this once; the one before it stays valid for a while.',
    needs,
    body: bodyOf(rotationInput),
    shows: exactly({ secret: text, former_valid_until: momentOrNull }),
    answers: { '200': 'The secret.', ...refusedOrHidden },
  },
]
