import { type Json, listOf, orNull, shownObject, the } from '../json-schema.ts'
import type { Resource } from '../resource.ts'
import { itemAddon } from '../resources/catalogue/item-addon.ts'
import { itemBundle } from '../resources/catalogue/item-bundle.ts'
import { text, textOrNull, whole, wholeOrNull } from './shapes.ts'

const texts = { type: 'object', additionalProperties: text }

/** The parts of an item as they are shown inside of it. */
function within({ fields }: Resource): Json {
  const { id: _, ...rest } = fields
  return shownObject(rest, Object.keys(rest))
}

/** What is inside of fields that hold objects, by resource and field; and fields that are shown only at times. */
export const insides: Readonly<Record<string, Json>> = {
  order: {
    positions: listOf(the('OrderPosition')),
    fees: listOf(the('OrderFee')),
    payments: listOf(the('OrderPayment')),
    refunds: listOf(the('OrderRefund')),
    downloads: listOf(the('Download')),
    invoice_address: orNull(the('InvoiceAddress')),
  },
  order_position: {
    answers: listOf(the('Answer')),
    checkins: listOf(the('Admission')),
    downloads: listOf(the('Download')),
    print_logs: listOf(the('PrintLog')),
    seat: orNull(the('SeatHeld')),
    item: { anyOf: [whole, the('Item')] },
    variation: { anyOf: [wholeOrNull, the('Variation')] },
    subevent: { anyOf: [wholeOrNull, the('Subevent')] },
    /** Only with `pdf_data`. */
    pdf_data: { type: 'object', properties: { images: texts }, additionalProperties: text },
  },
  order_payment: { payment_url: textOrNull },
  cart_position: { answers: listOf(the('Answer')), seat: orNull(the('SeatHeld')) },
  item: {
    variations: listOf(the('Variation')),
    addons: listOf(within(itemAddon)),
    bundles: listOf(within(itemBundle)),
  },
  question: { options: listOf(the('QuestionOption')) },
  subevent: {
    item_price_overrides: listOf(the('PriceOverride')),
    variation_price_overrides: listOf(the('PriceOverride')),
  },
  event: { valid_keys: { type: 'object', additionalProperties: listOf(text) } },
  checkin_list: { subevent: { anyOf: [wholeOrNull, the('Subevent')] } },
  seat: {
    orderposition: { anyOf: [wholeOrNull, the('HoldingPosition')] },
    cartposition: { anyOf: [wholeOrNull, the('CartPosition')] },
    voucher: { anyOf: [wholeOrNull, the('Voucher')] },
  },
  conflict: {
    event: text,
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
