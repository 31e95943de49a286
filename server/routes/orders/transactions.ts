import {
  organizerTransactionList,
  organizerTransactionRetrieve,
} from '../../../schema/actions/order-money.ts'
import { orderTransaction } from '../../../schema/resources/orders/order-transaction.ts'
import { notFound } from '../../errors.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import { organizerTransactions, transactionBehaviour } from '../../services/orders/order-transactions.ts'

/** Serves the changes of what was sold: those of an event, and those of all that a caller may see. */
export function serveTransactions(router: ApiRouter): void {
  serveRead(router, organizerTransactionList, async (request, db) => {
    const { count, rows } = await organizerTransactions(db, request, request.query, request.page)
    return request.pageOf(count, rows)
  })
  serveRead(router, organizerTransactionRetrieve, async (request, db) => {
    const id = idIn(request.params.id)
    const [row] = (await organizerTransactions(db, request, {}, { size: 1, offset: 0, id })).rows
    if (!row) throw notFound()
    return row
  })
  serve(router, orderTransaction, transactionBehaviour)
}
