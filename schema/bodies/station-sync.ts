/** What a node may say to signed tickets that it does not know: by when they were issued, yes to all, or no. */
const unknownTickets = ['by_age', 'accept', 'refuse'] as const
export type UnknownTickets = (typeof unknownTickets)[number]

/** The body by which a station joins a server: the pairing code, or its token with the address of the server. */
export const stationJoinBody = {
  type: 'object',
  required: ['code'],
  properties: {
    code: { type: 'string', minLength: 1, maxLength: 4096 },
    url: { type: ['string', 'null'], maxLength: 1000 },
    role: { type: 'string', enum: ['station', 'hub'] },
  },
} as const

/** The body by which a station gives up its upstream server. */
export const stationLeaveBody = {
  type: 'object',
  properties: { export_done: { type: 'boolean' } },
} as const

const id = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/** The body that sets how a station waits for confirmations, and how long it keeps guests of past events. */
export const linkSettingsBody = {
  type: 'object',
  properties: {
    confirm_ms: { type: 'integer', minimum: 0, maximum: 5000 },
    strict_lists: { type: 'array', items: id, maxItems: 1000 },
    strict_wait_ms: { type: 'integer', minimum: 100, maximum: 30_000 },
    strict_fallback: { type: 'boolean' },
    signed_unknown: { type: 'string', enum: unknownTickets },
    keep_days: { type: 'integer', minimum: 0, maximum: 3650 },
    sell_quotas: { anyOf: [{ enum: ['all', 'none'] }, { type: 'array', items: id, maxItems: 1000 }] },
    sell_at_risk: { type: 'integer', minimum: 0, maximum: 10_000 },
  },
} as const

/** When an update that waits is to be installed. */
export const updateWishBody = {
  type: 'object',
  required: ['when'],
  properties: { when: { enum: ['now', 'not_today'] } },
} as const
