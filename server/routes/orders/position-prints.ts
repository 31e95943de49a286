import sql from 'sql-template-tag'
import { orderPositionPrinted, orderPositionPrints } from '../../../schema/actions/order-positions.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { notFound } from '../../errors.ts'
import { type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { printsOf } from '../../services/orders/print-logs.ts'
import { readPrint, recordPrint } from '../../services/orders/print-record.ts'
import type { Queryable } from '../../storage/database.ts'

/** Serves what was printed for the positions of orders. */
export function servePositionPrints(router: ApiRouter): void {
  const shownPrints = async (db: Queryable, organizer: number, id: number): Promise<readonly JsonObject[]> =>
    (await printsOf(db, organizer, [id])).get(id) ?? []

  serveRead(router, orderPositionPrints, async (request, db) => {
    const { place } = request
    const id = idIn(request.params.id)
    const own = await db.get(
      sql`SELECT id FROM order_position WHERE organizer = ${place.organizer} AND event = ${place.event} AND id = ${id}`,
    )
    if (!own) throw notFound()
    return request.partOf(await shownPrints(db, place.organizer, id))
  })

  serveAction(
    router,
    orderPositionPrinted,
    async (request, tx) => {
      const { actor, place, params } = request
      const found = await lockPosition(tx, place, idIn(params.id))
      return recordPrint(tx, { actor, place }, found, readPrint(request.body))
    },
    async ({ place, params }, made, db) =>
      (await shownPrints(db, place.organizer, idIn(params.id))).find((row) => row.id === made),
  )
}
