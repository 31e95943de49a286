import type { JsonObject } from '../../../schema/fields.ts'
import { notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { audienceOf } from '../../resource/mask.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import { type OrderCells, type OrderView, presentOrders } from '../../services/orders/order-present.ts'
import { orderByCode } from '../../services/orders/order-query.ts'
import type { Queryable } from '../../storage/database.ts'

/** A request that shows orders. */
type OrderRequest = Scope & { readonly query: Query }

/** How a request wants to see orders. */
export const viewOf = ({ actor, organizer, origin = '', query }: OrderRequest): OrderView => ({
  organizer,
  origin,
  audience: audienceOf(actor),
  canceledPositions: flagParameter(query, 'include_canceled_positions') === true,
  canceledFees: flagParameter(query, 'include_canceled_fees') === true,
})

/** Whether a request asks for what can be printed of positions. */
export const wantsPrints = ({ query }: { readonly query: Query }): boolean =>
  flagParameter(query, 'pdf_data') === true

/** An order of the request's event as the API shows it; 404 when there is none with the code. */
export async function shownOrder(db: Queryable, request: OrderRequest, code: string): Promise<JsonObject> {
  const order: OrderCells | undefined = await orderByCode(db, request.place, code)
  const view = { ...viewOf(request), pdfData: wantsPrints(request) }
  const [row] = order ? await presentOrders(db, view, [order]) : []
  if (!row) throw notFound()
  return row
}
