import { errorReasons } from '../resources/checkin/checkin.ts'

/** Ids and numbers that every database can hold. */
const number = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** What a redeem request may say: by code on several lists, or by position on one. */
const common = {
  type: { type: 'string', enum: ['entry', 'exit'] },
  datetime: { type: ['string', 'null'] },
  force: { type: 'boolean' },
  ignore_unpaid: { type: 'boolean' },
  questions_supported: { type: 'boolean' },
  nonce: { type: ['string', 'null'], maxLength: 190 },
  answers: { type: ['object', 'null'], maxProperties: 500 },
  use_order_locale: { type: 'boolean' },
} as const

/** The body of a redeem request for a code on lists of several events. */
export const redeemBody = {
  type: 'object',
  required: ['secret', 'lists'],
  properties: {
    ...common,
    secret: { type: 'string', minLength: 1, maxLength: 4096 },
    lists: { type: 'array', items: { type: 'integer', ...number }, maxItems: 500 },
    source_type: { type: 'string', enum: ['barcode', 'nfc_uid', 'nfc_mf0aes'] },
  },
} as const

/** The body of a redeem request for one position on one list. */
export const redeemOneBody = {
  type: 'object',
  properties: { ...common, canceled_supported: { type: 'boolean' } },
} as const

/** The body of a request to undo a check-in. */
export const annulBody = {
  type: 'object',
  required: ['nonce', 'lists'],
  properties: {
    nonce: { type: 'string', minLength: 1, maxLength: 190 },
    lists: { type: 'array', items: { type: 'integer', ...number }, maxItems: 500 },
    datetime: { type: ['string', 'null'] },
    error_explanation: { type: ['string', 'null'], maxLength: 5000 },
  },
} as const

/** Reasons that a client may give for a scan it refused by itself. */
export const failedReasons = errorReasons.filter((reason) => reason !== 'annulled')

/** The body that tells of a scan which a client refused by itself. */
export const failedCheckinBody = {
  type: 'object',
  required: ['error_reason', 'raw_barcode'],
  properties: {
    error_reason: { type: 'string', enum: failedReasons },
    error_explanation: { type: ['string', 'null'], maxLength: 5000 },
    raw_barcode: { type: 'string', minLength: 1, maxLength: 8192 },
    datetime: { type: ['string', 'null'] },
    type: { type: 'string', enum: ['entry', 'exit'] },
    position: { type: ['integer', 'null'], ...number },
    raw_item: { type: ['integer', 'null'], ...number },
    raw_variation: { type: ['integer', 'null'], ...number },
    raw_subevent: { type: ['integer', 'null'], ...number },
    nonce: { type: ['string', 'null'], maxLength: 190 },
  },
} as const
