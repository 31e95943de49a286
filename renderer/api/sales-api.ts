import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { OrderPaymentInput, TillOrder } from './orders-api.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'
import { isUpstream, openSeatsApi, type SeatsApi } from './seats-api.ts'

/** An order as it is created at a till. */
export interface SaleInput {
  readonly positions: readonly object[]
  /** Paid, unless it says that it is not. */
  readonly status?: 'p' | 'n'
  readonly payment_provider?: 'boxoffice' | 'cardterminal' | 'banktransfer'
  readonly payment_info?: Readonly<Record<string, string>>
  /** Several ways of paying, which come to the total. */
  readonly paid_by?: readonly OrderPaymentInput[]
  /** The carts that hold what is sold. */
  readonly consume_carts?: readonly string[]
  readonly expected_total?: string
  /** Where the event mails the order to. */
  readonly email?: string
  /** Whether its tickets are good although it is not paid. */
  readonly valid_if_pending?: boolean
  /** Whom the invoice goes to. */
  readonly invoice_address?: object
  /** Whether the buyer is mailed, where the event does not decide. */
  readonly send_email?: true
}

/** The part of an order that a till looks at; amounts are decimal. */
export interface SaleAnswer {
  readonly code: string
  readonly total: string
  readonly positions: readonly { readonly positionid: number; readonly price: string }[]
}

/** How many orders are found at once. */
export const ordersOnPage = 20

/** The first rows of a list. */
interface Found<T> {
  readonly count: number
  readonly results: readonly T[]
}

/** The requests of a till. None of them ever rejects. */
export interface SalesApi extends SeatsApi {
  /** What is sold on a date, null for the next one, and with a voucher, where there is one. */
  catalogue(date: number | null, voucher: string | null): Promise<ApiAnswer<SaleCatalogue>>
  /** What an order would cost. */
  price(place: SalesPlace, sale: SaleInput): Promise<ApiAnswer<SaleAnswer>>
  /** Sells; asked again with the same key, it answers like the first time. */
  sell(place: SalesPlace, sale: SaleInput, key: string): Promise<ApiAnswer<SaleAnswer>>
  /** A page of the orders by code, name or e-mail, the newest first. */
  find(place: SalesPlace, text: string, page: number): Promise<ApiAnswer<Found<TillOrder>>>
  /** The same by the number of a card payment, or how it begins. */
  findByCard(place: SalesPlace, text: string, page: number): Promise<ApiAnswer<Found<TillOrder>>>
  /** The order with a code: one, or none. */
  findByCode(place: SalesPlace, code: string): Promise<ApiAnswer<Found<TillOrder>>>
  /** The orders that a ticket with this secret belongs to: one, or none. */
  findByTicket(place: SalesPlace, secret: string): Promise<ApiAnswer<Found<TillOrder>>>
  /** Pays for an order; asked again with the same key, it answers like the first time. */
  payOrder(
    place: SalesPlace,
    code: string,
    payment: OrderPaymentInput,
    key: string,
  ): Promise<ApiAnswer<unknown>>
}

/** Who sells: seats and vouchers only the server above, and what is paid with gift cards too while it is there. */
function upstreamFor(sale: SaleInput): '' | '?upstream=true' | '?upstream=reachable' {
  if (isUpstream(sale)) return '?upstream=true'
  return sale.paid_by?.some(({ provider }) => provider === 'giftcard') ? '?upstream=reachable' : ''
}

/** The requests against a server at `base` (empty for the page's own). */
export function openSalesApi(base = ''): SalesApi {
  const post = (
    place: SalesPlace,
    sale: SaleInput & { readonly simulate?: true },
    headers: Readonly<Record<string, string>>,
  ) =>
    request<SaleAnswer>(
      `${base}${eventPath(place)}/orders/${upstreamFor(sale)}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          ...sale,
          sales_channel: 'boxoffice',
          // Whether the buyer is mailed is said by the event.
          ...(sale.email === undefined ? { send_email: false } : {}),
        }),
      },
      upstreamFor(sale) === '' ? patience.scan : patience.slow,
    )
  const list = <T>(
    place: SalesPlace,
    path: string,
    query: Readonly<Record<string, string>>,
    expand: readonly string[] = [],
  ) => {
    const search = new URLSearchParams({ ...query, page_size: String(ordersOnPage) })
    for (const name of expand) search.append('expand', name)
    return request<Found<T>>(`${base}${eventPath(place)}/${path}/?${search}`, {}, patience.other)
  }
  const orders = (place: SalesPlace, query: Readonly<Record<string, string>>) =>
    list<TillOrder>(place, 'orders', query, ['positions.item', 'positions.variation'])
  return {
    ...openSeatsApi(base),
    catalogue(date, voucher) {
      const query = new URLSearchParams({
        ...(date === null ? {} : { subevent: String(date) }),
        ...(voucher === null ? {} : { voucher }),
      })
      return request(`${base}/api/v1/station/sale/?${query}`, {}, patience.other)
    },
    price: (place, sale) => post(place, { ...sale, simulate: true }, {}),
    sell: (place, sale, key) => post(place, { status: 'p', ...sale }, { 'x-idempotency-key': key }),
    find: (place, text, page) => orders(place, { search: text, ordering: '-datetime', page: String(page) }),
    findByCard: (place, text, page) =>
      orders(place, { payment_reference: text, ordering: '-datetime', page: String(page) }),
    findByCode: (place, code) => orders(place, { code }),
    async findByTicket(place, secret) {
      const tickets = await list<{ readonly order: string }>(place, 'orderpositions', { secret })
      if (!tickets.ok) return tickets
      const code = tickets.value.results[0]?.order
      return code === undefined ? { ok: true, value: { count: 0, results: [] } } : orders(place, { code })
    },
    payOrder: (place, code, payment, key) =>
      request(
        `${base}${eventPath(place)}/orders/${encodeURIComponent(code)}/payments/`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
          body: JSON.stringify({ ...payment, state: 'confirmed', send_email: false }),
        },
        patience.slow,
      ),
  }
}
