import {
  stationPrintCreate,
  stationPrintDecide,
  stationPrinterList,
  stationPrintList,
  stationPrintPage,
  stationPrintPreview,
  stationPrintRetrieve,
  stationPrintWindow,
  stationPrintWithoutBackground,
} from '../../../schema/actions/printing/print-jobs.ts'
import { type Env, instantOf } from '../../env.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Live } from '../../http/live.ts'
import type { Log } from '../../log.ts'
import type { Api } from '../../resource/api.ts'
import { serveRaw } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { stationSettings } from '../../services/devices/station-settings.ts'
import type { StationRouter } from '../station-router.ts'
import { printPreview } from './print-preview.ts'
import { openStationPrinting, type StationPrinting } from './station-printing.ts'
import { runProgram } from './transports/run-program.ts'
import { openWindowPrints } from './transports/window-printing.ts'

/** What printing needs. */
interface PrintingParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly live: Live
  /** See Api. */
  readonly receiptSettled?: Api['receiptSettled']
  /** Aborted when this copy of the data is about to be closed. */
  readonly stopping?: AbortSignal
}

/** Serves a station's screens what its printers print; what an earlier program has left is printed at once. */
export function serveStationPrinting(
  own: StationRouter,
  { transactions, env, log, live, stopping, receiptSettled = async () => undefined }: PrintingParts,
): StationPrinting {
  const changed = (): void => {
    if (live.listeners === 0) return
    void printing.open().then(
      (results) => live.publish('prints', { results }),
      // The next change is shown.
      () => undefined,
    )
  }
  const window = openWindowPrints(env, live)
  const printing = openStationPrinting(transactions, {
    ...{ env, log, changed, receiptSettled, run: runProgram, window },
  })
  live.onClose(() => printing.stop())
  stopping?.addEventListener('abort', () => printing.pause(), { once: true })
  printing
    .recover()
    .catch((cause: unknown) =>
      log.warn('What waits for the printer was not found.', { cause: String(cause) }),
    )
  serveRaw(own, stationPrintList, async () => ({ results: await printing.open() }))
  serveRaw(own, stationPrinterList, async () => ({ results: await printing.printers() }))
  serveRaw(own, stationPrintPreview, async (_, ctx) => {
    const settings = await stationSettings(transactions.database)
    if (!settings) throw new Refusal(409, { detail: 'This station is not set up.' })
    const png = await printPreview(transactions.database, {
      ...{ settings, query: ctx.query, now: instantOf(env.now()) },
    })
    ctx.type = 'image/png'
    ctx.set('Cache-Control', 'no-store')
    return png
  })
  serveRaw(own, stationPrintCreate, ({ body }, ctx) => printing.print(body, ctx.get('X-Step-Up')))
  serveRaw(own, stationPrintRetrieve, ({ params }) => printing.find(params.id))
  serveRaw(own, stationPrintDecide, ({ params, body }) => printing.decide(params.id, body.printed))
  serveRaw(own, stationPrintWithoutBackground, ({ params }) => printing.printWithoutBackground(params.id))
  serveRaw(own, stationPrintPage, ({ params }, ctx) => {
    const page = window.page(params.id, Number(params.page))
    if (!page) throw notFound()
    ctx.type = 'image/png'
    ctx.set('Cache-Control', 'no-store')
    ctx.body = page
  })
  serveRaw(own, stationPrintWindow, async ({ params, body }) => {
    if (!(await window.answer(params.id, body)))
      throw new Refusal(409, { detail: 'This is not to be printed by this window any more.' })
    return { status: 'ok' }
  })
  return printing
}
