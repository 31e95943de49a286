import type { ShellClock } from '../../../main/common/clock.ts'

/** A clock that stands still until a test moves it. */
interface HandClock extends ShellClock {
  /** Moves time on, doing what was planned in the order of its time. */
  advance(milliseconds: number): void
  /** Milliseconds until each planned act, soonest first. */
  planned(): readonly number[]
}

/** Makes such a clock, beginning at a fixed time. */
export function makeHandClock(): HandClock {
  let now = 1_800_000_000_000
  const plan = new Set<{ readonly at: number; readonly act: () => void }>()
  const soonest = () => [...plan].sort((a, b) => a.at - b.at)
  return {
    now: () => now,
    after(milliseconds, act) {
      const entry = { at: now + milliseconds, act }
      plan.add(entry)
      return () => void plan.delete(entry)
    },
    advance(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const next = soonest()[0]
        if (next === undefined || next.at > end) break
        plan.delete(next)
        now = next.at
        next.act()
      }
      now = end
    },
    planned: () => soonest().map(({ at }) => at - now),
  }
}
