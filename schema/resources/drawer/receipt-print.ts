import { choice, datetime, id, integer, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** How a receipt is given out. */
export const receiptPrintWays = ['paper', 'mail'] as const

/** One time that a receipt was given out: the first is the receipt, each after it a copy. */
export const receiptPrint = defineResource({
  name: 'receipt_print',
  path: 'receipt_prints',
  scope: 'event',
  fields: {
    id: id(),
    receipt: readOnly(integer({ minimum: 1 })),
    /** 0 for the first one, then from 1, as far as is known where it is printed. */
    copy: readOnly(integer({ minimum: 0 })),
    way: readOnly(choice(receiptPrintWays)),
    datetime: readOnly(datetime()),
    cashier: readOnly(text({ default: '', maxLength: 190 })),
    staff: readOnly(nullable(integer())),
    site: readOnly(integer({ minimum: 0 })),
  },
  hidden: { till: nullable(ref('device', 'refuse')) },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: whereEqual('receipt', 'way'),
  ordering: { allowed: ['id', 'datetime'], default: '-datetime,-id' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type StoredReceiptPrint = StoredRow<typeof receiptPrint>
