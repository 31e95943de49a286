import { waitingListEntrySendVoucher } from '../../../schema/actions/waiting-list.ts'
import { waitingListEntry } from '../../../schema/resources/carts/waiting-list-entry.ts'
import { invalid, notFound } from '../../errors.ts'
import { type ApiRouter, serveAction } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import { lockRow } from '../../resource/store.ts'
import { waitingListBehaviour } from '../../services/carts/waiting-list-behaviour.ts'
import { type Sending, sendVoucher } from '../../services/carts/waiting-list-voucher.ts'

const refusals: Readonly<Record<Exclude<Sending, 'sent'>, string>> = {
  'sold out': 'This product is not available at the moment.',
  'no seat': 'There is no free seat for this product at the moment.',
  'sent before': 'A voucher was sent for this entry already.',
  'no address': 'This entry has no email address to send a voucher to.',
}

/** Serves the waiting list, and gives those on it a voucher out of turn. */
export function serveWaitingList(router: ApiRouter): void {
  serve(router, waitingListEntry, waitingListBehaviour)
  serveAction(router, waitingListEntrySendVoucher, async ({ place, event, actor, params }, tx) => {
    const id = idIn(params.id)
    const entry = await lockRow(tx, waitingListEntry, place, { id })
    if (!entry) throw notFound()
    const sending = await sendVoucher(tx, { place, event, actor }, entry)
    if (sending !== 'sent') throw invalid([refusals[sending]])
  })
}
