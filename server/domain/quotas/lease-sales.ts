import { counts, type ProductLine, type QuotaFacts, type Shortage } from './quotas.ts'

/** A lease that can be sold from, and how many are left of it. */
export interface UsableLease {
  readonly id: number
  readonly quota: number
  readonly parent: number | null
  readonly until: string
  readonly free: number
}

/**
 * The same leases with less free of them: `held` says how many of each quota are kept for somebody. These are taken off
 * what ends last, so that what ends first is still sold first.
 */
export function keepBack<T extends Pick<UsableLease, 'id' | 'quota' | 'until' | 'free'>>(
  leases: readonly T[],
  held: ReadonlyMap<number, number>,
): T[] {
  const rest = new Map(held)
  const last = [...leases].sort((a, b) => (a.until === b.until ? b.id - a.id : a.until < b.until ? 1 : -1))
  const free = new Map(
    last.map((lease) => {
      const kept = Math.min(Math.max(0, lease.free), rest.get(lease.quota) ?? 0)
      rest.set(lease.quota, (rest.get(lease.quota) ?? 0) - kept)
      return [lease.id, lease.free - kept]
    }),
  )
  return leases.map((lease) => ({ ...lease, free: free.get(lease.id) ?? lease.free }))
}

/** How many were taken of a lease. */
export interface TakenOfLease {
  readonly lease: number
  readonly quota: number
  readonly count: number
  /** What the lease is a part of, for a server that has not heard of it yet. */
  readonly parent: number | null
}

/** How many were sold of a quota that nobody has given. */
export interface Risk {
  readonly quota: number
  readonly count: number
}

/** What a sale takes, or what its lines lack, line by line. */
export interface SaleFromLeases {
  readonly leases: readonly TakenOfLease[]
  readonly risks: readonly Risk[]
  readonly shortages: readonly (Shortage | null)[]
}

/**
 * Takes lines from leases: each needs one of every limited quota that counts it. What ends first is taken first. A line
 * that lacks something takes nothing. `risk` is given where somebody insists: how many more may be sold of each quota
 * without a lease, closed ones included; what no quota counts is then sold as well.
 */
export function takeFromLeases(
  quotas: readonly QuotaFacts[],
  leases: readonly UsableLease[],
  lines: readonly ProductLine[],
  risk: ReadonlyMap<number, number> | null,
): SaleFromLeases {
  const order = [...leases].sort((a, b) => (a.until === b.until ? a.id - b.id : a.until < b.until ? -1 : 1))
  const left = new Map(order.map(({ id, free }) => [id, free]))
  const bold = new Map(risk ?? [])
  const taken = new Map<number, number>()
  const risked = new Map<number, number>()
  const shortages = lines.map((line): Shortage | null => {
    const concerned = quotas.filter((quota) => counts(quota, line))
    if (concerned.length === 0) return risk ? null : { kind: 'none' }
    const closed = concerned.find((quota) => quota.closed)
    if (closed && !risk) return { kind: 'used up', quota: closed }
    const limited = concerned.filter((quota) => quota.size !== null || quota.closed)
    const chosen = limited.map((quota) => ({
      quota,
      lease: quota.closed
        ? undefined
        : order.find((one) => one.quota === quota.id && (left.get(one.id) ?? 0) > 0),
    }))
    const short = chosen.find(({ quota, lease }) => !lease && (bold.get(quota.id) ?? 0) < 1)
    if (short) return { kind: 'used up', quota: short.quota }
    for (const { quota, lease } of chosen)
      if (lease) {
        add(left, lease.id, -1)
        add(taken, lease.id, 1)
      } else {
        add(bold, quota.id, -1)
        add(risked, quota.id, 1)
      }
    return null
  })
  return {
    leases: order.flatMap(({ id, quota, parent }) => {
      const count = taken.get(id)
      return count === undefined ? [] : [{ lease: id, quota, count, parent }]
    }),
    risks: [...risked].map(([quota, count]) => ({ quota, count })),
    shortages,
  }
}

const add = (numbers: Map<number, number>, key: number, count: number): void => {
  numbers.set(key, (numbers.get(key) ?? 0) + count)
}
