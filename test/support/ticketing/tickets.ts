import type { Resource } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { revokedSecret } from '../../../schema/resources/checkin/revoked-secret.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { gate } from '../../../schema/resources/devices/gate.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place, Tx } from '../../../server/resource/transactions.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import { indexOrders } from '../../../server/services/orders/order-search-text.ts'
import { folded } from '../../../server/storage/search.ts'

/** Adds a row of a resource with its defaults, and what is said of it; its id. */
async function add(tx: Tx, resource: Resource, place: Place, values: RowData): Promise<number> {
  const id = tx.nextId()
  await insertRow(tx, resource, place, { ...blankRow(resource), ...values, id })
  return id
}

/** Adds a product; its id. */
export const addItem = (tx: Tx, place: Place, name: string, values: RowData = {}): Promise<number> =>
  add(tx, item, place, { name: { en: name }, default_price: '23.00', admission: true, ...values })

/** Adds one form of a product; its id. */
export const addVariation = (tx: Tx, place: Place, ofItem: number, value: string, values: RowData = {}) =>
  add(tx, variation, place, { item: ofItem, value: { en: value }, ...values })

/** Adds a date of a series; its id. */
export const addSubevent = (tx: Tx, place: Place, name: string, values: RowData = {}): Promise<number> =>
  add(tx, subevent, place, {
    name: { en: name },
    active: true,
    date_from: '2030-06-01T10:00:00Z',
    last_modified: tx.now,
    ...values,
  })

/** Adds a check-in list; its id. */
export const addList = (tx: Tx, place: Place, name: string, values: RowData = {}): Promise<number> =>
  add(tx, checkinList, place, { name, ...values })

/** Adds a gate; its id. */
export const addGate = (tx: Tx, organizer: number, name: string): Promise<number> =>
  add(tx, gate, { organizer, event: 0 }, { name, identifier: name })

/** Adds a device that signs in with a token; its id. */
export const addDevice = (
  tx: Tx,
  organizer: number,
  number: number,
  token: string,
  values: RowData = {},
): Promise<number> =>
  add(
    tx,
    device,
    { organizer, event: 0 },
    {
      device_id: number,
      unique_serial: `S${number}`,
      name: token,
      all_events: true,
      created: tx.now,
      initialized: tx.now,
      token_hash: hashToken(token),
      ...values,
    },
  )

/** Adds a question about some products that is asked at check-in; its id. */
export const addQuestion = (tx: Tx, place: Place, items: readonly number[], values: RowData = {}) =>
  add(tx, question, place, {
    question: { en: 'Which?' },
    type: 'S',
    items,
    identifier: `Q${items.join('-')}`,
    ask_during_checkin: true,
    ...values,
  })

/** Adds an answer to choose from; its id. */
export const addOption = (tx: Tx, place: Place, ofQuestion: number, answer: string, values: RowData = {}) =>
  add(tx, questionOption, place, {
    question: ofQuestion,
    answer: { en: answer },
    identifier: answer,
    ...values,
  })

/** Forbids a code, which was a position's before or nobody's. */
export const revoke = (tx: Tx, place: Place, secret: string, position: number | null = null) =>
  add(tx, revokedSecret, place, { secret, created: tx.now, position })

/** An order that was stored. */
export interface SoldOrder {
  readonly id: number
  readonly code: string
  /** Ids of its positions, in the order they were given. */
  readonly positions: readonly number[]
}

/**
 * Adds a paid order with positions, as they are found by a search as well. A position's `addon_to` is the index of an
 * earlier one here; each needs at least an `item` and a `secret`.
 */
export async function addOrder(
  tx: Tx,
  place: Place,
  positions: readonly RowData[],
  values: RowData = {},
): Promise<SoldOrder> {
  const id = tx.nextId()
  const code = String(values.code ?? `T${id}`)
  const times = { datetime: tx.now, expires: tx.now, last_modified: '2020-01-01T00:00:00.000000Z' }
  const money = { total: '23.00', secret: `order${id}` }
  await insertRow(tx, order, place, {
    ...blankRow(order),
    ...times,
    ...money,
    status: 'p',
    ...values,
    id,
    code,
  })
  const ids: number[] = []
  for (const [index, position] of positions.entries()) {
    const parent = typeof position.addon_to === 'number' ? ids[position.addon_to] : null
    const name = String(position.attendee_name ?? '')
    const own = await add(tx, orderPosition, place, {
      positionid: index + 1,
      price: '23.00',
      tax_rate: '0.00',
      tax_value: '0.00',
      attendee_name_parts: name === '' ? {} : { _scheme: 'full', full_name: name },
      name_key: folded(name),
      pseudonymization_id: `P${id}${index}`,
      order_id: id,
      ...position,
      addon_to: parent,
    })
    ids.push(own)
  }
  await indexOrders(tx, place, [id])
  return { id, code, positions: ids }
}
