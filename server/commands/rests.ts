import { scheduler } from 'node:timers/promises'
import { realEnv } from '../env.ts'

/** How long somebody who has written something is given way to. */
const politeFor = 3000

/** Of the time that was worked: what is rested where nobody else is there, so that who comes gets in at all. */
const breath = 1 / 8

/**
 * Rests of long work on a database that a server beside us may be using: SQLite lets one write at a time, and whoever
 * waits is not told when it is free but looks again and again. While others write, as long as was worked since the
 * last rest; else a breath.
 */
export function rests(): (others: boolean) => Promise<void> {
  let rested = realEnv.elapsed()
  let seen = Number.NEGATIVE_INFINITY
  return async (others) => {
    const now = realEnv.elapsed()
    if (others) seen = now
    await scheduler.wait((now - rested) * (now - seen < politeFor ? 1 : breath))
    rested = realEnv.elapsed()
  }
}
