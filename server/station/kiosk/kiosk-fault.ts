import sql from 'sql-template-tag'
import type { KioskFault } from '../../../schema/bodies/kiosk.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What keeps a kiosk out of order: until somebody has looked, or until its cause is gone. */
export interface FoundFault {
  readonly fault: KioskFault
  readonly stays: boolean
}

/** What somebody has to look at before the kiosk goes on, or null. */
export async function keptFault(db: Queryable): Promise<FoundFault | null> {
  const row = await db.get<{ code: KioskFault }>(sql`SELECT code FROM kiosk_fault WHERE id = 1`)
  return row ? { fault: row.code, stays: true } : null
}

/** Keeps a kiosk out of order until somebody has looked; what came first stays. */
export const keepFault = (tx: Tx, fault: KioskFault): Promise<number> =>
  tx.run(
    sql`INSERT INTO kiosk_fault (id, code, since) VALUES (1, ${fault}, ${tx.now}) ON CONFLICT DO NOTHING`,
  )

/** Somebody has looked. */
export const clearFault = (tx: Tx): Promise<number> => tx.run(sql`DELETE FROM kiosk_fault WHERE id = 1`)

/** What is wrong at the moment between a kiosk and the server above; by itself it is right again. */
export function linkFault(link: LinkStatus | null, dataMinutes: number): FoundFault | null {
  if (!link || link.role === 'alone_by_choice') return null
  if (link.revoked) return { fault: 'revoked', stays: false }
  if (link.clock.skewed) return { fault: 'clock', stays: false }
  const isOld = dataMinutes > 0 && link.data_age !== null && link.data_age > dataMinutes * 60
  return isOld ? { fault: 'data', stays: false } : null
}
