import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/**
 * Whether whoever was seen to make facts under a number that is not its own any more has got another one: an older copy
 * of a disk, or the second of two machines with one.
 */
export function checkSites(run: Run, central: Held, following: readonly Held[]): void {
  const { record, plan } = run
  const cloned = new Set(plan.steps.flatMap((step) => (step.kind === 'clone' ? [step.machine, step.to] : [])))
  const all = [central, ...following]
  const holders = new Map<number, string[]>()
  for (const held of following) {
    const [node] = held.all<{ site: number }>('SELECT site FROM node')
    if (node) holders.set(node.site, [...(holders.get(node.site) ?? []), held.name])
  }
  for (const [site, names] of holders) {
    const [name = ''] = names
    const upstream = plan.machines.find((one) => one.name === name)?.upstream ?? 'central'
    const twice = all
      .find((held) => held.name === upstream)
      ?.all<{ place: number }>(
        'SELECT site_seq AS place FROM seen_fact WHERE site = ? GROUP BY site_seq HAVING count(*) > 1 LIMIT 1',
        site,
      )
    if (!twice || twice.length === 0) continue
    record.reached.add('two facts at one place')
    // Of two machines with one disk, one goes on under the number.
    if (names.length > 1 || !cloned.has(name))
      record.wrongs.push(
        `${names.join(' and ')} still make facts under the number ${site}, of which ${upstream} has two at place ${twice[0]?.place}`,
      )
  }
}
