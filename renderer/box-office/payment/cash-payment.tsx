import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { decimalOf, likelyGiven, typed } from '../amounts.ts'
import { useTill } from '../context.ts'
import { denominationsOf } from '../drawer/denominations.ts'
import type { Till } from '../till.ts'
import style from './cash-payment.module.css'
import { stillToPay, type TillPayment } from './payment-state.ts'

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
export function CashPayment({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount, currency } = useTill()
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
        {likelyGiven(total, denominationsOf(currency).notes).map((sum) => (
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
