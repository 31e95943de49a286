import { eventSettingsRead, eventSettingsUpdate } from '../../../schema/actions/catalogue.ts'
import { denied } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import { type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import { saveEventSettings } from '../../services/event-setup/event-settings.ts'
import { shownSettings } from '../../services/events/settings.ts'

const explain = (query: Query): boolean => flagParameter(query, 'explain') === true

/** Serves the settings of an event. Devices need no permission for the part of them that a door needs. */
export function serveEventSettings(router: ApiRouter): void {
  serveRead(router, eventSettingsRead, ({ actor, event, query }) => {
    const isDevice = actor.device !== null
    if (!isDevice && !may(actor, 'can_change_event_settings')) throw denied()
    return shownSettings(event.settings, { explain: explain(query), device: isDevice })
  })
  serveAction(
    router,
    eventSettingsUpdate,
    (request, tx) => saveEventSettings(tx, request, request.body),
    ({ query }, values) => shownSettings(values, { explain: explain(query), device: false }),
  )
}
