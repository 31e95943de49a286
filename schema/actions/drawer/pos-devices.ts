import { exactly, pageSchema } from '../../json-schema.ts'
import { type Action, bodyAs, defineAction, hidden, org, refusedOrHidden } from '../action.ts'

const whole = { type: 'integer' } as const
const text = { type: 'string' } as const
const row = { type: 'object', additionalProperties: true } as const

/** What an app keeps of its own receipts and closings, which is kept as it was sent. */
const posBody = { bodyLimit: 512 * 1024 } as const
const localId = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const

export const cashierList = defineAction({
  name: 'cashier_list',
  tag: 'staff',
  method: 'get',
  path: `${org}/pos/cashiers/`,
  summary: 'Staff in the form that apps for tills know; their PINs are never said.',
  needs: null,
  query: ['page', 'page_size'],
  shows: pageSchema(
    exactly({
      ...{ id: whole, name: text, userid: text, active: { type: 'boolean' }, pin: { type: 'null' } },
      team: row,
    }),
  ),
  answers: { '200': 'A page.', ...hidden },
})

export const posReceiptList = defineAction({
  name: 'pos_receipt_list',
  tag: 'receipt',
  method: 'get',
  path: `${org}/posdevices/:device/receipts/`,
  summary:
    'The receipts of a till in the form that apps for tills know: its own, and those that an app has sent.',
  needs: 'can_change_organizer_settings',
  query: ['page', 'page_size'],
  shows: pageSchema(row),
  answers: { '200': 'A page.', ...hidden },
})

export const posReceiptCreate = defineAction({
  ...posBody,
  name: 'pos_receipt_create',
  tag: 'receipt',
  method: 'post',
  path: `${org}/posdevices/:device/receipts/`,
  summary: 'Keeps a receipt that an app has written, once for each of its numbers.',
  needs: 'can_change_orders',
  body: bodyAs({ type: 'object', required: ['receipt_id'], properties: { receipt_id: localId } }),
  shows: exactly({ receipt_id: whole }),
  answers: { '201': 'The number under which it is kept.', ...refusedOrHidden },
})

export const posClosingList = defineAction({
  name: 'pos_closing_list',
  tag: 'closing',
  method: 'get',
  path: `${org}/posdevices/:device/closings/`,
  summary:
    'The closings of a till in the form that apps for tills know: its own, and those that an app has sent.',
  needs: 'can_change_organizer_settings',
  query: ['page', 'page_size'],
  shows: pageSchema(row),
  answers: { '200': 'A page.', ...hidden },
})

export const posClosingCreate = defineAction({
  ...posBody,
  name: 'pos_closing_create',
  tag: 'closing',
  method: 'post',
  path: `${org}/posdevices/:device/closings/`,
  summary: 'Keeps a closing that an app has made, once for each of its numbers.',
  needs: 'can_change_orders',
  body: bodyAs({ type: 'object', required: ['closing_id'], properties: { closing_id: localId } }),
  shows: exactly({ closing_id: whole }),
  answers: { '201': 'The number under which it is kept.', ...refusedOrHidden },
})

/** Endpoints that apps for tills know. */
export const posDeviceActions: readonly Action[] = [
  cashierList,
  posReceiptList,
  posReceiptCreate,
  posClosingList,
  posClosingCreate,
]
