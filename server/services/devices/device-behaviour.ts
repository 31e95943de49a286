import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { notFound } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { alphabets, randomWord } from '../codes/secrets.ts'
import { checkEventLimits } from '../events/event-limits.ts'

/** What devices must keep to; a new one gets the next number and the token by which it will set itself up. */
export const deviceBehaviour: Behaviour<typeof device> = {
  async prepare(tx, scope, { next, before }) {
    await checkEventLimits(tx, scope.organizer.id, next)
    return before ? next : { ...next, ...(await newDevice(tx, scope.organizer.id)) }
  },
  async afterWrite(tx, scope, { next: row }) {
    tellOfDevice(tx, scope.organizer.id, row)
  },
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
