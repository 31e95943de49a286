import { redeemResult } from '../bodies/scan-result.ts'
import { eventSettings } from '../event-settings.ts'
import { exactly, type Json, listOf, orNull, seen, the } from '../json-schema.ts'
import { factStatuses } from '../sync.ts'
import { invoiceAddress, seatHeld } from './order-cells.ts'
import { moment, momentOrNull, text, textOrNull, whole, wholeOrNull, yesNo } from './shapes.ts'

type Shapes = Readonly<Record<string, Json>>

/** What a position shows at an entrance beyond what it shows elsewhere. */
const doorFields = {
  require_attention: yesNo,
  order__status: { type: 'string', enum: ['n', 'p', 'e', 'c'] },
  order__valid_if_pending: yesNo,
  order__require_approval: yesNo,
  order__locale: text,
}

const setting = (schema: Json): Json => ({
  anyOf: [schema, exactly({ value: schema, label: text, help_text: text, readonly: yesNo })],
})

const factResult = {
  nonce: text,
  status: { type: 'string', enum: factStatuses },
  reason: text,
  detail: text,
  conflicts: listOf({ type: 'object', additionalProperties: true }),
  rejoin: yesNo,
}

const counts = { checkin_count: whole, position_count: whole }

/** The errors of one thing that was sent: messages by field, in lists as it was sent in lists. */
const messages = { anyOf: [text, the('FieldErrors'), listOf(the('Message'))] }

/** What a refusal says. */
const errorShapes: Shapes = {
  Detail: exactly({ detail: text }),
  Message: { description: 'What is wrong, or what is wrong inside.', ...messages },
  FieldErrors: {
    description: 'What is wrong by field; what concerns several is under non_field_errors.',
    type: 'object',
    additionalProperties: the('Message'),
  },
  Errors: {
    description: 'Messages by field, a list of messages or of such objects, or one sentence under detail.',
    anyOf: [the('FieldErrors'), listOf(the('Message'))],
  },
}

/** Parts of orders and what comes with them. */
const orderShapes: Shapes = {
  Download: exactly({ output: text, url: text }),
  SeatHeld: seatHeld,
  Answer: exactly({
    question: { anyOf: [whole, the('Question')] },
    answer: text,
    options: listOf(whole),
    question_identifier: text,
    option_identifiers: listOf(text),
  }),
  Admission: exactly({
    id: whole,
    list: whole,
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
      item: whole,
      variation: whole,
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
      properties: { ...position.properties, ...doorFields },
      required: [...position.required, ...Object.keys(doorFields)],
    },
    HoldingPosition: {
      ...position,
      properties: { ...position.properties, order: exactly({ code: text, event: text }) },
    },
    CartCreated: {
      type: 'object',
      properties: {
        ...cart.properties,
        addons: listOf(the('CartPosition')),
        bundled: listOf(the('CartPosition')),
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
    inside_count: whole,
    event: exactly({ name: text }),
    items: listOf(
      exactly({
        name: text,
        id: whole,
        admission: yesNo,
        ...counts,
        variations: listOf(exactly({ value: text, id: whole, ...counts })),
      }),
    ),
  }),
  QuotaAvailability: exactly({
    available: yesNo,
    available_number: wholeOrNull,
    total_size: wholeOrNull,
    pending_orders: whole,
    paid_orders: whole,
    exited_orders: whole,
    cart_positions: whole,
    blocking_vouchers: whole,
    waiting_list: whole,
  }),
  Settings: {
    description: 'With `explain`, each value with its label and its help. Devices see some of them.',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(eventSettings).map(([name, { field }]) => [name, setting(seen(field))]),
    ),
  },
}

/** Devices and members of teams as they are shown. */
const accountShapes: Shapes = {
  OwnDevice: exactly({
    organizer: text,
    device_id: whole,
    unique_serial: text,
    api_token: text,
    name: text,
    security_profile: text,
    gate: orNull(exactly({ id: whole, name: text, identifier: text })),
  }),
  Member: exactly({ id: whole, email: text, fullname: textOrNull, require_2fa: yesNo }),
}

/** Leases of quotas and the facts that nodes have sent. */
const factShapes: Shapes = {
  Lease: exactly({
    event: whole,
    id: whole,
    quota: whole,
    device: whole,
    site: whole,
    parent: wholeOrNull,
    size: whole,
    used: whole,
    state: { type: 'string', enum: ['open', 'returned', 'expired'] },
    created: text,
    until: text,
  }),
  FactResult: { type: 'object', required: ['nonce', 'status'], properties: factResult },
  FactProblem: {
    type: 'object',
    required: ['nonce', 'status', 'text'],
    properties: { ...factResult, text },
  },
  Quarantined: exactly({
    nonce: text,
    device: wholeOrNull,
    device_name: textOrNull,
    received: moment,
    kind: text,
    event: wholeOrNull,
    datetime: moment,
    datetime_uncertain: yesNo,
    text,
    state: text,
  }),
}

/** What nodes and the upstream server say to each other. */
const syncShapes: Shapes = {
  Ping: {
    type: 'object',
    required: ['protocol', 'oldest_protocol', 'epoch', 'received', 'sent', 'upstream'],
    properties: {
      protocol: whole,
      oldest_protocol: whole,
      epoch: text,
      received: text,
      sent: text,
      upstream: { type: 'string', enum: ['top', 'online', 'alone'] },
      boot: text,
      complete: yesNo,
    },
  },
  Changes: exactly({
    protocol: whole,
    epoch: text,
    cursor: text,
    more: yesNo,
    rows: {
      type: 'object',
      additionalProperties: exactly({
        columns: listOf(text),
        rows: listOf(listOf({ type: ['string', 'number', 'null'] })),
      }),
    },
    gone: { type: 'object', additionalProperties: listOf(whole) },
    lost: listOf(whole),
  }),
  Gone: exactly({ detail: text, reason: text }),
  OtherProtocol: {
    type: 'object',
    required: ['detail'],
    additionalProperties: true,
    properties: { detail: text },
  },
  Version: exactly({ gatehouse: text, gatehouse_numeric: whole }),
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
