import {
  stationPaymentAsk,
  stationPaymentCancel,
  stationPaymentCreate,
  stationPaymentDecide,
  stationPaymentList,
  stationPaymentRefund,
  stationPaymentRetrieve,
  stationPaymentSpent,
} from '../../../schema/actions/drawer/till-payments.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import { serveRaw } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { StationRouter } from '../station-router.ts'
import { openTillPaying } from './till-paying.ts'

/** What taking money from terminals needs. */
interface PayingParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
}

/** Serves a till what it asks its terminal for; what an earlier program has asked for is asked about at once. */
export function serveStationPaying(own: StationRouter, { transactions, env, log }: PayingParts): void {
  const paying = openTillPaying(transactions, env)
  paying
    .recover()
    .catch((cause: unknown) => log.warn('A card payment could not be asked about.', { cause: String(cause) }))
  serveRaw(own, stationPaymentList, async () => ({ results: await paying.unsettled() }))
  serveRaw(own, stationPaymentCreate, ({ body }) => paying.begin({ ...body, basket: { ...body.basket } }))
  serveRaw(own, stationPaymentRetrieve, ({ params }) => paying.find(params.id))
  serveRaw(own, stationPaymentAsk, ({ params }) => paying.ask(params.id))
  serveRaw(own, stationPaymentCancel, ({ params }) => paying.cancel(params.id))
  serveRaw(own, stationPaymentRefund, ({ params }) => paying.refund(params.id))
  serveRaw(own, stationPaymentDecide, ({ params, body }) => paying.decide(params.id, body))
  serveRaw(own, stationPaymentSpent, ({ params, body }) => paying.spent(params.id, body.order))
}
