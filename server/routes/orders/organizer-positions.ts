import sql from 'sql-template-tag'
import { organizerPositionList, organizerPositionRetrieve } from '../../../schema/actions/order-positions.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { notFound } from '../../errors.ts'
import { visibleEvents } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { audienceOf } from '../../resource/mask.ts'
import type { Query } from '../../resource/query.ts'
import { idIn } from '../../resource/routes.ts'
import { inRange, positionsInRange } from '../../services/orders/position-query.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { presentPositions, selectPositions } from '../../services/orders/positions.ts'
import { eventsById } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { chosenFields } from '../input/chosen-fields.ts'
import { expandRows } from '../input/expand.ts'
import { inListTurn } from '../input/heavy-lists.ts'

/** Serves the positions of all events of an organizer that a caller may see. */
export function serveOrganizerPositions(router: ApiRouter): void {
  serveRead(router, organizerPositionList, (request, db) =>
    inListTurn(request, async () => {
      const found = await positionsInRange(db, rangeOf(request), request.query, request.page)
      return request.pageOf(found.count, await shownPositions(db, request, found.positions))
    }),
  )
  serveRead(router, organizerPositionRetrieve, async (request, db) => {
    const id = idIn(request.params.id)
    const own = inRange(rangeOf(request), request.query)
    const found = await selectPositions(db, sql`${own} AND p.id = ${id}`, sql`p.id`)
    const [row] = await shownPositions(db, request, found)
    if (!row) throw notFound()
    return row
  })
}

const rangeOf = ({ organizer, actor }: Scope) => ({
  organizer: organizer.id,
  events: visibleEvents(actor),
})

/** Positions as a request wants to see them, with the events that they are of. */
async function shownPositions(
  db: Queryable,
  request: Scope & { readonly query: Query },
  found: readonly PositionCells[],
): Promise<JsonObject[]> {
  const { actor, organizer, origin = '', query } = request
  const events = await eventsById(
    db,
    organizer.id,
    found.map(({ event }) => event),
  )
  const site = { origin, organizer: organizer.slug, events }
  const view = { list: null, atDoor: false, site, audience: audienceOf(actor) }
  const rows = await presentPositions(db, organizer.id, found, view)
  const named = rows.map((row, index) => ({
    ...row,
    event: events.get(found[index]?.event ?? 0)?.slug ?? '',
  }))
  return chosenFields(query, await expandRows(db, request, named))
}
