/** A limit on how often some products can be sold. `size` null: without limit. */
export interface QuotaFacts {
  readonly id: number
  readonly name: string
  readonly size: number | null
  readonly closed: boolean
  readonly items: readonly number[]
  readonly variations: readonly number[]
  readonly subevent: number | null
}

/** What is sold: an item, or one of its variations, on a date or without one. */
export interface ProductLine {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
}

/** How much of a quota is taken, and by what. */
export interface QuotaUsage {
  readonly paid: number
  readonly pending: number
}

/** What is left of a quota: its state, and the number that can still be sold; null for any number. */
export interface Availability {
  readonly state: 'gone' | 'ordered' | 'available'
  readonly number: number | null
}

/** Whether a quota counts what is sold. Something with a variation counts by that alone; dates have to be the same. */
export const counts = (quota: QuotaFacts, line: ProductLine): boolean =>
  quota.subevent === line.subevent &&
  (line.variation === null ? quota.items.includes(line.item) : quota.variations.includes(line.variation))

/** What is left of a quota. What takes the last of it names the state: paid tickets are gone, pending ones may return. */
export function availability(quota: Pick<QuotaFacts, 'size' | 'closed'>, usage: QuotaUsage): Availability {
  if (quota.closed) return { state: 'ordered', number: 0 }
  if (quota.size === null) return { state: 'available', number: null }
  if (quota.size - usage.paid <= 0) return { state: 'gone', number: 0 }
  const left = quota.size - usage.paid - usage.pending
  return left <= 0 ? { state: 'ordered', number: 0 } : { state: 'available', number: left }
}

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
  return lines.map((line) => {
    const needed = quotas.filter((quota) => counts(quota, line))
    if (needed.length === 0) return { kind: 'none' }
    const short = needed.find((quota) => (rest.get(quota.id) ?? 1) < 1)
    if (short) return { kind: 'used up', quota: short }
    for (const quota of needed) {
      const number = rest.get(quota.id)
      if (typeof number === 'number') rest.set(quota.id, number - 1)
    }
    return null
  })
}
