import sql from 'sql-template-tag'
import { instantAt, microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import { type StoredStaff, staff } from '../../../schema/resources/accounts/staff.ts'
import { device as deviceResource } from '../../../schema/resources/devices/device.ts'
import type { StaffRight } from '../../../schema/staff-rights.ts'
import { mayDo, type Workplace, waitAfterWrongPins, worksAt } from '../../domain/accounts/staff.ts'
import { denied, impossible, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { hashToken } from '../codes/secrets.ts'
import { hashBadge, nobodysHash, verifyPassword } from './passwords.ts'

/** How somebody shows who they are. */
export interface ShownCodes {
  readonly staff?: number
  readonly pin?: string
  readonly badge?: string
}

/** A caller, and the organizer that they ask about. */
type Caller = Pick<Scope, 'actor' | 'place'>

/** A device where people sign in; others have nobody at them. */
export async function workplaceOf(
  db: Queryable,
  { actor, place }: Caller,
): Promise<Workplace & { readonly id: number }> {
  if (!actor.device) throw impossible('People sign in at devices. Use the credential of the device.')
  const { id, gate } = actor.device
  const row = await findRow(db, deviceResource, { ...place, event: 0 }, { id })
  if (!row) throw impossible('This device is not known here.')
  return { id, device: row.device_id, gate: gate ?? row.gate }
}

/** Whose tries those with a badge are, and those in the name of nobody: made-up numbers are not stored. */
const withBadge = 0
const nobody = -1

/** Whose try it is. */
async function triedAs(
  db: Queryable,
  { place }: Scope,
  { staff: id = 0, badge }: ShownCodes,
): Promise<number> {
  if (badge !== undefined) return withBadge
  return (await findRow(db, staff, place, { id })) ? id : nobody
}

/** Counts a try before the slow part, so that many at once are not many for the price of one. */
async function countTry(tx: Tx, organizer: number, device: number, id: number): Promise<void> {
  const which = sql`organizer = ${organizer} AND device = ${device} AND staff = ${id}`
  await tx.run(
    sql`INSERT INTO staff_try (organizer, device, staff, wrong, blocked_until)
        VALUES (${organizer}, ${device}, ${id}, 0, ${tx.now}) ON CONFLICT DO NOTHING`,
  )
  const row = await tx.get<{ wrong: number; blocked_until: string }>(
    sql`SELECT wrong, blocked_until FROM staff_try WHERE ${which}${tx.forUpdate}`,
  )
  const wrong = row?.wrong ?? 0
  const left = row ? microsecondsOf(row.blocked_until) - microsecondsOf(tx.now) : 0
  if (left > 0) {
    const seconds = Math.ceil(left / 1e6)
    throw new Refusal(
      429,
      { detail: `Too many wrong PINs. Try again in ${seconds} seconds.`, wait: seconds },
      { 'Retry-After': String(seconds) },
    )
  }
  const blocked = instantAt(microsecondsOf(tx.now) + waitAfterWrongPins(wrong + 1) * 1e6)
  await tx.run(sql`UPDATE staff_try SET wrong = ${wrong + 1}, blocked_until = ${blocked} WHERE ${which}`)
}

/** Whoever shows these codes at a device, and may work there; 403 for others, 429 while they have to wait. */
export async function recogniseStaff(
  transactions: Transactions,
  scope: Scope,
  shown: ShownCodes,
): Promise<StoredStaff> {
  const { staff: id = 0, pin = '', badge } = shown
  const { place } = scope
  const { organizer } = place
  const { id: device, ...workplace } = await workplaceOf(transactions.database, scope)
  const tried = await triedAs(transactions.database, scope, shown)
  await transactions.write((tx) => countTry(tx, organizer, device, tried))
  const byBadge = badge === undefined ? null : await hashBadge(organizer, badge)
  const row = await findRow(
    transactions.database,
    staff,
    place,
    byBadge === null ? { id } : { badge_hash: byBadge },
  )
  const isRight =
    byBadge !== null ? row !== undefined : await verifyPassword(pin, row?.pin_hash ?? nobodysHash)
  if (!row || !isRight)
    throw new Refusal(400, {
      detail: 'This is not right. Try again, or ask a supervisor.',
      reason: 'wrong_pin',
    })
  await transactions.write(async (tx) => {
    await tx.run(
      sql`DELETE FROM staff_try WHERE organizer = ${organizer} AND device = ${device} AND staff = ${tried}`,
    )
    if (!worksAt(row, workplace, tx.now))
      throw denied('You may not work at this station now. Ask whoever plans the shifts.')
  })
  return row
}

/** Who has signed in at a device; null for nobody, and for who may not work there any more. */
export async function staffAt(db: Queryable, actor: Actor): Promise<StoredStaff | null> {
  const { organizer, device } = actor
  if (organizer === null || device === null) return null
  const session = await db.get<{ staff: number }>(
    sql`SELECT staff FROM staff_session WHERE organizer = ${organizer} AND device = ${device.id}`,
  )
  const row = session && (await findRow(db, staff, { organizer, event: 0 }, { id: session.staff }))
  return row?.active ? row : null
}

/** Whether a caller may do something by themselves; callers that are no devices may, as far as their teams let them. */
export async function hasRight(db: Queryable, actor: Actor, right: StaffRight): Promise<boolean> {
  if (!actor.device) return true
  const row = await staffAt(db, actor)
  return row !== null && mayDo(row, right)
}

/** Since when somebody has been signed in at a device. */
export async function staffSince(db: Queryable, { organizer, device }: Actor): Promise<string | null> {
  const row = await db.get<{ since: string }>(
    sql`SELECT since FROM staff_session WHERE organizer = ${organizer} AND device = ${device?.id ?? 0}`,
  )
  return row ? shownInstant(row.since) : null
}

/** Signs somebody in at a device, in the place of whoever was. */
export async function signStaffIn(tx: Tx, scope: Scope, row: StoredStaff): Promise<void> {
  const { actor, place } = scope
  const { id: device } = await workplaceOf(tx, scope)
  await tx.run(
    sql`INSERT INTO staff_session (organizer, device, staff, since)
        VALUES (${place.organizer}, ${device}, ${row.id}, ${tx.now})
        ON CONFLICT (organizer, device) DO UPDATE SET staff = ${row.id}, since = ${tx.now}`,
  )
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.staff.signed_in', resource: staff.name, row: row.id },
    data: { name: row.name, device },
  })
}

/** Signs out whoever has signed in at a device. */
export async function signStaffOut(tx: Tx, scope: Scope): Promise<void> {
  const { actor, place } = scope
  const { id: device } = await workplaceOf(tx, scope)
  const before = await staffAt(tx, actor)
  await tx.run(sql`DELETE FROM staff_session WHERE organizer = ${place.organizer} AND device = ${device}`)
  if (!before) return
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.staff.signed_out', resource: staff.name, row: before.id },
    data: { name: before.name, device },
  })
}

/** Those who may work at a device now and can sign in there. */
export async function staffFor(db: Queryable, scope: Caller, now: string): Promise<StoredStaff[]> {
  const workplace = await workplaceOf(db, scope)
  const rows = await findRows(db, staff, scope.place, { order: sql`"name", id` })
  return rows.filter(
    (row) => (row.pin_hash !== null || row.badge_hash !== null) && worksAt(row, workplace, now),
  )
}

/** For so long, in microseconds, somebody stands in for the act of another. */
const stepUpLasts = 120 * 1e6

/** Lets somebody who may stand in for one act of whoever has signed in; both are in the audit trail. */
export async function stepUp(
  tx: Tx,
  scope: Scope,
  row: StoredStaff,
  { act, reason }: { readonly act: StaffRight; readonly reason: string },
): Promise<{ readonly token: string; readonly until: string }> {
  const { actor, place } = scope
  if (!mayDo(row, act)) throw denied('You may not do that either. Ask a supervisor.')
  const { id: device } = await workplaceOf(tx, scope)
  const token = Buffer.from(tx.randomBytes(16)).toString('base64url')
  const until = instantAt(microsecondsOf(tx.now) + stepUpLasts)
  await tx.run(sql`DELETE FROM staff_step_up WHERE until <= ${tx.now}`)
  await tx.run(
    sql`INSERT INTO staff_step_up (organizer, token_hash, device, staff, act, until)
        VALUES (${place.organizer}, ${hashToken(token)}, ${device}, ${row.id}, ${act}, ${until})`,
  )
  const helped = await staffAt(tx, actor)
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.staff.stepped_up', resource: staff.name, row: row.id },
    data: { name: row.name, act, reason, device, for: helped?.id ?? null, for_name: helped?.name ?? null },
  })
  return { token, until }
}

/**
 * What is missing before a caller may do something: nothing (null), that somebody signs in, or that somebody who may stands
 * in for it once. Where nobody can sign in at the device, because no staff was made for it, everything is allowed.
 */
export async function staffNeededFor(
  tx: Tx,
  { actor, place }: Caller,
  right: StaffRight,
  token: string,
): Promise<'sign_in' | 'step_up' | null> {
  if (!actor.device) return null
  const row = await staffAt(tx, actor)
  if (row && mayDo(row, right)) return null
  if (token !== '') {
    const used = await tx.run(
      sql`DELETE FROM staff_step_up WHERE organizer = ${place.organizer} AND token_hash = ${hashToken(token)}
            AND device = ${actor.device.id} AND act = ${right} AND until > ${tx.now}`,
    )
    if (used > 0) return null
  }
  if (row) return 'step_up'
  const atOrganizer = { actor, place: { organizer: place.organizer, event: 0 } }
  return (await staffFor(tx, atOrganizer, tx.now)).length === 0 ? null : 'sign_in'
}

/** Refuses what whoever has signed in may not do, unless somebody stands in for it once. */
export async function requireRight(tx: Tx, caller: Caller, right: StaffRight, token: string): Promise<void> {
  const reason = await staffNeededFor(tx, caller, right, token)
  if (reason === null) return
  throw new Refusal(403, {
    detail: reason === 'step_up' ? 'You may not do that. Ask a supervisor to stand in.' : 'Sign in first.',
    reason,
    right,
  })
}
