import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { StaffMember } from '../api/staff-api.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import type { StaffDesk, StaffQuestion } from '../staff/staff-desk.ts'
import style from './staff-dialog.module.css'

interface Props {
  readonly staff: StaffDesk
  readonly question: StaffQuestion
  /** Whether nothing goes on until somebody has signed in. */
  readonly isLocked: boolean
}

/** Asks somebody who they are, over everything else: to sign in, or to stand in for one act. */
export function StaffDialog({ staff, question, isLocked }: Props) {
  const { t } = useApp().voice
  const dialog = useRef<HTMLDialogElement>(null)
  const chosen = useSignal<StaffMember | null>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  const { session, trouble } = staff.state.value
  const title = question.kind === 'step-up' ? t('staff.step-up') : t('staff.sign-in')
  return (
    <dialog
      ref={dialog}
      class={style.dialog}
      aria-label={title}
      data-question={question.kind}
      onCancel={(event) => {
        event.preventDefault()
        if (!isLocked) staff.giveUp()
      }}
    >
      <h1>{title}</h1>
      {question.kind === 'step-up' && (
        <>
          <p>{t(`staff.act.${question.act}`)}</p>
          <LabelledField id="staff-reason" label={t('till.reason')} text={staff.reason} maxLength={255} />
        </>
      )}
      {trouble !== '' && (
        <p class={style.trouble} role="alert">
          {trouble}
        </p>
      )}
      {chosen.value ? (
        <Pin
          key={chosen.value.id}
          staff={staff}
          member={chosen.value}
          onBack={() => {
            chosen.value = null
          }}
        />
      ) : (
        <ul class={style.choices}>
          {session?.choices.map((member) => (
            <li key={member.id}>
              <button
                type="button"
                data-staff={member.id}
                onClick={() => {
                  chosen.value = member
                }}
              >
                <strong>{member.name}</strong>
                <small>{t(`staff.role.${member.role}`)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class={style.hint}>{t('staff.badge')}</p>
      {!isLocked && (
        <Button icon="close" onPress={staff.giveUp}>
          {t('staff.cancel')}
        </Button>
      )}
    </dialog>
  )
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const
const longest = 12

interface PinProps {
  readonly staff: StaffDesk
  readonly member: StaffMember
  readonly onBack: () => void
}

/** The PIN of one of them, typed on the screen or the keyboard. */
function Pin({ staff, member, onBack }: PinProps) {
  const { t } = useApp().voice
  const pin = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const type = (digit: string) => {
    pin.value = (pin.value + digit).slice(0, longest)
    field.current?.focus()
  }
  async function send() {
    const shown = pin.value
    pin.value = ''
    await staff.show({ staff: member.id, pin: shown })
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
        <span>{t('staff.pin', { name: member.name })}</span>
        <input
          ref={field}
          id="staff-pin"
          type="password"
          inputMode="none"
          autocomplete="off"
          value={pin.value}
          onInput={(event) => {
            pin.value = event.currentTarget.value.replace(/\D/g, '').slice(0, longest)
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
          {t('staff.confirm')}
        </Button>
        <Button icon="back" onPress={onBack}>
          {t('staff.others')}
        </Button>
      </Buttons>
    </form>
  )
}
