import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PinAnswer, Shell } from '../../main/common/channels.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { PinPad } from '../parts/pin-pad.tsx'
import { Warning } from '../parts/warning.tsx'
import type { Voice } from '../scanning/wording.ts'
import { Aside, Box } from './box.tsx'

/** What is asked at the moment. */
type Step = 'nothing' | 'sure' | 'leave' | 'current' | 'next' | 'again' | 'gone'

const longest = 64

/** Why a PIN was refused, and what to do. */
export function pinRefusal(t: Voice['t'], answer: PinAnswer & { readonly ok: false }): string {
  if (answer.reason === 'too short') return t('shell.too-short')
  if (answer.waitMs > 0) return t('shell.wait', { count: Math.ceil(answer.waitMs / 1000) })
  return t('shell.wrong')
}

interface Leaving {
  readonly shell: Shell
  readonly step: Signal<Step>
  readonly said: Signal<string>
  readonly hasPin: Signal<boolean>
}

/** Leaves a kiosk, by its exit PIN where there is one, and sets that; nothing in an ordinary browser or window. */
export function LeaveProgram() {
  const shell = window.gatehouse
  const isKiosk = useSignal(false)
  const step = useSignal<Step>('nothing')
  const said = useSignal('')
  const hasPin = useSignal(false)
  useEffect(() => {
    void shell?.state().then(({ kiosk, exitPin }) => {
      isKiosk.value = kiosk
      hasPin.value = exitPin
    })
  }, [])
  const { t } = useApp().voice
  if (!shell || !isKiosk.value) return null
  const leaving = { shell, step, said, hasPin }
  return (
    <Box title={t('shell.title')}>
      <Aside>{t(hasPin.value ? 'shell.means' : 'shell.no-pin')}</Aside>
      {said.value !== '' && (
        <Warning role="alert">
          <p>{said.value}</p>
        </Warning>
      )}
      {step.value === 'nothing' && <Choices {...leaving} />}
      {step.value === 'sure' && <Sure {...leaving} />}
      {step.value === 'leave' && <LeavingPin {...leaving} />}
      {(step.value === 'current' || step.value === 'next' || step.value === 'again') && (
        <NewPin {...leaving} />
      )}
      {step.value === 'gone' && <p role="status">{t('shell.leaving')}</p>}
    </Box>
  )
}

function go({ step, said }: Leaving, next: Step, words = ''): void {
  step.value = next
  said.value = words
}

function Choices(leaving: Leaving) {
  const { t } = useApp().voice
  const { value: hasPin } = leaving.hasPin
  return (
    <Buttons>
      <Button onPress={() => go(leaving, hasPin ? 'leave' : 'sure')}>{t('shell.start')}</Button>
      <Button onPress={() => go(leaving, hasPin ? 'current' : 'next')}>
        {t(hasPin ? 'shell.change-pin' : 'shell.set-pin')}
      </Button>
    </Buttons>
  )
}

async function leave(leaving: Leaving, pin: string, t: Voice['t']): Promise<void> {
  const answer = await leaving.shell.leave(pin)
  if (answer.ok) go(leaving, 'gone')
  else leaving.said.value = pinRefusal(t, answer)
}

function Sure(leaving: Leaving) {
  const { t } = useApp().voice
  return (
    <Buttons>
      <Button kind="primary" onPress={() => void leave(leaving, '', t)}>
        {t('shell.sure')}
      </Button>
      <Stay {...leaving} />
    </Buttons>
  )
}

function LeavingPin(leaving: Leaving) {
  const { t } = useApp().voice
  return (
    <PinPad
      id="exit-pin"
      label={t('shell.pin')}
      confirm={t('shell.confirm')}
      longest={longest}
      isAnyText
      onSend={(pin) => leave(leaving, pin, t)}
    >
      <Stay {...leaving} />
    </PinPad>
  )
}

/** The current PIN where there is one, and the new one twice. */
function NewPin(leaving: Leaving) {
  const { t } = useApp().voice
  const { shell, step, hasPin } = leaving
  const current = useSignal('')
  const next = useSignal('')
  async function set(pin: string): Promise<void> {
    if (pin !== next.value) return go(leaving, 'next', t('shell.differ'))
    const answer = await shell.setPin(current.value, pin)
    if (answer.ok) {
      hasPin.value = true
      return go(leaving, 'nothing', t('shell.pin-set'))
    }
    go(leaving, answer.reason === 'too short' || !hasPin.value ? 'next' : 'current', pinRefusal(t, answer))
  }
  async function take(pin: string): Promise<void> {
    if (step.value === 'again') return set(pin)
    if (step.value === 'current') current.value = pin
    else next.value = pin
    go(leaving, step.value === 'current' ? 'next' : 'again')
  }
  const labels = { current: t('shell.pin'), next: t('shell.next'), again: t('shell.again') }
  const { value: asked } = step
  if (asked !== 'current' && asked !== 'next' && asked !== 'again') return null
  return (
    <PinPad
      key={asked}
      id="exit-pin"
      label={labels[asked]}
      confirm={t('shell.go-on')}
      longest={longest}
      isAnyText
      onSend={take}
    >
      <Stay {...leaving} />
    </PinPad>
  )
}

function Stay(leaving: Leaving) {
  const { t } = useApp().voice
  return (
    <Button icon="back" onPress={() => go(leaving, 'nothing')}>
      {t('shell.stay')}
    </Button>
  )
}
