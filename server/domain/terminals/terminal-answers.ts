import type { ZvtStatus } from './zvt-packets.ts'

/** What has become of money that was asked for. `unknown`: it may have been taken. */
export type PaidState = 'paid' | 'declined' | 'pending' | 'unknown'

/** How talking with a terminal has ended. */
export type ZvtEnding =
  /** It has done what was asked. */
  | { readonly kind: 'completed'; readonly status: ZvtStatus | null }
  /** It has given up, and says why by a number. */
  | { readonly kind: 'aborted'; readonly code: number; readonly status: ZvtStatus | null }
  /** It never began. */
  | { readonly kind: 'refused'; readonly code: number }
  /** Nothing was asked of it, for it was not there. */
  | { readonly kind: 'unreachable' }
  /** It was asked, and nobody knows what it has done. */
  | { readonly kind: 'lost'; readonly why: 'closed' | 'stalled' | 'garbled' }

/** Why money was not taken, or is not known to be, as a word. */
export type TerminalReason =
  | 'declined'
  | 'canceled'
  | 'unreachable'
  | 'busy'
  | 'closed'
  | 'stalled'
  | 'garbled'
  | 'other'

/** What a terminal's answer means for a payment. */
export interface TerminalVerdict {
  readonly state: PaidState
  readonly reason: TerminalReason | null
  readonly status: ZvtStatus | null
}

/** Given up by a key or by time; and what a terminal answers while it is busy. */
const abortKey = 0x6c
const busyCode = 0x9c

const verdict = (
  state: PaidState,
  reason: TerminalReason | null,
  status: ZvtStatus | null = null,
): TerminalVerdict => ({ state, reason, status })

/** What has become of a payment that a terminal was asked for. */
export function verdictOf(ending: ZvtEnding, amount: number): TerminalVerdict {
  switch (ending.kind) {
    case 'unreachable':
      return verdict('declined', 'unreachable')
    case 'refused':
      return verdict('declined', ending.code === busyCode ? 'busy' : 'declined')
    case 'lost':
      return verdict('unknown', ending.why)
    case 'aborted':
      // It says that it has charged the card, and that it has not.
      if (ending.status?.result === 0) return verdict('unknown', 'garbled', ending.status)
      return verdict('declined', ending.code === abortKey ? 'canceled' : 'declined', ending.status)
    default: {
      const { status } = ending
      if (status === null || status.result === null) return verdict('unknown', 'garbled', status)
      if (status.result !== 0) return verdict('declined', 'declined', status)
      return status.amount !== null && status.amount !== amount
        ? verdict('unknown', 'other', status)
        : verdict('paid', null, status)
    }
  }
}

/** A payment that is asked about, and what else is known of its terminal. */
export interface AskedPayment {
  readonly amount: number
  /** When it was begun: month, day, hour, minute and second in the terminal's time zone, as digits. */
  readonly date: number
  readonly time: number
  /** Whether another payment is known by the numbers of a status. */
  readonly isAnothers: (status: ZvtStatus) => boolean
}

/** Seconds by which a terminal's clock may be behind. */
const clockError = 120

const secondsOf = (time: number): number =>
  Math.floor(time / 10_000) * 3600 + (Math.floor(time / 100) % 100) * 60 + (time % 100)

const isBefore = ({ date, time }: ZvtStatus, asked: AskedPayment): boolean =>
  date === asked.date && time !== null && secondsOf(time) < secondsOf(asked.time) - clockError

/**
 * What has become of a payment, by what a terminal repeats of its last one. Only what must be the payment is taken for it,
 * and only what cannot be it proves that nothing was taken.
 */
export function verdictOfRepeated(ending: ZvtEnding, asked: AskedPayment): TerminalVerdict {
  const status = ending.kind === 'completed' || ending.kind === 'aborted' ? ending.status : null
  if (ending.kind === 'unreachable') return verdict('unknown', 'unreachable')
  if (ending.kind === 'lost') return verdict('unknown', ending.why)
  if (ending.kind === 'refused' && ending.code === busyCode) return verdict('unknown', 'busy')
  // The last payment of the terminal is one that is settled: after it nothing was taken.
  if (status && asked.isAnothers(status)) return verdict('declined', 'declined')
  if (!status || status.result === null || status.amount !== asked.amount || isBefore(status, asked))
    return verdict('unknown', 'other')
  return status.result === 0 ? verdict('paid', null, status) : verdict('declined', 'declined', status)
}
