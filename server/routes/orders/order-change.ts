import { orderChange } from '../../../schema/actions/orders.ts'
import { type ApiRouter, serveRaw } from '../../resource/endpoints.ts'
import { flagParameter } from '../../resource/query.ts'
import { mailOrder } from '../../services/notifications/order-mails.ts'
import { changeOrder } from '../../services/order-actions/order-change.ts'
import { readOrderChange } from '../../services/order-actions/order-change-input.ts'
import { lockOrder } from '../../services/orders/order-changes.ts'
import { shownOrder } from './order-view.ts'

/** Serves the change of an order in many ways at once. Quotas are looked at unless a request says otherwise. */
export function serveOrderChange(router: ApiRouter): void {
  const { transactions } = router.api
  serveRaw(router, orderChange, async (request) => {
    const { place, query } = request
    const { code } = request.params
    const checkQuotas = flagParameter(query, 'check_quotas') !== false
    await shownOrder(transactions.database, request, code)
    const change = readOrderChange(request.body, request)
    await transactions.write(async (tx) => {
      const order = await lockOrder(tx, place, code)
      await changeOrder(tx, request, order, { change, checkQuotas })
      await mailOrder(tx, request, order.id, { template: 'order_changed', wanted: change.send_email })
    })
    return shownOrder(transactions.database, request, code)
  })
}
