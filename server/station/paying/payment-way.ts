import type { JsonObject } from '../../../schema/fields.ts'
import type { PaidState } from '../../domain/terminals/terminal-answers.ts'

/** A payment as a way of paying sees it; the amount is in hundredths. */
export interface StartedPayment {
  readonly id: string
  readonly amount: number
  readonly currency: string
  /** When it was begun. */
  readonly created: string
  /** What is known of it: what was said when it began, and what the way itself has said since. */
  readonly details: JsonObject
}

/** What a way of paying says of a payment. */
export interface WayAnswer {
  readonly state: PaidState
  /** Why it is not paid, or not known to be, as a word. */
  readonly reason: string | null
  /** By what the payment is found where the money is. */
  readonly reference?: string
  /** What is stored with the payment. */
  readonly details?: JsonObject
}

/** What has become of money that is to go back. */
export interface WayRefund {
  readonly state: 'done' | 'refused' | 'unknown'
  readonly reason: string | null
}

/**
 * A way of taking money before there is a sale. Payments are stored before it is started. Whoever could not be asked has
 * not refused: such a payment is unknown, and is asked about again as the same payment.
 */
export interface TillPaymentWay {
  readonly id: string
  /** Takes money; resolves once something is known of it. */
  start(payment: StartedPayment, progress: (step: number) => void): Promise<WayAnswer>
  /** What has become of a payment. */
  ask(payment: StartedPayment): Promise<WayAnswer>
  /** Asks to give it up; what comes of that is said by `start`. */
  cancel(payment: StartedPayment): Promise<void>
  /** Gives all of a payment back. */
  refund(payment: StartedPayment): Promise<WayRefund>
}
