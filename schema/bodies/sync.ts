import { factsPerPush, roles } from '../sync.ts'

const integer = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const moment = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$' } as const
const milliseconds = { type: 'integer', minimum: -4e15, maximum: 4e15 } as const
const offset = { type: ['integer', 'null'], minimum: -4e15, maximum: 4e15 } as const
const word = { type: 'string', minLength: 1, maxLength: 100 } as const

/** A fact as JSON Schema; what its payload must be depends on its kind. */
export const sentFactSchema = {
  type: 'object',
  required: [
    'nonce',
    'kind',
    'event',
    'site',
    'site_seq',
    'device',
    'device_time',
    'mono',
    'boot',
    'clock_offset',
    'payload',
  ],
  properties: {
    nonce: word,
    kind: word,
    event: integer,
    site: integer,
    site_seq: integer,
    device: { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    device_time: moment,
    mono: milliseconds,
    boot: { type: 'string', maxLength: 100 },
    clock_offset: offset,
    payload: { type: 'object' },
  },
} as const

/** The body of a push as JSON Schema. */
export const pushBody = {
  type: 'object',
  required: ['protocol', 'boot', 'mono', 'device_time', 'clock_offset', 'facts'],
  properties: {
    protocol: integer,
    boot: { type: 'string', maxLength: 100 },
    mono: milliseconds,
    device_time: moment,
    clock_offset: offset,
    facts: { type: 'array', maxItems: factsPerPush, items: { type: 'object' } },
  },
} as const

/** The body of a join as JSON Schema. */
export const joinBody = {
  type: 'object',
  required: ['protocols', 'role', 'site', 'site_seq'],
  properties: {
    protocols: { type: 'array', items: integer, minItems: 1, maxItems: 100 },
    role: { type: 'string', enum: roles },
    site: { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    site_seq: integer,
  },
} as const

/** The body of a question for what is known as JSON Schema. */
export const knownBody = {
  type: 'object',
  required: ['site', 'nonces'],
  properties: {
    site: integer,
    nonces: { type: 'array', items: word, maxItems: factsPerPush },
  },
} as const

/** Which version a device runs, and which update did not work there. */
export const updateReportBody = {
  type: 'object',
  required: ['version'],
  properties: {
    version: { type: 'string', maxLength: 190 },
    failure: { type: ['string', 'null'], maxLength: 190 },
  },
} as const
