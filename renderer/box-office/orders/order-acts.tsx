import { useSignal } from '@preact/signals'
import type { StaffRight } from '../../../schema/staff-rights.ts'
import type { GiveBackWay, PricedExchange, TillOrder } from '../../api/orders-api.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import type { KeyedRequest } from '../acts.ts'
import { decimalOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import { isSilent } from '../payment/till-sale.ts'
import style from './order-acts.module.css'
import { owedOf } from './order-state.ts'

/** What a cashier does to an order after it was sold: cancels it or parts of it, and gives money back. */
export function useOrderActs(order: TillOrder | null) {
  const { till, t } = useTill()
  const { orders: api } = till
  const trouble = useSignal('')
  const done = useSignal('')
  const busy = useSignal(false)

  async function act(right: StaffRight, work: KeyedRequest<unknown>, words: string): Promise<void> {
    if (!order || busy.value) return
    busy.value = true
    const answer = await till.act(right, work)
    busy.value = false
    trouble.value = answer.ok ? '' : isSilent(answer.problem) ? t('order.not-said') : answer.problem.detail
    done.value = answer.ok ? words : ''
    await till.lookAgain(order.code)
  }

  return {
    trouble,
    done,
    busy,
    cancelOrder: () =>
      act(
        'cancel',
        (place, attempt) => api.cancel(place, order?.code ?? '', attempt),
        t('order.canceled', { code: order?.code ?? '' }),
      ),
    cancelPosition: (id: number) =>
      act('cancel', (place, attempt) => api.cancelPosition(place, id, attempt), t('order.position-canceled')),
    giveBack: (way: GiveBackWay, amount: string, written: string) =>
      act(
        'refund',
        (place, attempt) => api.giveBack(place, order?.code ?? '', { way, amount }, attempt),
        t('order.given-back', { amount: written }),
      ),
    /** Exchanges a ticket for one that costs the same, or less. */
    exchange: (exchange: PricedExchange, words: string) =>
      act(
        exchange.back ? 'refund' : 'cancel',
        (place, attempt) => api.exchange(place, order?.code ?? '', exchange, attempt),
        words,
      ),
    resend: () =>
      act('sell', (place, attempt) => api.resend(place, order?.code ?? '', attempt), t('order.sent')),
  }
}

/** What a cashier does to an order. */
export type OrderActs = ReturnType<typeof useOrderActs>

interface Props {
  readonly order: TillOrder
  readonly acts: OrderActs
}

/** What is left to be done about an order: money to give back first, then what is rarely wanted. */
export function OrderAfterwards({ order, acts }: Props) {
  const { t } = useTill()
  const isSure = useSignal(false)
  const mayCancel = order.status !== 'c' && owedOf(order) === 0
  return (
    <>
      {acts.trouble.value !== '' && (
        <p class={style.trouble} role="alert">
          {acts.trouble}
        </p>
      )}
      {acts.done.value !== '' && (
        <p class={style.done} role="status">
          {acts.done}
        </p>
      )}
      <GivingBack order={order} acts={acts} />
      {isSure.value ? (
        <fieldset class={style.sure} aria-label={t('order.cancel')}>
          <p>{t('order.cancel-sure')}</p>
          <Buttons>
            <Button
              kind="primary"
              disabled={acts.busy.value}
              onPress={() => {
                isSure.value = false
                void acts.cancelOrder()
              }}
            >
              {t('order.cancel')}
            </Button>
            <Button
              onPress={() => {
                isSure.value = false
              }}
            >
              {t('back')}
            </Button>
          </Buttons>
        </fieldset>
      ) : (
        <Buttons>
          {order.email && (
            <Button icon="next" disabled={acts.busy.value} onPress={() => void acts.resend()}>
              {t('order.resend')}
            </Button>
          )}
          {mayCancel && (
            <Button
              icon="close"
              disabled={acts.busy.value}
              onPress={() => {
                isSure.value = true
              }}
            >
              {t('order.cancel')}
            </Button>
          )}
        </Buttons>
      )}
    </>
  )
}

/** Money that an order has had too much, given back in one of the ways in which money goes. */
function GivingBack({ order, acts }: Props) {
  const { t, amount } = useTill()
  const owed = owedOf(order)
  if (owed === 0) return null
  const sum = decimalOf(owed)
  return (
    <fieldset class={style.sure} aria-label={t('order.to-give-back')} data-owed={sum}>
      <p>
        {t('order.to-give-back')} <b>{amount(sum)}</b>
      </p>
      <WaysBack
        order={order}
        owed={sum}
        disabled={acts.busy.value}
        onChoose={(way, most) => void acts.giveBack(way, most, amount(most))}
      />
    </fieldset>
  )
}

interface WaysBackProps {
  readonly order: TillOrder
  /** What is to go back, as a decimal amount. */
  readonly owed: string
  readonly disabled: boolean
  /** Whether it goes back in one way, all of it. */
  readonly whole?: boolean
  readonly onChoose: (way: GiveBackWay, amount: string) => void
}

/** The ways in which money of an order goes back: a gift card gets no more than it has paid. */
export function WaysBack({ order, owed, disabled, whole = false, onChoose }: WaysBackProps) {
  const { t } = useTill()
  const card = order.payments.find(
    ({ state, provider, amount }) =>
      state === 'confirmed' && provider === 'giftcard' && (!whole || Number(amount) >= Number(owed)),
  )
  return (
    <Buttons>
      <Button kind="primary" disabled={disabled} onPress={() => onChoose('boxoffice', owed)}>
        {t('order.back-in-cash')}
      </Button>
      <Button disabled={disabled} onPress={() => onChoose('cardterminal', owed)}>
        {t('order.back-on-card')}
      </Button>
      {card && (
        <Button
          disabled={disabled}
          onPress={() => onChoose({ payment: card.local_id }, smaller(owed, card.amount))}
        >
          {t('order.back-on-gift-card')}
        </Button>
      )}
    </Buttons>
  )
}

const smaller = (one: string, other: string): string => (Number(one) <= Number(other) ? one : other)
