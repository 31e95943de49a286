import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { SmallField } from '../parts/field.tsx'
import { decimalOf, likelyGiven, typed } from './amounts.ts'
import { useTill } from './context.ts'
import { GiftCardField } from './payment/gift-card.tsx'
import { TakenParts } from './payment/taken-parts.tsx'
import { Terminal } from './payment/terminal.tsx'
import style from './payment-panel.module.css'
import type { Till } from './till.ts'
import {
  amountToPay,
  holdsMoney,
  isCharging,
  type PaymentWay,
  stillToPay,
  type TillPayment,
} from './till-state.ts'

/** Takes the money for the basket. */
export function PaymentPanel() {
  const { till, state, t, amount } = useTill()
  const { payment } = state
  if (!payment) return null
  const isAsking = payment.phase === 'asking' || payment.phase === 'unanswered'
  return (
    <section class={style.payment} aria-label={t('till.payment')} data-phase={payment.phase}>
      <header>
        <h1>{t('till.to-pay', { amount: amount(amountToPay(payment)) })}</h1>
        {!isAsking && !holdsMoney(payment) && (
          <Button icon="back" onPress={() => till.send({ type: 'payment-closed' })}>
            {t('back')}
          </Button>
        )}
      </header>
      {payment.phase === 'refused' && (
        <div class={style.refused} role="alert">
          <strong>{t('till.refused')}</strong>
          <p>{payment.detail || t('till.refused.next')}</p>
        </div>
      )}
      {payment.phase === 'open' && payment.detail !== '' && <PartRefused detail={payment.detail} />}
      {isAsking ? <Asking payment={payment} /> : <Taking payment={payment} />}
    </section>
  )
}

/** Nobody knows yet whether it is sold: it goes on asking by itself. */
function Asking({ payment }: { readonly payment: TillPayment }) {
  const { t } = useTill()
  return (
    <div class={style.asking} role="status">
      <strong>{t('till.selling')}</strong>
      {payment.phase === 'unanswered' && <p>{t('till.unanswered')}</p>}
    </div>
  )
}

/** Why a part could not be taken, in the server's words or in ours. */
function PartRefused({ detail }: { readonly detail: string }) {
  const { t } = useTill()
  const own = detail === 'unknown-card' || detail === 'empty-card'
  return (
    <p class={style.refused} role="alert">
      {own ? t(`till.${detail}`) : detail}
    </p>
  )
}

/** The ways of paying: those that this station has. */
function useWays(): readonly PaymentWay[] {
  const { desk } = useApp()
  const hasTerminal = Boolean(desk.state.value.station?.settings?.terminal)
  return hasTerminal ? ['cash', 'terminal', 'card', 'giftcard'] : ['cash', 'card', 'giftcard']
}

function Taking({ payment }: { readonly payment: TillPayment }) {
  const { till, t } = useTill()
  const ways = useWays()
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
  return way === 'cash' ? <Cash payment={payment} /> : <Card payment={payment} />
}

const keys = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '0', '00'] as const

/** The keys of a keyboard as those on the screen; they may come faster than the screen is drawn. */
function listenToPad(till: Till): () => void {
  const press = (event: KeyboardEvent) => {
    const { payment } = till.state.value
    if (
      payment?.way !== 'cash' ||
      stillToPay(payment) === 0 ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey
    )
      return
    const { given } = payment
    const digit = keys.find((key) => key === event.key)
    if (digit) till.send({ type: 'given', given: typed(given, digit) })
    else if (event.key === 'Backspace') till.send({ type: 'given', given: Math.floor(given / 10) })
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      const total = stillToPay(payment)
      if (given === 0 || given >= total) till.take(given === 0 ? total : given)
    }
  }
  window.addEventListener('keydown', press)
  return () => window.removeEventListener('keydown', press)
}

/** Cash: the exact sum or a note with one press, anything else on the keypad. */
function Cash({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount } = useTill()
  const total = stillToPay(payment)
  const field = useRef<HTMLInputElement>(null)
  // Keys are typed into a field, where nobody takes them for those of a scanner.
  const focus = () => field.current?.focus()
  useLayoutEffect(focus, [])
  const { given } = payment
  const isEnough = given >= total
  useLayoutEffect(() => listenToPad(till), [till])
  return (
    <div class={style.cash}>
      <div class={style.notes}>
        <Button kind="primary" onPress={() => till.take(total)}>
          {t('till.exact')}
        </Button>
        {likelyGiven(total).map((sum) => (
          <Button key={sum} onPress={() => till.take(sum)}>
            {amount(decimalOf(sum))}
          </Button>
        ))}
      </div>
      <div class={style.pad}>
        <input
          ref={field}
          id="till-given"
          class={style.given}
          readOnly
          inputMode="none"
          aria-label={t('till.given')}
          value={amount(decimalOf(given))}
        />
        <div class={style.keys}>
          {keys.map((key) => (
            <button
              key={key}
              type="button"
              onClick={() => {
                till.send({ type: 'given', given: typed(given, key) })
                focus()
              }}
            >
              {key}
            </button>
          ))}
          <button
            type="button"
            aria-label={t('till.erase')}
            onClick={() => {
              till.send({ type: 'given', given: Math.floor(given / 10) })
              focus()
            }}
          >
            ⌫
          </button>
        </div>
        <p class={style.change} aria-live="polite">
          {given === 0
            ? t('till.type-given')
            : isEnough
              ? t('till.change', { amount: amount(decimalOf(given - total)) })
              : t('till.missing', { amount: amount(decimalOf(total - given)) })}
        </p>
        <Button kind="primary" disabled={!isEnough} onPress={() => till.take(given)}>
          {t('till.take')}
        </Button>
        {given > 0 && !isEnough && (
          <Button onPress={() => till.parts.takeCash(given)}>
            {t('till.part-cash', { amount: amount(decimalOf(given)) })}
          </Button>
        )}
      </div>
    </div>
  )
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
