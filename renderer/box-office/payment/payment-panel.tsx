import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { SmallField } from '../../parts/field.tsx'
import { PageFrame } from '../../parts/page.tsx'
import { useTill } from '../context.ts'
import { CashPayment } from './cash-payment.tsx'
import { GiftCardField } from './gift-card.tsx'
import { InvoicePayment } from './invoice-payment.tsx'
import style from './payment-panel.module.css'
import {
  amountToPay,
  holdsMoney,
  isCharging,
  isUnpaidSale,
  type PaymentWay,
  stillToPay,
  type TillPayment,
} from './payment-state.ts'
import { TakenParts } from './taken-parts.tsx'
import { Terminal } from './terminal.tsx'

/** Takes the money for the basket. */
export function PaymentPanel() {
  const { till, state, t, amount } = useTill()
  const { payment } = state
  const why = useWhy(payment?.detail ?? '')
  if (!payment) return null
  const isAsking = payment.phase === 'asking' || payment.phase === 'unanswered'
  return (
    <PageFrame
      label={t('till.payment')}
      title={t('till.to-pay', { amount: amount(amountToPay(payment)) })}
      aside={
        !isAsking &&
        !holdsMoney(payment) && (
          <Button icon="back" onPress={() => till.send({ type: 'payment-closed' })}>
            {t('back')}
          </Button>
        )
      }
      data-phase={payment.phase}
    >
      <div class={style.payment}>
        {payment.phase === 'refused' && (
          <div class={style.refused} role="alert">
            <strong>{t('till.refused')}</strong>
            <p>{why || t('till.refused.next')}</p>
          </div>
        )}
        {payment.phase === 'open' && payment.detail !== '' && <PartRefused detail={payment.detail} />}
        {isAsking ? <Asking payment={payment} /> : <Taking payment={payment} />}
      </div>
    </PageFrame>
  )
}

/** Nobody knows yet whether it is sold: it goes on asking by itself. */
function Asking({ payment }: { readonly payment: TillPayment }) {
  const { t } = useTill()
  const why = useWhy(payment.detail)
  return (
    <div class={style.asking} role="status">
      <strong>{t('till.selling')}</strong>
      {payment.phase === 'unanswered' && <p>{t('till.unanswered')}</p>}
      {why !== '' && <p>{why}</p>}
    </div>
  )
}

const ownWords = ['unknown-card', 'empty-card', 'disk-full'] as const

/** Why something was not taken or sold, in our words where we have some, else in the server's. */
function useWhy(detail: string): string {
  const { t } = useTill()
  const own = ownWords.find((word) => word === detail)
  return own ? t(`till.${own}`) : detail
}

/** Why a part could not be taken. */
function PartRefused({ detail }: { readonly detail: string }) {
  return (
    <p class={style.refused} role="alert">
      {useWhy(detail)}
    </p>
  )
}

/** The ways of paying: those that this station has, and later where the event lets that. */
function useWays(payment: TillPayment): readonly PaymentWay[] {
  const { desk } = useApp()
  const { catalogue } = useTill().state
  const hasTerminal = Boolean(desk.state.value.station?.settings?.terminal)
  return [
    ...(hasTerminal
      ? (['cash', 'terminal', 'card', 'giftcard'] as const)
      : (['cash', 'card', 'giftcard'] as const)),
    ...(catalogue?.pays_later && isUnpaidSale(payment) ? (['invoice'] as const) : []),
  ]
}

function Taking({ payment }: { readonly payment: TillPayment }) {
  const { till, t } = useTill()
  const ways = useWays(payment)
  const isBusy = isCharging(payment.charging)
  return (
    <>
      <TakenParts payment={payment} />
      {stillToPay(payment) > 0 && (
        <>
          <fieldset class={style.ways} aria-label={t('till.way')} disabled={isBusy}>
            {ways.map((way) => (
              <button
                key={way}
                type="button"
                aria-pressed={payment.way === way}
                onClick={() => till.send({ type: 'way', way })}
              >
                {t(way === 'card' && ways.includes('terminal') ? 'till.card-by-hand' : `till.way.${way}`)}
              </button>
            ))}
          </fieldset>
          <Way payment={payment} />
        </>
      )}
    </>
  )
}

function Way({ payment }: { readonly payment: TillPayment }) {
  // What the terminal is at comes first, whatever was chosen since.
  const way = isCharging(payment.charging) ? 'terminal' : payment.way
  if (way === 'terminal') return <Terminal payment={payment} />
  if (way === 'giftcard') return <GiftCardField />
  if (way === 'invoice') return <InvoicePayment payment={payment} />
  return way === 'cash' ? <CashPayment payment={payment} /> : <Card payment={payment} />
}

/** A terminal that works by itself: the cashier says what it has done. */
function Card({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount } = useTill()
  return (
    <div class={style.card}>
      <p>{t('till.card', { amount: amount(amountToPay(payment)) })}</p>
      <label for="till-reference">
        <span>{t('till.reference')}</span>
        <SmallField
          id="till-reference"
          type="text"
          maxLength={190}
          value={payment.reference}
          onInput={(event) => till.send({ type: 'referred', reference: event.currentTarget.value })}
        />
      </label>
      <Buttons>
        <Button kind="primary" icon="check" onPress={() => till.take(null)}>
          {t('till.charged')}
        </Button>
        <Button icon="close" onPress={() => till.send({ type: 'way', way: 'cash' })}>
          {t('till.declined')}
        </Button>
      </Buttons>
    </div>
  )
}
