import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** The event that something is sold for, by its slugs. */
export interface SalesPlace {
  readonly organizer: string
  readonly event: string
}

/** An order as it is created at a till. */
export interface SaleInput {
  readonly positions: readonly object[]
  readonly payment_provider?: 'boxoffice' | 'cardterminal'
  readonly payment_info?: Readonly<Record<string, string>>
  readonly expected_total?: string
}

/** The part of an order that a till looks at; amounts are decimal. */
export interface SaleAnswer {
  readonly code: string
  readonly total: string
  readonly positions: readonly { readonly positionid: number; readonly price: string }[]
}

/** The requests of a till. None of them ever rejects. */
export interface SalesApi {
  /** What is sold on a date; null for the next one. */
  catalogue(date: number | null): Promise<ApiAnswer<SaleCatalogue>>
  /** What an order would cost. */
  price(place: SalesPlace, sale: SaleInput): Promise<ApiAnswer<SaleAnswer>>
  /** Sells; asked again with the same key, it answers like the first time. */
  sell(place: SalesPlace, sale: SaleInput, key: string): Promise<ApiAnswer<SaleAnswer>>
}

/** Where the tickets of an order are to be had as a file. */
export const ticketsAddress = ({ organizer, event }: SalesPlace, code: string): string =>
  `${eventPath({ organizer, event })}/orders/${encodeURIComponent(code)}/download/pdf/`

const eventPath = ({ organizer, event }: SalesPlace): string =>
  `/api/v1/organizers/${encodeURIComponent(organizer)}/events/${encodeURIComponent(event)}`

/** The requests against a server at `base` (empty for the page's own). */
export function openSalesApi(base = ''): SalesApi {
  const post = (place: SalesPlace, sale: object, headers: Readonly<Record<string, string>>) =>
    request<SaleAnswer>(
      `${base}${eventPath(place)}/orders/`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...sale, sales_channel: 'boxoffice', send_email: false }),
      },
      patience.scan,
    )
  return {
    catalogue: (date) =>
      request(`${base}/api/v1/station/sale/${date === null ? '' : `?subevent=${date}`}`, {}, patience.other),
    price: (place, sale) => post(place, { ...sale, simulate: true }, {}),
    sell: (place, sale, key) => post(place, { ...sale, status: 'p' }, { 'x-idempotency-key': key }),
  }
}
