import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Push, SentFact } from '../../../schema/sync.ts'
import type { Stamp } from '../../resource/facts.ts'

/** The clocks of a sender when it reported facts. */
export type SenderClock = Pick<Push, 'boot' | 'mono' | 'device_time' | 'clock_offset'>

/** When a fact happened by the right time. */
export interface CorrectedTime {
  /** 27 characters, UTC; never in the future. */
  readonly at: string
  /** The machine did not know the time: `at` may be wrong by any amount. */
  readonly uncertain: boolean
  /**
   * Milliseconds before `now`, where the sender's counter tells them, which nobody but its receiver can ask; else null.
   */
  readonly ago: number | null
  /** How many milliseconds too far in the future it was dated, where that is more than clocks differ by; else null. */
  readonly skew: number | null
}

/** Milliseconds by which a clock may be ahead without a word about it. */
const tolerated = 120_000

/**
 * When a report was made, in microseconds; NaN where nobody knows. One that has just come and seems to have been long
 * underway, or to come from the future, was dated by a clock that was set since its offset was measured.
 */
function reportTime({ device_time, clock_offset }: SenderClock, current: number, live: boolean): number {
  const measured = clock_offset === null ? Number.NaN : microsecondsOf(device_time) + clock_offset * 1000
  if (!live) return measured
  return Math.abs(current - measured) <= tolerated * 1000 ? measured : current
}

/**
 * Dates a fact. One of the same start of the program as the report is dated back from it by the clock that never
 * jumps, so that a wall clock that was put right in between does no harm; the report itself is dated by the measured
 * offset, or by its arrival at `now` where `live` says that it has just come and that offset cannot be right. Any other is dated by the wall clock that
 * it had and the offset that was known then. What lies in the future happened now.
 */
export function correctedTime(fact: SentFact, clock: SenderClock, now: string, live: boolean): CorrectedTime {
  const current = microsecondsOf(now)
  const sinceThen = clock.mono - fact.mono
  const isSameStart = fact.boot !== '' && fact.boot === clock.boot && sinceThen >= 0
  const reportedAt = reportTime(clock, current, live)
  const dated = isSameStart ? reportedAt - sinceThen * 1000 : Number.NaN
  const isDated = Number.isFinite(dated)
  const byItself = microsecondsOf(fact.device_time) + (fact.clock_offset ?? 0) * 1000
  const isMoment = isDated || Number.isFinite(byItself)
  const found = isDated ? dated : isMoment ? byItself : current
  const ahead = (found - current) / 1000
  return {
    at: instantAt(Math.max(Math.min(found, current), 0)),
    uncertain: !isMoment || (!isDated && fact.clock_offset === null),
    ago: isDated ? Math.max((current - dated) / 1000, 0) : null,
    skew: ahead > tolerated ? Math.round(ahead) : null,
  }
}

/**
 * A fact as it is passed on by a node whose clocks say `stamp` now. Whoever gets it next never heard the sender's
 * clocks: what was dated by its counter goes on by the clocks of this node, as if it had happened here, so that it is
 * put right with everything of this node's own should these be wrong. It is counted back, since this node may not know
 * yet that its clock was set. Any other goes on as it came.
 */
export function datedHere(fact: SentFact, { ago, skew }: CorrectedTime, stamp: Stamp | null): SentFact {
  if (ago === null || skew !== null || !stamp?.boot) return fact
  return {
    ...fact,
    boot: stamp.boot,
    mono: Math.round(stamp.mono - ago),
    device_time: instantAt(Math.round(microsecondsOf(stamp.deviceTime) - ago * 1000)),
    clock_offset: stamp.clockOffset,
  }
}
