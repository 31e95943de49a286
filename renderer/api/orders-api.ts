import type { Multilingual } from '../../schema/multilingual.ts'
import { attemptHeaders, type KeyedAct } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'

/** A position of an order that was found. */
export interface FoundLine {
  readonly id: number
  readonly item: { readonly id: number; readonly name: Multilingual } | number
  readonly variation: { readonly id: number; readonly value: Multilingual } | number | null
  readonly subevent: number | null
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

/** How money goes back: in cash, by a terminal that works by itself, or to where a payment came from, by its number. */
export type GiveBackWay = 'boxoffice' | 'cardterminal' | { readonly payment: number }

/** Money that was taken for an order. */
export interface OrderPaymentInput {
  readonly amount: string
  readonly provider: 'boxoffice' | 'cardterminal' | 'giftcard'
  readonly info: Readonly<Record<string, string>>
}

/** What a ticket of an order becomes. */
export interface Exchange {
  /** The id of the position. */
  readonly position: number
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
}

/** An exchange whose price is known: what the order costs then, and how the difference moves, as decimal amounts. */
export interface PricedExchange extends Exchange {
  readonly total: string
  readonly paidBy?: readonly OrderPaymentInput[]
  readonly back?: { readonly way: GiveBackWay; readonly amount: string }
}

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
  /** What an order would be after an exchange. */
  priceExchange(place: SalesPlace, code: string, exchange: Exchange): Promise<ApiAnswer<TillOrder>>
  /** Exchanges a ticket, and takes or gives back the difference with that. */
  exchange(
    place: SalesPlace,
    code: string,
    exchange: PricedExchange,
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
    priceExchange: (place, code, exchange) =>
      request<TillOrder>(
        `${base}${eventPath(place)}/${order(code)}/change/?simulate=true`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(patched(exchange)),
        },
        patience.slow,
      ),
    exchange: (place, code, { total, paidBy = [], back, ...exchange }, attempt) =>
      request<unknown>(
        `${base}${eventPath(place)}/${order(code)}/change/${back ? '?refund=true' : ''}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...attemptHeaders(attempt) },
          body: JSON.stringify({
            ...patched(exchange),
            expected_total: total,
            paid_by: paidBy,
            refund_by: back ? [refundOf(back)] : [],
          }),
        },
        patience.slow,
      ),
    resend: (place, code, attempt) => send(place, `${order(code)}/resend_link`, attempt, {}),
  }
}

const patched = ({ position, ...body }: Exchange) => ({
  reprice: true,
  patch_positions: [{ position, body }],
})

const refundOf = ({ way, amount }: NonNullable<PricedExchange['back']>) =>
  typeof way === 'object'
    ? { provider: 'giftcard', payment: way.payment, amount }
    : { provider: way, payment: null, amount }

/** Where the tickets of an order are to be had as a file. */
export const ticketsAddress = ({ organizer, event }: SalesPlace, code: string): string =>
  `${eventPath({ organizer, event })}/orders/${encodeURIComponent(code)}/download/pdf/`
