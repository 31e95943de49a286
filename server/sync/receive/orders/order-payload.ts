import { addressInput } from '../../../../schema/bodies/order-create.ts'
import { invoiceAddress, seatHeld } from '../../../../schema/described/order-cells.ts'
import { type JsonObject, marksOf } from '../../../../schema/fields.ts'
import { orNull } from '../../../../schema/json-schema.ts'
import type { StoredRow } from '../../../../schema/resource.ts'
import { order } from '../../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../../schema/resources/orders/order-position.ts'
import type { SentFact } from '../../../../schema/sync.ts'
import { impossible } from '../../../errors.ts'
import { isObject } from '../../../resource/input.ts'
import { answersSchema } from '../answers.ts'
import { reportedRows } from '../reported-row.ts'

/** How many an order takes from a lease, and what that is a part of where it is one. */
export interface SentSale {
  readonly lease: number
  readonly parent: number | null
  readonly count: number
}

/** An order as it was sold elsewhere: all of its rows, and what it was sold from. */
export interface SentOrder {
  readonly order: StoredRow<typeof order>
  readonly positions: readonly StoredRow<typeof orderPosition>[]
  readonly fees: readonly StoredRow<typeof orderFee>[]
  readonly payments: readonly StoredRow<typeof orderPayment>[]
  readonly leases: readonly SentSale[]
  readonly atRisk: boolean
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const blankAddress: JsonObject = {
  ...Object.fromEntries(Object.entries(addressInput).map(([name, field]) => [name, marksOf(field).default])),
  name_parts: {},
}

/** An older program does not know all fields of an address: the others are blank. */
const withWholeAddress = (sent: unknown): unknown =>
  isObject(sent) && isObject(sent.invoice_address)
    ? { ...sent, invoice_address: { ...blankAddress, ...sent.invoice_address } }
    : sent

const readOrderRow = reportedRows(order, {
  ...{ code: order.fields.code, secret: order.fields.secret, invoice_address: orNull(invoiceAddress) },
})
const readFee = reportedRows(orderFee)
const readPayment = reportedRows(orderPayment)
const readPosition = reportedRows(orderPosition, {
  ...{ answers: answersSchema, seat: orNull(seatHeld), secret: orderPosition.fields.secret },
})

const rowsIn = <Row>(read: (value: unknown) => Row, value: unknown): Row[] => {
  if (!Array.isArray(value)) throw impossible('The order has no list of its parts.')
  return value.map(read)
}

/** Reads the payload of a fact about an order; throws 400 for what is none. */
export function readSentOrder({ payload }: SentFact): SentOrder {
  const sent = isObject(payload) ? payload : {}
  const main = readOrderRow(withWholeAddress(sent.order))
  const positions = rowsIn(readPosition, sent.positions)
  const fees = rowsIn(readFee, sent.fees)
  const payments = rowsIn(readPayment, sent.payments)
  if ([...positions, ...fees, ...payments].some((row) => row.order_id !== main.id))
    throw impossible('A row belongs to another order.')
  const own = new Set(positions.map(({ id }) => id))
  if (own.size < positions.length) throw impossible('Two positions have the same id.')
  for (const { secret, addon_to } of positions) {
    if (secret === '') throw impossible('A position has no code.')
    if (addon_to !== null && !own.has(addon_to))
      throw impossible('A position belongs to one that is not part of the order.')
  }
  return {
    order: main,
    positions,
    fees,
    payments,
    // Nobody takes more of a lease than there are positions.
    leases: leasesIn(sent.leases).map((sale) => ({
      ...sale,
      count: Math.min(sale.count, positions.length),
    })),
    atRisk: sent.at_risk === true,
  }
}

/** What is said of leases, each of them once; what makes no sense is left out. */
export function leasesIn(value: unknown): SentSale[] {
  const sales = new Map<number, SentSale>()
  for (const { lease, parent, count } of Array.isArray(value) ? value.filter(isObject) : [])
    if (isId(lease) && isId(count))
      sales.set(lease, {
        ...{ lease, parent: isId(parent) ? parent : null },
        count: count + (sales.get(lease)?.count ?? 0),
      })
  return [...sales.values()]
}
