import { operationOf, org } from '../../../schema/actions/action.ts'
import { eventClone, eventSettingsRead, eventSettingsUpdate } from '../../../schema/actions/catalogue.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { denied } from '../../errors.ts'
import { entersEvent, may } from '../../resource/actor.ts'
import type { EventFacts, Scope } from '../../resource/api.ts'
import { bodyOf, carryOutOnce } from '../../resource/asked.ts'
import {
  type ApiRouter,
  receiveBody,
  requirementOf,
  serveAction,
  serveRead,
} from '../../resource/endpoints.ts'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import { shown } from '../../resource/routes.ts'
import type { Tx } from '../../resource/transactions.ts'
import { cloneEvent } from '../../services/event-setup/clone-event.ts'
import { saveEventSettings } from '../../services/event-setup/event-settings.ts'
import { eventBySlug } from '../../services/events/events.ts'
import { withChannels } from '../../services/events/sales-channels.ts'
import { shownSettings } from '../../services/events/settings.ts'
import type { Queryable } from '../../storage/database.ts'

/** The event that `clone_from` names, which the caller must be admitted to: 403 where it is not. */
async function sourceOf(db: Queryable, { actor, organizer }: Scope, named: string): Promise<EventFacts> {
  const slug = named.startsWith(`${organizer.slug}/`) ? named.slice(organizer.slug.length + 1) : named
  const source = await eventBySlug(db, organizer.id, slug)
  if (!source || !entersEvent(actor, organizer.id, source.id)) throw denied()
  return source
}

/** A new event as its maker is shown it. */
async function shownClone(db: Queryable, { organizer }: Scope, row: StoredRow<typeof event>) {
  const [sold = row] = await withChannels(db, organizer.id, [row])
  return shown(event, sold)
}

/** Serves the making of an event after another one; before what makes new events. */
export function serveEventClone(router: ApiRouter): void {
  const { transactions, admissions } = router.api
  const create = operationOf(event, 'create', `${org}/events/`)
  router.koa.post(create.path, async (ctx, next) => {
    const from = single(ctx.query, 'clone_from')
    if (!from) return next()
    const scope = await admissions.organizer(ctx, requirementOf(eventClone))
    const source = await sourceOf(transactions.database, scope, from)
    await receiveBody(router, ctx, eventClone)
    const at = { ...scope, event: source, place: { ...scope.place, event: source.id } }
    const { status } = create
    const work = (tx: Tx) => cloneEvent(tx, at, bodyOf(ctx))
    const answer = await carryOutOnce(ctx, transactions, {
      ...{ work, status },
      show: (row, db) => shownClone(db, scope, row),
    })
    ctx.status = answer.status
    ctx.body = answer.body
  })
  serveAction(router, eventClone, async (request, tx) =>
    shownClone(tx, request, await cloneEvent(tx, request, request.body)),
  )
}

const explain = (query: Query): boolean => flagParameter(query, 'explain') === true

/** Serves the settings of an event. Devices need no permission for the part of them that a door needs. */
export function serveEventSettings(router: ApiRouter): void {
  serveRead(router, eventSettingsRead, ({ actor, event, query }) => {
    const isDevice = actor.device !== null
    if (!isDevice && !may(actor, 'can_change_event_settings')) throw denied()
    return shownSettings('event', event.settings, { explain: explain(query), device: isDevice })
  })
  serveAction(
    router,
    eventSettingsUpdate,
    (request, tx) => saveEventSettings(tx, request, request.body),
    ({ query }, values) => shownSettings('event', values, { explain: explain(query), device: false }),
  )
}
