import sql, { join } from 'sql-template-tag'
import { marksOf } from '../../../schema/fields.ts'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { named, storedFields } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { StorageError } from '../../storage/database.ts'
import { forgetPositions } from '../../storage/search.ts'
import { replicated } from '../feed/replicated.ts'

interface Pointer {
  readonly from: Resource
  readonly field: string
  readonly onDelete: 'refuse' | 'clear' | 'cascade'
}

const pointers = new Map<string, readonly Pointer[]>()

/** Single references to rows of a resource. */
function pointersTo(target: Resource): readonly Pointer[] {
  const known = pointers.get(target.name)
  if (known) return known
  const found = replicated.flatMap((from) =>
    Object.entries(storedFields(from)).flatMap(([field, declared]) => {
      const { kind, to, onDelete = 'refuse' } = marksOf(declared)
      return to === target.name && kind === 'ref' ? [{ from, field, onDelete }] : []
    }),
  )
  pointers.set(target.name, found)
  return found
}

const eventOfRow = async (
  tx: Tx,
  resource: Resource,
  of: number,
  id: number,
): Promise<number | undefined> => {
  if (resource === organizer) return undefined
  const columns = resource.scope === 'event' ? sql`event` : sql`0 AS event`
  const row = await tx.get<{ event: number }>(
    sql`SELECT ${columns} FROM ${named(tableOf(resource))} WHERE organizer = ${of} AND id = ${id}`,
  )
  return row?.event
}

/**
 * Deletes the copy of a row that was deleted upstream. What was made here and points at it goes with it or is cleared,
 * as its declaration says; it stays in the outbox. A row that something made here cannot be without stays: false.
 */
export async function removeCopy(tx: Tx, resource: Resource, of: number, id: number): Promise<boolean> {
  const event = await eventOfRow(tx, resource, of, id)
  if (event === undefined) return true
  if (!(await attempt(tx, resource, of, id))) {
    for (const pointer of pointersTo(resource)) await release(tx, pointer, of, id)
    if (!(await attempt(tx, resource, of, id))) return false
  }
  if (resource.name === orderPosition.name) await forgetPositions(tx, [id])
  tx.changed({ organizer: of, event }, resource.name, id, 'delete')
  return true
}

async function attempt(tx: Tx, resource: Resource, of: number, id: number): Promise<boolean> {
  try {
    await tx.run(sql`DELETE FROM ${named(tableOf(resource))} WHERE organizer = ${of} AND id = ${id}`)
    return true
  } catch (cause) {
    if (cause instanceof StorageError && cause.problem === 'foreign') return false
    throw cause
  }
}

/** Takes a row off those that point at it. */
async function release(tx: Tx, { from, field, onDelete }: Pointer, of: number, id: number): Promise<void> {
  if (onDelete === 'refuse') return
  const event = from.scope === 'event' ? sql`event` : sql`0 AS event`
  const rows = await tx.all<{ id: number; event: number }>(
    sql`SELECT id, ${event} FROM ${named(tableOf(from))} WHERE organizer = ${of} AND ${named(field)} = ${id}`,
  )
  if (onDelete === 'cascade') for (const row of rows) await removeCopy(tx, from, of, row.id)
  else if (rows.length > 0) {
    await tx.run(
      sql`UPDATE ${named(tableOf(from))} SET ${named(field)} = NULL WHERE organizer = ${of} AND ${named(field)} = ${id}`,
    )
    for (const row of rows) tx.changed({ organizer: of, event: row.event }, from.name, row.id, 'put')
  }
}

/** Resources below an event whose rows hold personal data. */
export const personal: ReadonlySet<string> = new Set([
  'conflict',
  'checkin',
  'blocked_secret',
  'revoked_secret',
  'refused_ticket',
  'order_payment',
  'order_refund',
  'order_fee',
  'print_log',
  'order_position',
  'order',
])

/**
 * Deletes some rows of an event, those that point before those pointed at: all of them, or those that hold personal
 * data. How many were deleted; 0 when none is left. To be called again until then, so that each time is short.
 */
export async function removeSome(
  tx: Tx,
  { organizer: of, event }: Place,
  which: 'all' | 'personal',
  most: number,
): Promise<number> {
  for (const resource of [...replicated].reverse()) {
    if (resource.scope !== 'event' || (which === 'personal' && !personal.has(resource.name))) continue
    const table = named(tableOf(resource))
    // Of rows that point at others of their own kind, those go first that nothing points at.
    const order = resource.name === orderPosition.name ? sql`addon_to IS NULL, id DESC` : sql`id DESC`
    const rows = await tx.all<{ id: number }>(
      sql`SELECT id FROM ${table} WHERE organizer = ${of} AND event = ${event} ORDER BY ${order} LIMIT ${most}`,
    )
    if (rows.length === 0) continue
    const ids = rows.map((row) => row.id)
    if (resource.name === orderPosition.name) await forgetPositions(tx, ids)
    await tx.run(sql`DELETE FROM ${table} WHERE organizer = ${of} AND id IN (${join(ids)})`)
    await tx.run(
      sql`DELETE FROM change WHERE organizer = ${of} AND event = ${event} AND resource = ${resource.name} AND row_id IN (${join(ids)})`,
    )
    return ids.length
  }
  return 0
}
