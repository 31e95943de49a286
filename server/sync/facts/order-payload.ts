import type { Resource } from '../../../schema/resource.ts'
import { order } from '../../../schema/resources/order.ts'
import { orderFee } from '../../../schema/resources/order-fee.ts'
import { orderPayment } from '../../../schema/resources/order-payment.ts'
import { orderPosition } from '../../../schema/resources/order-position.ts'
import type { SentFact } from '../../../schema/sync.ts'
import type { ProductLine } from '../../domain/quotas.ts'
import { impossible } from '../../errors.ts'
import type { RowData } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { storedFields } from '../../resource/store.ts'

/** A row that has an id. */
export type Row = RowData & { readonly id: number }

/** A position of an order that was sold elsewhere. */
export type SentPosition = Row & ProductLine & { readonly secret: string }

/** An order as it was sold elsewhere: all of its rows, and what it was sold from. */
export interface SentOrder {
  readonly order: Row & { readonly code: string; readonly secret: string }
  readonly positions: readonly SentPosition[]
  readonly fees: readonly Row[]
  readonly payments: readonly Row[]
  readonly leases: readonly {
    readonly lease: number
    readonly parent: number | null
    readonly count: number
  }[]
  readonly atRisk: boolean
}

const isObject = (value: unknown): value is RowData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** What this program stores of a row that another one sent, which may be older or newer. */
function readRow(resource: Resource, value: unknown): Row {
  if (!isObject(value) || !isId(value.id)) throw impossible(`A row of ${resource.name} has no id.`)
  const fields = storedFields(resource)
  const sent = Object.fromEntries(Object.entries(value).filter(([name]) => name in fields))
  return { ...blankRow(resource), ...sent, id: value.id }
}

const rowsIn = (resource: Resource, value: unknown): Row[] => {
  if (!Array.isArray(value)) throw impossible(`The rows of ${resource.name} are missing.`)
  return value.map((one) => readRow(resource, one))
}

/** Reads the payload of a fact about an order; throws 400 for what is none. */
export function readSentOrder({ payload }: SentFact): SentOrder {
  const sent = payload as RowData
  const main = readRow(order, sent.order)
  const positions = rowsIn(orderPosition, sent.positions)
  const fees = rowsIn(orderFee, sent.fees)
  const payments = rowsIn(orderPayment, sent.payments)
  if (!isFilled(main.code) || !isFilled(main.secret)) throw impossible('The order has no code.')
  if (String(main.code).length > 16) throw impossible('The code of the order is too long.')
  if ([...positions, ...fees, ...payments].some((row) => row.order_id !== main.id))
    throw impossible('A row belongs to another order.')
  const own = new Set(positions.map(({ id }) => id))
  if (own.size < positions.length) throw impossible('Two positions have the same id.')
  for (const { secret, item, addon_to } of positions) {
    if (!isFilled(secret) || !isId(item)) throw impossible('A position has no code or no product.')
    if (addon_to !== null && !own.has(Number(addon_to)))
      throw impossible('A position belongs to one that is not part of the order.')
  }
  return {
    order: main as SentOrder['order'],
    positions: positions as unknown as SentOrder['positions'],
    fees,
    payments,
    leases: leasesIn(sent.leases, positions.length),
    atRisk: sent.at_risk === true,
  }
}

/** Nobody takes more of a lease than there are positions. */
const leasesIn = (value: unknown, most: number): SentOrder['leases'] =>
  Array.isArray(value)
    ? value
        .filter(isObject)
        .flatMap(({ lease, parent, count }) =>
          isId(lease) && isId(count)
            ? [{ lease, parent: isId(parent) ? parent : null, count: Math.min(count, most) }]
            : [],
        )
    : []
