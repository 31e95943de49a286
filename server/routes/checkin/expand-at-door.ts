import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Scope } from '../../resource/api.ts'
import { type Query, repeated } from '../../resource/query.ts'
import { type PositionView, presentPositions, selectPositions } from '../../services/orders/positions.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandRows } from '../input/expand.ts'

/** What a query asks to see of positions at a door: what they point at, and with `addons` what was bought with them. */
export async function expandAtDoor(
  db: Queryable,
  request: Scope & { readonly query: Query },
  view: PositionView,
  shown: readonly JsonObject[],
): Promise<JsonObject[]> {
  const rows = await expandRows(db, request, shown)
  if (!repeated(request.query, 'expand').includes('addons') || rows.length === 0) return rows
  const parents = rows.map(({ id }) => id as number)
  const found = await selectPositions(
    db,
    sql`p.organizer = ${request.organizer.id} AND p.addon_to IN (${join(parents)}) AND p.canceled = 0`,
    sql`p.positionid, p.id`,
  )
  const plain = await presentPositions(db, request.organizer.id, found, { ...view, checkins: undefined })
  const addons = await expandRows(db, request, plain)
  return rows.map((row) => ({ ...row, addons: addons.filter((one) => one.addon_to === row.id) }))
}
