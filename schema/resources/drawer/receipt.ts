import {
  choice,
  datetime,
  flag,
  id,
  integer,
  json,
  money,
  nullable,
  readOnly,
  ref,
  text,
} from '../../fields.ts'
import { type LineKind, receiptTypes } from '../../receipt-words.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** One line of a receipt as it is stored and shown: amounts and rates are text with two decimals. */
export interface ShownReceiptLine {
  readonly kind: LineKind
  readonly text: string
  readonly amount: string
  readonly tax_rate: string
  readonly tax_value: string
  readonly tax_code: string | null
  readonly item: number | null
  readonly variation: number | null
  readonly subevent: number | null
  readonly positionid: number | null
}

/** One payment of a receipt in the same form. */
export interface ShownReceiptPayment {
  readonly provider: string
  readonly amount: string
  readonly given: string | null
  readonly change: string | null
}

/** What the lines of one tax rate come to, in the same form. */
export interface ShownTax {
  readonly rate: string
  readonly code: string | null
  readonly net: string
  readonly tax: string
  readonly gross: string
}

const rows = <T>() =>
  readOnly(json<readonly T[]>({ type: 'array', items: { type: 'object' } }, { default: [] }))

/** What a till has taken or given, as it was: it is never changed, and what was wrong is taken back by another one. */
export const receipt = defineResource({
  name: 'receipt',
  path: 'receipts',
  scope: 'event',
  fields: {
    id: id(),
    /** From 1, without gaps, for each till and each node that writes its receipts. */
    number: readOnly(integer({ minimum: 1 })),
    site: readOnly(integer({ minimum: 0 })),
    type: readOnly(choice(receiptTypes)),
    drawer: readOnly(integer({ minimum: 0 })),
    /** The slug of the event whose order it is about, and the code of that. */
    sold_event: readOnly(nullable(text({ maxLength: 50 }))),
    order: readOnly(nullable(text({ maxLength: 16 }))),
    cashier: readOnly(text({ default: '', maxLength: 190 })),
    staff: readOnly(nullable(integer())),
    started: readOnly(datetime()),
    ended: readOnly(datetime()),
    training: readOnly(flag(false)),
    currency: readOnly(text({ minLength: 3, maxLength: 3 })),
    total: readOnly(money()),
    lines: rows<ShownReceiptLine>(),
    payments: rows<ShownReceiptPayment>(),
    taxes: rows<ShownTax>(),
    reverses: readOnly(nullable(integer())),
    reason: readOnly(text({ default: '', maxLength: 255 })),
    /** By what it is to be signed, or nothing; see receipt_signature. Part of the hash from version 2 on. */
    signing: readOnly(text({ default: '', maxLength: 50 })),
    previous_hash: readOnly(text({ default: '', maxLength: 64 })),
    hash: readOnly(text({ maxLength: 64 })),
    hash_version: readOnly(integer({ minimum: 1 })),
  },
  hidden: { till: ref('device', 'refuse') },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: whereEqual('drawer', 'order', 'number', 'type', 'training'),
  ordering: { allowed: ['id', 'ended', 'number'], default: '-ended,-id' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type StoredReceipt = StoredRow<typeof receipt>
