import { type Env, realEnv } from '../../../server/env.ts'

/**
 * The real world, whose clock never shows the same millisecond twice: what happens later is also dated later, however
 * quick the machine is.
 */
export function neverTwice(): Env {
  let last = 0
  return {
    ...realEnv,
    now() {
      last = Math.max(realEnv.now(), last + 1)
      return last
    },
  }
}
