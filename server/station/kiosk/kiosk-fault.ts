import sql from 'sql-template-tag'
import { type KioskFault, kioskFaults } from '../../../schema/bodies/kiosk.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What keeps a kiosk out of order: until somebody has looked, or until its cause is gone. */
export interface FoundFault {
  readonly fault: KioskFault
  readonly stays: boolean
}

/** Why the printer of a kiosk keeps it out of order. */
export type PrinterFault = Extract<KioskFault, 'paper' | 'printer'>

/** What this machine has noted of its printers, also over a restart. */
export async function keptFaults(db: Queryable): Promise<readonly FoundFault[]> {
  const rows = await db.all<{ code: PrinterFault; stays: number }>(sql`SELECT code, stays FROM kiosk_fault`)
  return rows.map(({ code, stays }) => ({ fault: code, stays: stays === 1 }))
}

/** Keeps a kiosk out of order until somebody has looked. */
export const keepFault = (tx: Tx, fault: PrinterFault): Promise<number> =>
  tx.run(
    sql`INSERT INTO kiosk_fault (code, stays, since) VALUES (${fault}, 1, ${tx.now})
        ON CONFLICT (code) DO UPDATE SET stays = 1`,
  )

/** Notes how the printers are by their own word: null where they can print. What somebody has to look at stays. */
export async function noteFault(tx: Tx, fault: PrinterFault | null): Promise<void> {
  await tx.run(sql`DELETE FROM kiosk_fault WHERE stays = 0 AND code <> ${fault ?? ''}`)
  if (fault !== null)
    await tx.run(
      sql`INSERT INTO kiosk_fault (code, stays, since) VALUES (${fault}, 0, ${tx.now}) ON CONFLICT DO NOTHING`,
    )
}

/** Somebody has looked, or nothing has to be printed any more. */
export const clearFaults = (tx: Tx): Promise<number> => tx.run(sql`DELETE FROM kiosk_fault`)

/** What is wrong at the moment between a kiosk and the server above; by itself it is right again. */
export function linkFaults(link: LinkStatus | null, dataMinutes: number): readonly FoundFault[] {
  if (!link || link.role === 'alone_by_choice') return []
  const isOld = dataMinutes > 0 && link.data_age !== null && link.data_age > dataMinutes * 60
  const found: readonly (KioskFault | false)[] = [
    link.revoked && 'revoked',
    link.clock.skewed && 'clock',
    isOld && 'data',
  ]
  return found.filter((one) => one !== false).map((fault) => ({ fault, stays: false }))
}

const gravity = Object.keys(kioskFaults)

/** The gravest first: what only the organizer can mend, then what needs somebody here, then what ends by itself. */
export const byGravity = (faults: readonly FoundFault[]): FoundFault[] =>
  faults.toSorted((a, b) => gravity.indexOf(a.fault) - gravity.indexOf(b.fault))
