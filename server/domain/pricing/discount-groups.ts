/** Something that is bought together with other things. */
export interface DiscountLine {
  readonly id: number
  readonly item: number
  readonly subevent: number | null
  /** In hundredths, tax included, with a voucher's effect and without what is bundled. */
  readonly price: number
  /** The id of the line that this one is an add-on of or bundled with. */
  readonly addonTo: number | null
  readonly isBundled: boolean
  /** What a voucher has taken off, in hundredths. */
  readonly voucherSaving: number
}

/** A line and its place in the order in which all of them are looked at. */
export interface Candidate {
  readonly index: number
  readonly line: DiscountLine
}

const dateOf = ({ line }: Candidate): number | null => line.subevent

const byPrice = (a: Candidate, b: Candidate): number => a.line.price - b.line.price

/** Lines by their date, in the order in which the dates are met; those without a date are together. */
function byDate(lines: readonly Candidate[]): Map<number | null, Candidate[]> {
  const dates = new Map<number | null, Candidate[]>()
  for (const one of lines) {
    const bucket = dates.get(dateOf(one)) ?? []
    bucket.push(one)
    dates.set(dateOf(one), bucket)
  }
  return dates
}

/** One group for each date. */
export const groupsOfSameDate = (lines: readonly Candidate[]): readonly (readonly Candidate[])[] => [
  ...byDate(lines).values(),
]

/**
 * Groups of `size` or more lines of which no two have the same date, made so that dear and cheap lines are spread over
 * them: the first `cheapest` of each group are the cheapest to be had, the others the dearest. Lines are taken from the
 * date with as many of them left as the first date that can be taken from. What is left over joins a group without its
 * date. Lines that do not fit take part in that last step and are left out of the groups in the end.
 */
export function groupsOfDistinctDates(
  lines: readonly Candidate[],
  fits: (one: Candidate) => boolean,
  size: number,
  cheapest: number,
): readonly (readonly Candidate[])[] {
  const buckets = byDate(lines)
  for (const bucket of buckets.values()) bucket.sort(byPrice)
  const byFrequency = [...buckets.keys()]
  const sizes = new Map([...buckets].map(([date, bucket]) => [date, bucket.length]))
  byFrequency.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  const groups: Candidate[][] = []
  let group: Candidate[] = []
  for (;;) {
    const choice = choiceFor(group, buckets, fits)
    const chosen = group.length < cheapest ? choice.at(0) : choice.at(-1)
    if (!chosen) break
    group.push(chosen)
    if (group.length < size) continue
    groups.push(group)
    for (const one of group) remove(buckets.get(dateOf(one)), one)
    group = []
  }
  shareLeftovers(groups, buckets, byFrequency)
  return groups.map((whole) => whole.filter(fits))
}

/** What may join a group, by price. */
function choiceFor(
  group: readonly Candidate[],
  buckets: ReadonlyMap<number | null, readonly Candidate[]>,
  fits: (one: Candidate) => boolean,
): Candidate[] {
  const choice: Candidate[] = []
  let count = 0
  for (const [date, bucket] of buckets) {
    const left = bucket.filter((one) => fits(one) && !group.includes(one))
    if (count > 0 && left.length !== count) continue
    if (group.some((one) => dateOf(one) === date)) continue
    choice.push(...left)
    count = left.length
  }
  return choice.sort(byPrice)
}

function remove(bucket: Candidate[] | undefined, one: Candidate): void {
  bucket?.splice(bucket.indexOf(one), 1)
}

/** Gives each group the dearest left line of every date that it lacks, the dates with most lines first. */
function shareLeftovers(
  groups: readonly Candidate[][],
  buckets: ReadonlyMap<number | null, Candidate[]>,
  byFrequency: readonly (number | null)[],
): void {
  for (const date of byFrequency) {
    const left = buckets.get(date) ?? []
    for (const group of groups) {
      if (group.some((one) => dateOf(one) === date)) continue
      const dearest = left.pop()
      if (dearest) group.push(dearest)
    }
  }
}
