import { voucherBatchCreate } from '../../../schema/actions/vouchers.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { type ApiRouter, refuseOthers, serveRaw } from '../../resource/endpoints.ts'
import { serve, shown } from '../../resource/routes.ts'
import { createVouchers, readVouchers } from '../../services/vouchers/voucher-batch.ts'
import { voucherBehaviour } from '../../services/vouchers/voucher-behaviour.ts'

/** Serves vouchers, also many at once. */
export function serveVouchers(router: ApiRouter): void {
  serveRaw(router, voucherBatchCreate, async (request) => {
    const asked = readVouchers(request.body, request.event.locale)
    return request.carryOut(
      (tx) => createVouchers(tx, request, asked),
      (rows) => rows.map((row) => shown(voucher, row)),
    )
  })
  refuseOthers(router, voucherBatchCreate)
  serve(router, voucher, voucherBehaviour)
}
