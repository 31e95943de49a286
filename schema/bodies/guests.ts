import type { Multilingual } from '../multilingual.ts'
import type { OrderPosition } from '../resources/orders/order-position.ts'
import type { FirstPage } from '../station-link.ts'
import type { Direction } from './station.ts'

type Cells = 'id' | 'positionid' | 'attendee_name' | 'attendee_email' | 'company' | 'secret'

/** A ticket that a search at the entrance found, with its product in words. */
export interface FoundPosition extends Readonly<Pick<OrderPosition, Cells>> {
  readonly order: string
  readonly order__status: string
  readonly item: { readonly name: Multilingual } | number
  readonly variation: { readonly value: Multilingual } | number | null
  readonly seat: { readonly name: string } | null
  readonly blocked?: OrderPosition['blocked']
  readonly checkins: readonly {
    readonly list: number
    readonly type: Direction
    readonly datetime: string
  }[]
}

/** What a search at the entrance found, one page of it. */
export type Found = FirstPage<FoundPosition>
