import type { Env } from '../../../server/env.ts'

/**
 * The same world, but whoever waits for some milliseconds waits for a minute. For what has to come within that time
 * wherever the machine does not stand still meanwhile.
 */
export const patient = (env: Env, milliseconds: number): Env => ({
  ...env,
  after: (wait, callback) => env.after(wait === milliseconds ? 60_000 : wait, callback),
})
