import { cartInput } from '../bodies/cart.ts'
import { type Field, marksOf } from '../fields.ts'
import { type Action, ev, hidden, refused } from './action.ts'

/** A field's JSON Schema without the engine's marks. */
function plain(field: Field<unknown>): object {
  const { 'x-gatehouse': _, ...schema } = field as Field<unknown> & Record<string, unknown>
  return schema
}

const entries = Object.entries<Field<unknown>>(cartInput)

const body = {
  type: 'object',
  properties: Object.fromEntries(entries.map(([name, field]) => [name, plain(field)])),
  required: entries.filter(([, field]) => marksOf(field).required).map(([name]) => name),
}

/** Endpoints of carts and of what is left of quotas, beyond the standard ones. */
export const cartActions: readonly Action[] = [
  {
    name: 'cart_position_create',
    tag: 'cart_position',
    method: 'post',
    path: `${ev}/cartpositions/`,
    summary: 'Holds a product, with what comes with it, until it expires.',
    needs: 'can_change_orders',
    body,
    answers: { '201': 'The cart position, with its add-ons and bundled products.', ...refused, '409': '' },
  },
  {
    name: 'cart_position_bulk_create',
    tag: 'cart_position',
    method: 'post',
    path: `${ev}/cartpositions/bulk_create/`,
    summary:
      'Holds several products, each by itself: those that cannot be had do not keep others from being held.',
    needs: 'can_change_orders',
    body: { type: 'array', items: body },
    answers: { '200': 'What became of each of them, in their order.', ...refused, '409': '' },
  },
  {
    name: 'quota_availability',
    tag: 'quota',
    method: 'get',
    path: `${ev}/quotas/:id/availability/`,
    summary: 'How much of a quota is left, and what holds the rest.',
    needs: null,
    answers: { '200': 'The numbers.', ...hidden },
  },
]
