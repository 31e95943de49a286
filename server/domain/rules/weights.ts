/**
 * How hard a failed condition is to change: first how little a visitor can do about it, then how far it is from
 * holding. Compared in this order.
 */
export type Weight = readonly [rigidity: number, distance: number]

/** Compares two weights for sorting, the easier one first. */
export function byWeight(a: Weight, b: Weight): number {
  return a[0] - b[0] || a[1] - b[1]
}

/** Rigidities of the conditions that are not about a number. What nobody can explain is named last. */
export const rigidity = { presence: 70, time: 200, gate: 500, product: 1000, unknown: 10_000 } as const

/** Somebody can wait until an entry is long ago more easily than undo that they came. */
const counterRigidities: Readonly<Record<string, number>> = {
  minutes_since_first_entry: 80,
  minutes_since_last_entry: 90,
  entries_days: 100,
  entries_days_since: 100,
  entries_days_before: 100,
  entries_number: 120,
  entries_since: 120,
  entries_before: 120,
  entries_today: 140,
  now_isoweekday: 210,
}

const operatorRigidities: Readonly<Record<string, number>> = {
  '<': 1,
  '<=': 1,
  '>': 1,
  '>=': 1,
  '==': 2,
  '!=': 3,
}

/** The weight of a number that should relate to a limit and does not. */
export function weightOfNumber(subject: string, operator: string, actual: number, limit: number): Weight {
  const technical = subject.startsWith('minutes_') && asksForAnyEntry(operator, limit) ? 1000 : 0
  const hardness = (counterRigidities[subject] ?? 0) + (operatorRigidities[operator] ?? 0) + technical
  return [hardness, Math.abs(actual - limit) || 0]
}

/** Minutes since an entry are -1 without one, so such a limit only asks whether there was any. */
function asksForAnyEntry(operator: string, limit: number): boolean {
  if (operator === '<' || operator === '>') return limit <= 0
  if (operator === '<=' || operator === '>=') return limit < 0
  return limit === -1
}
