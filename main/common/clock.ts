/** Takes a planned act back; harmless when it has already happened. */
export type Cancel = () => void

/** Time as the shell sees it, so that tests can move it by hand. */
export interface ShellClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Does something once, in so many milliseconds. */
  after(milliseconds: number, act: () => void): Cancel
}

/** The clock of this machine. */
export const realClock: ShellClock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
}
