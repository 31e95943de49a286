import sql from 'sql-template-tag'
import { checkin } from '../../schema/resources/checkin/checkin.ts'
import { checkinList } from '../../schema/resources/checkin/checkin-list.ts'
import { dayAfter } from '../domain/checkin/automatic-exits.ts'
import { blankRow } from '../resource/defaults.ts'
import { insertRows, updateRow } from '../resource/store.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { countedMoment } from '../services/checkin/checkin-counts.ts'
import { isHere } from '../storage/moved-organizers.ts'

/** So many days after it happened, a scan is still judged by the exits of its time. */
const rememberedExits = 60

interface DueList {
  readonly organizer: number
  readonly event: number
  readonly id: number
  readonly exit_all_at: string
  readonly exit_all_local: string | null
  readonly timezone: string
}

const due = (now: string) =>
  sql`SELECT l.organizer, l.event, l.id, l.exit_all_at, l.exit_all_local, event.timezone FROM checkin_list l
      JOIN event ON event.organizer = l.organizer AND event.id = l.event
      WHERE l.exit_all_at IS NOT NULL AND l.exit_all_at <= ${now} AND ${isHere(sql`l.organizer`)} ORDER BY l.exit_all_at, l.id`

/**
 * Writes an exit for everybody who is still inside when a list's hour has come, and moves the hour to the next day at
 * the same local time. After an outage each run catches up on one day. The number of exits written. What fails on one
 * list is thrown after the others have had their turn. A node below another one writes none: it decides as if it had,
 * and receives those that the server at the top has written.
 */
export async function exitEverybodyDue(transactions: Transactions, now: string): Promise<number> {
  if (transactions.site > 0) return 0
  const failures: unknown[] = []
  let exits = 0
  for (const list of await transactions.database.all<DueList>(due(now)))
    try {
      exits += await transactions.write((tx) => exitEverybody(tx, list))
    } catch (cause) {
      failures.push(cause)
    }
  if (failures.length > 0) throw failures[0]
  return exits
}

async function exitEverybody(tx: Tx, list: DueList): Promise<number> {
  const place = { organizer: list.organizer, event: list.event }
  const moved = dayAfter(list.exit_all_at, list.exit_all_local, list.timezone)
  const current = await tx.get<{ exit_all_done: string }>(
    sql`SELECT exit_all_done FROM checkin_list WHERE organizer = ${list.organizer} AND id = ${list.id} AND exit_all_at = ${list.exit_all_at}${tx.forUpdate}`,
  )
  if (!current) return 0
  // The ordinals of annulled check-ins are taken as well.
  const last = (type: 'entry' | 'exit') =>
    sql`max(CASE WHEN successful = 1 AND "type" = ${type} AND ${countedMoment} < ${list.exit_all_at} THEN ${countedMoment} END)`
  const inside = await tx.all<{ position: number; ordinal: number | null }>(
    sql`SELECT "position" AS position, max(ordinal) AS ordinal FROM checkin c
        WHERE organizer = ${list.organizer} AND list = ${list.id} AND "position" IS NOT NULL
        GROUP BY "position"
        HAVING ${last('entry')} IS NOT NULL AND COALESCE(${last('exit')}, '') < ${last('entry')}`,
  )
  await insertRows(
    tx,
    checkin,
    place,
    inside.map((one) => ({
      ...blankRow(checkin),
      id: tx.nextId(),
      position: one.position,
      list: list.id,
      type: 'exit',
      datetime: list.exit_all_at,
      created: tx.now,
      auto_checked_in: true,
      ordinal: (one.ordinal ?? 0) + 1,
      site: tx.site,
    })),
  )
  await updateRow(tx, checkinList, place, {
    id: list.id,
    exit_all_at: moved.instant,
    exit_all_local: moved.local,
    exit_all_done: [...JSON.parse(current.exit_all_done), list.exit_all_at].slice(-rememberedExits),
  })
  return inside.length
}
