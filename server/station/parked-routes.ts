import {
  stationBasketList,
  stationBasketPark,
  stationBasketTake,
} from '../../schema/actions/drawer/parked-baskets.ts'
import type { ParkedBaskets } from '../../schema/bodies/parked-baskets.ts'
import type { Live } from '../http/live.ts'
import { serveRaw } from '../resource/endpoints.ts'
import type { Place, Transactions } from '../resource/transactions.ts'
import { parkBasket, parkedBaskets, takeBasket } from '../services/carts/parked-baskets.ts'
import type { StationRouter } from './station-router.ts'

/** What parking baskets needs; `place` is the event that the station sells for. */
interface ParkingParts {
  readonly transactions: Transactions
  readonly live: Live
  readonly place: () => Promise<Place>
}

/** Serves the baskets that the tills of a station have parked; all of them see at once what is there. */
export function serveParkedBaskets(own: StationRouter, { transactions, live, place }: ParkingParts): void {
  const list = async (): Promise<ParkedBaskets> => {
    const results = await parkedBaskets(transactions.database, await place(), transactions.horizon())
    return { results }
  }
  const publish = async () => live.publish('baskets', await list())

  serveRaw(own, stationBasketList, list)

  serveRaw(own, stationBasketPark, async ({ params: { id }, body }, ctx) => {
    const at = await place()
    await transactions.write((tx) => parkBasket(tx, at, { ...body, id }))
    await publish()
    ctx.status = 204
  })

  serveRaw(own, stationBasketTake, async ({ params: { id }, body: { till } }) => {
    const at = await place()
    const taken = await transactions.write((tx) => takeBasket(tx, at, { id, till }))
    await publish()
    return taken
  })
}
