import type { Outcome } from './run.ts'

/** States that some run must reach, or the runs prove little. */
const sometimes: readonly string[] = [
  'shown ok',
  'shown already_redeemed',
  'shown canceled',
  'shown revoked',
  'shown rules',
  'undone',
  'sold at a station',
  'sold on central',
  'station does not sell: 400',
  'a sale was repeated with its key',
  'a sale was repeated after a restart',
  'open drawer: 201',
  'move cash: 201',
  'sold at a till',
  'refund: 201',
  'close drawer: 201',
  'a drawer was closed',
  'a refund was repeated with its key',
  'conflict: a number was given twice',
  'a double entry was found',
  'conflict: double_entry',
  'conflict: canceled_used',
  'conflict: revoked_used',
  'conflict: rule_violation',
  'push: request lost',
  'push: response lost',
  'push: duplicated',
  'push: stuck',
  'push: captive',
  'push: cut',
  'push: refused on the way',
  'power failed before a commit',
  'power failed after a commit',
  'a clock was set',
  'a night passed',
  'a disk was full',
  'an old copy restored',
  'central restored',
  'two machines with one disk',
  'scanned while a new copy was made',
  'scanned while its hub was off',
  'scanned while offline',
  'a new copy replaced an old one',
  'a revoked device reported into quarantine',
  'a thief reported to central',
  'a thief reported to a hub',
  'a sale of a thief was refused',
  'a thief gave leases of a hub on',
  'conflict: refused_sale',
  'leases are open',
  'a lease ended',
]

/** What some runs came to. */
interface Tally {
  add(outcome: Outcome): void
  /** States that none has reached. */
  readonly missing: readonly string[]
  readonly reached: readonly (readonly [state: string, runs: number])[]
}

/** Counts in how many runs each state was reached. */
export function openTally(): Tally {
  const counts = new Map<string, number>(sometimes.map((state) => [state, 0]))
  return {
    add({ reached }) {
      for (const state of reached) counts.set(state, (counts.get(state) ?? 0) + 1)
    },
    get missing() {
      return sometimes.filter((state) => counts.get(state) === 0)
    },
    get reached() {
      return [...counts]
    },
  }
}
