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
  /** It was dated back from the report by the sender's counter, which nobody but its receiver can do. */
  readonly counted: boolean
  /** How many milliseconds too far in the future it was dated, where that is more than clocks differ by; else null. */
  readonly skew: number | null
}

/** Milliseconds by which a clock may be ahead without a word about it. */
const tolerated = 120_000

/**
 * Dates a fact. One of the same start of the program as the report is dated back from it by the clock that never
 * jumps, so that a wall clock that was put right in between does no harm; the report itself is dated by the measured
 * offset, or by its arrival at `now` where `live` says that it has just come. Any other is dated by the wall clock that
 * it had and the offset that was known then. What lies in the future happened now.
 */
export function correctedTime(fact: SentFact, clock: SenderClock, now: string, live: boolean): CorrectedTime {
  const current = microsecondsOf(now)
  const sinceThen = clock.mono - fact.mono
  const isSameStart = fact.boot !== '' && fact.boot === clock.boot && sinceThen >= 0
  const reportedAt =
    clock.clock_offset !== null
      ? microsecondsOf(clock.device_time) + clock.clock_offset * 1000
      : live
        ? current
        : Number.NaN
  const dated = isSameStart ? reportedAt - sinceThen * 1000 : Number.NaN
  const isDated = Number.isFinite(dated)
  const byItself = microsecondsOf(fact.device_time) + (fact.clock_offset ?? 0) * 1000
  const isMoment = isDated || Number.isFinite(byItself)
  const found = isDated ? dated : isMoment ? byItself : current
  const ahead = (found - current) / 1000
  return {
    at: instantAt(Math.max(Math.min(found, current), 0)),
    uncertain: !isMoment || (!isDated && fact.clock_offset === null),
    counted: isDated,
    skew: ahead > tolerated ? Math.round(ahead) : null,
  }
}

/**
 * A fact as it is passed on by a node whose clocks say `stamp` now. Whoever gets it next never heard the sender's
 * clocks: what was dated by its counter goes on by the clocks of this node, as if it had happened here, so that it is
 * put right with everything of this node's own should these be wrong. Any other goes on as it came.
 */
export function datedHere(
  fact: SentFact,
  { at, counted, skew }: CorrectedTime,
  stamp: Stamp | null,
): SentFact {
  if (!counted || skew !== null || !stamp?.boot) return fact
  const shown = microsecondsOf(at) - (stamp.clockOffset ?? 0) * 1000
  const ago = (microsecondsOf(stamp.deviceTime) - shown) / 1000
  return {
    ...fact,
    boot: stamp.boot,
    mono: Math.round(stamp.mono - ago),
    device_time: instantAt(shown),
    clock_offset: stamp.clockOffset,
  }
}
