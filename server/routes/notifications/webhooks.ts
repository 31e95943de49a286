import type Router from '@koa/router'
import { rotationInput } from '../../../schema/bodies/webhook-secret.ts'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import { webhookAttempt } from '../../../schema/resources/notifications/webhook-attempt.ts'
import { readNetworks } from '../../domain/notifications/webhook-targets.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { idIn, refuseMethod, serve } from '../../resource/routes.ts'
import {
  removeWebhook,
  rotateSecret,
  webhookBehaviour,
} from '../../services/notifications/webhook-behaviour.ts'

const one = '/api/v1/organizers/:organizer/webhooks/:id/'

/** Serves webhooks, their secrets and the attempts to call them. */
export function serveWebhooks(router: Router, api: Api): void {
  const { write } = api.transactions
  const mayChange = api.admit('organizer', webhook.permission.write)

  router.delete(one, mayChange, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const id = idIn(ctx.params.id)
    await write((tx) => removeWebhook(tx, scope, id))
    ctx.status = 204
  })

  router.post(`${one}rotate_secret/`, mayChange, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const id = idIn(ctx.params.id)
    const { keep_former_seconds } = readBody(rotationInput, bodyOf(ctx) ?? {}, {
      partial: false,
      locale: 'en',
    })
    ctx.body = await write((tx) => rotateSecret(tx, scope, id, Number(keep_former_seconds)))
  })
  router.all(`${one}rotate_secret/`, api.admit('organizer', null), (ctx) => refuseMethod(ctx))

  serve(router, api, webhookAttempt)
  serve(router, api, webhook, webhookBehaviour(readNetworks(api.webhookNetworks ?? [])))
}
