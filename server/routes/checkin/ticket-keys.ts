import { eventKeyRotate } from '../../../schema/actions/catalogue.ts'
import { eventKey } from '../../../schema/resources/checkin/event-key.ts'
import { type ApiRouter, refuseOthers, serveAction } from '../../resource/endpoints.ts'
import { serve, shown } from '../../resource/routes.ts'
import { rotateKey } from '../../services/codes/event-keys.ts'

/** Serves the public keys of an event's signed tickets, and gives it new ones. */
export function serveTicketKeys(router: ApiRouter): void {
  serveAction(router, eventKeyRotate, async ({ actor, place, body }, tx) =>
    shown(eventKey, await rotateKey(tx, actor, place, body.scheme)),
  )
  refuseOthers(router, eventKeyRotate)
  serve(router, eventKey)
}
