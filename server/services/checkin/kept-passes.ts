import sql from 'sql-template-tag'
import { sameScanKey } from '../../domain/checkin/conflicts.ts'
import type { ScanType } from '../../domain/rules/facts.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import type { PassCells } from '../orders/positions.ts'

/** A check-in that is not among the rows: known before the copy was made anew, or named by the server above. */
export interface KeptPass extends PassCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: 1
  readonly ordinal: null
}

const keptOn = shaped(
  (organizer: number, position: number, list: number) =>
    sql`SELECT k.id, k."position" AS position, k.list, k.datetime, k."type" AS type, k.gate, k.device, k.auto_checked_in,
          device.device_id, k.nonce, 1 AS successful, NULL AS ordinal
        FROM kept_pass k LEFT JOIN device ON device.organizer = k.organizer AND device.id = k.device
        WHERE k.organizer = ${organizer} AND k."position" = ${position} AND k.list = ${list}`,
)

/**
 * The check-ins of a position on a list that the server above has forgotten, as far as they are not among those that are
 * `known`, annulled ones included. Somebody who was let in before it was restored is inside all the same.
 */
export async function keptPasses(
  tx: Tx,
  { organizer, position, list }: { organizer: number; position: number; list: number },
  known: readonly Pick<KeptPass, 'id' | 'nonce' | 'type' | 'device' | 'datetime'>[],
): Promise<readonly KeptPass[]> {
  // Nobody is above central, and it has no other copy.
  if (tx.site === 0) return []
  const kept = await tx.all<KeptPass>(keptOn(organizer, position, list))
  if (kept.length === 0) return kept
  const ids = new Set(known.map(({ id }) => id))
  const scans = new Set(known.map(sameScanKey))
  return kept.filter((one) => !ids.has(one.id) && !scans.has(sameScanKey(one)))
}

/** Remembers a check-in that the server above has named and whose row is yet to come. */
export const keepPass = (
  tx: Tx,
  { organizer, event }: Place,
  pass: Pick<KeptPass, 'id' | 'position' | 'list' | 'type' | 'datetime' | 'nonce' | 'device' | 'gate'>,
): Promise<number> =>
  tx.run(
    sql`INSERT INTO kept_pass (organizer, event, id, "position", list, "type", datetime, nonce, device, gate, auto_checked_in)
        VALUES (${organizer}, ${event}, ${pass.id}, ${pass.position}, ${pass.list}, ${pass.type}, ${pass.datetime},
          ${pass.nonce}, ${pass.device}, ${pass.gate}, 0) ON CONFLICT (organizer, id) DO NOTHING`,
  )
