import type { CountedCash } from '../../schema/bodies/drawers.ts'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { Multilingual } from '../../schema/multilingual.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'
import { isUpstream, openSeatsApi, type SeatsApi } from './seats-api.ts'

/** An order as it is created at a till. */
export interface SaleInput {
  readonly positions: readonly object[]
  readonly payment_provider?: 'boxoffice' | 'cardterminal'
  readonly payment_info?: Readonly<Record<string, string>>
  /** Several ways of paying, which come to the total. */
  readonly paid_by?: readonly OrderPaymentInput[]
  /** The carts that hold what is sold. */
  readonly consume_carts?: readonly string[]
  readonly expected_total?: string
}

/** The first rows of a list. */
interface Found<T> {
  readonly count: number
  readonly results: readonly T[]
}

/** The part of an order that a till looks at; amounts are decimal. */
export interface SaleAnswer {
  readonly code: string
  readonly total: string
  readonly positions: readonly { readonly positionid: number; readonly price: string }[]
}

/** A position of an order that was found. */
export interface FoundLine {
  readonly id: number
  readonly item: { readonly name: Multilingual } | number
  readonly variation: { readonly value: Multilingual } | number | null
  readonly price: string
  readonly attendee_name: string | null
}

/** The part of an order that a till shows; amounts are decimal. */
export interface TillOrder {
  readonly code: string
  readonly status: 'n' | 'p' | 'e' | 'c'
  readonly total: string
  readonly email: string | null
  readonly require_approval: boolean
  readonly positions: readonly FoundLine[]
  readonly payments: readonly {
    readonly local_id: number
    readonly provider: string
    readonly state: string
    readonly amount: string
  }[]
  readonly refunds: readonly { readonly state: string; readonly amount: string }[]
}

/** Money that was taken for an order. */
export interface OrderPaymentInput {
  readonly amount: string
  readonly provider: 'boxoffice' | 'cardterminal' | 'giftcard'
  readonly info: Readonly<Record<string, string>>
}

/** How something is asked that is done once: by a key, and with what a supervisor was given for it, or nothing. */
export interface KeyedAct {
  readonly key: string
  readonly stepUp: string
}

const attemptHeaders = ({ key, stepUp }: KeyedAct): Readonly<Record<string, string>> => ({
  'x-idempotency-key': key,
  ...(stepUp === '' ? {} : { 'x-step-up': stepUp }),
})

/** How money goes back: in cash, by a terminal that works by itself, or to where a payment came from, by its number. */
export type GiveBackWay = 'boxoffice' | 'cardterminal' | { readonly payment: number }

/** The requests about an order that was sold; each is done once for its key. */
export interface OrderApi {
  cancel(place: SalesPlace, code: string, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
  cancelPosition(place: SalesPlace, id: number, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
  giveBack(
    place: SalesPlace,
    code: string,
    money: { readonly way: GiveBackWay; readonly amount: string },
    attempt: KeyedAct,
  ): Promise<ApiAnswer<unknown>>
  /** Sends the buyer the link to the order again. */
  resend(place: SalesPlace, code: string, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
}

/** The requests about orders that were sold, against a server at `base` (empty for the page's own). */
export function openOrderApi(base = ''): OrderApi {
  const send = (place: SalesPlace, path: string, attempt: KeyedAct, body: object | null) =>
    request<unknown>(
      `${base}${eventPath(place)}/${path}/`,
      body === null
        ? { method: 'DELETE', headers: attemptHeaders(attempt) }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...attemptHeaders(attempt) },
            body: JSON.stringify(body),
          },
      patience.slow,
    )
  const order = (code: string): string => `orders/${encodeURIComponent(code)}`
  return {
    cancel: (place, code, attempt) =>
      send(place, `${order(code)}/mark_canceled`, attempt, { send_email: false }),
    cancelPosition: (place, id, attempt) => send(place, `orderpositions/${id}`, attempt, null),
    giveBack: (place, code, { way, amount }, attempt) =>
      typeof way === 'object'
        ? send(place, `${order(code)}/payments/${way.payment}/refund`, attempt, { amount })
        : send(place, `${order(code)}/refunds`, attempt, {
            ...{ state: 'done', source: 'admin', provider: way, amount },
          }),
    resend: (place, code, attempt) => send(place, `${order(code)}/resend_link`, attempt, {}),
  }
}

/** The figures of a drawer so far; amounts are decimal. */
export interface DrawerReport {
  readonly receipts: number
  readonly sales: string
  readonly refunds: string
  readonly expected_cash: string
}

/** How a drawer was closed; amounts are decimal. */
export interface DrawerClosing {
  readonly number: number
  readonly expected: string
  readonly counted: string
  readonly difference: string
}

/** The requests about the drawer of a till; each is done once for its key. */
export interface DrawerApi {
  open(place: SalesPlace, float: string, attempt: KeyedAct): Promise<ApiAnswer<unknown>>
  /** Less than nothing is taken out. */
  moveCash(
    place: SalesPlace,
    drawer: number,
    movement: { readonly amount: string; readonly reason: string },
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
    moveCash: (place, drawer, movement, attempt) => post(place, `${drawer}/move_cash/`, movement, attempt),
    report: (place, drawer) =>
      request(`${base}${eventPath(place)}/drawers/${drawer}/report/`, {}, patience.other),
    close: (place, drawer, count, attempt) => post(place, `${drawer}/close/`, count, attempt),
  }
}

/** The requests of a till. None of them ever rejects. */
export interface SalesApi extends SeatsApi {
  /** What is sold on a date; null for the next one. */
  catalogue(date: number | null): Promise<ApiAnswer<SaleCatalogue>>
  /** What an order would cost. */
  price(place: SalesPlace, sale: SaleInput): Promise<ApiAnswer<SaleAnswer>>
  /** Sells; asked again with the same key, it answers like the first time. */
  sell(place: SalesPlace, sale: SaleInput, key: string): Promise<ApiAnswer<SaleAnswer>>
  /** Orders by code, name or e-mail, the newest first. */
  find(place: SalesPlace, text: string): Promise<ApiAnswer<Found<TillOrder>>>
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

/** Where the tickets of an order are to be had as a file. */
export const ticketsAddress = ({ organizer, event }: SalesPlace, code: string): string =>
  `${eventPath({ organizer, event })}/orders/${encodeURIComponent(code)}/download/pdf/`

/** The requests against a server at `base` (empty for the page's own). */
export function openSalesApi(base = ''): SalesApi {
  const post = (
    place: SalesPlace,
    sale: SaleInput & { readonly simulate?: true; readonly status?: 'p' },
    headers: Readonly<Record<string, string>>,
  ) =>
    request<SaleAnswer>(
      `${base}${eventPath(place)}/orders/${isUpstream(sale) ? '?upstream=true' : ''}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...sale, sales_channel: 'boxoffice', send_email: false }),
      },
      isUpstream(sale) ? patience.slow : patience.scan,
    )
  const list = <T>(
    place: SalesPlace,
    path: string,
    query: Readonly<Record<string, string>>,
    expand: readonly string[] = [],
  ) => {
    const search = new URLSearchParams({ ...query, page_size: '20' })
    for (const name of expand) search.append('expand', name)
    return request<Found<T>>(`${base}${eventPath(place)}/${path}/?${search}`, {}, patience.other)
  }
  const orders = (place: SalesPlace, query: Readonly<Record<string, string>>) =>
    list<TillOrder>(place, 'orders', query, ['positions.item', 'positions.variation'])
  return {
    ...openSeatsApi(base),
    catalogue: (date) =>
      request(`${base}/api/v1/station/sale/${date === null ? '' : `?subevent=${date}`}`, {}, patience.other),
    price: (place, sale) => post(place, { ...sale, simulate: true }, {}),
    sell: (place, sale, key) => post(place, { ...sale, status: 'p' }, { 'x-idempotency-key': key }),
    find: (place, text) => orders(place, { search: text, ordering: '-datetime' }),
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
