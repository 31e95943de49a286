import { Button, Buttons } from '../../parts/button.tsx'
import { useTill } from '../context.ts'
import { amountToPay, type Charging, isCharging, type TillPayment } from './payment-state.ts'
import style from './terminal.module.css'

const reasons = ['declined', 'canceled', 'unreachable', 'busy', 'closed', 'stalled', 'garbled'] as const

/** Why a terminal has not charged, in the words of the screen. */
export function useReason(): (reason: string | null) => string {
  const { t } = useTill()
  return (reason) => t(`till.reason.${reasons.find((one) => one === reason) ?? 'other'}`)
}

/** A terminal that the till asks: what it is at, and what to do where nobody knows. */
export function Terminal({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount } = useTill()
  const { charging } = payment
  const reason = useReason()
  return (
    <div class={style.way} data-charging={charging?.state ?? 'none'}>
      {charging && isCharging(charging) ? (
        <AtIt charging={charging} />
      ) : (
        <>
          {charging && (
            <p class={style.declined} role="alert">
              <strong>{t('till.not-charged')}</strong> {reason(charging.reason)}
            </p>
          )}
          <Buttons>
            <Button kind="primary" onPress={() => void till.parts.charge()}>
              {t('till.charge', { amount: amount(amountToPay(payment)) })}
            </Button>
          </Buttons>
        </>
      )}
    </div>
  )
}

function AtIt({ charging }: { readonly charging: Charging }) {
  const { till, t, amount } = useTill()
  const reason = useReason()
  const sum = amount(charging.amount)
  if (charging.state === 'pending')
    return (
      <>
        <p role="status">{t('till.charging', { amount: sum })}</p>
        <Buttons>
          <Button icon="close" onPress={() => void till.parts.cancel()}>
            {t('till.give-up')}
          </Button>
        </Buttons>
      </>
    )
  return (
    <>
      <p role="alert">
        <strong>{t('till.charge-unknown', { amount: sum })}</strong> {reason(charging.reason)}
      </p>
      <p>{t('till.charge-unknown.next')}</p>
      <Decisions id={charging.id} />
    </>
  )
}

/** What can be done about a payment that nobody knows of. */
export function Decisions({ id }: { readonly id: string }) {
  const { till, t } = useTill()
  const decide = (taken: boolean) =>
    void till.parts.decide(id, taken, t(taken ? 'till.has-charged' : 'till.has-not'))
  return (
    <Buttons>
      <Button kind="primary" onPress={() => void till.parts.ask(id)}>
        {t('till.ask-terminal')}
      </Button>
      <Button icon="check" onPress={() => decide(true)}>
        {t('till.has-charged')}
      </Button>
      <Button icon="close" onPress={() => decide(false)}>
        {t('till.has-not')}
      </Button>
    </Buttons>
  )
}
