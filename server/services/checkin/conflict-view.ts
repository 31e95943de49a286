import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import type { Actor } from '../../resource/actor.ts'
import { audienceOf } from '../../resource/mask.ts'
import type { Page } from '../../resource/pages.ts'
import { filterConditions, orderBy, type Query, single } from '../../resource/query.ts'
import { rowOf } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { maskedConflict } from '../orders/given-in-part.ts'

interface Names {
  readonly id: number
  readonly event: string
  readonly order: string | null
  readonly positionid: number | null
  readonly attendee_name: string | null
  readonly list_name: string | null
  readonly device_name: string | null
  readonly other_device_name: string | null
  readonly gate_name: string | null
  readonly other_gate_name: string | null
}

/** A conflict with what it is about by name; without names where it has gone in the meantime. */
export type NamedConflict = StoredRow<typeof conflict> & Partial<Omit<Names, 'id'>>

const perStatement = 500

/** Stored conflicts of an organizer in the JSON form of the API, with what they are about by name. */
export async function presentConflicts(
  db: Queryable,
  organizer: number,
  rows: readonly StoredRow<typeof conflict>[],
): Promise<NamedConflict[]> {
  const names = new Map<number, Names>()
  for (let first = 0; first < rows.length; first += perStatement) {
    const ids = rows.slice(first, first + perStatement).map((row) => row.id)
    for (const one of await namesOf(db, organizer, ids)) names.set(one.id, one)
  }
  return rows.map((row) => {
    const { id: _, ...named } = names.get(row.id) ?? { id: 0 }
    return { ...row, ...named }
  })
}

/** Conflicts `k` with what they are about: position, order, list, and the devices and gates of both check-ins. */
export const namedConflicts = sql`conflict k
  LEFT JOIN order_position p ON p.organizer = k.organizer AND p.id = k."position"
  LEFT JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
  LEFT JOIN checkin_list list ON list.organizer = k.organizer AND list.id = k.list
  LEFT JOIN device ON device.organizer = k.organizer AND device.id = k.device
  LEFT JOIN device other_device ON other_device.organizer = k.organizer AND other_device.id = k.other_device
  LEFT JOIN checkin c ON c.organizer = k.organizer AND c.id = k.checkin
  LEFT JOIN checkin d ON d.organizer = k.organizer AND d.id = k.other_checkin
  LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
  LEFT JOIN gate other_gate ON other_gate.organizer = d.organizer AND other_gate.id = d.gate`

const namesOf = (db: Queryable, organizer: number, ids: readonly number[]): Promise<Names[]> =>
  db.all<Names>(
    sql`SELECT k.id, event.slug AS event, o.code AS "order", p.positionid, p.attendee_name, list.name AS list_name,
          device.name AS device_name, other_device.name AS other_device_name,
          gate.name AS gate_name, other_gate.name AS other_gate_name
        FROM ${namedConflicts}
        JOIN event ON event.organizer = k.organizer AND event.id = k.event
        WHERE k.organizer = ${organizer} AND k.id IN (${join([...ids])})`,
  )

/** The condition that a conflict is of an event that a caller may enter. */
const enteredBy = ({ allEvents, events }: Actor) =>
  allEvents ? sql`1 = 1` : events.size > 0 ? sql`event IN (${join([...events])})` : sql`1 = 0`

/** How many conflicts a query finds among those that a caller may see, and those of a page or all of them. */
export async function findConflicts(
  db: Queryable,
  actor: Actor,
  organizer: number,
  { query, page }: { readonly query: Query; readonly page: Page | null },
): Promise<{ count: number; rows: NamedConflict[] }> {
  const slug = single(query, 'event')
  const ofEvent = slug
    ? [sql`event IN (SELECT id FROM event WHERE organizer = ${organizer} AND slug = ${slug})`]
    : []
  const where = join(
    [sql`organizer = ${organizer}`, enteredBy(actor), ...ofEvent, ...filterConditions(conflict, query)],
    ' AND ',
  )
  const order = orderBy(conflict, query, db.engine)
  const part = page ? sql` LIMIT ${page.size} OFFSET ${page.offset}` : sql``
  const total = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM conflict WHERE ${where}`)
  const cells = await db.all<Cells>(sql`SELECT * FROM conflict WHERE ${where} ORDER BY ${order}${part}`)
  const audience = audienceOf(actor)
  const rows = cells.map((one) => rowOf(conflict, maskedConflict(audience, one)))
  return { count: total?.count ?? 0, rows: await presentConflicts(db, organizer, rows) }
}

/** A conflict of an organizer that a caller may see, with the event it is of, or undefined. */
export async function conflictById(
  db: Queryable,
  actor: Actor,
  organizer: number,
  id: number,
): Promise<{ readonly event: number; readonly row: StoredRow<typeof conflict> } | undefined> {
  const cells = await db.get<Cells>(
    sql`SELECT * FROM conflict WHERE organizer = ${organizer} AND id = ${id} AND ${enteredBy(actor)}`,
  )
  return (
    cells && { event: Number(cells.event), row: rowOf(conflict, maskedConflict(audienceOf(actor), cells)) }
  )
}
