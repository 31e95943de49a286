import type { CountedCash } from '../../schema/bodies/drawers.ts'
import { attemptHeaders, type KeyedAct } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'

/** The figures of a drawer so far; amounts are decimal. Where it is counted blind there are none yet. */
export type DrawerReport =
  | { readonly blind: true; readonly receipts: number }
  | {
      readonly blind: false
      readonly receipts: number
      readonly sales: string
      readonly refunds: string
      readonly expected_cash: string
      /** What each cashier has sold, less what they gave back, by the names on receipts. */
      readonly by_cashier: Readonly<Record<string, string>>
    }

/** Cash that is put in or, with less than nothing, taken out. */
export interface CashMove {
  readonly amount: string
  readonly reason: string
}

/** How a drawer was closed; amounts are decimal. */
export interface DrawerClosing {
  readonly id: number
  readonly number: number
  readonly expected: string
  readonly counted: string
  readonly difference: string
}

/** The requests about the drawer of a till; each is done once for its key. */
export interface DrawerApi {
  open(place: SalesPlace, float: string, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
  /** Has this till work at a drawer that is open at another one. */
  join(place: SalesPlace, drawer: number, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
  moveCash(
    place: SalesPlace,
    drawer: number,
    movement: CashMove,
    attempt: KeyedAct,
  ): Promise<ApiAnswer<unknown>>
  /** Has the drawer opened without a sale. */
  openWithoutSale(
    place: SalesPlace,
    drawer: number,
    reason: string,
    attempt: KeyedAct,
  ): Promise<ApiAnswer<unknown>>
  report(place: SalesPlace, drawer: number): Promise<ApiAnswer<DrawerReport>>
  close(
    place: SalesPlace,
    drawer: number,
    count: CountedCash,
    attempt: KeyedAct,
  ): Promise<ApiAnswer<DrawerClosing>>
}

/** The requests about drawers against a server at `base` (empty for the page's own). */
export function openDrawerApi(base = ''): DrawerApi {
  const post = <T>(place: SalesPlace, path: string, body: object, attempt: KeyedAct) =>
    request<T>(
      `${base}${eventPath(place)}/drawers/${path}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...attemptHeaders(attempt) },
        body: JSON.stringify(body),
      },
      patience.other,
    )
  return {
    open: (place, float, attempt) => post(place, '', { float }, attempt),
    join: (place, drawer, attempt) => post(place, `${drawer}/join/`, {}, attempt),
    moveCash: (place, drawer, movement, attempt) => post(place, `${drawer}/move_cash/`, movement, attempt),
    openWithoutSale: (place, drawer, reason, attempt) =>
      post(place, `${drawer}/open_without_sale/`, { reason }, attempt),
    report: (place, drawer) =>
      request(`${base}${eventPath(place)}/drawers/${drawer}/report/`, {}, patience.other),
    close: (place, drawer, count, attempt) => post(place, `${drawer}/close/`, count, attempt),
  }
}

/** Where the report of a drawer so far (X), or its closing (Z), is to be had as a file. */
export const reportAddress = (
  { organizer, event }: SalesPlace,
  of: { readonly drawer: number } | { readonly closing: number },
  locale: string,
): string => {
  const path = 'drawer' in of ? `drawers/${of.drawer}/report` : `closings/${of.closing}`
  return `${eventPath({ organizer, event })}/${path}/pdf/?locale=${encodeURIComponent(locale)}`
}
