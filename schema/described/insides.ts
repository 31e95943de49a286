import { type Json, listSchema, orNull, shownObject, the } from '../json-schema.ts'
import type { Resource } from '../resource.ts'
import { itemAddon } from '../resources/catalogue/item-addon.ts'
import { itemBundle } from '../resources/catalogue/item-bundle.ts'
import { textOrNull, textShape, wholeOrNull, wholeShape } from './shapes.ts'

const addresses = { type: 'object', additionalProperties: textOrNull }

/** The parts of an item as they are shown inside of it. */
function within({ fields }: Resource): Json {
  const { id: _, ...rest } = fields
  return shownObject(rest, Object.keys(rest))
}

/** What is inside of fields that hold objects, by resource and field; and fields that are shown only at times. */
export const insides: Readonly<Record<string, Json>> = {
  order: {
    positions: listSchema(the('OrderPosition')),
    fees: listSchema(the('OrderFee')),
    payments: listSchema(the('OrderPayment')),
    refunds: listSchema(the('OrderRefund')),
    downloads: listSchema(the('Download')),
    invoice_address: orNull(the('InvoiceAddress')),
  },
  order_position: {
    answers: listSchema(the('Answer')),
    checkins: listSchema(the('Admission')),
    downloads: listSchema(the('Download')),
    print_logs: listSchema(the('PrintLog')),
    seat: orNull(the('SeatHeld')),
    item: { anyOf: [wholeShape, the('Item')] },
    variation: { anyOf: [wholeOrNull, the('Variation')] },
    subevent: { anyOf: [wholeOrNull, the('Subevent')] },
    /** Only where it is of any event. */
    event: textShape,
    /** Only with `pdf_data`. */
    pdf_data: {
      type: 'object',
      properties: { images: addresses },
      additionalProperties: textShape,
    },
  },
  /** Only where it is of any event. */
  order_transaction: { event: textShape },
  order_payment: { payment_url: textOrNull },
  cart_position: { answers: listSchema(the('Answer')), seat: orNull(the('SeatHeld')) },
  item: {
    variations: listSchema(the('Variation')),
    addons: listSchema(within(itemAddon)),
    bundles: listSchema(within(itemBundle)),
  },
  question: { options: listSchema(the('QuestionOption')) },
  subevent: {
    item_price_overrides: listSchema(the('PriceOverride')),
    variation_price_overrides: listSchema(the('PriceOverride')),
  },
  event: { valid_keys: { type: 'object', additionalProperties: listSchema(textShape) } },
  badge_layout: { layout: listSchema({ type: 'object' }) },
  ticket_layout: { layout: listSchema({ type: 'object' }) },
  reusable_medium: {
    linked_orderposition: { anyOf: [wholeOrNull, { type: 'object' }] },
    linked_orderpositions: listSchema({ anyOf: [wholeShape, { type: 'object' }] }),
    linked_giftcard: { anyOf: [wholeOrNull, the('GiftCard')] },
    customer: { anyOf: [textOrNull, the('Customer')] },
  },
  checkin_list: { subevent: { anyOf: [wholeOrNull, the('Subevent')] } },
  seat: {
    orderposition: { anyOf: [wholeOrNull, the('HoldingPosition')] },
    cartposition: { anyOf: [wholeOrNull, the('CartPosition')] },
    voucher: { anyOf: [wholeOrNull, the('Voucher')] },
  },
  conflict: {
    event: textShape,
    order: textOrNull,
    positionid: wholeOrNull,
    attendee_name: textOrNull,
    list_name: textOrNull,
    device_name: textOrNull,
    other_device_name: textOrNull,
    gate_name: textOrNull,
    other_gate_name: textOrNull,
  },
}
