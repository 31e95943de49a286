const count = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const
const end = { type: ['string', 'null'], maxLength: 64 } as const

/** What a station asks for: some of a quota, under a nonce by which it is the same when asked again. */
export const leaseWishBody = {
  type: 'object',
  required: ['event', 'quota', 'size', 'nonce'],
  properties: {
    event: count,
    quota: count,
    size: { type: 'integer', minimum: 1, maximum: 100_000 },
    until: end,
    nonce: { type: 'string', minLength: 8, maxLength: 100 },
  },
} as const

/** Until when a station wants to sell from its lease. */
export const leaseEndBody = { type: 'object', properties: { until: end } } as const

/** How many a station has sold of a lease that it gives back. */
export const leaseReturnBody = {
  type: 'object',
  properties: { used: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
} as const
