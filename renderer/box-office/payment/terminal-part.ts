import type { ShownTillPayment } from '../../../schema/bodies/till-payments.ts'
import type { ApiAnswer } from '../../api/requests.ts'
import type { TillLink } from '../till-tools.ts'
import { amountToPay, isAsked, isCharging, type PaymentPart } from './payment-state.ts'

/** Milliseconds between two looks at what the terminal is at. */
export const lookAgainEvery = 700

/** Has the terminal charge what is still to be paid; what it has charged is added as a part. */
export function openTerminalPart(link: TillLink, add: (part: PaymentPart) => void) {
  const { payments, tools, state, send } = link

  /** Believes what the server says of the payment that the terminal is asked for. */
  function hear(answer: ApiAnswer<ShownTillPayment>): void {
    const charging = state.value.payment?.charging
    if (!charging) return
    if (!answer.ok) {
      if (answer.problem.kind === 'refused' || answer.problem.kind === 'denied') {
        send({ type: 'charging', charging: null })
        send({ type: 'part-refused', detail: answer.problem.detail })
        // Nobody knows whether it was asked: the same payment is asked for again.
      } else tools.after(lookAgainEvery, () => void ask(charging.id))
      return
    }
    const { id, amount, progress, reason, reference } = answer.value
    if (id !== charging.id) return
    if (answer.value.state === 'paid') {
      // Where the server above enters the payment, it knows of it what it is told.
      const info = { till_payment: id, ...(reference === null ? {} : { reference }) }
      add({ id, way: 'terminal', amount, info })
    } else {
      send({ type: 'charging', charging: { id, amount, state: answer.value.state, reason, progress } })
      // The server asks about what is unknown by itself.
      if (answer.value.state !== 'declined') tools.after(lookAgainEvery, () => void see(id))
    }
  }

  async function see(id: string): Promise<void> {
    if (state.value.payment?.charging?.id === id && isCharging(state.value.payment.charging))
      hear(await payments.find(id))
  }

  /** Asked with the id of before, it is the same payment. */
  async function ask(id: string): Promise<void> {
    const { payment } = state.value
    if (payment?.charging?.id !== id) return
    const { key, sale } = payment
    const charge = { id, sale: key, amount: payment.charging.amount, basket: sale }
    hear(await tools.staff.permitted('sell', (stepUp) => payments.charge(charge, stepUp)))
  }

  return {
    hear,
    async charge(): Promise<void> {
      const { payment } = state.value
      if (!payment || isAsked(payment) || isCharging(payment.charging)) return
      const id = tools.newId()
      const amount = amountToPay(payment)
      send({ type: 'charging', charging: { id, amount, state: 'pending', reason: null, progress: null } })
      await ask(id)
    },
    async cancel(): Promise<void> {
      const { payment } = state.value
      if (payment?.charging) await payments.cancel(payment.charging.id)
    },
    resume(): void {
      const charging = state.value.payment?.charging ?? null
      if (charging && isCharging(charging)) void see(charging.id)
    },
  }
}
