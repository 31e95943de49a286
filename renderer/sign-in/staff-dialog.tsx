import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { StaffMember } from '../api/staff-api.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import { PinPad } from '../parts/pin-pad.tsx'
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
        <PinPad
          key={chosen.value.id}
          id="staff-pin"
          label={t('staff.pin', { name: chosen.value.name })}
          confirm={t('staff.confirm')}
          onSend={(pin) => staff.show({ staff: chosen.value?.id ?? 0, pin })}
        >
          <Button
            icon="back"
            onPress={() => {
              chosen.value = null
            }}
          >
            {t('staff.others')}
          </Button>
        </PinPad>
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
