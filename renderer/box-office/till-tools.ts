import type { ReadonlySignal } from '@preact/signals'
import type { DrawerApi } from '../api/drawer-api.ts'
import type { OrderApi } from '../api/orders-api.ts'
import type { ParkingApi } from '../api/parking-api.ts'
import type { TillPaymentsApi } from '../api/payments-api.ts'
import type { SalesApi } from '../api/sales-api.ts'
import type { SalesPlace } from '../api/sales-place.ts'
import type { StaffDesk } from '../staff/staff-desk.ts'
import type { BasketLine } from './selling/basket.ts'
import type { TillEvent, TillState } from './till-state.ts'

/** What a till needs beside the server. */
export interface TillTools {
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly after: (milliseconds: number, then: () => void) => () => void
  /** What outlives the page. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly staff: StaffDesk
  /** What is asked about the drawer, and about orders that were sold. */
  readonly drawers: DrawerApi
  readonly orders: OrderApi
  readonly parking: ParkingApi<BasketLine>
  /** The time zone of the event. */
  readonly timeZone: () => string
  /** The event that is sold for; null where the station is not set up. */
  readonly place: () => SalesPlace | null
}

/** A till as its parts see it: what it knows, and how they reach the server and tell it. */
export interface TillLink {
  readonly api: SalesApi
  readonly payments: TillPaymentsApi
  readonly tools: TillTools
  readonly state: ReadonlySignal<TillState>
  readonly send: (event: TillEvent) => void
  readonly refresh: () => Promise<void>
}
