import type { JsonObject } from '../../../schema/fields.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { type OrderView, presentOrders, type ShownOrder } from '../orders/order-present.ts'
import { orderByCode } from '../orders/order-query.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { OrderInput } from '../pricing/order-input.ts'
import { createOrder } from './order-create.ts'

const preview = 'PREVIEW'

/** Thrown to take back everything that a transaction has done, with what is to be kept of it. */
class TakenBack extends Error {
  readonly row: ShownOrder | undefined

  constructor(row: ShownOrder | undefined) {
    super('Nothing of this was to be stored.')
    this.row = row
  }
}

/** What an order would look like: it is created for good and all, shown, and taken back. */
export async function previewOrder(
  transactions: Transactions,
  at: OrderScope,
  view: OrderView,
  input: OrderInput,
): Promise<JsonObject> {
  try {
    return await transactions.write(async (tx) => {
      const { code } = await createOrder(tx, at, input)
      const order = await orderByCode(tx, at.place, code)
      const [row] = order ? await presentOrders(tx, view, [order]) : []
      throw new TakenBack(row)
    })
  } catch (cause) {
    if (cause instanceof TakenBack) return cause.row ? withoutIdentity(cause.row) : {}
    throw cause
  }
}

/** An order whose ids, codes and links stand for nothing. */
function withoutIdentity(row: ShownOrder): JsonObject {
  const { positions } = row
  const numbers = new Map(positions.map(({ id, positionid }) => [id, positionid]))
  return {
    ...row,
    code: preview,
    secret: preview,
    downloads: [],
    url: row.url.replace(/[^/]+\/[^/]+\/$/, `${preview}/${preview}/`),
    fees: row.fees.map((fee) => ({ ...fee, id: 0 })),
    positions: positions.map((position) => ({
      ...position,
      id: 0,
      order: preview,
      addon_to: numbers.get(position.addon_to) ?? null,
      pseudonymization_id: preview,
      checkins: [],
      downloads: [],
    })),
  }
}
