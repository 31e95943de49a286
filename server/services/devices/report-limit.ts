import sql from 'sql-template-tag'
import { mostReportedBytes, mostReportedFacts, type SentFact } from '../../../schema/sync.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** Days without a report for which a device may report at once afterwards. */
const mostDays = 7

/** A hub reports for all of its devices. */
const shareOfHub = 10

/** Facts, and the bytes of them. */
interface Amount {
  readonly facts: number
  readonly bytes: number
}

/** How much a device may report on a day, and how much of that it has reported. */
export interface ReportLimit {
  readonly day: string
  readonly days: number
  readonly most: Amount
  readonly reported: Amount
}

interface Reporter {
  readonly organizer: number
  readonly device: number
  readonly isHub: boolean
}

const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)

/**
 * How much a device may report today: the amount of a day for each day since it last reported, so that whoever was offline
 * for long is not kept waiting.
 */
export async function reportLimit(
  db: Queryable,
  now: string,
  { organizer, device, isHub }: Reporter,
): Promise<ReportLimit> {
  const row = await db.get<Amount & { day: string; days: number }>(
    sql`SELECT day, days, facts, bytes FROM reported_amount WHERE organizer = ${organizer} AND device = ${device}`,
  )
  const day = now.slice(0, 10)
  const passed = row ? daysBetween(row.day, day) : mostDays
  const days = row && passed <= 0 ? row.days : Math.min(mostDays, passed)
  const share = days * (isHub ? shareOfHub : 1)
  return {
    day: row && passed <= 0 ? row.day : day,
    days,
    most: { facts: mostReportedFacts * share, bytes: mostReportedBytes * share },
    reported: row && passed <= 0 ? { facts: row.facts, bytes: row.bytes } : { facts: 0, bytes: 0 },
  }
}

/** Whether a device may report nothing more today. */
export const isReached = ({ most, reported }: ReportLimit): boolean =>
  reported.facts >= most.facts || reported.bytes >= most.bytes

/** Of somebody who may report what there is. */
export const unlimited: ReportLimit = {
  ...{ day: '', days: 0, reported: { facts: 0, bytes: 0 } },
  most: { facts: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
}

/** The same with one more fact that was reported. */
export const countReported = (limit: ReportLimit, fact: SentFact): ReportLimit =>
  limit === unlimited
    ? limit
    : {
        ...limit,
        reported: {
          facts: limit.reported.facts + 1,
          bytes: limit.reported.bytes + Buffer.byteLength(JSON.stringify(fact)),
        },
      }

/** Remembers how much a device has reported. */
export const noteReported = (
  tx: Tx,
  { organizer, device }: { readonly organizer: number; readonly device: { readonly id: number } },
  { day, days, reported }: ReportLimit,
): Promise<number> =>
  tx.run(
    sql`INSERT INTO reported_amount (organizer, device, day, days, facts, bytes)
        VALUES (${organizer}, ${device.id}, ${day}, ${days}, ${reported.facts}, ${reported.bytes})
        ON CONFLICT (organizer, device) DO UPDATE SET day = excluded.day, days = excluded.days,
          facts = excluded.facts, bytes = excluded.bytes`,
  )
