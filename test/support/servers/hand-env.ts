import { type Env, realEnv } from '../../../server/env.ts'

/** A world whose clocks and timers move only when a test says so. */
export interface HandEnv extends Env {
  /** Lets time pass, calling back what is due in its order. */
  pass(milliseconds: number): void
  /** How many timers are waiting. */
  readonly waiting: number
}

/** Makes such a world; its clock begins at a moment in milliseconds since 1970. */
export function makeHandEnv(start = Date.UTC(2030, 5, 1, 10)): HandEnv {
  let elapsed = 0
  let timers: readonly { readonly at: number; readonly callback: () => void }[] = []
  return {
    ...realEnv,
    now: () => start + elapsed,
    elapsed: () => elapsed,
    after(milliseconds, callback) {
      const timer = { at: elapsed + milliseconds, callback }
      timers = [...timers, timer].sort((a, b) => a.at - b.at)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    pass(milliseconds) {
      const end = elapsed + milliseconds
      for (let due = timers[0]; due !== undefined && due.at <= end; due = timers[0]) {
        timers = timers.slice(1)
        elapsed = due.at
        due.callback()
      }
      elapsed = end
    },
    get waiting() {
      return timers.length
    },
  }
}
