const nonces = {
  type: ['array', 'null'],
  maxItems: 10_000,
  items: { type: 'string', minLength: 1, maxLength: 100 },
} as const

/** The body that decides about what revoked devices have reported; without `nonces`, about all of it. */
export const quarantineDecisionBody = {
  type: 'object',
  required: ['action'],
  properties: { action: { type: 'string', enum: ['apply', 'discard'] }, nonces },
} as const

/** The body that has facts reported again at once; without `nonces`, all that wait or were refused. */
export const queueRetryBody = { type: 'object', properties: { nonces } } as const
