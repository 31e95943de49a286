import { microsecondsOf } from '../../../schema/instants.ts'

/** Whether one moment of a row comes before another one that should not be earlier; false where either is not set. */
export function isReversed<Name extends string>(
  row: Readonly<Record<Name, unknown>>,
  first: Name,
  second: Name,
): boolean {
  const [from, until] = [row[first], row[second]]
  return typeof from === 'string' && typeof until === 'string' && microsecondsOf(until) < microsecondsOf(from)
}

/** Complaints about the times of an event or of a date of a series. */
export const timeProblems = (
  row: Readonly<Record<'date_from' | 'date_to' | 'presale_start' | 'presale_end', string | null>>,
): string[] => [
  ...(isReversed(row, 'date_from', 'date_to') ? ['An event cannot end before it starts.'] : []),
  ...(isReversed(row, 'presale_start', 'presale_end') ? ['The presale cannot end before it starts.'] : []),
]
