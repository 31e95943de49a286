import sql, { join } from 'sql-template-tag'
import type { FactConflict } from '../../../schema/sync.ts'
import { isYearsAway, millisecondsAhead } from '../../domain/checkin/checkin.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type RecordedConflict, recordConflict } from '../../services/checkin/conflict-rows.ts'
import { markForced, type Reconciled, reconcileConflicts } from '../../services/checkin/conflicts.ts'
import type { ApplyContext } from './applier.ts'
import type { ReportedCheckin } from './checkin-payload.ts'

interface Named {
  readonly id: number
  readonly datetime: string
  readonly device: string | null
  readonly gate: string | null
  readonly type: 'entry' | 'exit'
  readonly nonce: string | null
  readonly device_id: number | null
  readonly gate_id: number | null
}

/** What contradicts a check-in that has come here, as its sender gets to know; also sees to the marks of all others. */
export async function contradictionsOf(
  tx: Tx,
  place: Place,
  { list, position, checkin }: { readonly list: number; readonly position: number; readonly checkin: number },
): Promise<FactConflict[]> {
  const reconciled = await reconcileConflicts(tx, place, list, position)
  await markForced(tx, place, reconciled)
  const own = reconciled.conflicts.filter((one) => one.checkin === checkin || one.other === checkin)
  const names = await namesOf(tx, place, own, checkin)
  return own.map(({ id, kind, checkin: loser, other }) => {
    const lost = loser === checkin
    const named = names.get(lost ? (other ?? 0) : loser)
    return { id, kind, lost, ...(named ? { other: otherOf(named) } : {}) }
  })
}

const otherOf = ({ id, datetime, device, gate, type, nonce, device_id, gate_id }: Named) => ({
  datetime,
  device,
  gate,
  pass: { id, type, nonce, device: device_id, gate: gate_id },
})

async function namesOf(
  tx: Tx,
  { organizer }: Place,
  conflicts: Reconciled['conflicts'],
  own: number,
): Promise<ReadonlyMap<number, Named>> {
  const others = conflicts
    .flatMap((one) => [one.checkin, one.other ?? 0])
    .filter((id) => id > 0 && id !== own)
  if (others.length === 0) return new Map()
  const rows = await tx.all<Named>(
    sql`SELECT c.id, c.datetime, c."type" AS type, c.nonce, c.device AS device_id, c.gate AS gate_id,
          device.name AS device, gate.name AS gate FROM checkin c
        LEFT JOIN device ON device.organizer = c.organizer AND device.id = c.device
        LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
        WHERE c.organizer = ${organizer} AND c.id IN (${join(others)})`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What is odd about a check-in by itself, with what a person needs to know of it. */
interface Oddity {
  readonly kind: 'unknown_secret' | 'clock_skew' | 'id_taken'
  readonly raw_barcode?: string | null
  readonly milliseconds?: number
  readonly taken?: number
}

/** Keeps a contradiction of a check-in with nothing but itself. */
const recordAbout = (
  tx: Tx,
  place: Place,
  row: ReportedCheckin,
  { kind, ...data }: Oddity,
): Promise<RecordedConflict> =>
  recordConflict(tx, place, {
    key: row.nonce ?? String(row.id),
    kind,
    severity: kind === 'clock_skew' ? 'info' : 'warning',
    position: row.position,
    list: row.list,
    checkin: row.id,
    other_checkin: null,
    device: row.device,
    other_device: null,
    datetime: row.datetime,
    other_datetime: null,
    data: { nonce: row.nonce, gate: row.gate, other_gate: null, ...data },
  })

/**
 * The contradictions of a stored check-in with nothing but itself: an unknown code, a wrong clock, an id given twice.
 */
export async function oddities(
  tx: Tx,
  context: ApplyContext,
  row: ReportedCheckin,
  takenId: number | null,
): Promise<FactConflict[]> {
  const { place, skew, upstream } = context
  const recorded: RecordedConflict[] = []
  if (row.successful && row.position === null)
    recorded.push(await recordAbout(tx, place, row, { kind: 'unknown_secret', raw_barcode: row.raw_barcode }))
  // When a hub gets a report, and whether again, says nothing about when the top is.
  const wrong =
    skew ?? (isYearsAway(row.datetime, row.created) ? millisecondsAhead(row.datetime, row.created) : null)
  if (wrong !== null && !upstream)
    recorded.push(await recordAbout(tx, place, row, { kind: 'clock_skew', milliseconds: wrong }))
  if (takenId !== null) recorded.push(await recordAbout(tx, place, row, { kind: 'id_taken', taken: takenId }))
  return recorded
}
