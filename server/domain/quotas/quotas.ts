/** A limit on how often some products can be sold. `size` null: without limit. */
export interface QuotaFacts {
  readonly id: number
  readonly name: string
  readonly size: number | null
  readonly closed: boolean
  readonly items: readonly number[]
  readonly variations: readonly number[]
  readonly subevent: number | null
  /** Whether it closes for good once it has sold out. */
  readonly close_when_sold_out?: boolean
  /** Whether those who have left make room for others. */
  readonly release_after_exit?: boolean
}

/** What is sold: an item, or one of its variations, on a date or without one. */
export interface ProductLine {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
}

/** Whether a quota counts what is sold. Something with a variation counts by that alone; dates have to be the same. */
export const counts = (quota: QuotaFacts, line: ProductLine): boolean =>
  quota.subevent === line.subevent &&
  (line.variation === null ? quota.items.includes(line.item) : quota.variations.includes(line.variation))

/** Why something cannot be sold: no quota has it, or the named one is used up. */
export type Shortage = { readonly kind: 'none' } | { readonly kind: 'used up'; readonly quota: QuotaFacts }

/**
 * Takes what is wanted from the quotas, in order, and says for each line what it lacks, or null. Lines that lack
 * something take nothing, so that those after them may still fit. `left` holds the numbers of limited quotas.
 */
export function takeFrom(
  quotas: readonly QuotaFacts[],
  left: ReadonlyMap<number, number | null>,
  lines: readonly ProductLine[],
): (Shortage | null)[] {
  const rest = new Map(left)
  return lines.map((line) => takeTogether(quotas, rest, [line]))
}

/**
 * Takes some lines from what is left of the quotas, all of them or none; the first thing that is lacking, or null.
 * What is taken is taken off `rest`.
 */
export function takeTogether(
  quotas: readonly QuotaFacts[],
  rest: Map<number, number | null>,
  lines: readonly ProductLine[],
): Shortage | null {
  const needs = new Map<QuotaFacts, number>()
  for (const line of lines) {
    const needed = quotas.filter((quota) => counts(quota, line))
    if (needed.length === 0) return { kind: 'none' }
    for (const quota of needed) needs.set(quota, (needs.get(quota) ?? 0) + 1)
  }
  for (const [quota, count] of needs)
    if ((rest.get(quota.id) ?? Number.POSITIVE_INFINITY) < count) return { kind: 'used up', quota }
  for (const [{ id }, count] of needs) {
    const number = rest.get(id)
    if (typeof number === 'number') rest.set(id, number - count)
  }
  return null
}
