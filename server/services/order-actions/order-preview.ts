import type { JsonObject } from '../../../schema/fields.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { type OrderView, presentOrders, type ShownOrder } from '../orders/order-present.ts'
import { orderByCode } from '../orders/order-query.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { OrderInput } from '../pricing/order-input.ts'
import { createOrder } from './order-create.ts'

const preview = 'PREVIEW'

/** Thrown to take back everything that a transaction has done. */
class TakenBack extends Error {
  constructor() {
    super('Nothing of this was to be stored.')
  }
}

/** What something in a transaction would come to: it is done for good and all, and taken back. */
export async function takenBack<T>(transactions: Transactions, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outcome: T[] = []
  try {
    await transactions.write(async (tx) => {
      outcome.push(await work(tx))
      throw new TakenBack()
    })
  } catch (cause) {
    if (!(cause instanceof TakenBack)) throw cause
  }
  const result = outcome.at(-1)
  if (result === undefined) throw new Error('Nothing came of what was taken back.')
  return result
}

/** What an order would look like: it is created for good and all, shown, and taken back. */
export async function previewOrder(
  transactions: Transactions,
  at: OrderScope,
  view: OrderView,
  input: OrderInput,
): Promise<JsonObject> {
  return takenBack(transactions, async (tx) => {
    const { code } = await createOrder(tx, at, input)
    const order = await orderByCode(tx, at.place, code)
    const [row] = order ? await presentOrders(tx, view, [order]) : []
    return row ? withoutIdentity(row) : {}
  })
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
