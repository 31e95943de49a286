const minute = 60
const hour = 60 * minute

/** Seconds after which a message is tried again, after the first attempt, the second, and so on. */
export const retryDelays: readonly number[] = [
  5,
  30,
  minute,
  5 * minute,
  20 * minute,
  hour,
  4 * hour,
  6 * hour,
  12 * hour,
  12 * hour,
  24 * hour,
]

const longestWish = 24 * hour

/** What becomes of a message after an attempt. */
export type DeliveryVerdict = { readonly kind: 'delivered' | 'refused for good' | 'given up' } | Again

interface Again {
  readonly kind: 'again'
  /** Seconds until then. */
  readonly delay: number
}

/**
 * Judges an attempt by its answer, 0 for none: 200 to 299 is good, 410 says that nobody wants any more, everything else
 * is tried again a limited number of times. A receiver that is busy may ask for more time, up to a day.
 */
export function judge(code: number, attempts: number, retryAfter: number | null): DeliveryVerdict {
  if (code >= 200 && code <= 299) return { kind: 'delivered' }
  if (code === 410) return { kind: 'refused for good' }
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return { kind: 'given up' }
  const wish = code === 429 || code === 503 ? Math.min(retryAfter ?? 0, longestWish) : 0
  return { kind: 'again', delay: Math.max(delay, wish) }
}
