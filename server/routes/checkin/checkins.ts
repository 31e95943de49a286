import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { Scope } from '../../resource/api.ts'
import type { ApiRouter } from '../../resource/endpoints.ts'
import { serve } from '../../resource/routes.ts'
import type { Queryable } from '../../storage/database.ts'

/** Serves the history of an event's scans, also of those that were refused or undone. */
export function serveCheckins(router: ApiRouter): void {
  serve(router, checkin, { present: withDeviceNumbers })
}

/** Scans with the numbers by which users know the devices that made them. */
async function withDeviceNumbers(
  db: Queryable,
  scope: Scope,
  rows: readonly JsonObject[],
): Promise<JsonObject[]> {
  const ids = [...new Set(rows.flatMap((row) => (typeof row.device === 'number' ? [row.device] : [])))]
  const devices =
    ids.length === 0
      ? []
      : await db.all<{ id: number; device_id: number }>(
          sql`SELECT id, device_id FROM device WHERE organizer = ${scope.place.organizer} AND id IN (${join(ids)})`,
        )
  const numbers = new Map<unknown, number>(devices.map((device) => [device.id, device.device_id]))
  return rows.map((row) => ({ ...row, device_id: numbers.get(row.device) ?? null }))
}
