import { type StoredStaff, staff } from '../../../schema/resources/accounts/staff.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { shortestPin } from '../../../schema/staff-rights.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { findRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'

/** What staff must keep to. A supervisor's PIN is longer, so that whoever becomes one needs another. */
export const staffBehaviour: Behaviour<typeof staff> = {
  async prepare(tx, { place }, { next, before }) {
    const unknown = []
    for (const number of next.limit_devices)
      if (!(await findRow(tx, device, place, { device_id: number }))) unknown.push(number)
    if (unknown.length > 0)
      throw invalid({ limit_devices: unknown.map((one) => `Invalid pk "${one}" - object does not exist.`) })
    const isRaised = before && before.role !== 'supervisor' && next.role === 'supervisor'
    return isRaised ? { ...next, pin_hash: null } : next
  },
  present: async (_db, _scope, rows) => rows.map(withCodes),
}

/** Says of somebody whether they have a PIN and a badge, which is all that is said of these. */
export const withCodes = (row: StoredStaff) => ({
  ...row,
  has_pin: row.pin_hash !== null,
  has_badge: row.badge_hash !== null,
})

/** What somebody can be given to sign in by: hashes, or null for nothing. */
interface StaffCodes {
  readonly pin_hash?: string | null
  readonly badge_hash?: string | null
}

/** Refuses a PIN that is too short for somebody's role. */
export function checkPinFor({ role }: StoredStaff, pin: string): void {
  if (pin.length < shortestPin[role])
    throw invalid({ pin: [`The PIN of a ${role} has ${shortestPin[role]} digits or more.`] })
}

/** Gives somebody a PIN or a badge, or takes it away; a badge is that of one only. */
export async function setStaffCodes(
  tx: Tx,
  { actor, place }: Scope,
  id: number,
  codes: StaffCodes,
): Promise<StoredStaff> {
  const row = await lockRow(tx, staff, place, { id })
  if (!row) throw notFound()
  const { badge_hash: badge } = codes
  const holder = badge ? await findRow(tx, staff, place, { badge_hash: badge }) : undefined
  if (holder && holder.id !== id) throw invalid({ code: ['Somebody else has this badge.'] })
  await updateRow(tx, staff, place, { id, ...codes })
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.staff.changed', resource: staff.name, row: id },
    data: Object.fromEntries(
      Object.entries(codes).map(([name, hash]) => [name, hash === null ? 'removed' : 'set']),
    ),
  })
  return { ...row, ...codes }
}
