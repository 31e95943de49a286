import { choice, datetime, id, integer, nullable, readOnly, ref, text } from '../../fields.ts'
import { signingProblems } from '../../receipt-words.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** What a signing device has said of a receipt, or that it has said nothing; in a chain of its own. */
export const receiptSignature = defineResource({
  name: 'receipt_signature',
  path: 'receipt_signatures',
  scope: 'event',
  fields: {
    id: id(),
    /** From 1, without gaps, for each till and each node that has receipts signed. */
    number: readOnly(integer({ minimum: 1 })),
    site: readOnly(integer({ minimum: 0 })),
    receipt: readOnly(integer({ minimum: 1 })),
    /** The hash of that receipt: what was signed cannot be exchanged afterwards. */
    receipt_hash: readOnly(text({ maxLength: 64 })),
    provider: readOnly(text({ maxLength: 50 })),
    state: readOnly(choice(['signed', 'failed'])),
    problem: readOnly(choice(signingProblems, { default: '' })),
    /** What the device is called, and the number of the transaction in its own count. */
    serial: readOnly(text({ default: '', maxLength: 190 })),
    transaction: readOnly(nullable(integer())),
    counter: readOnly(nullable(integer())),
    /** By the clock of the device. */
    started: readOnly(nullable(datetime())),
    finished: readOnly(nullable(datetime())),
    signed_data: readOnly(text({ default: '', maxLength: 5000 })),
    signature: readOnly(text({ default: '', maxLength: 5000 })),
    datetime: readOnly(datetime()),
    previous_hash: readOnly(text({ default: '', maxLength: 64 })),
    hash: readOnly(text({ maxLength: 64 })),
    hash_version: readOnly(integer({ minimum: 1 })),
  },
  hidden: { till: ref('device', 'refuse') },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: whereEqual('receipt', 'state'),
  ordering: { allowed: ['id', 'datetime', 'number'], default: '-datetime,-id' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type StoredReceiptSignature = StoredRow<typeof receiptSignature>
