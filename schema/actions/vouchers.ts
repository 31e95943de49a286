import { listBody } from '../body-limits.ts'
import { listSchema, the } from '../json-schema.ts'
import { type Action, bodyLike, defineAction, ev, refused } from './action.ts'

export const voucherBatchCreate = defineAction({
  name: 'voucher_batch_create',
  tag: 'voucher',
  method: 'post',
  path: `${ev}/vouchers/batch_create/`,
  summary:
    'Makes the vouchers of a list, all of them or none; refusals are a list aligned with what was sent.',
  needs: 'can_change_vouchers',
  body: bodyLike({ type: 'array', maxItems: 1000, items: the('VoucherCreate') }),
  bodyLimit: listBody,
  shows: listSchema(the('Voucher')),
  answers: { '201': 'The new vouchers.', ...refused, '409': '' },
})

/** Endpoints of vouchers beyond the standard ones. */
export const voucherActions: readonly Action[] = [voucherBatchCreate]
