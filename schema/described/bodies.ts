import { cartInput, cartLineInput } from '../bodies/cart.ts'
import {
  changedFeeInput,
  namedFee,
  namedPosition,
  orderChangeInput,
  patchedFee,
  patchedPosition,
} from '../bodies/order-change.ts'
import {
  addedPositionInput,
  addressInput,
  answerInput,
  changedOrderInput,
  changedPositionInput,
  feeInput,
  orderInput,
  positionInput,
} from '../bodies/order-create.ts'
import { seatChange } from '../bodies/seats.ts'
import { bodyOf, changeOf, type Json, listOf, orNull } from '../json-schema.ts'
import { waitingListEntry } from '../resources/carts/waiting-list-entry.ts'
import { item } from '../resources/catalogue/item.ts'
import { itemAddon } from '../resources/catalogue/item-addon.ts'
import { itemBundle } from '../resources/catalogue/item-bundle.ts'
import { question } from '../resources/catalogue/question.ts'
import { questionOption } from '../resources/catalogue/question-option.ts'
import { variation } from '../resources/catalogue/variation.ts'

const answers = listOf(bodyOf(answerInput))
const address = orNull(bodyOf(addressInput))
const position = bodyOf(positionInput, { answers })
const fee = bodyOf(feeInput)
const cartLine = bodyOf(cartLineInput, { answers: orNull(answers) })

/** A cart position that is created, with what comes with it. */
export const cartBody = bodyOf(cartInput, {
  answers: orNull(answers),
  addons: orNull(listOf(cartLine)),
  bundled: orNull(listOf(cartLine)),
})

/** What may be changed about an order at once. */
export const orderChangeBody = bodyOf(orderChangeInput, {
  cancel_positions: listOf(bodyOf(namedPosition)),
  split_positions: listOf(bodyOf(namedPosition)),
  patch_positions: listOf(bodyOf(patchedPosition, { body: changeOf(changedPositionInput, { answers }) })),
  create_positions: listOf(position),
  create_fees: listOf(fee),
  cancel_fees: listOf(bodyOf(namedFee)),
  patch_fees: listOf(bodyOf(patchedFee, { body: bodyOf(changedFeeInput) })),
})

/** The bodies that create and change rows of a resource, where they are not just its fields. */
export const resourceBodies: Readonly<Record<string, { readonly create?: Json; readonly change?: Json }>> = {
  item: {
    create: bodyOf(item.fields, {
      variations: listOf(bodyOf(variation.fields)),
      addons: listOf(bodyOf(itemAddon.fields)),
      bundles: listOf(bodyOf(itemBundle.fields)),
    }),
  },
  question: {
    create: bodyOf(question.fields, {
      options: listOf(bodyOf(questionOption.fields)),
      dependency_value: { type: ['string', 'null'] },
    }),
    change: changeOf(question.fields, { dependency_value: { type: ['string', 'null'] } }),
  },
  waiting_list_entry: {
    create: bodyOf(waitingListEntry.fields, { name: { type: ['string', 'null'] } }),
    change: changeOf(waitingListEntry.fields, { name: { type: ['string', 'null'] } }),
  },
  order: {
    create: bodyOf(orderInput, {
      positions: { ...listOf(position), minItems: 1, maxItems: 5000 },
      fees: listOf(fee),
      invoice_address: address,
    }),
    change: changeOf(changedOrderInput, { invoice_address: address }),
  },
  order_position: {
    create: bodyOf(addedPositionInput, { answers }),
    change: changeOf(changedPositionInput, { answers }),
  },
  seat: { change: changeOf(seatChange) },
}
