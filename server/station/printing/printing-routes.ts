import {
  stationPrintCreate,
  stationPrintDecide,
  stationPrintList,
  stationPrintRetrieve,
} from '../../../schema/actions/drawer/print-jobs.ts'
import type { Env } from '../../env.ts'
import type { Live } from '../../http/live.ts'
import type { Log } from '../../log.ts'
import type { Api } from '../../resource/api.ts'
import { serveRaw } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { StationRouter } from '../station-router.ts'
import { openStationPrinting } from './station-printing.ts'

/** What printing needs. */
interface PrintingParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly live: Live
  /** See Api. */
  readonly receiptSettled?: Api['receiptSettled']
}

/** Serves a station's screens what its receipt printers print; what an earlier program has left is printed at once. */
export function serveStationPrinting(
  own: StationRouter,
  { transactions, env, log, live, receiptSettled = async () => undefined }: PrintingParts,
): void {
  const changed = (): void => {
    if (live.listeners === 0) return
    void printing.open().then(
      (results) => live.publish('prints', { results }),
      // The next change is shown.
      () => undefined,
    )
  }
  const printing = openStationPrinting(transactions, { env, log, changed, receiptSettled })
  live.onClose(() => printing.stop())
  printing
    .recover()
    .catch((cause: unknown) =>
      log.warn('What waits for the printer was not found.', { cause: String(cause) }),
    )
  serveRaw(own, stationPrintList, async () => ({ results: await printing.open() }))
  serveRaw(own, stationPrintCreate, ({ body }) => printing.print(body))
  serveRaw(own, stationPrintRetrieve, ({ params }) => printing.find(params.id))
  serveRaw(own, stationPrintDecide, ({ params, body }) => printing.decide(params.id, body.printed))
}
