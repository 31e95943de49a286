import { type ReadonlySignal, signal } from '@preact/signals'
import type { ApiAnswer, Problem } from '../api/requests.ts'
import type { SaleAnswer, SaleInput, SalesApi, SalesPlace } from '../api/sales-api.ts'
import { decimalOf, hundredthsOf } from './amounts.ts'
import { type BasketLine, basketPositions } from './basket.ts'
import { nextTill } from './next-till.ts'
import {
  basketName,
  initialTill,
  objectionNow,
  pricedNow,
  type TillEvent,
  type TillPayment,
  type TillState,
} from './till-state.ts'

/** What a till needs beside the server. */
interface TillTools {
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly after: (milliseconds: number, then: () => void) => () => void
  /** What outlives the page. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The event that is sold for; null where the station is not set up. */
  readonly place: () => SalesPlace | null
}

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
  /** Hears that a code was scanned. */
  readonly scanned: () => void
}

const memoryKey = 'gatehouse.till'
/** Milliseconds after which a basket that nobody touched is given up. */
export const basketKept = 30 * 60_000
/** Milliseconds that a note stays. */
const noticeFor = 6000
/** Milliseconds between two questions whether something was sold. */
export const askAgainEvery = 2000

/**
 * Runs a till: after each event, has the basket priced and what must outlive the page stored. A sale whose answer is lost
 * is asked again with the same key, also after the page was opened anew, until the server says what became of it.
 */
export function openTill(api: SalesApi, tools: TillTools): Till {
  const state = signal(initialTill)
  let pricing: string | null = null

  const send = (event: TillEvent): void => {
    state.value = nextTill(state.value, event)
    store(tools, state.value)
    void price()
  }

  async function refresh(): Promise<void> {
    const answer = await api.catalogue(state.value.date)
    if (answer.ok) send({ type: 'offered', catalogue: answer.value })
    else send({ type: 'not-offered', detail: answer.problem.detail })
  }

  async function price(): Promise<void> {
    const { lines, payment } = state.value
    const of = basketName(lines)
    const place = tools.place()
    if (!place || lines.length === 0 || payment || pricing !== null) return
    if (pricedNow(state.value) || objectionNow(state.value)) return
    pricing = of
    const positions = basketPositions(lines)
    const answer = await api.price(place, { positions: positions.map(({ position }) => position) })
    pricing = null
    const owners = positions.map(({ line }) => line)
    if (answer.ok) return send({ type: 'priced', priced: { of, ...sumsOf(answer.value, owners) } })
    if (isSilent(answer.problem)) return void tools.after(askAgainEvery, () => void price())
    send({ type: 'objected', objection: { of, ...objectionOf(answer.problem, owners) } })
  }

  const { take, ask } = openSale({ api, tools, state, send, refresh })

  const { lines, payment } = restored(tools)
  send({ type: 'restored', lines, payment })
  if (payment?.phase === 'asking') void ask()
  return {
    state,
    send,
    refresh,
    pay() {
      send({ type: 'paying', key: tools.newId() })
      if (state.value.payment && hundredthsOf(state.value.payment.sale.total) === 0) take(null)
    },
    take,
    scanned() {
      send({ type: 'scanned', on: true })
      tools.after(noticeFor, () => send({ type: 'scanned', on: false }))
    },
  }
}

interface SaleParts extends Pick<Till, 'state' | 'send' | 'refresh'> {
  readonly api: SalesApi
  readonly tools: TillTools
}

/** Takes the money: asks the server to sell, until it has said what became of that. */
function openSale({ api, tools, state, send, refresh }: SaleParts) {
  function take(given: number | null): void {
    if (!state.value.payment || isAsked(state.value.payment)) return
    send({ type: 'taken', given })
    void ask()
  }

  async function ask(): Promise<void> {
    const { payment } = state.value
    const place = tools.place()
    if (!payment || !place) return
    const answer = await api.sell(place, saleInput(payment), payment.key)
    if (state.value.payment?.key !== payment.key) return
    if (answer.ok) {
      send({ type: 'sold', code: answer.value.code })
      return refresh()
    }
    if (isSilent(answer.problem)) {
      send({ type: 'unanswered' })
      tools.after(askAgainEvery, () => void ask())
      return
    }
    send({ type: 'refused', detail: whyRefused(answer), key: tools.newId() })
    await refresh()
  }

  return { take, ask }
}

const providers = { cash: 'boxoffice', card: 'cardterminal' } as const

function saleInput({ sale, way, given, reference }: TillPayment): SaleInput {
  const { positions, total } = sale
  const input = { positions, expected_total: total }
  if (hundredthsOf(total) === 0) return input
  const change = decimalOf(Math.max(0, given - hundredthsOf(total)))
  const paid: Record<string, string> =
    way === 'card' ? (reference === '' ? {} : { reference }) : { given: decimalOf(given), change }
  return { ...input, payment_provider: providers[way], payment_info: paid }
}

/** Whether the server has not said what became of something: it is not there, broken, busy, or still at it. */
const isSilent = ({ kind, status }: Problem): boolean =>
  kind === 'unreachable' || kind === 'broken' || status === 409 || status === 429

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

const whyRefused = (answer: ApiAnswer<unknown>): string => (answer.ok ? '' : answer.problem.detail)

/** What is remembered of a till for the next page. */
interface Stored {
  readonly at: number
  readonly lines: readonly BasketLine[]
  readonly payment: TillPayment | null
}

/** What was asked without an answer is asked again; a payment that was only prepared begins anew. */
const isAsked = (payment: TillPayment | null): boolean =>
  payment?.phase === 'asking' || payment?.phase === 'unanswered'

function store({ memory, now }: TillTools, { lines, payment }: TillState): void {
  const kept: Stored = { at: now(), lines, payment: isAsked(payment) ? payment : null }
  if (lines.length === 0 && kept.payment === null) memory.removeItem(memoryKey)
  else memory.setItem(memoryKey, JSON.stringify(kept))
}

function restored({ memory, now }: TillTools): Omit<Stored, 'at'> {
  try {
    const { at, lines, payment } = JSON.parse(memory.getItem(memoryKey) ?? '{}') as Partial<Stored>
    const asked = payment ? { ...payment, phase: 'asking' as const } : null
    const isFresh = asked !== null || now() - (at ?? 0) < basketKept
    return { lines: isFresh ? (lines ?? []) : [], payment: asked }
  } catch {
    return { lines: [], payment: null }
  }
}
