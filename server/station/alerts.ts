import sql from 'sql-template-tag'
import type { JsonObject } from '../../schema/fields.ts'
import { conflict } from '../../schema/resources/checkin/conflict.ts'
import { isServerTextKey, serverTranslator } from '../../schema/texts/server.ts'
import type { Live } from '../http/live.ts'
import { rowOf } from '../resource/store.ts'
import type { Transactions } from '../resource/transactions.ts'
import { type NamedConflict, presentConflicts } from '../services/checkin/conflict-view.ts'
import { type StationSettings, stationSettings } from '../services/devices/station-settings.ts'
import type { Cells, Queryable } from '../storage/database.ts'

/** Announces at a station when it turns out that somebody should not have been admitted here. */
export interface Alerts {
  /** Says nothing of a scan whose result is not shown yet, until the function given back is called. */
  hold(nonce: string): () => void
}

/** Conflicts that are announced once are remembered so many at a time. */
const mostAnnounced = 10_000

/** Watches for contradictions of what was scanned at this station, and sends each once to its screens. */
export function watchContradictions({ database, onCommit }: Transactions, live: Live): Alerts {
  const announced = new Set<number>()
  const held = new Map<string, Set<number>>()
  let releases = 0

  async function announce(ids: readonly number[]): Promise<void> {
    const settings = await stationSettings(database)
    if (!settings) return
    for (const id of ids) {
      const row = await findNow(settings, id)
      if (!row || announced.has(id)) continue
      const waiting = noncesOf(row).flatMap((nonce) => held.get(nonce) ?? [])
      for (const one of waiting) one.add(id)
      if (waiting.length > 0) continue
      if (announced.size >= mostAnnounced) announced.clear()
      announced.add(id)
      live.publish('alert', alertOf(settings, row))
    }
  }

  /** What was found before the result of a scan was shown may not be true after it. */
  async function findNow(settings: StationSettings, id: number): Promise<NamedConflict | undefined> {
    for (;;) {
      const before = releases
      const row = await findOpen(database, settings, id)
      if (releases === before) return row
    }
  }

  const announceSoon = (ids: readonly number[]): void => {
    // Nobody waits for it: what cannot be read now is in the list of conflicts.
    if (ids.length > 0) void announce(ids).catch(() => undefined)
  }

  onCommit((changes) =>
    announceSoon(
      changes.filter(({ resource, op }) => resource === 'conflict' && op === 'put').map(({ row }) => row),
    ),
  )

  return {
    hold(nonce) {
      const ids = new Set<number>()
      held.set(nonce, ids)
      return () => {
        held.delete(nonce)
        releases += 1
        announceSoon([...ids])
      }
    },
  }
}

/** An open contradiction about a check-in of this station that still stands. */
async function findOpen(
  db: Queryable,
  { organizer, device }: StationSettings,
  id: number,
): Promise<NamedConflict | undefined> {
  const cells = await db.get<Cells>(
    sql`SELECT conflict.* FROM conflict
        LEFT JOIN checkin own ON own.organizer = conflict.organizer AND own.id =
          CASE WHEN conflict.device = ${device} THEN conflict.checkin ELSE conflict.other_checkin END
        WHERE conflict.organizer = ${organizer} AND conflict.id = ${id} AND conflict.state = 'open'
          AND conflict.severity <> 'info' AND (conflict.device = ${device} OR conflict.other_device = ${device})
          AND own.successful = 1`,
  )
  if (!cells || !isServerTextKey(`late.${cells.kind}`)) return undefined
  const [row] = await presentConflicts(db, organizer, [rowOf(conflict, cells)])
  // Without its event it has gone while it was looked at.
  return row?.event === undefined ? undefined : row
}

/** The nonces of the scans that a conflict is about. */
const noncesOf = ({ data }: NamedConflict): string[] =>
  [data.nonce, data.other_nonce].filter((nonce) => typeof nonce === 'string')

/** A contradiction as this station sees it: the other one is not here. */
function alertOf({ device, locale }: StationSettings, row: NamedConflict): JsonObject {
  const isLoser = row.device === device
  const other = isLoser ? 'other_' : ''
  const own = isLoser ? '' : 'other_'
  const t = serverTranslator(locale)
  const place = row[`${other}gate_name`] ?? row[`${other}device_name`] ?? t('station.elsewhere')
  const key = `late.${row.kind}` as const
  return {
    id: row.id,
    kind: row.kind,
    name: row.attendee_name ?? null,
    code: row.order ?? null,
    list: row.list_name ?? null,
    device: row[`${own}device_name`] ?? null,
    gate: row[`${own}gate_name`] ?? null,
    other_device: row[`${other}device_name`] ?? null,
    other_gate: row[`${other}gate_name`] ?? null,
    datetime: row[`${own}datetime`] ?? null,
    other_datetime: row[`${other}datetime`] ?? null,
    text: isServerTextKey(key) ? t(key, { place: place }) : '',
  }
}
