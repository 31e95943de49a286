import { mediumLookup } from '../../../schema/actions/media.ts'
import { reusableMedium } from '../../../schema/resources/media/reusable-medium.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { audienceOf, maskedRow } from '../../resource/mask.ts'
import { serve, shown } from '../../resource/routes.ts'
import { findMedium } from '../../services/media/find-medium.ts'
import { mediumBehaviour } from '../../services/media/medium-behaviour.ts'
import { presentMedia } from '../../services/media/medium-present.ts'

/** Serves the media that stand for tickets and gift cards, and finds them by what was read of them. */
export function serveMedia(router: ApiRouter): void {
  serveRead(router, mediumLookup, async (request, db) => {
    const { actor, organizer, body, query } = request
    const found = await findMedium(db, organizer.id, body)
    const [medium] = found ? await presentMedia(db, request, [found], query) : []
    const audience = audienceOf(actor)
    return { result: medium ? maskedRow(reusableMedium, audience, shown(reusableMedium, medium)) : null }
  })
  serve(router, reusableMedium, mediumBehaviour)
}
