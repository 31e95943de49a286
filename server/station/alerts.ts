import sql from 'sql-template-tag'
import { conflict } from '../../schema/resources/checkin/conflict.ts'
import { isServerTextKey, serverTranslator } from '../../schema/texts/server.ts'
import type { Live } from '../http/live.ts'
import type { RowData } from '../resource/codec.ts'
import { rowOf } from '../resource/store.ts'
import type { Change, Transactions } from '../resource/transactions.ts'
import { presentConflicts } from '../services/checkin/conflict-view.ts'
import { type StationSettings, stationSettings } from '../services/devices/station-settings.ts'
import type { Cells } from '../storage/database.ts'

/** Tells the people at a station when it turns out that somebody should not have been let in here. */
export interface Alerts {
  /** Says nothing of a scan whose result is not shown yet, until the function given back is called. */
  hold(nonce: string): () => void
}

/** Conflicts to be told once are remembered so many at a time. */
const mostTold = 10_000

interface Late extends RowData {
  readonly id: number
  readonly kind: string
  readonly device: number | null
  readonly data: { readonly nonce?: string | null; readonly other_nonce?: string | null }
}

/** Watches for contradictions of what was scanned at this station, and sends each once to its screens. */
export function watchContradictions(transactions: Transactions, live: Live): Alerts {
  const { database } = transactions
  const told = new Set<number>()
  const held = new Map<string, Set<number>>()
  let releases = 0

  async function look(ids: readonly number[]): Promise<void> {
    const settings = await stationSettings(database)
    if (!settings) return
    for (const id of ids) {
      const row = await findNow(settings, id)
      if (!row || told.has(id)) continue
      const waiting = [row.data.nonce, row.data.other_nonce].flatMap((nonce) => held.get(nonce ?? '') ?? [])
      for (const one of waiting) one.add(id)
      if (waiting.length > 0) continue
      if (told.size >= mostTold) told.clear()
      told.add(id)
      live.publish('alert', alertOf(settings, row))
    }
  }

  /** The same as `find`; what was found before the result of a scan was shown may not be true after it. */
  async function findNow(settings: StationSettings, id: number): Promise<Late | undefined> {
    for (;;) {
      const before = releases
      const row = await find(settings, id)
      if (releases === before) return row
    }
  }

  /** An open contradiction about a check-in of this station that still stands. */
  async function find({ organizer, device }: StationSettings, id: number): Promise<Late | undefined> {
    const cells = await database.get<Cells>(
      sql`SELECT conflict.* FROM conflict
          LEFT JOIN checkin own ON own.organizer = conflict.organizer AND own.id =
            CASE WHEN conflict.device = ${device} THEN conflict.checkin ELSE conflict.other_checkin END
          WHERE conflict.organizer = ${organizer} AND conflict.id = ${id} AND conflict.state = 'open'
            AND conflict.severity <> 'info' AND (conflict.device = ${device} OR conflict.other_device = ${device})
            AND own.successful = 1`,
    )
    if (!cells || !isServerTextKey(`late.${cells.kind}`)) return undefined
    const [row] = await presentConflicts(database, organizer, [rowOf(conflict, cells)])
    // Without its event it has gone while it was looked at.
    return row && 'event' in row ? (row as Late) : undefined
  }

  const lookSoon = (ids: readonly number[]): void => {
    // Nobody waits for it: what cannot be read now is in the list of conflicts.
    if (ids.length > 0) void look(ids).catch(() => undefined)
  }

  transactions.onCommit((changes: readonly Change[]) =>
    lookSoon(
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
        lookSoon([...ids])
      }
    },
  }
}

/** A contradiction as this station sees it: the other one is not here. */
function alertOf({ device, locale }: StationSettings, row: Late): RowData {
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
    text: isServerTextKey(key) ? t(key, { place: String(place) }) : '',
  }
}
