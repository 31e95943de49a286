import { useSignal } from '@preact/signals'
import type { StaffRight } from '../../../schema/staff-rights.ts'
import type { ApiAnswer } from '../../api/requests.ts'
import { type GiveBackWay, type KeyedAct, openOrderApi, type TillOrder } from '../../api/sales-api.ts'
import type { SalesPlace } from '../../api/sales-place.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { decimalOf } from '../amounts.ts'
import { askUntilSaid } from '../ask-again.ts'
import { useTill } from '../context.ts'
import { isSilent } from '../till-sale.ts'
import { owedOf } from '../till-state.ts'
import style from './order-acts.module.css'

const api = openOrderApi()

/** What is done to an order, once for its key. */
type Act = (place: SalesPlace, attempt: KeyedAct) => Promise<ApiAnswer<unknown>>

/** What a cashier does to an order after it was sold: cancels it or parts of it, and gives money back. */
export function useOrderActs(order: TillOrder | null) {
  const { till, t } = useTill()
  const { desk } = useApp()
  const trouble = useSignal('')
  const done = useSignal('')
  const busy = useSignal(false)

  async function act(right: StaffRight, work: Act, words: string): Promise<void> {
    const place = desk.state.value.station?.settings
    if (!place || !order || busy.value) return
    busy.value = true
    const key = till.newKey()
    const answer = await till.staff.permitted(right, (stepUp) =>
      askUntilSaid(() => work(place, { key, stepUp })),
    )
    busy.value = false
    trouble.value = answer.ok ? '' : isSilent(answer.problem) ? t('order.not-said') : answer.problem.detail
    done.value = answer.ok ? words : ''
    till.lookAgain(order.code)
    await till.refresh()
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
  const card = order.payments.find(({ state, provider }) => state === 'confirmed' && provider === 'giftcard')
  const sum = decimalOf(owed)
  const give = (way: GiveBackWay, most = sum) => acts.giveBack(way, most, amount(most))
  return (
    <fieldset class={style.sure} aria-label={t('order.to-give-back')} data-owed={sum}>
      <p>
        {t('order.to-give-back')} <b>{amount(sum)}</b>
      </p>
      <Buttons>
        <Button kind="primary" disabled={acts.busy.value} onPress={() => void give('boxoffice')}>
          {t('order.back-in-cash')}
        </Button>
        <Button disabled={acts.busy.value} onPress={() => void give('cardterminal')}>
          {t('order.back-on-card')}
        </Button>
        {card && (
          <Button
            disabled={acts.busy.value}
            onPress={() => void give({ payment: card.local_id }, smaller(sum, card.amount))}
          >
            {t('order.back-on-gift-card')}
          </Button>
        )}
      </Buttons>
    </fieldset>
  )
}

const smaller = (one: string, other: string): string => (Number(one) <= Number(other) ? one : other)
