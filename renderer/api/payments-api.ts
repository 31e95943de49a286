import type { ShownTillPayment, ShownTillPayments } from '../../schema/bodies/till-payments.ts'
import { stepUpHeaders } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import type { SalesPlace } from './sales-place.ts'

/** A gift card as a till looks at it; amounts are decimal. */
export interface FoundGiftCard {
  readonly secret: string
  readonly value: string
  readonly currency: string
  readonly expires: string | null
}

/** What is asked of the terminal; the basket is what is sold for it. */
export interface TerminalCharge {
  readonly id: string
  readonly sale: string
  readonly amount: string
  readonly basket: object
}

/** The requests of a till about money that is taken before there is a sale. None of them ever rejects. */
export interface TillPaymentsApi {
  /** Has the terminal asked; repeated with the same id, it says what became of that. */
  charge(charge: TerminalCharge, stepUp: string): Promise<ApiAnswer<ShownTillPayment>>
  find(id: string): Promise<ApiAnswer<ShownTillPayment>>
  /** What is charged without a sale, refused to go back, or not known. */
  unsettled(): Promise<ApiAnswer<ShownTillPayments>>
  ask(id: string): Promise<ApiAnswer<ShownTillPayment>>
  cancel(id: string): Promise<ApiAnswer<ShownTillPayment>>
  refund(id: string, stepUp: string): Promise<ApiAnswer<ShownTillPayment>>
  /** What somebody says became of it, and why. */
  decide(
    id: string,
    said: { readonly taken: boolean; readonly reason: string },
    stepUp: string,
  ): Promise<ApiAnswer<ShownTillPayment>>
  spent(id: string, order: string): Promise<ApiAnswer<ShownTillPayment>>
  /** The gift card with a code, where there is one. */
  giftCard(place: SalesPlace, code: string): Promise<ApiAnswer<FoundGiftCard | null>>
}

/** As long as a terminal may take to give money back. */
const terminalPatience = 120_000

/** How something is sent: how long it may take, and what a supervisor was given for it. */
interface Sending {
  readonly limit?: number
  readonly stepUp?: string
}

/** The requests against a server at `base` (empty for the page's own). */
export function openPaymentsApi(base = ''): TillPaymentsApi {
  const payments = `${base}/api/v1/station/payments/`
  const post = (path: string, body: object = {}, { limit = patience.other, stepUp = '' }: Sending = {}) =>
    request<ShownTillPayment>(
      payments + path,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...stepUpHeaders(stepUp) },
        body: JSON.stringify(body),
      },
      limit,
    )
  const one = (id: string, act = '') => `${encodeURIComponent(id)}/${act}`
  return {
    charge: (charge, stepUp) => post('', charge, { stepUp }),
    find: (id) => request(payments + one(id), {}, patience.other),
    unsettled: () => request(payments, {}, patience.other),
    ask: (id) => post(one(id, 'ask/'), {}, { limit: terminalPatience }),
    cancel: (id) => post(one(id, 'cancel/')),
    refund: (id, stepUp) => post(one(id, 'refund/'), {}, { limit: terminalPatience, stepUp }),
    decide: (id, said, stepUp) => post(one(id, 'decide/'), said, { stepUp }),
    spent: (id, order) => post(one(id, 'spent/'), { order }),
    async giftCard({ organizer }, code) {
      const query = new URLSearchParams({ secret: code, include_accepted: 'true' })
      const path = `${base}/api/v1/organizers/${encodeURIComponent(organizer)}/giftcards/?${query}`
      const found = await request<{ readonly results: readonly FoundGiftCard[] }>(path, {}, patience.other)
      return found.ok ? { ok: true, value: found.value.results[0] ?? null } : found
    },
  }
}
