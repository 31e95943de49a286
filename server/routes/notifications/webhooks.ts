import { webhookDisable, webhookRotateSecret } from '../../../schema/actions/webhooks.ts'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import { webhookAttempt } from '../../../schema/resources/notifications/webhook-attempt.ts'
import { readNetworks } from '../../domain/notifications/webhook-targets.ts'
import { type ApiRouter, serveAction } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import {
  removeWebhook,
  rotateSecret,
  webhookBehaviour,
} from '../../services/notifications/webhook-behaviour.ts'

/** Serves webhooks, their secrets and the attempts to call them. */
export function serveWebhooks(router: ApiRouter): void {
  serveAction(router, webhookDisable, (request, tx) => removeWebhook(tx, request, idIn(request.params.id)))
  serveAction(router, webhookRotateSecret, (request, tx) => {
    const id = idIn(request.params.id)
    return rotateSecret(tx, request, id, request.body.keep_former_seconds)
  })
  serve(router, webhookAttempt)
  serve(router, webhook, webhookBehaviour(readNetworks(router.api.webhookNetworks ?? [])))
}
