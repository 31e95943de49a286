import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import type { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { type Conflict, conflict } from '../../../schema/resources/checkin/conflict.ts'
import { isYearsAway, millisecondsAhead } from '../../domain/checkin/checkin.ts'
import type { Actor } from '../../resource/actor.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** What a contradiction is about, without what users do with it. */
type ConflictValues = Omit<Conflict, 'id' | 'state' | 'detected' | 'note' | 'resolved' | 'resolved_by'>

/** A contradiction as it is recorded: `key` is the nonce of what contradicts, or its id where it has none. */
export interface FoundConflict extends ConflictValues {
  readonly key: string
}

/** A contradiction that is recorded. */
export interface RecordedConflict {
  readonly id: number
  readonly kind: Conflict['kind']
}

/** The id of a contradiction: the same on every node that finds it, and in the range of the other ids. */
export const conflictId = (kind: Conflict['kind'], key: string): number =>
  Number.parseInt(createHash('sha256').update(`${kind}/${key}`).digest('hex').slice(0, 13), 16)

/** The one who finds contradictions, as the audit trail knows it: nobody did it. */
const findingRule: Actor = {
  kind: 'command',
  id: 0,
  name: 'contradictions',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/** Records a contradiction, or brings what is known of it up to date. What somebody has resolved stays resolved. */
export async function recordConflict(tx: Tx, place: Place, found: FoundConflict): Promise<RecordedConflict> {
  const { key, ...values } = found
  const id = conflictId(found.kind, key)
  const known = await lockRow(tx, conflict, place, { id })
  if (!known) {
    await insertRow(tx, conflict, place, {
      ...blankRow(conflict),
      ...values,
      id,
      state: 'open',
      detected: tx.now,
    })
    // Central decides: what it does not see as well goes again.
    if (tx.site !== 0)
      await tx.run(
        sql`INSERT INTO found_conflict (organizer, id) VALUES (${place.organizer}, ${id}) ON CONFLICT DO NOTHING`,
      )
    const { kind, position, list } = found
    const action = 'ticketsvc.event.conflict.added'
    tx.audit(place, findingRule, { action, resource: conflict.name, row: id, data: { kind, position, list } })
  } else if (known.state === 'open') {
    const changes = differing(known, values)
    if (Object.keys(changes).length > 0) await updateRow(tx, conflict, place, { id, ...changes })
  }
  return { id, kind: found.kind }
}

/** Keeps, where all facts meet, that the time of a scan is years away from that of its recording. */
export async function recordWrongClock(tx: Tx, place: Place, row: StoredRow<typeof checkin>): Promise<void> {
  if (tx.site !== 0 || !isYearsAway(row.datetime, row.created)) return
  await recordConflict(tx, place, {
    key: row.nonce ?? String(row.id),
    kind: 'clock_skew',
    severity: 'info',
    position: row.position,
    list: row.list,
    checkin: row.id,
    other_checkin: null,
    device: row.device,
    other_device: null,
    datetime: row.datetime,
    other_datetime: null,
    data: {
      ...{ nonce: row.nonce, gate: row.gate, other_gate: null },
      milliseconds: millisecondsAhead(row.datetime, row.created),
    },
  })
}

const moments = new Set(['datetime', 'other_datetime'])

/** Values that are not what is stored; moments may be written in two ways. */
const differing = (cells: JsonObject, values: ConflictValues): Partial<ConflictValues> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      moments.has(name)
        ? plain(cells[name]) !== plain(value)
        : JSON.stringify(cells[name]) !== JSON.stringify(value),
    ),
  )

const plain = (moment: unknown): string => String(moment).replace(/\.0+Z$/, 'Z')

/** A contradiction that is kept, as far as it takes to let it go again. */
interface RecordedConflictAt extends RecordedConflict {
  readonly state: Conflict['state']
  /** Whether other check-ins are why, or the ticket by itself. */
  readonly cause: unknown
}

/** The contradictions that are kept about the check-ins of a position on a list. */
export async function conflictsAt(
  tx: Tx,
  place: Place,
  list: number,
  position: number,
): Promise<RecordedConflictAt[]> {
  // Ordered by the bare id, SQLite would read all contradictions in their order instead of finding the position.
  const rows = await tx.all<RecordedConflict & { state: Conflict['state']; data: string }>(
    sql`SELECT id, kind, state, data FROM conflict
        WHERE organizer = ${place.organizer} AND "position" = ${position} AND list = ${list} ORDER BY id + 0`,
  )
  return rows.map(({ id, kind, state, data }) => ({ id, kind, state, cause: JSON.parse(data).cause }))
}
