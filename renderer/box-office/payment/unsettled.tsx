import type { ShownTillPayment } from '../../../schema/bodies/till-payments.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { clock } from '../../text/format.ts'
import { useTill } from '../context.ts'
import { Decisions } from './terminal.tsx'
import style from './unsettled.module.css'

/** What was charged without a sale, or may have been: it stays until each of them is settled. */
export function Unsettled() {
  const { state, t } = useTill()
  if (state.unsettled.length === 0 || state.payment) return null
  return (
    <section class={style.unsettled} aria-label={t('till.unsettled')} data-unsettled={state.unsettled.length}>
      <h2>{t('till.unsettled')}</h2>
      <ul>
        {state.unsettled.map((money) => (
          <Row key={money.id} money={money} />
        ))}
      </ul>
    </section>
  )
}

function Row({ money }: { readonly money: ShownTillPayment }) {
  const { till, t, amount, language } = useTill()
  const { desk } = useApp()
  const zone = desk.state.value.station?.settings?.timezone ?? 'UTC'
  const { id, reference } = money
  const sum = amount(money.amount)
  const isRefused = money.refund !== null
  const words =
    money.state === 'paid'
      ? isRefused
        ? 'kept'
        : 'charged'
      : money.state === 'pending'
        ? 'pending'
        : 'unknown'
  return (
    <li data-state={words}>
      <span>
        <strong>{sum}</strong> {clock(money.created, zone, language)} {reference} –{' '}
        {t(`till.unsettled.${words}`)}
      </span>
      {money.state === 'unknown' && <Decisions id={id} />}
      {money.state === 'paid' && (
        <Buttons>
          <Button onPress={() => void till.parts.refund(id)}>{t('till.refund-card')}</Button>
          {isRefused && (
            <Button onPress={() => void till.parts.decide(id, false, t('till.refunded-otherwise'))}>
              {t('till.refunded-otherwise')}
            </Button>
          )}
        </Buttons>
      )}
    </li>
  )
}
