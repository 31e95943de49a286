import type { ParkedBaskets } from '../../schema/bodies/parked-baskets.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** A basket of some lines as it is parked. */
interface BasketToPark<Line> {
  readonly name: string
  readonly tickets: number
  readonly lines: readonly Line[]
}

/** The requests about parked baskets. None of them ever rejects. */
export interface ParkingApi<Line> {
  list(): Promise<ApiAnswer<ParkedBaskets>>
  /** Parks a basket; asked again with the same id, it does nothing more. */
  park(id: string, basket: BasketToPark<Line>): Promise<ApiAnswer<unknown>>
  /** Takes a basket up; the same till may ask again. */
  take(id: string, till: string): Promise<ApiAnswer<{ readonly lines: readonly Line[] }>>
}

/** The requests about parked baskets against a server at `base` (empty for the page's own). */
export function openParkingApi<Line>(base = ''): ParkingApi<Line> {
  const baskets = `${base}/api/v1/station/baskets/`
  const send = <T>(method: string, path: string, body: object) =>
    request<T>(
      baskets + path,
      { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      patience.other,
    )
  return {
    list: () => request(baskets, {}, patience.other),
    park: (id, basket) => send('PUT', `${encodeURIComponent(id)}/`, basket),
    take: (id, till) => send('POST', `${encodeURIComponent(id)}/take/`, { till }),
  }
}
