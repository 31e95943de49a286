import type { QuarterPasses } from '../../schema/bodies/station-state.ts'

/** How many came for the first time, came again and went. */
export type Passes = Omit<QuarterPasses, 'from'>

/** The kinds of passes, in the order in which they are drawn and listed. */
export const kinds = ['first_entries', 'reentries', 'exits'] as const

/** The words for each of them. */
export const wordOf = {
  first_entries: 'statistics.first',
  reentries: 'statistics.again',
  exits: 'direction.exit',
} as const

/** How many passes there were of all kinds. */
export const passesIn = (passes: Passes): number => kinds.reduce((sum, kind) => sum + passes[kind], 0)
