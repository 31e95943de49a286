import type { ShownTillPayment } from '../../../schema/bodies/till-payments.ts'
import type { ApiAnswer } from '../../api/requests.ts'
import { decimalOf, hundredthsOf } from '../amounts.ts'
import type { TillLink } from '../till-tools.ts'
import { isAsked, isCharging, type PaymentPart, stillToPay } from './payment-state.ts'
import { openTerminalPart } from './terminal-part.ts'

/** What cashiers do to take what is to be paid in several ways. */
export interface PaymentParts {
  /** Takes so much in cash, in hundredths, which is less than what is to be paid. */
  takeCash(given: number): void
  /** Takes what is on a gift card, or as much of it as is to be paid. */
  takeGiftCard(code: string): Promise<void>
  /** A code that was scanned while somebody pays: a gift card. */
  scanned(code: string): void
  /** Has the terminal charge what is still to be paid. */
  charge(): Promise<void>
  /** Asks the terminal to give up. */
  cancel(): Promise<void>
  /** Asks the terminal what became of a payment. */
  ask(id: string): Promise<void>
  /** Gives a part back. */
  giveBack(part: PaymentPart): Promise<void>
  /** Has the terminal give back what nothing was sold for. */
  refund(id: string): Promise<void>
  /** Says what became of a payment, where the terminal does not. */
  decide(id: string, taken: boolean, reason: string): Promise<void>
  /** Looks for what was charged without a sale. */
  look(): Promise<void>
  /** Goes on with what an earlier page was at. */
  resume(): void
}

/** Takes parts; `sell` is called once nothing is left to be paid. */
export function openPaymentParts(link: TillLink, sell: () => void): PaymentParts {
  const { payments, tools, state, send } = link
  const { staff } = tools
  const refund = (id: string) => staff.permitted('refund', (stepUp) => payments.refund(id, stepUp))

  function add(part: PaymentPart): void {
    send({ type: 'part-added', part })
    const { payment } = state.value
    if (payment && stillToPay(payment) === 0) sell()
  }

  async function look(): Promise<void> {
    const answer = await payments.unsettled()
    if (!answer.ok) return
    const { payment } = state.value
    const own = new Set([payment?.charging?.id, ...(payment?.parts ?? []).map(({ id }) => id)])
    send({ type: 'unsettled', unsettled: answer.value.results.filter(({ id }) => !own.has(id)) })
  }

  const { hear, ...terminal } = openTerminalPart(link, add)

  const takeGiftCard = (code: string) => spendGiftCard(link, add, code)

  async function settled(work: Promise<ApiAnswer<ShownTillPayment>>): Promise<void> {
    const answer = await work
    if (!answer.ok) send({ type: 'part-refused', detail: answer.problem.detail })
    else hear(answer)
    await look()
  }

  return {
    takeCash(given) {
      const { payment } = state.value
      if (!payment || given <= 0 || given >= stillToPay(payment)) return
      const amount = decimalOf(given)
      add({ id: tools.newId(), way: 'cash', amount, info: { given: amount, change: '0.00' } })
    },
    takeGiftCard,
    scanned(code) {
      // What its keys have typed as given is taken back.
      send({ type: 'given', given: 0 })
      void takeGiftCard(code)
    },
    ...terminal,
    ask: (id) => settled(payments.ask(id)),
    async giveBack(part) {
      if (part.way === 'terminal') {
        const answer = await refund(part.id)
        await look()
        if (!answer.ok) return send({ type: 'part-refused', detail: answer.problem.detail })
      }
      // What the terminal refuses to give back is listed as charged without a sale.
      send({ type: 'part-removed', id: part.id })
      await look()
    },
    refund: (id) => settled(refund(id)),
    decide: (id, taken, reason) =>
      settled(staff.permitted('refund', (stepUp) => payments.decide(id, { taken, reason }, stepUp))),
    look,
  }
}

/** Takes what is on a gift card, or as much of it as is to be paid. */
async function spendGiftCard(
  { payments, tools, state, send }: TillLink,
  add: (part: PaymentPart) => void,
  code: string,
): Promise<void> {
  const { payment } = state.value
  const place = tools.place()
  if (!payment || !place || isAsked(payment) || isCharging(payment.charging)) return
  const refuse = (detail: string): void => send({ type: 'part-refused', detail })
  const answer = await payments.giftCard(place, code.trim())
  if (!answer.ok) return refuse(answer.problem.detail)
  const card = answer.value
  if (!card) return refuse('unknown-card')
  const taken = payment.parts.some(({ info }) => info.gift_card_secret === card.secret)
  if (hundredthsOf(card.value) <= 0 || taken) return refuse('empty-card')
  const amount = decimalOf(Math.min(hundredthsOf(card.value), stillToPay(payment)))
  add({ id: tools.newId(), way: 'giftcard', amount, info: { gift_card_secret: card.secret } })
}
