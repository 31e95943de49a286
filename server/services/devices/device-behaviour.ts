import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { profileNeeds } from '../../../schema/security-profiles.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, randomWord } from '../codes/secrets.ts'
import { checkEventLimits } from '../events/event-limits.ts'
import { type GivenRights, refuseUnownedRights } from '../events/given-rights.ts'

/** What the audit log calls the making of a device. */
export const deviceAdded = 'ticketsvc.device.added'

/** What devices must keep to; a new one gets the next number and the token by which it will set itself up. */
export const deviceBehaviour: Behaviour<typeof device> = {
  async prepare(tx, scope, { next, before }) {
    await checkEventLimits(tx, scope.organizer.id, next)
    await refuseUnownedRights(tx, scope, rightsOfDevice(next), before && rightsOfDevice(before))
    return before ? next : { ...next, ...(await newDevice(tx, scope.organizer.id)) }
  },
  async afterWrite(tx, scope, { next: row }) {
    tellOfDevice(tx, scope.organizer.id, row)
  },
  present: ownCodesOnly,
}

type DeviceRow = StoredRow<typeof device>

const rightsOfDevice = ({ security_profile, all_events, limit_events }: DeviceRow): GivenRights => ({
  needs: [null, ...profileNeeds(security_profile)],
  all_events,
  limit_events,
})

/** Devices with the one-time codes of those that the caller has made: who has a code can become the device. */
export async function ownCodesOnly(
  db: Queryable,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  rows: readonly DeviceRow[],
): Promise<DeviceRow[]> {
  const mayUse = actor.scopes === undefined || actor.scopes.includes('write')
  const own = new Set(mayUse && rows.length > 0 ? await madeBy(db, actor, place, rows) : [])
  return rows.map((row) => (own.has(row.id) ? row : { ...row, initialization_token: null }))
}

/** The ids of those of some devices that a caller has made, as the audit log says. */
async function madeBy(
  db: Queryable,
  { kind, id }: Actor,
  { organizer }: Place,
  rows: readonly DeviceRow[],
): Promise<number[]> {
  const found = await db.all<{ row_id: number }>(
    sql`SELECT row_id FROM audit
        WHERE organizer = ${organizer} AND event = 0 AND resource = ${device.name} AND action = ${deviceAdded}
          AND actor_kind = ${kind} AND actor = ${id} AND row_id IN (${join(rows.map((row) => row.id))})`,
  )
  return found.map((one) => one.row_id)
}

async function newDevice(tx: Tx, organizer: number) {
  // Numbers are given one at a time.
  await tx.get(sql`SELECT id FROM organizer WHERE id = ${organizer}${tx.forUpdate}`)
  const last = await tx.get<{ last: number | null }>(
    sql`SELECT max(device_id) AS last FROM device WHERE organizer = ${organizer}`,
  )
  return {
    device_id: (last?.last ?? 0) + 1,
    unique_serial: randomWord(tx.randomBytes, alphabets.serial, 16),
    initialization_token: randomWord(tx.randomBytes, alphabets.token, 16),
    created: tx.now,
  }
}

/** Takes a device's access away for good, as an administrator does when it is lost. The device after it. */
export async function revokeDevice(tx: Tx, scope: Scope, number: number): Promise<StoredRow<typeof device>> {
  const row = await lockRow(tx, device, scope.place, { device_id: number })
  if (!row) throw notFound()
  if (row.revoked) return row
  await updateRow(tx, device, scope.place, { id: row.id, revoked: true })
  tx.audit(scope.place, scope.actor, {
    action: 'ticketsvc.device.revoked',
    resource: device.name,
    row: row.id,
  })
  tellOfDevice(tx, scope.organizer.id, { ...row, revoked: true })
  return { ...row, revoked: true }
}

/** On a hub, reports a device to the upstream server that was made or changed here; the row as it is by then. */
export function tellOfDevice(tx: Tx, organizer: number, row: StoredRow<typeof device>): void {
  tx.fact({ organizer, event: 0 }, null, { kind: device.name, payload: { row } })
}
