import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button, Buttons } from './button.tsx'
import { useApp } from './context.ts'
import style from './pin-pad.module.css'

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const

interface Props {
  readonly id: string
  /** Whose PIN it is, or what it is for. */
  readonly label: string
  readonly confirm: string
  /** Characters at most. */
  readonly longest?: number
  /** Whether it may have other characters than digits, from a keyboard. */
  readonly isAnyText?: boolean
  /** Takes a PIN that was confirmed; the field is empty then. */
  readonly onSend: (pin: string) => Promise<void>
  /** The buttons beside the one that confirms. */
  readonly children: ComponentChildren
}

/** A PIN, typed on the screen or the keyboard and never shown. */
export function PinPad({ id, label, confirm, longest = 12, isAnyText = false, onSend, children }: Props) {
  const { t } = useApp().voice
  const pin = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const type = (digit: string) => {
    pin.value = (pin.value + digit).slice(0, longest)
    field.current?.focus()
  }
  async function send() {
    const typed = pin.value
    pin.value = ''
    await onSend(typed)
    field.current?.focus()
  }
  return (
    <form
      class={style.pin}
      onSubmit={(event) => {
        event.preventDefault()
        if (pin.value !== '') void send()
      }}
    >
      <label>
        <span>{label}</span>
        <input
          ref={field}
          id={id}
          type="password"
          inputMode="none"
          autocomplete="off"
          maxLength={longest}
          value={pin.value}
          onInput={(event) => {
            const { value } = event.currentTarget
            pin.value = isAnyText ? value : value.replace(/\D/g, '')
          }}
        />
      </label>
      <div class={style.keys}>
        {digits.map((digit) => (
          <button key={digit} type="button" onClick={() => type(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('till.erase')}
          onClick={() => (pin.value = pin.value.slice(0, -1))}
        >
          ⌫
        </button>
      </div>
      <Buttons>
        <Button kind="primary" icon="check" disabled={pin.value === ''}>
          {confirm}
        </Button>
        {children}
      </Buttons>
    </form>
  )
}
