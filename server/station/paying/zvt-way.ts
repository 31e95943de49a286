import {
  type TerminalVerdict,
  verdictOf,
  verdictOfRepeated,
  type ZvtEnding,
} from '../../domain/terminals/terminal-answers.ts'
import { digitBytes, type ZvtStatus, zvt } from '../../domain/terminals/zvt-packets.ts'
import type { Env } from '../../env.ts'
import type { TerminalPlace } from '../../services/devices/station-settings.ts'
import type { StartedPayment, TillPaymentWay, WayAnswer, WayRefund } from './payment-way.ts'
import { askTerminal, currencyField, passwordBytes } from './zvt-link.ts'

/** Milliseconds without a word while a guest pays, and while something short is asked. */
const patience = { paying: 90_000, short: 20_000 } as const

/** What a terminal needs beside itself. */
interface ZvtParts {
  readonly env: Env
  /** The terminal of this station; null where none is set. */
  readonly place: () => Promise<TerminalPlace | null>
  /** Whether another payment of this station is known by the numbers of a status. */
  readonly isAnothers: (payment: StartedPayment, status: ZvtStatus) => Promise<boolean>
}

/** Milliseconds for which a terminal may still be at a payment that it has lost the till of. */
const longestAtIt = 60_000

const referenceOf = ({ terminal, receipt, trace }: ZvtStatus): string =>
  [terminal, receipt, trace].map((number) => number ?? '?').join('-')

const answerOf = ({ state, reason, status }: TerminalVerdict): WayAnswer => ({
  state,
  reason,
  ...(status && state === 'paid'
    ? {
        reference: referenceOf(status),
        details: {
          receipt: status.receipt,
          trace: status.trace,
          terminal: status.terminal,
          card: status.card,
        },
      }
    : {}),
})

/** When a payment was begun, in digits as a terminal shows its clock. */
function digitsOf(begun: string): { readonly date: number; readonly time: number } {
  const at = new Date(begun)
  return {
    date: (at.getMonth() + 1) * 100 + at.getDate(),
    time: at.getHours() * 10_000 + at.getMinutes() * 100 + at.getSeconds(),
  }
}

/** A card terminal that is reached by the protocol ZVT. */
export function zvtWay({ env, place, isAnothers }: ZvtParts): TillPaymentWay {
  const talks = new Map<string, () => void>()

  async function last(there: TerminalPlace): Promise<ZvtEnding> {
    const data = passwordBytes(there)
    return askTerminal(env, there, { code: zvt.repeatReceipt, data, patience: patience.short }).ended
  }

  return {
    id: 'terminal',
    async start(payment, progress) {
      const there = await place()
      if (!there) return { state: 'declined', reason: 'unreachable' }
      const { amount, currency } = payment
      const talk = askTerminal(env, there, {
        code: zvt.authorisation,
        data: [0x04, ...digitBytes(amount, 6), ...currencyField(currency)],
        patience: patience.paying,
        onProgress: progress,
      })
      talks.set(payment.id, talk.cancel)
      const ending = await talk.ended
      talks.delete(payment.id)
      return answerOf(verdictOf(ending, amount))
    },
    async ask(payment) {
      if (talks.has(payment.id)) return { state: 'pending', reason: null }
      const there = await place()
      if (!there) return { state: 'unknown', reason: 'unreachable' }
      const ending = await last(there)
      const status = ending.kind === 'completed' || ending.kind === 'aborted' ? ending.status : null
      const isOthers = status !== null && (await isAnothers(payment, status))
      // What it did before proves nothing while it may still be at this one.
      if (isOthers && env.now() - Date.parse(payment.created) < longestAtIt)
        return { state: 'unknown', reason: 'busy' }
      const asked = { amount: payment.amount, ...digitsOf(payment.created), isAnothers: () => isOthers }
      return answerOf(verdictOfRepeated(ending, asked))
    },
    cancel(payment) {
      talks.get(payment.id)?.()
      return Promise.resolve()
    },
    async refund({ amount, details, currency }): Promise<WayRefund> {
      const there = await place()
      if (!there) return { state: 'refused', reason: 'unreachable' }
      const { receipt } = details
      const ending = await askTerminal(env, there, {
        ...(typeof receipt === 'number'
          ? { code: zvt.reversal, data: [...passwordBytes(there), 0x87, ...digitBytes(receipt, 2)] }
          : {
              code: zvt.refund,
              data: [...passwordBytes(there), 0x04, ...digitBytes(amount, 6), ...currencyField(currency)],
            }),
        patience: patience.paying,
      }).ended
      const { state, reason } = verdictOf(ending, amount)
      if (state === 'paid') return { state: 'done', reason: null }
      return state === 'declined' ? { state: 'refused', reason } : { state: 'unknown', reason }
    },
  }
}
