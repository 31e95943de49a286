import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ParkedBasket } from '../../../schema/bodies/parked-baskets.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { LabelledField } from '../../parts/field.tsx'
import { tillShortcuts } from '../../scanning/shortcuts.ts'
import { clock, count } from '../../text/format.ts'
import { useTill } from '../context.ts'
import style from './parked-baskets.module.css'

/** Asks by which name the basket is found again, and parks it. */
export function ParkingForm() {
  const { till, t } = useTill()
  const name = useSignal('')
  const message = useSignal('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  async function park() {
    message.value = ''
    if (name.value.trim() !== '') message.value = await till.parking.park(name.value.trim())
  }
  return (
    <form
      ref={form}
      class={style.parking}
      onSubmit={(event) => {
        event.preventDefault()
        void park()
      }}
    >
      <LabelledField
        id="till-park"
        label={t('till.park-name')}
        text={name}
        maxLength={60}
        autocomplete="off"
      />
      {message.value !== '' && <p role="alert">{message.value.trim() || t('till.park-unanswered')}</p>}
      <Buttons>
        <Button kind="primary" disabled={name.value.trim() === ''}>
          {t('till.park')}
        </Button>
        <Button icon="back" onPress={() => till.send({ type: 'parking', open: false })}>
          {t('back')}
        </Button>
      </Buttons>
    </form>
  )
}

/** Parks the basket, with a press or a key. */
export function ParkButton() {
  const { till, t } = useTill()
  return (
    <Button onPress={() => till.send({ type: 'parking', open: true })}>
      {t('till.park')} <kbd>{tillShortcuts.park}</kbd>
    </Button>
  )
}

/** The baskets that are parked: one press takes one up. */
export function ParkedList() {
  const { till, state, t } = useTill()
  const message = useSignal('')
  useEffect(() => void till.parking.look(), [])
  const take = async (basket: ParkedBasket) => {
    message.value = await till.parking.takeUp(basket)
  }
  if (state.parked.length === 0 && message.value === '') return null
  return (
    <section class={style.parked} aria-label={t('till.parked')}>
      <h3>{t('till.parked')}</h3>
      {message.value !== '' && <p role="alert">{message.value.trim() || t('till.take-unanswered')}</p>}
      <ul>
        {state.parked.map((basket) => (
          <li key={basket.id}>
            <Parked basket={basket} onPress={() => void take(basket)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parked({ basket, onPress }: { readonly basket: ParkedBasket; readonly onPress: () => void }) {
  const { t, language } = useTill()
  const { voice } = useApp()
  const { name, tickets, parked } = basket
  return (
    <button type="button" data-parked={name} onClick={onPress}>
      <strong>{name}</strong>
      <span>
        {t('till.tickets', { count: count(tickets, language) })} · {clock(parked, voice.timeZone, language)}
      </span>
    </button>
  )
}
