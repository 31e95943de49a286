import type { CustomerDisplay } from '../../../schema/bodies/customer-display.ts'
import { decimalOf } from '../amounts.ts'
import { stillToPay, type TillPayment } from '../payment/payment-state.ts'
import { type LineVoice, lineWords } from '../selling/line-words.ts'
import { pricedNow, type TillState } from '../till-state.ts'

/** Where something is sold, and in which language. */
interface Surroundings extends LineVoice {
  readonly event: string
  /** Nobody sells here at the moment. */
  readonly isClosed: boolean
}

/** What the guest in front of a till sees of it: what is bought, what it costs, what was given and goes back. */
export function shownToGuest(state: TillState, { event, isClosed, ...voice }: Surroundings): CustomerDisplay {
  const { payment, sold, catalogue } = state
  const quiet: CustomerDisplay = {
    phase: 'idle',
    locale: voice.language,
    currency: catalogue?.currency ?? 'EUR',
    event_name: event,
    lines: [],
    ...{ total: null, due: null, given: null, change: null },
  }
  if (isClosed) return quiet
  if (payment) {
    const lines = payment.sale.order === null ? linesOf(state, voice) : []
    return { ...quiet, phase: 'paying', lines, total: payment.sale.total, ...moneyOf(payment) }
  }
  if (state.lines.length > 0)
    return { ...quiet, phase: 'basket', lines: linesOf(state, voice), total: pricedNow(state)?.total ?? null }
  if (!sold) return quiet
  const { total, given, change } = sold
  return { ...quiet, phase: 'sold', total, given: inDecimals(given), change: inDecimals(change) }
}

const inDecimals = (hundredths: number | null): string | null =>
  hundredths === null ? null : decimalOf(hundredths)

function linesOf(state: TillState, voice: LineVoice): CustomerDisplay['lines'] {
  const prices = pricedNow(state)?.lines
  return state.lines.map((line) => ({
    ...lineWords(line, state.catalogue, voice),
    count: line.count,
    amount: prices?.[line.key] ?? null,
  }))
}

/** What is still to be paid, where a part of it is there, and the cash that is handed over. */
function moneyOf(payment: TillPayment): Pick<CustomerDisplay, 'due' | 'given' | 'change'> {
  const due = stillToPay(payment)
  const given = payment.way === 'cash' && payment.given > 0 ? payment.given : null
  return {
    due: payment.parts.length > 0 ? decimalOf(due) : null,
    given: inDecimals(given),
    change: given !== null && given >= due ? decimalOf(given - due) : null,
  }
}
