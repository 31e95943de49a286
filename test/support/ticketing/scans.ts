import type { RedeemInput } from '../../../server/services/checkin/redeem-input.ts'

/** The scan of an entry by barcode, by a client that knows questions and canceled tickets, before its code is said. */
export const plainScan: RedeemInput = {
  code: '',
  position: null,
  type: 'entry',
  at: null,
  force: false,
  ignore_unpaid: false,
  questions_supported: true,
  canceled_supported: true,
  nonce: null,
  answers: {},
  source_type: 'barcode',
  use_order_locale: false,
}
