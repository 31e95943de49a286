import sql, { join } from 'sql-template-tag'
import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import { instantAt, microsecondsOf } from '../../schema/instants.ts'
import { siteSpan } from '../../schema/sites.ts'
import type { Reason, ScanType } from '../domain/rules/facts.ts'
import type { Transactions } from '../resource/transactions.ts'
import { longestUndo } from '../services/checkin/annul.ts'
import { outcomeOf } from '../services/checkin/redeem-input.ts'
import { findSigned } from '../services/checkin/signed-acceptance.ts'
import { stationSettings } from '../services/devices/station-settings.ts'
import { selectPositions } from '../services/orders/positions.ts'
import { viewScan } from './scan-view.ts'
import { listsOfStation } from './station-state.ts'

/** How many scans a screen that was just opened shows. */
const most = 20

/** Milliseconds after which nobody at an entrance asks for a scan any more. */
const remembersFor = 12 * 3_600_000

interface StoredScan {
  readonly id: number
  readonly successful: number
  readonly error_reason: Reason | null
  readonly error_explanation: string | null
  readonly position: number | null
  readonly datetime: string
  readonly type: ScanType
  readonly nonce: string
  readonly raw_barcode: string | null
  readonly list: number
}

/** The last scans that were made here on the lists of the station, newest first, at a moment; those undone are left out. */
export async function recentScans({ database, site }: Transactions, now: string): Promise<ScanResult[]> {
  const settings = await stationSettings(database)
  const lists = await listsOfStation(database)
  if (!settings || lists.length === 0) return []
  const { organizer } = settings
  const ago = (milliseconds: number): string => instantAt(microsecondsOf(now) - milliseconds * 1000)
  // By the ids that are made here, so that no other scan is looked at.
  const scans = await database.all<StoredScan>(
    sql`SELECT id, successful, error_reason, error_explanation, "position" AS position, datetime, "type" AS type, nonce, raw_barcode, list
        FROM checkin WHERE organizer = ${organizer} AND id >= ${site * siteSpan} AND id < ${(site + 1) * siteSpan}
          AND list IN (${join(lists.map(({ facts }) => facts.id))}) AND auto_checked_in = 0 AND nonce IS NOT NULL AND datetime >= ${ago(remembersFor)}
          AND (error_reason IS NULL OR error_reason <> 'annulled')
        ORDER BY id DESC LIMIT ${most}`,
  )
  const results: ScanResult[] = []
  const seen = new Set<string>()
  for (const scan of scans) {
    // What was refused at first and admitted then, for one reading, is one scan.
    const list = lists.find(({ facts }) => facts.id === scan.list)
    if (!list || seen.has(scan.nonce)) continue
    seen.add(scan.nonce)
    const [position] = await selectPositions(
      database,
      sql`p.organizer = ${organizer} AND p.id = ${scan.position}`,
      sql`p.id`,
    )
    const code = scan.raw_barcode ?? position?.secret ?? ''
    const signed = position ? undefined : await findSigned(database, organizer, [list], code)
    const outcome = outcomeOf({
      status: scan.successful === 1 ? 'ok' : 'error',
      reason: scan.error_reason,
      explanation: scan.error_explanation,
      list,
      position: position ?? null,
      signed: signed && { code, ticket: signed.ticket },
      checkin: scan.id,
    })
    const view = await viewScan(database, organizer, outcome)
    const { nonce, type, datetime } = scan
    const can_undo = view.can_undo && datetime >= ago(longestUndo)
    const read = { id: nonce, nonce, repeated: false, source: 'hid', code, type } as const
    results.push({ ...read, at: datetime, ...view, owed: null, can_undo })
  }
  return results
}
