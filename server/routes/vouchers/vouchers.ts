import type Router from '@koa/router'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { refuseMethod, serve, shown } from '../../resource/routes.ts'
import { createVouchers, readVouchers } from '../../services/vouchers/voucher-batch.ts'
import { voucherBehaviour } from '../../services/vouchers/voucher-behaviour.ts'

/** Serves vouchers, also many at once. */
export function serveVouchers(router: Router, api: Api): void {
  const batch = '/api/v1/organizers/:organizer/events/:event/vouchers/batch_create/'
  const admit = api.admit('event', voucher.permission.write)
  router.post(batch, admit, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const asked = readVouchers(bodyOf(ctx), scope.event?.locale ?? 'en')
    const rows = await api.transactions.write((tx) => createVouchers(tx, scope, asked))
    ctx.status = 201
    ctx.body = rows.map((row) => shown(voucher, row))
  })
  router.all(batch, api.admit('event', null), (ctx) => refuseMethod(ctx))
  serve(router, api, voucher, voucherBehaviour)
}
