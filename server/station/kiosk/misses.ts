import type { Env } from '../../env.ts'

/** How often somebody may be wrong within a while, and how long nobody is asked then. */
interface MissLimits {
  readonly free: number
  readonly within: number
  readonly wait: number
}

/** Counts what was wrong at a kiosk. */
export interface Misses {
  /** Seconds until somebody is asked again; 0 for now. */
  wait(): number
  missed(): void
  forget(): void
}

/** Counts misses for this program's life, which whoever stands before the screen does not end. */
export function countMisses(env: Env, { free, within, wait }: MissLimits): Misses {
  let misses: readonly number[] = []
  let closedUntil = 0
  return {
    wait: () => Math.max(0, Math.ceil((closedUntil - env.elapsed()) / 1000)),
    missed() {
      const now = env.elapsed()
      misses = [...misses.filter((at) => now - at < within), now]
      if (misses.length < free) return
      misses = []
      closedUntil = now + wait
    },
    forget() {
      misses = []
    },
  }
}
