import { basketTakeBody, parkedBasketBody } from '../../bodies/parked-baskets.ts'
import { rowBody } from '../../body-limits.ts'
import { bodyAs, endpointAt } from '../action.ts'

const baskets = '/api/v1/station/baskets/' as const

/** The baskets that can be taken up again. */
export const stationBasketList = endpointAt({ method: 'get', path: baskets })

/** Parks a basket; asked again, it does nothing more. */
export const stationBasketPark = endpointAt({
  method: 'put',
  path: `${baskets}:id/`,
  body: bodyAs(parkedBasketBody),
  bodyLimit: rowBody,
  status: 204,
})

/** Takes a basket up: one till has it then, however often it asks. */
export const stationBasketTake = endpointAt({
  method: 'post',
  path: `${baskets}:id/take/`,
  body: bodyAs(basketTakeBody),
})
