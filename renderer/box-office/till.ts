import { type ReadonlySignal, signal } from '@preact/signals'
import type { TillPaymentsApi } from '../api/payments-api.ts'
import type { Problem } from '../api/requests.ts'
import type { SaleAnswer, SalesApi } from '../api/sales-api.ts'
import type { Shortcut } from '../scanning/shortcuts.ts'
import { decimalOf, hundredthsOf } from './amounts.ts'
import { basketPositions, cartsOf } from './basket.ts'
import { nextTill } from './next-till.ts'
import { openPaymentParts, type PaymentParts } from './payment/payment-parts.ts'
import { openSeats, type TillSeats } from './seats/till-seats.ts'
import { isLocked, type StaffDesk } from './staff/staff-desk.ts'
import { readTill, storeTill } from './till-memory.ts'
import { openOrders } from './till-orders.ts'
import { askAgainEvery, isSilent, openSale } from './till-sale.ts'
import {
  basketName,
  initialTill,
  objectionNow,
  pricedNow,
  type TillEvent,
  type TillState,
} from './till-state.ts'
import type { TillTools } from './till-tools.ts'

/** The till at work: its state, and what cashiers do to it. */
export interface Till {
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
  /** Looks for orders by code, name or e-mail. */
  readonly find: (text: string) => void
  /** Looks for the order of a ticket that was scanned, or whatever else the code says. */
  readonly scanned: (code: string) => void
  /** Asks again for the order that is looked at. */
  readonly lookAgain: (code: string) => void
  /** Those who work here. */
  readonly staff: StaffDesk
  /** Begins to take the money for the order that is looked at. */
  readonly payOrder: () => void
  readonly seats: TillSeats
  /** A key by which the server knows something that is done once. */
  readonly newKey: () => string
  /** Hears a key that works anywhere. */
  readonly press: (shortcut: Shortcut) => void
}

/**
 * Runs a till: after each event, has the basket priced and what must outlive the page stored. A sale whose answer is lost
 * is asked again with the same key, also after the page was opened anew, until the server says what became of it.
 */
export function openTill(api: SalesApi, payments: TillPaymentsApi, tools: TillTools): Till {
  const state = signal(initialTill)
  let pricing: string | null = null
  const seats = openSeats({ api, tools, state, send: (event) => send(event) })

  const send = (event: TillEvent): void => {
    const before = state.value.lines
    state.value = nextTill(state.value, event)
    // What was sold holds its seats itself.
    if (event.type !== 'sold') seats.giveBack(before, state.value.lines)
    storeTill(tools, state.value)
    void price()
  }

  async function refresh(): Promise<void> {
    const answer = await api.catalogue(state.value.date)
    if (answer.ok) send({ type: 'offered', catalogue: answer.value })
    else send({ type: 'not-offered', detail: answer.problem.detail })
    await parts.look()
  }

  async function price(): Promise<void> {
    const { lines, payment } = state.value
    const of = basketName(lines)
    const place = tools.place()
    if (!place || lines.length === 0 || payment || pricing !== null) return
    if (pricedNow(state.value) || objectionNow(state.value)) return
    pricing = of
    const positions = basketPositions(lines)
    const sale = { positions: positions.map(({ position }) => position), consume_carts: cartsOf(lines) }
    const answer = await api.price(place, sale)
    pricing = null
    const owners = positions.map(({ line }) => line)
    if (answer.ok) return send({ type: 'priced', priced: { of, ...sumsOf(answer.value, owners) } })
    if (isSilent(answer.problem)) return void tools.after(askAgainEvery, () => void price())
    send({ type: 'objected', objection: { of, ...objectionOf(answer.problem, owners) } })
  }

  const link = { api, payments, tools, state, send, refresh }
  const { take, ask } = openSale(link)
  const parts = openPaymentParts(link, () => take(null))
  const orders = openOrders(link)

  const pay = (): void => {
    send({ type: 'paying', key: tools.newId() })
    if (state.value.payment && hundredthsOf(state.value.payment.sale.total) === 0) take(null)
  }

  const { lines, payment } = readTill(tools)
  send({ type: 'restored', lines, payment })
  if (payment?.phase === 'asking') void ask()
  parts.resume()
  return {
    state,
    send,
    refresh,
    pay,
    take,
    ...orders,
    parts,
    scanned: (code) => (state.value.payment ? parts.scanned(code) : orders.scanned(code)),
    seats,
    staff: tools.staff,
    newKey: tools.newId,
    press: (shortcut) => pressed(shortcut, { send, pay, find: orders.find, staff: tools.staff }),
  }
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
  else if (shortcut === 'undo') send({ type: 'taken-off' })
  else if (shortcut === 'close') send({ type: 'back' })
}

function sumsOf({ total, positions }: SaleAnswer, owners: readonly string[]) {
  const sums = new Map<string, number>()
  for (const { positionid, price } of positions) {
    const owner = owners[positionid - 1] ?? ''
    sums.set(owner, (sums.get(owner) ?? 0) + hundredthsOf(price))
  }
  const lines = Object.fromEntries([...sums].map(([line, sum]) => [line, decimalOf(sum)]))
  return { total, lines }
}

/** The server's words about a basket: those about a line at the line, all others together. */
function objectionOf({ body, detail }: Problem, owners: readonly string[]) {
  const about: readonly unknown[] =
    body && 'positions' in body && Array.isArray(body.positions) ? body.positions : []
  const lines: Record<string, string> = {}
  for (const [index, words] of about.entries()) {
    const owner = owners[index]
    const text = wordsIn(words)
    if (owner !== undefined && text !== '') lines[owner] ??= text
  }
  return { general: Object.keys(lines).length > 0 ? '' : detail, lines }
}

/** The first text in a part of an answer. */
function wordsIn(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null) return ''
  for (const value of Object.values(part)) {
    const text = wordsIn(value)
    if (text !== '') return text
  }
  return ''
}
