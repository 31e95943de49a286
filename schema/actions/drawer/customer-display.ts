import { customerDisplayBody } from '../../bodies/customer-display.ts'
import { listBody } from '../../body-limits.ts'
import { bodyAs, endpointAt } from '../action.ts'

const display = '/api/v1/station/displays/:till/' as const

/** Has the displays of a till show something. */
export const stationDisplayShow = endpointAt({
  method: 'put',
  path: display,
  body: bodyAs(customerDisplayBody),
  bodyLimit: listBody,
})

/** The key by which another browser is let in to the display of a till. */
export const stationDisplayKey = endpointAt({ method: 'get', path: `${display}key/` })

/** What a till has its display show, as a stream. */
export const stationDisplayLive = endpointAt({ method: 'get', path: `${display}live` })
