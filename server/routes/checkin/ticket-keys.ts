import type Router from '@koa/router'
import { rotateKeyBody } from '../../../schema/bodies/ticket-keys.ts'
import { eventKey, type SignatureScheme } from '../../../schema/resources/checkin/event-key.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { check } from '../../resource/input.ts'
import { refuseMethod, serve, shown } from '../../resource/routes.ts'
import { rotateKey } from '../../services/codes/event-keys.ts'

/** Serves the public keys of an event's signed tickets, and gives it new ones. */
export function serveTicketKeys(router: Router, api: Api): void {
  const rotate = '/api/v1/organizers/:organizer/events/:event/ticketkeys/rotate/'
  router.post(rotate, api.admit('event', 'can_change_event_settings'), async (ctx) => {
    const { actor, place }: Scope = ctx.state.scope
    const body = bodyOf(ctx)
    check(rotateKeyBody, body)
    const { scheme } = body as { scheme: SignatureScheme }
    const row = await api.transactions.write((tx) => rotateKey(tx, actor, place, scheme))
    ctx.status = 201
    ctx.body = shown(eventKey, row)
  })
  router.all(rotate, api.admit('event', null), (ctx) => refuseMethod(ctx))
  serve(router, api, eventKey)
}
