import { type Action, defineAction, ev, refusedOrHidden } from './action.ts'

export const waitingListEntrySendVoucher = defineAction({
  name: 'waiting_list_entry_send_voucher',
  tag: 'waiting_list_entry',
  method: 'post',
  path: `${ev}/waitinglistentries/:id/send_voucher/`,
  summary:
    'Keeps a place for somebody who waits: makes a voucher for it; refused where there is none left, or one was sent already.',
  needs: 'can_change_orders',
  shows: null,
  answers: { '204': 'The entry has its voucher.', ...refusedOrHidden },
})

/** Endpoints of the waiting list beyond the standard ones. */
export const waitingListActions: readonly Action[] = [waitingListEntrySendVoucher]
