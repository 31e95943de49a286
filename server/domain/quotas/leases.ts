import { instantAt, microsecondsOf } from '../../../schema/instants.ts'

/** A lease as its rows and what was reported about it say: part of a quota that a station or hub sells by itself. */
export interface LeaseFacts {
  readonly id: number
  readonly quota: number
  /** The lease of a hub that this one is a part of, or null for one that central has given. */
  readonly parent: number | null
  readonly size: number
  /** How many were sold of it as far as is known here. */
  readonly used: number
  readonly state: 'open' | 'returned' | 'expired'
  readonly created: string
  readonly until: string
}

/** What the facts that a node has reported, or still has to report, say about a lease. */
export interface ReportedLease {
  /** How many were sold of it in these facts. */
  readonly sold: number
  /** What it was made smaller to, or null. */
  readonly size: number | null
  /** What it was prolonged to, or null. */
  readonly until: string | null
  /** How it has ended, or null. */
  readonly state: 'returned' | 'expired' | null
}

const smallestLease = 5
const largestShare = 0.2
const millisecond = 1000

/** How far back sales are looked at to say how many are needed soon, in milliseconds. */
export const salesWindow = 20 * 60_000

/** How long a lease is for when nobody says otherwise, and at most, in milliseconds. */
const usualTerm = 4 * 3_600_000
const longestTerm = 24 * 3_600_000

/** How long after its end a lease still counts as taken: time to report what was sold, and clocks that differ. */
const graceAfterEnd = 10 * 60_000
const clockMargin = 2 * 60_000

/** A moment in stored form, some milliseconds later. */
export const laterBy = (instant: string, milliseconds: number): string =>
  instantAt(microsecondsOf(instant) + Math.round(milliseconds) * millisecond)

/**
 * A lease as its row says, which may be older than what was reported about it or newer: of both, what is surer not to
 * promise the same ticket twice. Ends and reductions are for good; nothing sold is forgotten.
 */
export function withReported<L extends LeaseFacts>(row: L, reported: ReportedLease | undefined): L {
  if (!reported) return row
  return {
    ...row,
    used: Math.max(row.used, reported.sold),
    size: reported.size === null ? row.size : Math.min(row.size, reported.size),
    until: reported.until !== null && reported.until > row.until ? reported.until : row.until,
    state: reported.state ?? row.state,
  }
}

/**
 * How many of a lease whoever gave it has to count as taken and not yet sold. A returned one was made as small as what
 * was sold of it, which may still be on its way; an expired one holds nothing.
 */
export const outstandingOf = (lease: Pick<LeaseFacts, 'size' | 'used' | 'state'>): number =>
  lease.state === 'expired' ? 0 : Math.max(0, lease.size - lease.used)

/**
 * How many of its own lease a node may still sell or give to others at a moment: none after its end. `parts` are those
 * that it has given to its own devices; what they sold counts against the whole as well.
 */
export function freeOf(lease: LeaseFacts, parts: readonly LeaseFacts[], own: number, now: string): number {
  if (lease.state !== 'open' || now >= lease.until) return 0
  const soldOfParts = parts.reduce((sum, part) => sum + part.used, 0)
  const promised = parts.reduce((sum, part) => sum + outstandingOf(part), 0)
  return Math.max(0, lease.size - Math.max(lease.used, own + soldOfParts) - promised)
}

/** What is known when more is asked for: what was sold in the last twenty minutes, what is left of the quota beside
 * all leases, and how many are at hand. */
interface Demand {
  readonly recent: number
  readonly rest: number
  readonly free: number
}

/**
 * How many to ask for now: enough for the next twenty minutes by the last twenty, at least five, but at most a fifth of
 * what is left, so that a few tills share the last ones; nothing as long as more than half of that is at hand.
 */
export function wishFor({ recent, rest, free }: Demand): number {
  const share = Math.max(1, Math.floor((rest + free) * largestShare))
  const target = Math.min(Math.max(smallestLease, recent), share)
  return free * 2 > target ? 0 : Math.max(0, Math.min(target - free, rest))
}

/** Whether less than half of the usual term is left of a lease, so that it is to be prolonged. */
export const isToProlong = ({ until }: Pick<LeaseFacts, 'until'>, now: string): boolean =>
  until < laterBy(now, usualTerm / 2)

/** Whether a lease's time is over for whoever gave it: its end, the grace after it and the margin of clocks are past. */
export const isForfeited = ({ until }: Pick<LeaseFacts, 'until'>, now: string): boolean =>
  laterBy(until, graceAfterEnd + clockMargin) <= now

/** The moment before which a lease must have ended to be forfeited now. */
export const forfeitedBefore = (now: string): string => laterBy(now, -(graceAfterEnd + clockMargin))

/** Until when a lease is given: as asked, or the usual term, but never beyond the longest one or what it is a part of. */
export function endOf(now: string, asked: string | null, parentEnd: string | null): string {
  const wanted = asked ?? laterBy(now, usualTerm)
  const latest = laterBy(now, longestTerm)
  const capped = wanted < latest ? wanted : latest
  return parentEnd !== null && parentEnd < capped ? parentEnd : capped
}

/** A time that a node was sure had come, and its clock that never goes back at that moment. */
export interface TimeAnchor {
  readonly at: string
  /** Milliseconds since a start of the program, and which start. */
  readonly mono: number
  readonly boot: string
}

/**
 * What time it is for the end of leases, whatever is done to the clock: never before what was sure, moved on by the
 * clock that never goes back as long as the program runs. A clock set forward ends leases early, which is safe; one that
 * stood still while the machine slept is why the other clock is looked at too.
 */
export function sellingTime(now: string, mono: number, boot: string, anchor: TimeAnchor | null): string {
  if (anchor === null) return now
  const passed = anchor.boot === boot ? Math.max(0, mono - anchor.mono) : 0
  const least = laterBy(anchor.at, passed)
  return least > now ? least : now
}
