import { type ReadonlySignal, signal } from '@preact/signals'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { DrawerApi } from '../api/drawer-api.ts'
import type { Exchange, OrderApi, PricedExchange, TillOrder } from '../api/orders-api.ts'
import type { TillPaymentsApi } from '../api/payments-api.ts'
import type { ApiAnswer, Problem } from '../api/requests.ts'
import type { SalesApi } from '../api/sales-api.ts'
import type { Shortcut } from '../scanning/shortcuts.ts'
import { isLocked, type StaffDesk } from '../staff/staff-desk.ts'
import { openActs, type TillAct } from './acts.ts'
import { hundredthsOf } from './amounts.ts'
import { nextTill } from './next-till.ts'
import { openOrders } from './orders/till-orders.ts'
import { openPaymentParts, type PaymentParts } from './payment/payment-parts.ts'
import { openSale } from './payment/till-sale.ts'
import { openSeats, type TillSeats } from './seats/till-seats.ts'
import { openPricing } from './selling/pricing.ts'
import { openParking, type TillParking } from './selling/till-parking.ts'
import { readTill, storeTill, tillId } from './till-memory.ts'
import { initialTill, type TillEvent, type TillState } from './till-state.ts'
import type { TillTools } from './till-tools.ts'

/** The till at work: its state, and what cashiers do to it. */
export interface Till {
  /** By which the server knows it. */
  readonly id: string
  readonly state: ReadonlySignal<TillState>
  readonly send: (event: TillEvent) => void
  /** Asks what is sold, and what is left of it. */
  readonly refresh: () => Promise<void>
  /** Begins to take money for the basket, or hands out what costs nothing. */
  readonly pay: () => void
  /** Sells, with what was given in cash in hundredths, or null for a card. */
  readonly take: (given: number | null) => void
  /** Takes a part of what is to be paid before the rest. */
  readonly parts: PaymentParts
  /** Looks for orders by code, name, e-mail or the number of a card payment. */
  readonly find: (text: string) => void
  /** Shows the next of the orders that were found. */
  readonly showMore: () => Promise<void>
  /** Sells with a voucher, or without one again; answers why that cannot be, or null. */
  readonly redeem: (code: string | null) => Promise<Problem | null>
  /** Looks for the order of a ticket that was scanned, or redeems a voucher, or looks for whatever the code says. */
  readonly scanned: (code: string) => void
  /** Asks again for the order that is looked at. */
  readonly lookAgain: (code: string) => Promise<void>
  /** Those who work here. */
  readonly staff: StaffDesk
  /** Begins to take the money for the order that is looked at. */
  readonly payOrder: () => void
  /** What an order would be after an exchange. */
  readonly priceExchange: (code: string, exchange: Exchange) => Promise<ApiAnswer<TillOrder>>
  /** Begins to take the difference of an exchange, a decimal amount. */
  readonly payExchange: (exchange: PricedExchange, due: string) => void
  readonly seats: TillSeats
  /** Baskets that are put aside. */
  readonly parking: TillParking
  /** Does something at the server that needs a right, once. */
  readonly act: TillAct
  /** What is asked about the drawer, and about orders that were sold. */
  readonly drawers: DrawerApi
  readonly orders: OrderApi
  /** Hears a key that works anywhere. */
  readonly press: (shortcut: Shortcut) => void
}

/**
 * Runs a till: after each event, has the basket priced and what must outlive the page stored. A sale whose answer is lost
 * is asked again with the same key, also after the page was opened anew, until the server says what became of it.
 */
export function openTill(api: SalesApi, payments: TillPaymentsApi, tools: TillTools): Till {
  const state = signal(initialTill)
  const early = { api, tools, state, send: (event: TillEvent) => send(event) }
  const seats = openSeats(early)
  const price = openPricing(early)

  const send = (event: TillEvent): void => {
    const before = state.value.lines
    state.value = nextTill(state.value, event)
    // What was sold holds its seats itself; what is parked keeps them.
    if (event.type !== 'sold' && event.type !== 'parked') seats.giveBack(before, state.value.lines)
    storeTill(tools, state.value)
    void price()
  }

  async function refresh(): Promise<void> {
    const answer = await offerNow(api, state.value)
    if (answer.ok) send({ type: 'offered', catalogue: answer.value })
    else send({ type: 'not-offered', detail: answer.problem.detail })
    await parts.look()
  }

  async function redeem(code: string | null): Promise<Problem | null> {
    const answer = await api.catalogue(state.value.date, code)
    if (answer.ok) send({ type: 'redeeming', catalogue: answer.value })
    else if (code === null) send({ type: 'not-offered', detail: answer.problem.detail })
    return answer.ok ? null : answer.problem
  }

  const link = { api, payments, tools, state, send, refresh }
  const { take, ask } = openSale(link)
  const parts = openPaymentParts(link, () => take(null))
  const orders = openOrders(link)

  const pay = (): void => {
    send({ type: 'paying', key: tools.newId(), timeZone: tools.timeZone() })
    if (state.value.payment && hundredthsOf(state.value.payment.sale.total) === 0) take(null)
  }

  const { lines, payment } = readTill(tools)
  send({ type: 'restored', lines, payment })
  if (payment?.phase === 'asking') void ask()
  parts.resume()
  return {
    id: tillId(tools),
    state,
    send,
    refresh,
    pay,
    take,
    ...orders,
    parts,
    redeem,
    scanned(code) {
      if (state.value.payment) parts.scanned(code)
      else void orders.scanned(code, redeem)
    },
    seats,
    parking: openParking(early),
    staff: tools.staff,
    act: openActs(link),
    drawers: tools.drawers,
    orders: tools.orders,
    press: (shortcut) => pressed(shortcut, { send, pay, find: orders.find, staff: tools.staff }),
  }
}

/** What is sold now: without a voucher where that was used up, as by the sale that is still shown. */
async function offerNow(api: SalesApi, { date, voucher }: TillState): Promise<ApiAnswer<SaleCatalogue>> {
  const answer = await api.catalogue(date, voucher)
  return answer.ok || voucher === null ? answer : api.catalogue(date, null)
}

/** Does what a key that works anywhere stands for. */
function pressed(
  shortcut: Shortcut,
  { send, pay, find, staff }: Pick<Till, 'send' | 'pay' | 'find' | 'staff'>,
): void {
  // Somebody is asked who they are: their keys are not for the till.
  if (staff.state.value.question || isLocked(staff.state.value)) return
  if (shortcut === 'search') find('')
  else if (shortcut === 'pay') pay()
  else if (shortcut === 'drawer') send({ type: 'at-drawer', open: true })
  else if (shortcut === 'park') send({ type: 'parking', open: true })
  else if (shortcut === 'undo') send({ type: 'taken-off' })
  else if (shortcut === 'close') send({ type: 'back' })
}
