import sql, { join } from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { checkinConflictKinds, conflict } from '../../../schema/resources/checkin/conflict.ts'
import { countedAt } from '../../domain/checkin/checkin.ts'
import { type Contradiction, contradictions, type RecordedCheckin } from '../../domain/checkin/conflicts.ts'
import type { ListFacts } from '../../domain/rules/facts.ts'
import { removeRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { selectPositions, ticketOf } from '../orders/positions.ts'
import { listsById, timesFor } from './checkin-lists.ts'
import { conflictsAt, type FoundConflict, type RecordedConflict, recordConflict } from './conflict-rows.ts'

interface RecordedCells {
  readonly id: number
  readonly type: 'entry' | 'exit'
  readonly datetime: string
  readonly created: string
  readonly nonce: string | null
  readonly device: number | null
  readonly gate: number | null
  readonly site: number
  readonly raw_barcode: string | null
  readonly forced: number
  readonly force_sent: number
  readonly auto_checked_in: number
}

/** What came of looking at the check-ins of a position on a list. */
export interface Reconciled {
  /** The contradictions that are true, each with the check-ins that it is about. */
  readonly conflicts: readonly (RecordedConflict & {
    readonly checkin: number
    readonly other: number | null
  })[]
  /** Check-ins whose mark of being forced is not what it has to be where they are received. */
  readonly marks: readonly { readonly id: number; readonly forced: boolean }[]
}

const nothing: Reconciled = { conflicts: [], marks: [] }

/**
 * Brings the contradictions about the check-ins of a position on a list in line with what is known here: new ones are
 * kept, open ones that are not true any more go, resolved ones stay. The result is the same in whatever order, and
 * however often, the check-ins came here.
 */
export async function reconcileConflicts(
  tx: Tx,
  place: Place,
  list: number,
  position: number,
): Promise<Reconciled> {
  const { organizer } = place
  const [at] = await listsById(tx, organizer, [list])
  const [cells] = await selectPositions(tx, sql`p.organizer = ${organizer} AND p.id = ${position}`, sql`p.id`)
  if (!at || !cells) return nothing
  const checkins = await tx.all<RecordedCells>(
    sql`SELECT id, "type" AS type, datetime, created, nonce, device, gate, site, raw_barcode, forced, force_sent, auto_checked_in
        FROM checkin WHERE organizer = ${organizer} AND "position" = ${position} AND list = ${list} AND successful = 1`,
  )
  const revocations = await revokedSince(tx, place, cells, checkins)
  const ticket = ticketOf(cells)
  const facts = {
    list: at.facts,
    ticket,
    times: await timesFor(tx, organizer, at, ticket.subevent),
    canceled_since: await canceledSince(tx, cells),
  }
  const byId = new Map(checkins.map((one) => [one.id, one]))
  const all = contradictions(
    facts,
    checkins.map((one) => recorded(one, revocations)),
  )
  const found: Contradiction[] = []
  for (const one of all) if (await isSure(tx, at.facts, cells, one)) found.push(one)

  const kept: Reconciled['conflicts'][number][] = []
  for (const one of found) {
    const row = foundAs(one, byId, list, position)
    kept.push({
      ...(await recordConflict(tx, place, row)),
      checkin: one.loser.id,
      other: one.winner?.id ?? null,
    })
  }
  for (const known of await conflictsAt(tx, place, list, position)) {
    const isTrue = kept.some((one) => one.id === known.id)
    if (!isTrue && known.state === 'open' && isDecidedHere(tx, known))
      await removeRow(tx, conflict, place, known.id)
  }
  return { conflicts: kept, marks: marksFor(checkins, new Set(found.map((one) => one.loser.id))) }
}

const marksFor = (checkins: readonly RecordedCells[], losers: ReadonlySet<number>): Reconciled['marks'] =>
  checkins.flatMap(({ id, forced, force_sent }) => {
    // What was forced at the door stays so.
    const isForced = losers.has(id) || (force_sent === 1 && forced === 1)
    return isForced === (forced === 1) ? [] : [{ id, forced: isForced }]
  })

/** Marks the check-ins that contradict others as forced, where they are received: nobody would have admitted them here. */
export async function markForced(tx: Tx, place: Place, { marks }: Reconciled): Promise<void> {
  for (const { id, forced } of marks) await updateRow(tx, checkin, place, { id, forced })
}

const recorded = (one: RecordedCells, revocations: ReadonlyMap<string, string>): RecordedCheckin => {
  const revoked = revocations.get(one.raw_barcode ?? '')
  const datetime = countedAt(one.datetime, one.created)
  return {
    id: one.id,
    type: one.type,
    datetime,
    nonce: one.nonce,
    device: one.device,
    gate: one.gate,
    force_sent: one.force_sent === 1,
    automatic: one.auto_checked_in === 1,
    revoked: revoked !== undefined && revoked <= datetime,
  }
}

/** Since when each code that was scanned, and is not the ticket's own, is revoked. */
async function revokedSince(
  tx: Tx,
  { organizer, event }: Place,
  cells: PositionCells,
  checkins: readonly RecordedCells[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Set(checkins.flatMap(({ raw_barcode: code }) => (code ? [code] : [])))
  codes.delete(cells.secret)
  if (codes.size === 0) return new Map()
  const rows = await tx.all<{ secret: string; created: string }>(
    sql`SELECT secret, min(created) AS created FROM revoked_secret
        WHERE organizer = ${organizer} AND secret IN (${join([...codes])}) AND event = ${event} GROUP BY secret`,
  )
  return new Map(rows.map(({ secret, created }) => [secret, created]))
}

async function canceledSince(tx: Tx, cells: PositionCells): Promise<string | null> {
  if (cells.order_status !== 'c') return null
  const row = await tx.get<{ since: string | null }>(
    sql`SELECT cancellation_date AS since FROM orders WHERE organizer = ${cells.organizer} AND id = ${cells.order_id}`,
  )
  return row?.since ?? null
}

const checkinConflicts: ReadonlySet<string> = new Set(checkinConflictKinds)

/**
 * Whether it is up to this node to say that a contradiction is not true any more: a copy of the data can only tell what
 * depends on other check-ins, or carries its time.
 */
const isDecidedHere = (tx: Tx, { kind, cause }: { kind: string; cause: unknown }): boolean =>
  checkinConflicts.has(kind) && (tx.site === 0 || cause === 'history' || kind === 'revoked_used')

/**
 * Whether what speaks against an entry was so already when it happened. A ticket that is blocked in the evening was
 * good in the morning; only the audit trail of the server where that was done knows.
 */
async function isSure(
  tx: Tx,
  list: ListFacts,
  cells: PositionCells,
  { cause, reason, loser }: Contradiction,
): Promise<boolean> {
  if (cause === 'history' || reason === 'revoked') return true
  if (reason === 'canceled' && cells.order_status === 'c' && (await canceledSince(tx, cells)) !== null)
    return true
  if (tx.site !== 0) return false
  const ofOrder = await tx.get(
    sql`SELECT id FROM audit WHERE organizer = ${cells.organizer} AND event = ${list.event} AND resource = 'order'
        AND at > ${loser.datetime} AND row_id = ${cells.order_id}
        AND (action LIKE 'ticketsvc.event.order.changed%' OR action IN ('ticketsvc.event.order.canceled',
          'ticketsvc.event.order.expired', 'ticketsvc.event.order.unpaid', 'ticketsvc.event.order.denied')) LIMIT 1`,
  )
  if (ofOrder) return false
  const ofList = await tx.get(
    sql`SELECT id FROM audit WHERE organizer = ${cells.organizer} AND event = ${list.event} AND resource = 'checkin_list'
        AND at > ${loser.datetime} AND row_id = ${list.id} AND action = 'ticketsvc.event.checkin_list.changed' LIMIT 1`,
  )
  return ofList === undefined
}

function foundAs(
  { kind, severity, reason, cause, loser, winner }: Contradiction,
  byId: ReadonlyMap<number, RecordedCells>,
  list: number,
  position: number,
): FoundConflict {
  const other = winner && byId.get(winner.id)
  return {
    key: loser.nonce ?? String(loser.id),
    kind,
    severity,
    position,
    list,
    checkin: loser.id,
    other_checkin: winner?.id ?? null,
    device: loser.device,
    other_device: winner?.device ?? null,
    datetime: byId.get(loser.id)?.datetime ?? loser.datetime,
    other_datetime: other?.datetime ?? null,
    data: {
      reason,
      cause,
      nonce: loser.nonce,
      other_nonce: winner?.nonce ?? null,
      gate: loser.gate,
      other_gate: winner?.gate ?? null,
      site: byId.get(loser.id)?.site ?? null,
      other_site: other?.site ?? null,
      force_sent: loser.force_sent,
    },
  }
}
