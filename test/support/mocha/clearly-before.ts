import type { LinkStatus } from '../../../schema/station-link.ts'
import { realEnv } from '../../../server/env.ts'
import { until } from '../servers/nodes.ts'

/**
 * Lets something happen at one of some nodes, and waits until none of them takes what happens next for earlier: by how
 * much the time that they tell may be wrong depends on how long the machine stood still while they were told it.
 */
export async function clearlyBefore<T>(
  links: readonly (() => Promise<LinkStatus>)[],
  work: () => Promise<T>,
): Promise<T> {
  const clocks = await Promise.all(links.map(async (link) => (await link()).clock))
  const doubt = clocks.reduce((sum, { uncertainty }) => sum + (uncertainty ?? 0), 0)
  const result = await work()
  const since = realEnv.elapsed()
  await until('that is past for all of them', () => realEnv.elapsed() - since > doubt)
  return result
}
