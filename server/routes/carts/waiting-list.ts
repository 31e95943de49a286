import type Router from '@koa/router'
import { waitingListEntry } from '../../../schema/resources/carts/waiting-list-entry.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { idIn, refuseMethod, serve } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { waitingListBehaviour } from '../../services/carts/waiting-list-behaviour.ts'
import { type Sending, sendVoucher } from '../../services/carts/waiting-list-voucher.ts'

const refusals: Readonly<Record<Exclude<Sending, 'sent'>, string>> = {
  'sold out': 'This product is not available at the moment.',
  'no seat': 'There is no free seat for this product at the moment.',
  'sent before': 'A voucher was sent for this entry already.',
  'no address': 'This entry has no email address to send a voucher to.',
}

/** Serves the waiting list, and gives those on it a voucher out of turn. */
export function serveWaitingList(router: Router, api: Api): void {
  serve(router, api, waitingListEntry, waitingListBehaviour)

  const path = '/api/v1/organizers/:organizer/events/:event/waitinglistentries/:id/send_voucher/'
  router.post(path, api.admit('event', waitingListEntry.permission.write), async (ctx) => {
    const { place, event, actor }: Scope = ctx.state.scope
    if (event === null) throw notFound()
    const id = idIn(ctx.params.id)
    await api.transactions.write(async (tx) => {
      const entry = await findRow(tx, waitingListEntry, place, 'id', id, tx.forUpdate)
      if (!entry) throw notFound()
      const sending = await sendVoucher(tx, { place, event, actor }, entry)
      if (sending !== 'sent') throw invalid([refusals[sending]])
    })
    ctx.status = 204
  })
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
