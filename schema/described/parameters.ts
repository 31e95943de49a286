import { type Field, marksOf } from '../fields.ts'
import type { Json } from '../json-schema.ts'
import type { Filter } from '../resource.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const yesNo = { type: 'boolean' }
const moment = { type: 'string', format: 'date-time' }
const ids = { type: 'string', description: 'Ids with commas between them.' }
const several = { type: 'array', items: text }

/** What can be sent by query parameters that are known by their names everywhere. Others are text. */
const known: Readonly<Record<string, Json>> = {
  page: { type: 'integer', minimum: 1 },
  page_size: { type: 'integer', minimum: 1, maximum: 50 },
  explain: yesNo,
  current_subevent: whole,
  current_checkinlist: whole,
  list: whole,
  item: whole,
  variation: whole,
  subevent: whole,
  addon_to: whole,
  voucher: whole,
  item__in: ids,
  variation__in: ids,
  subevent__in: ids,
  addon_to__in: ids,
  ignore_status: yesNo,
  any_order: yesNo,
  has_checkin: yesNo,
  untrusted_input: yesNo,
  include_accepted: yesNo,
  is_available: yesNo,
  blocked: yesNo,
  active: yesNo,
  expired: yesNo,
  event__live: yesNo,
  is_future: yesNo,
  is_past: yesNo,
  ends_after: moment,
  date_from_after: moment,
  date_from_before: moment,
  date_to_after: moment,
  date_to_before: moment,
  clone_from: { type: 'string', description: 'The slug of an event to make the new one after.' },
  payment_reference: {
    type: 'string',
    description:
      'The number of a card payment, or how it begins: on the receipt of the terminal, or as typed.',
  },
  subevent_after: moment,
  subevent_before: moment,
  modified_since: moment,
  since: moment,
  before: moment,
  object: whole,
  actor: whole,
  check_quotas: { type: 'boolean', default: true },
  pdf_data: yesNo,
  include_canceled_positions: yesNo,
  include_canceled_fees: yesNo,
  with_availability: { type: 'string', enum: ['true', 'false'] },
  orders: { type: 'boolean', default: true },
  wait: { type: 'integer', minimum: 0, maximum: 25 },
  limit: { type: 'integer', minimum: 1, maximum: 2000 },
  protocol: text,
  expand: {
    ...several,
    description: 'Shows objects instead of the ids in these fields; `a.b` is inside of a.',
  },
  include: { ...several, description: 'Only these fields are shown; `a.b` is inside of a.' },
  exclude: { ...several, description: 'These fields are not shown; `a.b` is inside of a.' },
  attr: {
    type: 'object',
    additionalProperties: text,
    description: '`attr[key]=value` chooses by meta data; an empty value those without one.',
  },
}

/** A query parameter of an operation. */
export const parameter = (name: string, schema: Json = known[name] ?? text): Json => ({
  name,
  in: 'query',
  required: false,
  schema,
  ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
  ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
})

/** The query parameter that chooses rows by a field. */
export function filterParameter(name: string, filter: Filter, field: Field<unknown> | undefined): Json {
  if (filter.by === 'is-null' || filter.by === 'is-set') return parameter(name, yesNo)
  if (filter.by === 'in')
    return parameter(name, { type: 'string', description: 'Values with commas between them.' })
  switch (field && marksOf(field).kind) {
    case 'flag':
      return parameter(name, yesNo)
    case 'id':
    case 'integer':
    case 'ref':
      return parameter(name, whole)
    case 'datetime':
      return parameter(name, moment)
    default:
      return parameter(name, text)
  }
}

const orderView = ['pdf_data', 'include_canceled_positions', 'include_canceled_fees']
const chosen = ['expand', 'include', 'exclude']
const positionView = ['pdf_data', ...chosen, 'include_canceled_positions']
const onSale = ['with_availability_for']
const times = ['is_future', 'is_past', 'ends_after']
const timeBounds = ['date_from_after', 'date_from_before', 'date_to_after', 'date_to_before']

/**
 * What the operations of a resource take beyond its filters: its list, one row that is looked at, one that is written,
 * and one that is made where that is more.
 */
export const furtherParameters: Readonly<
  Record<
    string,
    {
      readonly list: readonly string[]
      readonly one?: readonly string[]
      readonly write?: readonly string[]
      readonly create?: readonly string[]
    }
  >
> = {
  event: {
    list: [...times, ...timeBounds, 'sales_channel', 'search', 'attr', ...onSale],
    one: onSale,
    write: onSale,
    create: ['clone_from', ...onSale],
  },
  subevent: {
    list: [...times, ...timeBounds, 'event__live', 'sales_channel', 'search', 'attr', ...onSale],
    one: onSale,
    write: onSale,
  },
  quota: { list: ['with_availability'], one: ['with_availability'], write: ['with_availability'] },
  item: { list: ['tax_rate', 'search'] },
  voucher: { list: ['code', 'active'] },
  checkin_list: {
    list: ['ends_after', 'expand', 'exclude'],
    one: ['expand', 'exclude'],
    write: ['expand', 'exclude'],
  },
  reusable_medium: {
    list: ['linked_orderposition', 'linked_orderpositions', 'expand'],
    one: ['expand'],
    write: ['expand'],
  },
  gift_card: {
    list: ['expired', 'include_accepted'],
    one: ['include_accepted'],
    write: ['include_accepted'],
  },
  seat: { list: ['is_available', 'expand'], one: ['expand'], write: ['expand'] },
  order: {
    list: [
      'item',
      'variation',
      'subevent',
      'subevent_after',
      'subevent_before',
      'search',
      'payment_reference',
      ...orderView,
      ...chosen,
    ],
    one: [...orderView, ...chosen],
    write: orderView,
  },
  order_transaction: { list: ['order', 'event'] },
  order_position: {
    list: [
      'order',
      'customer',
      'order__status',
      'order__status__in',
      'attendee_name',
      'voucher__code',
      'search',
      'has_checkin',
      ...positionView,
    ],
    one: positionView,
    write: ['check_quotas', 'pdf_data'],
  },
}
