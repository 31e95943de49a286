import { printDecisionBody, printJobBody } from '../../bodies/print-jobs.ts'
import { bodyAs, endpointAt } from '../action.ts'

const prints = '/api/v1/station/prints/' as const

/** What the printers of a station have not printed, or may not have. */
export const stationPrintList = endpointAt({ method: 'get', path: prints })

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
