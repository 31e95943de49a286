import sql, { type Sql } from 'sql-template-tag'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { payloadOf } from '../../resource/facts.ts'
import { findRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { eventById } from '../../services/events/events.ts'
import { nameColumns } from '../../services/orders/position-rows.ts'
import type { Queryable } from '../../storage/database.ts'
import type { ReplicaCell } from './replica-rows.ts'

/** Cells that a row upstream differs in, by column. */
export type CellChanges = Readonly<Record<string, ReplicaCell>>

/** What facts of a kind report of which the upstream server did not know yet when it was asked at `requested`. */
// Written out, since SQLite looks up an index of some kinds by nothing else.
export async function unreportedFacts<Payload extends object>(
  tx: Queryable,
  ofKind: Sql,
  requested: string,
): Promise<Payload[]> {
  const facts = await tx.all<{ payload: string }>(
    sql`SELECT payload FROM outbox WHERE ${ofKind} AND (state = 'waiting' OR done_at >= ${requested}) ORDER BY seq`,
  )
  return facts.map(({ payload }) => payloadOf(payload) as Payload)
}

/** A name that was corrected here. */
export interface NamePayload {
  readonly position: number
  readonly parts: Readonly<Record<string, string>>
}

const nameCells = ['attendee_name', 'attendee_name_parts', 'name_key'] as const

/** Changes of a ticket without a name from before it was corrected here, of which the upstream server did not know yet. */
export async function nameToKeep(
  tx: Queryable,
  position: number,
  changes: CellChanges,
  requested: string,
): Promise<Record<string, ReplicaCell>> {
  const corrected = await unreportedFacts<NamePayload>(tx, sql`kind = 'attendee_name'`, requested)
  const next = { ...changes }
  if (corrected.some((one) => one.position === position)) for (const cell of nameCells) delete next[cell]
  return next
}

/** Sees to it that a fresh copy has a name that was corrected here. */
export async function repeatName(tx: Tx, place: Place, { position: id, parts }: NamePayload): Promise<void> {
  const event = await eventById(tx, place.organizer, place.event)
  if (event && (await findRow(tx, orderPosition, place, { id })))
    await updateRow(tx, orderPosition, place, { id, ...nameColumns(parts, event.nameScheme) })
}
