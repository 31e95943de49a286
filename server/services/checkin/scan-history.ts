import sql from 'sql-template-tag'
import { isYearsAway } from '../../domain/checkin/checkin.ts'
import { sameScanKey } from '../../domain/checkin/conflicts.ts'
import type { ScanType } from '../../domain/rules/facts.ts'
import { looksSigned } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { type CheckinCells, checkinColumns, checkinTables } from '../orders/positions.ts'

/** A scan that was recorded before, successful or not. */
export interface ScanCells extends CheckinCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: number
  readonly ordinal: number | null
  readonly created: string
}

const scansOfPosition = shaped(
  (organizer: number, position: number, list: number) =>
    sql`SELECT ${checkinColumns}, c.nonce, c.successful, c.ordinal, c.created FROM ${checkinTables}
        WHERE c.organizer = ${organizer} AND c."position" = ${position} AND c.list = ${list}`,
)

const scansOfCode = shaped(
  (organizer: number, code: string, list: number) =>
    sql`SELECT ${checkinColumns}, c.nonce, c.successful, c.ordinal, c.created FROM ${checkinTables}
        WHERE c.organizer = ${organizer} AND c.raw_barcode = ${code} AND c."position" IS NULL AND c.list = ${list}`,
)

/**
 * The scans of a code on a list that were decided by its signature alone. They stay when they have been reported
 * upstream, and count when the order becomes known later.
 */
export const codeHistory = (tx: Tx, organizer: number, code: string, list: number): Promise<ScanCells[]> =>
  tx.all<ScanCells>(scansOfCode(organizer, code, list))

/** All scans of a position on a list: its own, those by its signature alone, and those that only upstream had. */
export async function positionHistory(
  tx: Tx,
  organizer: number,
  { id, secret }: { readonly id: number; readonly secret: string },
  list: number,
): Promise<readonly ScanCells[]> {
  const own = await tx.all<ScanCells>(scansOfPosition(organizer, id, list))
  const known = looksSigned(secret) ? [...own, ...(await codeHistory(tx, organizer, secret, list))] : own
  return [...known, ...(await upstreamCheckins(tx, { organizer, position: id, list }, known))]
}

/** The check-ins among some scans as a decision looks at them: each at the moment that it counts at, and once. */
export function priorCheckins(history: readonly ScanCells[]): readonly ScanCells[] {
  const admitted = history.filter((one) => one.successful === 1)
  const counted = admitted.map((one) =>
    isYearsAway(one.datetime, one.created) ? { ...one, datetime: one.created } : one,
  )
  if (counted.length < 2) return counted
  // A scan that is known here by itself and from the server upstream is one.
  return [...new Map(counted.toReversed().map((one) => [sameScanKey(one), one])).values()]
}

/** The number of the next scan of the same ticket on the same list. */
export const nextOrdinal = (history: readonly ScanCells[]): number =>
  history.reduce((highest, one) => Math.max(highest, one.ordinal ?? 0), 0) + 1

/** A check-in that is not among the rows: known before the copy was made anew, or named by the server upstream. */
interface UpstreamCheckin extends CheckinCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: 1
  readonly created: string
  readonly ordinal: null
}

const upstreamOn = shaped(
  (organizer: number, position: number, list: number) =>
    sql`SELECT k.id, k."position" AS position, k.list, k.datetime, k."type" AS type, k.gate, k.device, k.auto_checked_in,
          device.device_id, k.nonce, 1 AS successful, NULL AS ordinal, k.datetime AS created
        FROM kept_pass k LEFT JOIN device ON device.organizer = k.organizer AND device.id = k.device
        WHERE k.organizer = ${organizer} AND k."position" = ${position} AND k.list = ${list}`,
)

/**
 * The check-ins of a position on a list that the server upstream has forgotten, as far as they are not among those that are
 * `known`, annulled ones included. Somebody who was admitted before it was restored is inside all the same.
 */
export async function upstreamCheckins(
  tx: Tx,
  { organizer, position, list }: { organizer: number; position: number; list: number },
  known: readonly Pick<UpstreamCheckin, 'id' | 'nonce' | 'type' | 'device' | 'datetime'>[],
): Promise<readonly UpstreamCheckin[]> {
  // Nothing is upstream of central, and it has no other copy.
  if (tx.site === 0) return []
  const fromUpstream = await tx.all<UpstreamCheckin>(upstreamOn(organizer, position, list))
  if (fromUpstream.length === 0) return fromUpstream
  const ids = new Set(known.map(({ id }) => id))
  const scans = new Set(known.map(sameScanKey))
  return fromUpstream.filter((one) => !ids.has(one.id) && !scans.has(sameScanKey(one)))
}

/** Remembers a check-in that the server upstream has named and whose row is yet to come. */
export const rememberCheckin = (
  tx: Tx,
  { organizer, event }: Place,
  checkin: Pick<
    UpstreamCheckin,
    'id' | 'position' | 'list' | 'type' | 'datetime' | 'nonce' | 'device' | 'gate'
  >,
): Promise<number> =>
  tx.run(
    sql`INSERT INTO kept_pass (organizer, event, id, "position", list, "type", datetime, nonce, device, gate, auto_checked_in)
        VALUES (${organizer}, ${event}, ${checkin.id}, ${checkin.position}, ${checkin.list}, ${checkin.type}, ${checkin.datetime},
          ${checkin.nonce}, ${checkin.device}, ${checkin.gate}, 0) ON CONFLICT (organizer, id) DO NOTHING`,
  )
