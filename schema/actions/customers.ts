import { seatChange, seatChoice } from '../bodies/seats.ts'
import { transactInput } from '../bodies/transact.ts'
import { listBody } from '../body-limits.ts'
import { busyOrPoor, momentOrNull, wholeOrNull } from '../described/shapes.ts'
import { bodySchema, exactly, pageSchema, the } from '../json-schema.ts'
import { seat } from '../resources/catalogue/seat.ts'
import {
  type Action,
  bodyLike,
  bodyWith,
  changesOf,
  defineAction,
  ev,
  hidden,
  org,
  refusedOrHidden,
  showsOne,
  showsPage,
} from './action.ts'

const card = `${org}/giftcards/:id` as const
const dateSeats = `${ev}/subevents/:subevent/seats` as const
const seatFilters = ['page', 'page_size', ...Object.keys(seat.filters ?? {}), 'is_available', 'expand']

const seatBulk = <const P extends string>(path: P, owner: string, word: 'block' | 'unblock') =>
  defineAction({
    name: `${owner}_seat_bulk_${word}`,
    tag: 'seat',
    method: 'post',
    path,
    summary: word === 'block' ? 'Takes seats out of sale.' : 'Puts seats back into sale.',
    needs: 'can_change_event_settings',
    body: bodyWith(seatChoice),
    bodyLimit: listBody,
    shows: { type: 'object', maxProperties: 0 },
    answers: { '200': 'An empty object.', ...refusedOrHidden },
  })

export const giftCardTransact = defineAction({
  name: 'gift_card_transact',
  tag: 'gift_card',
  method: 'post',
  path: `${card}/transact/`,
  summary: 'Raises or lowers what a gift card is worth.',
  needs: 'can_manage_gift_cards',
  query: ['include_accepted'],
  body: bodyLike(bodySchema(transactInput)),
  shows: the('GiftCard'),
  refusals: { '409': busyOrPoor },
  answers: {
    '200': 'The gift card.',
    '409': 'It is not worth enough, or of another currency.',
    ...refusedOrHidden,
  },
})

export const giftCardTransactionList = defineAction({
  name: 'gift_card_transaction_list',
  tag: 'gift_card',
  ...showsPage('GiftCardTransaction', 'One page.'),
  path: `${card}/transactions/`,
  summary: 'Every change of what a gift card is worth, earliest first.',
  needs: 'can_manage_gift_cards',
  query: ['page', 'page_size', 'include_accepted'],
})

export const customerAnonymize = defineAction({
  name: 'customer_anonymize',
  tag: 'customer',
  method: 'post',
  path: `${org}/customers/:id/anonymize/`,
  summary: 'Forgets who a customer is.',
  needs: 'can_manage_customers',
  shows: the('Customer'),
  answers: { '200': 'What is left of the customer.', ...hidden },
})

export const dateSeatList = defineAction({
  name: 'date_seat_list',
  tag: 'seat',
  method: 'get',
  path: `${dateSeats}/`,
  summary: 'The seats of one date of a series.',
  needs: null,
  query: seatFilters,
  shows: pageSchema(the('Seat')),
  answers: { '200': 'One page.', ...refusedOrHidden },
})

export const dateSeatRetrieve = defineAction({
  name: 'date_seat_retrieve',
  tag: 'seat',
  ...showsOne('Seat', 'The seat.'),
  path: `${dateSeats}/:id/`,
  summary: 'One seat of a date.',
  needs: null,
  query: ['expand'],
})

export const dateSeatUpdate = defineAction({
  name: 'date_seat_update',
  tag: 'seat',
  method: 'patch',
  path: `${dateSeats}/:id/`,
  summary: 'Takes a seat of a date out of sale, or puts it back.',
  needs: 'can_change_event_settings',
  query: ['expand'],
  body: changesOf(seatChange),
  shows: the('Seat'),
  answers: { '200': 'The seat.', ...refusedOrHidden },
})

/** Takes seats of an event out of sale. */
export const eventSeatBulkBlock = seatBulk(`${ev}/seats/bulk_block/`, 'event', 'block')

/** Puts seats of an event back into sale. */
export const eventSeatBulkUnblock = seatBulk(`${ev}/seats/bulk_unblock/`, 'event', 'unblock')

/** Takes seats of a date out of sale. */
export const dateSeatBulkBlock = seatBulk(`${dateSeats}/bulk_block/`, 'date', 'block')

/** Puts seats of a date back into sale. */
export const dateSeatBulkUnblock = seatBulk(`${dateSeats}/bulk_unblock/`, 'date', 'unblock')

export const emailRuleScheduled = defineAction({
  name: 'email_rule_scheduled',
  tag: 'email_rule',
  method: 'get',
  path: `${ev}/sendmail_rules/:id/scheduled/`,
  summary: 'When a rule sends its mail, for each date of a series.',
  needs: 'can_change_event_settings',
  query: ['page', 'page_size'],
  shows: pageSchema(exactly({ subevent: wholeOrNull, datetime: momentOrNull })),
  answers: { '200': 'One page.', ...hidden },
})

/** Endpoints of gift cards, customers, seats and email rules beyond the standard ones. */
export const customerActions: readonly Action[] = [
  giftCardTransact,
  giftCardTransactionList,
  customerAnonymize,
  dateSeatList,
  dateSeatRetrieve,
  dateSeatUpdate,
  eventSeatBulkBlock,
  eventSeatBulkUnblock,
  dateSeatBulkBlock,
  dateSeatBulkUnblock,
  emailRuleScheduled,
]
