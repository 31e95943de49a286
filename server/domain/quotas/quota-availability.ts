import type { QuotaFacts } from './quotas.ts'

/** How much of a quota is taken, and by what. What is left out is nothing. */
export interface QuotaUsage {
  /** Tickets of paid orders, those whose holders have left included. */
  readonly paid: number
  /** The same of pending orders. */
  readonly pending: number
  /** Of both, those that have made room again by leaving. */
  readonly exitedPaid?: number
  readonly exitedPending?: number
  /** Uses left of vouchers that keep places free. */
  readonly vouchers?: number
  /** What stations may sell of it without asking and have not sold yet. */
  readonly leased?: number
  /** Cart positions that have not expired and are not kept free by a voucher already. */
  readonly carts?: number
  /** People who wait and have not been sent a voucher. */
  readonly waiting?: number
}

/** What keeps a quota from being sold, the worst first. */
type AvailabilityState = 'gone' | 'ordered' | 'reserved' | 'available'

/** The same as numbers, as the interface gives them. */
export const stateNumber: Readonly<Record<AvailabilityState, number>> = {
  gone: 0,
  ordered: 10,
  reserved: 20,
  available: 100,
}

/** What is left of a quota: its state, and the number that can still be sold; null for any number. */
export interface Availability {
  readonly state: AvailabilityState
  /** Zero unless the state is available. */
  readonly number: number | null
}

/** What is looked at otherwise than usual. */
export interface AvailabilityView {
  /** A closed quota is looked at as if it were open. */
  readonly ignoreClosed?: boolean
  /** Those who wait do not count. */
  readonly ignoreWaiting?: boolean
}

const nothingLeft = (state: AvailabilityState): Availability => ({ state, number: 0 })

/**
 * What is left of a quota. What brings it to zero names the state, in the order in which things are taken off: paid
 * tickets are gone; pending ones, vouchers and people who wait are ordered; carts and what stations may sell by
 * themselves are reserved, because they come back by themselves when they are not used.
 */
export function availability(
  quota: Pick<QuotaFacts, 'size' | 'closed'>,
  usage: QuotaUsage,
  view: AvailabilityView = {},
): Availability {
  if (quota.closed && !view.ignoreClosed) return nothingLeft('ordered')
  if (quota.size === null) return { state: 'available', number: null }
  if (quota.size === 0) return nothingLeft('gone')
  const { paid, pending, exitedPaid = 0, exitedPending = 0 } = usage
  const { vouchers = 0, leased = 0, carts = 0, waiting = 0 } = usage
  const taken: readonly (readonly [AvailabilityState, number])[] = [
    ['gone', paid - exitedPaid],
    ['ordered', pending - exitedPending],
    ['ordered', vouchers],
    ['reserved', leased],
    ['reserved', carts],
    ['ordered', view.ignoreWaiting ? 0 : waiting],
  ]
  let left = quota.size
  for (const [state, count] of taken) {
    left -= count
    if (left <= 0) return nothingLeft(state)
  }
  return { state: 'available', number: left }
}

/** Whether a quota is to be closed for good: it is sold out by more than carts, and asks for that. */
export const isToClose = (
  quota: Pick<QuotaFacts, 'size' | 'closed' | 'close_when_sold_out'>,
  usage: QuotaUsage,
): boolean =>
  quota.close_when_sold_out === true &&
  !quota.closed &&
  stateNumber[availability(quota, usage).state] <= stateNumber.ordered

/** What an item, or one of its variations, can still be sold of: the least that one of its quotas has. */
export function leastOf(quotas: readonly Availability[]): Availability {
  return quotas.reduce(
    (least, one) => {
      const order = stateNumber[one.state] - stateNumber[least.state]
      if (order !== 0) return order < 0 ? one : least
      return (one.number ?? Number.POSITIVE_INFINITY) < (least.number ?? Number.POSITIVE_INFINITY)
        ? one
        : least
    },
    { state: 'available', number: null } as Availability,
  )
}

/** One quota of a date: the products that it counts and that are on sale, and its state. */
interface DateQuota {
  readonly state: AvailabilityState
  /** Names of the products, such as their kind and id. */
  readonly products: readonly string[]
}

/**
 * The best that can be said of a date: available if one product on sale is held back by none of its quotas, reserved if
 * one only by carts, else gone; null where no quota has a product on sale.
 */
export function bestState(quotas: readonly DateQuota[]): 'available' | 'reserved' | 'gone' | null {
  const counted = quotas.filter(({ products }) => products.length > 0)
  if (counted.length === 0) return null
  const worst = new Map<string, number>()
  for (const { state, products } of counted)
    for (const product of products)
      worst.set(product, Math.min(worst.get(product) ?? stateNumber.available, stateNumber[state]))
  const best = Math.max(...worst.values())
  if (best === stateNumber.available) return 'available'
  return best === stateNumber.reserved ? 'reserved' : 'gone'
}

/**
 * How many of several products that share quotas can be sold in all, one product sold out after the other; each is given
 * as the quotas that count it. Null where one of them has no limit.
 */
export function leftTogether<Quota>(
  products: readonly (readonly Quota[])[],
  numberOf: (quota: Quota) => number | null,
): number | null {
  const rest = new Map(products.flat().map((quota) => [quota, numberOf(quota) ?? Number.POSITIVE_INFINITY]))
  let sum = 0
  for (const quotas of products) {
    const taken = Math.min(...quotas.map((quota) => rest.get(quota) ?? 0))
    if (taken === Number.POSITIVE_INFINITY) return null
    for (const quota of quotas) rest.set(quota, (rest.get(quota) ?? 0) - taken)
    sum += taken
  }
  return sum
}
