import { cartInput, cartLineInput } from '../bodies/cart.ts'
import {
  changedFeeInput,
  namedFee,
  namedPosition,
  orderChangeInput,
  patchedFee,
  patchedPosition,
  refundByInput,
} from '../bodies/order-change.ts'
import {
  addedPositionInput,
  addressInput,
  answerInput,
  changedOrderInput,
  changedPositionInput,
  feeInput,
  orderInput,
  paidByInput,
  positionInput,
} from '../bodies/order-create.ts'
import { seatChange } from '../bodies/seats.ts'
import type { Fields } from '../fields.ts'
import { bodySchema, changeSchema, type Json, listSchema, orNull } from '../json-schema.ts'
import { waitingListEntry } from '../resources/carts/waiting-list-entry.ts'
import { discount } from '../resources/catalogue/discount.ts'
import { item } from '../resources/catalogue/item.ts'
import { itemAddon } from '../resources/catalogue/item-addon.ts'
import { itemBundle } from '../resources/catalogue/item-bundle.ts'
import { question } from '../resources/catalogue/question.ts'
import { questionOption } from '../resources/catalogue/question-option.ts'
import { variation } from '../resources/catalogue/variation.ts'
import { event } from '../resources/events/event.ts'

const answers = listSchema(bodySchema(answerInput))
const address = orNull(bodySchema(addressInput))
const position = bodySchema(positionInput, { answers })
const fee = bodySchema(feeInput)
const cartLine = bodySchema(cartLineInput, { answers: orNull(answers) })

/** A cart position that is created, with what comes with it. */
export const cartBody = bodySchema(cartInput, {
  answers: orNull(answers),
  addons: orNull(listSchema(cartLine)),
  bundled: orNull(listSchema(cartLine)),
})

/** What may be changed about an order at once. */
export const orderChangeBody = bodySchema(orderChangeInput, {
  cancel_positions: listSchema(bodySchema(namedPosition)),
  split_positions: listSchema(bodySchema(namedPosition)),
  patch_positions: listSchema(
    bodySchema(patchedPosition, { body: changeSchema(changedPositionInput, { answers }) }),
  ),
  create_positions: listSchema(position),
  create_fees: listSchema(fee),
  cancel_fees: listSchema(bodySchema(namedFee)),
  patch_fees: listSchema(bodySchema(patchedFee, { body: bodySchema(changedFeeInput) })),
  paid_by: listSchema(bodySchema(paidByInput)),
  refund_by: listSchema(bodySchema(refundByInput)),
})

/** The newer spelling of where something is sold, beside `all_sales_channels`. */
const someChannels = { limit_sales_channels: listSchema({ type: 'string' }) }

const soldSomewhere = (fields: Fields) => ({
  create: bodySchema(fields, someChannels),
  change: changeSchema(fields, someChannels),
})

/** The bodies that create and change rows of a resource, where they are not just its fields. */
export const resourceBodies: Readonly<Record<string, { readonly create?: Json; readonly change?: Json }>> = {
  item: {
    create: bodySchema(item.fields, {
      variations: listSchema(bodySchema(variation.fields, someChannels)),
      addons: listSchema(bodySchema(itemAddon.fields)),
      bundles: listSchema(bodySchema(itemBundle.fields)),
      ...someChannels,
    }),
    change: changeSchema(item.fields, someChannels),
  },
  variation: soldSomewhere(variation.fields),
  discount: soldSomewhere(discount.fields),
  event: soldSomewhere(event.fields),
  question: {
    create: bodySchema(question.fields, {
      options: listSchema(bodySchema(questionOption.fields)),
      dependency_value: { type: ['string', 'null'] },
    }),
    change: changeSchema(question.fields, { dependency_value: { type: ['string', 'null'] } }),
  },
  waiting_list_entry: {
    create: bodySchema(waitingListEntry.fields, { name: { type: ['string', 'null'] } }),
    change: changeSchema(waitingListEntry.fields, { name: { type: ['string', 'null'] } }),
  },
  order: {
    create: bodySchema(orderInput, {
      positions: listSchema(position),
      fees: listSchema(fee),
      invoice_address: address,
    }),
    change: changeSchema(changedOrderInput, { invoice_address: address }),
  },
  order_position: {
    create: bodySchema(addedPositionInput, { answers }),
    change: changeSchema(changedPositionInput, { answers }),
  },
  seat: { change: changeSchema(seatChange) },
}
