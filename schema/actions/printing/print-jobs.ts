import { printDecisionBody, printJobBody, printWindowBody } from '../../bodies/print-jobs.ts'
import { bodyAs, endpointAt } from '../action.ts'

const prints = '/api/v1/station/prints/' as const

/** What the printers of a station have not printed, or may not have. */
export const stationPrintList = endpointAt({ method: 'get', path: prints })

/** How the printers of a station are, which are asked for it. */
export const stationPrinterList = endpointAt({ method: 'get', path: '/api/v1/station/printers/' })

/**
 * What would be printed at a kind of printer, as PNG in its dots: `?profile=` and `document=` of a guest's ticket, which is
 * that of `position=` or made up.
 */
export const stationPrintPreview = endpointAt({ method: 'get', path: '/api/v1/station/printers/preview/' })

/** Has something printed. */
export const stationPrintCreate = endpointAt({ method: 'post', path: prints, body: bodyAs(printJobBody) })

/** What became of it. */
export const stationPrintRetrieve = endpointAt({ method: 'get', path: `${prints}:id/` })

/** Says whether the paper came out, or gives it up. */
export const stationPrintDecide = endpointAt({
  method: 'post',
  path: `${prints}:id/decide/`,
  body: bodyAs(printDecisionBody),
})

/** Prints what waits for the background of its layout without it. */
export const stationPrintWithoutBackground = endpointAt({
  method: 'post',
  path: `${prints}:id/without-background/`,
})

/** A page that the station's window is to print, as PNG. */
export const stationPrintPage = endpointAt({ method: 'get', path: `${prints}:id/pages/:page/` })

/** Says what has become of it in the window. */
export const stationPrintWindow = endpointAt({
  method: 'post',
  path: `${prints}:id/window/`,
  body: bodyAs(printWindowBody),
})
