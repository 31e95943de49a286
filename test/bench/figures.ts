/** A value of sorted numbers below which a share of them lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle one of some numbers. */
export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** One line of the table: what was measured, against what, and the goal that their ratio has. */
export interface Figure {
  readonly what: string
  readonly ours: string
  readonly against: string
  readonly ratio: number | null
  /** The least or the most that the ratio may be. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null
}

const verdict = ({ ratio, goal }: Figure): string => {
  if (ratio === null || goal === null) return ''
  if ('atLeast' in goal) return `${ratio >= goal.atLeast ? 'met' : 'MISSED'} (>= ${goal.atLeast})`
  return `${ratio <= goal.atMost ? 'met' : 'MISSED'} (<= ${goal.atMost})`
}

/** Prints lines as a table. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = [
    ['what', 'ours', 'against', 'ratio', 'goal'],
    ...figures.map((one) => [one.what, one.ours, one.against, one.ratio?.toFixed(2) ?? '', verdict(one)]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** A time in milliseconds as it is printed. */
export const shownTime = (milliseconds: number): string =>
  milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} us` : `${milliseconds.toFixed(2)} ms`
