import { tillDecisionBody, tillPaymentBody, tillSpentBody } from '../../bodies/till-payments.ts'
import { listBody } from '../../body-limits.ts'
import { bodyAs, endpointAt } from '../action.ts'

const payments = '/api/v1/station/payments/' as const

/** What a till has asked terminals for and is not settled. */
export const stationPaymentList = endpointAt({ method: 'get', path: payments })

/** Has a terminal asked for money. */
export const stationPaymentCreate = endpointAt({
  method: 'post',
  path: payments,
  body: bodyAs(tillPaymentBody),
  bodyLimit: listBody,
})

/** What became of it. */
export const stationPaymentRetrieve = endpointAt({ method: 'get', path: `${payments}:id/` })

/** Asks the terminal what became of it. */
export const stationPaymentAsk = endpointAt({ method: 'post', path: `${payments}:id/ask/` })

/** Asks the terminal to give it up. */
export const stationPaymentCancel = endpointAt({ method: 'post', path: `${payments}:id/cancel/` })

/** Has the terminal give it back. */
export const stationPaymentRefund = endpointAt({ method: 'post', path: `${payments}:id/refund/` })

/** Says what became of it, where nobody can be asked. */
export const stationPaymentDecide = endpointAt({
  method: 'post',
  path: `${payments}:id/decide/`,
  body: bodyAs(tillDecisionBody),
})

/** Says which order it has paid for at the server above. */
export const stationPaymentSpent = endpointAt({
  method: 'post',
  path: `${payments}:id/spent/`,
  body: bodyAs(tillSpentBody),
})
