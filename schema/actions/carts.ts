import { mostCartLines } from '../bodies/cart.ts'
import { listBody } from '../body-limits.ts'
import { cartBody } from '../described/bodies.ts'
import { yesNo } from '../described/shapes.ts'
import { exactly, listSchema, orNull, the } from '../json-schema.ts'
import { type Action, bodyLike, defineAction, ev, refused, showsOne } from './action.ts'

export const cartPositionCreate = defineAction({
  name: 'cart_position_create',
  tag: 'cart_position',
  method: 'post',
  path: `${ev}/cartpositions/`,
  summary: 'Holds a product, with what comes with it, until it expires.',
  needs: 'can_change_orders',
  body: bodyLike(cartBody),
  shows: the('CartCreated'),
  answers: { '201': 'The cart position, with its add-ons and bundled products.', ...refused, '409': '' },
})

export const cartPositionBulkCreate = defineAction({
  name: 'cart_position_bulk_create',
  tag: 'cart_position',
  method: 'post',
  path: `${ev}/cartpositions/bulk_create/`,
  summary:
    'Holds several products, each by itself: those that cannot be had do not keep others from being held.',
  needs: 'can_change_orders',
  body: bodyLike({ type: 'array', maxItems: mostCartLines, items: cartBody }),
  bodyLimit: listBody,
  shows: exactly({
    results: listSchema(
      exactly({
        success: yesNo,
        data: orNull(the('CartCreated')),
        errors: orNull(the('FieldErrors')),
      }),
    ),
  }),
  answers: { '200': 'What became of each of them, in their order.', ...refused, '409': '' },
})

export const quotaAvailability = defineAction({
  name: 'quota_availability',
  tag: 'quota',
  ...showsOne('QuotaAvailability', 'The numbers.'),
  path: `${ev}/quotas/:id/availability/`,
  summary: 'How much of a quota is left, and what holds the rest.',
  needs: null,
})

/** Endpoints of carts and of what is left of quotas, beyond the standard ones. */
export const cartActions: readonly Action[] = [cartPositionCreate, cartPositionBulkCreate, quotaAvailability]
