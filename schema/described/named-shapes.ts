import { redeemResult } from '../bodies/scan-result.ts'
import { exactly, type Json, listSchema, orNull, the } from '../json-schema.ts'
import { factStatuses } from '../sync.ts'
import { invoiceAddress, seatHeld } from './order-cells.ts'
import { settingsShapes } from './settings-shapes.ts'
import { moment, momentOrNull, textOrNull, textShape, wholeOrNull, wholeShape, yesNo } from './shapes.ts'

type Shapes = Readonly<Record<string, Json>>

/** What a position shows at an entrance beyond what it shows elsewhere. */
const doorFields = {
  require_attention: yesNo,
  order__status: { type: 'string', enum: ['n', 'p', 'e', 'c'] },
  order__valid_if_pending: yesNo,
  order__require_approval: yesNo,
  order__locale: textShape,
}

const factResult = {
  nonce: textShape,
  status: { type: 'string', enum: factStatuses },
  reason: textShape,
  detail: textShape,
  conflicts: listSchema({ type: 'object', additionalProperties: true }),
  rejoin: yesNo,
}

const counts = { checkin_count: wholeShape, position_count: wholeShape }

/** The errors of one thing that was sent: messages by field, in lists as it was sent in lists. */
const messages = { anyOf: [textShape, the('FieldErrors'), listSchema(the('Message'))] }

/** What a refusal says. */
const errorShapes: Shapes = {
  /** The reason is a word for programs, where one is given. */
  Detail: { ...exactly({ detail: textShape }), properties: { detail: textShape, reason: textShape } },
  Message: { description: 'What is wrong, or what is wrong inside.', ...messages },
  FieldErrors: {
    description: 'What is wrong by field; what concerns several is under non_field_errors.',
    type: 'object',
    additionalProperties: the('Message'),
  },
  Errors: {
    description: 'Messages by field, a list of messages or of such objects, or one sentence under detail.',
    anyOf: [the('FieldErrors'), listSchema(the('Message'))],
  },
}

/** Parts of orders and what comes with them. */
const orderShapes: Shapes = {
  Download: exactly({ output: textShape, url: textShape }),
  SeatHeld: seatHeld,
  Answer: exactly({
    question: { anyOf: [wholeShape, the('Question')] },
    answer: textShape,
    options: listSchema(wholeShape),
    question_identifier: textShape,
    option_identifiers: listSchema(textShape),
  }),
  Admission: exactly({
    id: wholeShape,
    list: wholeShape,
    datetime: moment,
    type: { type: 'string', enum: ['entry', 'exit'] },
    gate: wholeOrNull,
    device: wholeOrNull,
    device_id: wholeOrNull,
    auto_checked_in: yesNo,
  }),
  InvoiceAddress: invoiceAddress,
  PriceOverride: {
    type: 'object',
    required: ['disabled', 'available_from', 'available_until', 'price'],
    properties: {
      item: wholeShape,
      variation: wholeShape,
      disabled: yesNo,
      available_from: momentOrNull,
      available_until: momentOrNull,
      price: { type: ['string', 'null'], format: 'money' },
    },
  },
}

/** Positions of orders and carts as some actions show them: those of the resources, and more. */
const positionShapes = (shown: Shapes): Shapes => {
  const position = shown.OrderPosition as { properties: Json; required: readonly string[] }
  const cart = shown.CartPosition as { properties: Json; required: readonly string[] }
  return {
    DoorPosition: {
      type: 'object',
      // What was bought with it, where that is asked for.
      properties: { ...position.properties, ...doorFields, addons: listSchema(the('DoorPosition')) },
      required: [...position.required, ...Object.keys(doorFields)],
    },
    HoldingPosition: {
      ...position,
      properties: { ...position.properties, order: exactly({ code: textShape, event: textShape }) },
    },
    CartCreated: {
      type: 'object',
      properties: {
        ...cart.properties,
        addons: listSchema(the('CartPosition')),
        bundled: listSchema(the('CartPosition')),
      },
      required: [...cart.required, 'addons', 'bundled'],
    },
  }
}

/** What a scan, the list, the quotas and the settings of an event show. */
const eventShapes: Shapes = {
  Scan: { ...redeemResult },
  ListStatus: exactly({
    ...counts,
    inside_count: wholeShape,
    event: exactly({ name: textShape }),
    items: listSchema(
      exactly({
        name: textShape,
        id: wholeShape,
        admission: yesNo,
        ...counts,
        variations: listSchema(exactly({ value: textShape, id: wholeShape, ...counts })),
      }),
    ),
  }),
  QuotaAvailability: exactly({
    available: yesNo,
    available_number: wholeOrNull,
    total_size: wholeOrNull,
    pending_orders: wholeShape,
    paid_orders: wholeShape,
    exited_orders: wholeShape,
    cart_positions: wholeShape,
    blocking_vouchers: wholeShape,
    waiting_list: wholeShape,
  }),
  ...settingsShapes,
}

/** Devices and members of teams as they are shown. */
const accountShapes: Shapes = {
  OwnDevice: exactly({
    organizer: textShape,
    device_id: wholeShape,
    unique_serial: textShape,
    api_token: textShape,
    name: textShape,
    security_profile: textShape,
    gate: orNull(exactly({ id: wholeShape, name: textShape, identifier: textShape })),
  }),
  Member: exactly({ id: wholeShape, email: textShape, fullname: textOrNull, require_2fa: yesNo }),
}

/** Leases of quotas and the facts that nodes have sent. */
const factShapes: Shapes = {
  Lease: exactly({
    event: wholeShape,
    id: wholeShape,
    quota: wholeShape,
    device: wholeShape,
    site: wholeShape,
    parent: wholeOrNull,
    size: wholeShape,
    used: wholeShape,
    state: { type: 'string', enum: ['open', 'returned', 'expired'] },
    created: textShape,
    until: textShape,
  }),
  FactResult: { type: 'object', required: ['nonce', 'status'], properties: factResult },
  FactProblem: {
    type: 'object',
    required: ['nonce', 'status', 'text'],
    properties: { ...factResult, text: textShape },
  },
  Quarantined: exactly({
    nonce: textShape,
    device: wholeOrNull,
    device_name: textOrNull,
    received: moment,
    kind: textShape,
    event: wholeOrNull,
    datetime: moment,
    datetime_uncertain: yesNo,
    text: textShape,
    reason: textOrNull,
    detail: textOrNull,
    state: textShape,
  }),
}

/** What nodes and the upstream server say to each other. */
const syncShapes: Shapes = {
  Ping: {
    type: 'object',
    required: ['protocol', 'oldest_protocol', 'epoch', 'received', 'sent', 'upstream'],
    properties: {
      protocol: wholeShape,
      oldest_protocol: wholeShape,
      epoch: textShape,
      received: textShape,
      sent: textShape,
      upstream: { type: 'string', enum: ['top', 'online', 'alone'] },
      boot: textShape,
      complete: yesNo,
    },
  },
  Changes: exactly({
    protocol: wholeShape,
    epoch: textShape,
    cursor: textShape,
    more: yesNo,
    rows: {
      type: 'object',
      additionalProperties: exactly({
        columns: listSchema(textShape),
        rows: listSchema(listSchema({ type: ['string', 'number', 'null'] })),
      }),
    },
    gone: { type: 'object', additionalProperties: listSchema(wholeShape) },
    lost: listSchema(wholeShape),
  }),
  Gone: exactly({ detail: textShape, reason: textShape }),
  OtherProtocol: {
    type: 'object',
    required: ['detail'],
    additionalProperties: true,
    properties: { detail: textShape },
  },
  Version: exactly({
    gatehouse: textShape,
    gatehouse_numeric: wholeShape,
    pretix: textShape,
    pretix_numeric: wholeShape,
  }),
}

/** Schemas of the description beyond those of the resources; some are made of those. */
export const namedShapes = (shown: Shapes): Shapes => ({
  ...errorShapes,
  ...orderShapes,
  ...positionShapes(shown),
  ...eventShapes,
  ...accountShapes,
  ...factShapes,
  ...syncShapes,
})
