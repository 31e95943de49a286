import { annulBody, failedCheckinBody, redeemBody, redeemOneBody } from '../bodies/redeem.ts'
import { exactly, pageSchema, the } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { type Action, bodyLike, defineAction, ev, hidden, org, refused, showsOne } from './action.ts'

const list = `${ev}/checkinlists/:list` as const
const look: Requirement = ['can_view_orders', 'can_checkin_orders']
const scan: Requirement = ['can_change_orders', 'can_checkin_orders']

/** Query parameters that choose positions at the door. */
const positionFilters = [
  'page',
  'page_size',
  'ordering',
  'ignore_status',
  'order',
  'search',
  'any_order',
  'expand',
  'item',
  'item__in',
  'variation',
  'variation__in',
  'attendee_name',
  'secret',
  'pseudonymization_id',
  'order__status',
  'order__status__in',
  'has_checkin',
  'subevent',
  'subevent__in',
  'addon_to',
  'addon_to__in',
  'voucher',
  'voucher__code',
]

const refusedScan = { anyOf: [the('Scan'), the('Errors')] }
const unknownScan = { anyOf: [the('Scan'), the('Detail')] }

/** What a client has reported, as it was stored. */
const reported = {
  ...failedCheckinBody,
  required: Object.keys(failedCheckinBody.properties),
  additionalProperties: true,
}

export const checkinRedeem = defineAction({
  name: 'checkin_redeem',
  tag: 'checkin',
  method: 'post',
  path: `${org}/checkinrpc/redeem/`,
  summary: 'Lets somebody in or out by the code of a ticket, on lists of one or more events.',
  needs: scan,
  query: ['expand', 'pdf_data'],
  body: bodyLike(redeemBody),
  isScanned: true,
  shows: the('Scan'),
  refusals: { '400': refusedScan, '404': unknownScan },
  answers: {
    '201': 'Admitted, or admitted before with the same nonce.',
    '400': '',
    '401': '',
    '403': '',
    '404': '',
  },
})

export const checkinSearch = defineAction({
  name: 'checkin_search',
  tag: 'checkin',
  method: 'get',
  path: `${org}/checkinrpc/search/`,
  summary: 'Finds tickets on lists of one or more events.',
  needs: look,
  query: ['list', ...positionFilters],
  shows: pageSchema(the('DoorPosition')),
  answers: { '200': 'One page of positions.', ...refused },
})

export const checkinAnnul = defineAction({
  name: 'checkin_annul',
  tag: 'checkin',
  method: 'post',
  path: `${org}/checkinrpc/annul/`,
  summary: 'Undoes a check-in that the same device made less than a quarter of an hour ago.',
  needs: scan,
  body: bodyLike(annulBody),
  isUrgent: true,
  shows: exactly({ status: { type: 'string', enum: ['ok'] } }),
  answers: { '200': 'Undone.', ...refused, '404': '' },
})

export const checkinListStatus = defineAction({
  name: 'checkin_list_status',
  tag: 'checkin_list',
  ...showsOne('ListStatus', 'The counts.'),
  path: `${list}/status/`,
  summary: 'How many tickets a list holds, came and are inside, by product.',
  needs: look,
})

export const checkinListPositions = defineAction({
  name: 'checkin_list_positions',
  tag: 'checkin_list',
  method: 'get',
  path: `${list}/positions/`,
  summary: 'The tickets of a list.',
  needs: look,
  query: [...positionFilters, 'pdf_data'],
  shows: pageSchema(the('DoorPosition')),
  answers: { '200': 'One page of positions.', '400': '', ...hidden },
})

export const checkinListPosition = defineAction({
  name: 'checkin_list_position',
  tag: 'checkin_list',
  ...showsOne('DoorPosition', 'The position.'),
  path: `${list}/positions/:position/`,
  summary: 'One ticket of a list.',
  needs: look,
  query: ['ignore_status', 'expand', 'pdf_data'],
})

export const checkinListRedeem = defineAction({
  name: 'checkin_list_redeem',
  tag: 'checkin_list',
  method: 'post',
  path: `${list}/positions/:position/redeem/`,
  summary: 'Lets somebody in or out by the id or the code of a ticket, on one list.',
  needs: scan,
  query: ['untrusted_input', 'expand', 'pdf_data'],
  body: bodyLike(redeemOneBody),
  isScanned: true,
  shows: the('Scan'),
  refusals: { '400': refusedScan, '404': unknownScan },
  answers: { '201': 'Admitted, or admitted before with the same nonce.', '400': '', ...hidden },
})

export const checkinListFailed = defineAction({
  name: 'checkin_list_failed',
  tag: 'checkin_list',
  method: 'post',
  path: `${list}/failed_checkins/`,
  summary: 'Tells of a scan that a client refused by itself.',
  needs: scan,
  body: bodyLike(failedCheckinBody),
  isScanned: true,
  shows: reported,
  answers: { '201': 'Stored, or known by its nonce.', '400': '', ...hidden },
})

/** Check-in beyond its lists. */
export const checkinActions: readonly Action[] = [
  checkinRedeem,
  checkinSearch,
  checkinAnnul,
  checkinListStatus,
  checkinListPositions,
  checkinListPosition,
  checkinListRedeem,
  checkinListFailed,
]
