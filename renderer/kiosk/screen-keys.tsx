import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useApp } from '../parts/context.ts'
import style from './screen-keys.module.css'

const qwerty = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const qwertz = ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm']
const signs = '@.-_+’'
const accents = ['äöüßéèêáà', 'åæøœçñíìî', 'óòôúùûýčć', 'ďěłńřšťůž']

interface Props {
  /** The text as it is, and what it becomes. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly isNumber?: boolean
}

/** Keys on the screen, for those who have no others before them; what is typed goes to the field above. */
export function ScreenKeys({ text, onText, isNumber = false }: Props) {
  const { voice, language } = useApp()
  const { t } = voice
  const isShifted = useSignal(false)
  const hasAccents = useSignal(false)
  const letters = hasAccents.value ? accents : language === 'de' ? qwertz : qwerty
  const shown = isNumber ? ['1234567890', '+-.'] : [...letters, signs]
  const type = (key: string) => {
    onText(text + (isShifted.value ? key.toLocaleUpperCase() : key))
    isShifted.value = false
  }
  return (
    <fieldset class={style.keys} aria-label={t('kiosk.keys')} dir="ltr">
      {shown.map((row) => (
        <div key={row} class={style.row}>
          {[...row].map((key) => (
            <Key key={key} onPress={() => type(key)}>
              {isShifted.value && key !== 'ß' ? key.toLocaleUpperCase() : key}
            </Key>
          ))}
        </div>
      ))}
      <div class={style.row}>
        {!isNumber && (
          <>
            <Key
              label={t('kiosk.keys.shift')}
              pressed={isShifted.value}
              onPress={() => {
                isShifted.value = !isShifted.value
              }}
            >
              ⇧
            </Key>
            <Key
              pressed={hasAccents.value}
              onPress={() => {
                hasAccents.value = !hasAccents.value
              }}
            >
              äéč
            </Key>
            <Key isWide onPress={() => type(' ')}>
              {t('kiosk.keys.space')}
            </Key>
          </>
        )}
        <Key label={t('kiosk.keys.delete')} onPress={() => onText([...text].slice(0, -1).join(''))}>
          ⌫
        </Key>
      </div>
    </fieldset>
  )
}

interface KeyProps {
  readonly label?: string
  readonly pressed?: boolean
  readonly isWide?: boolean
  readonly onPress: () => void
  readonly children: JSX.Element | string
}

function Key({ label, pressed, isWide = false, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      class={style.key}
      data-wide={isWide}
      aria-label={label}
      aria-pressed={pressed}
      // The field keeps the focus, and so what is typed on other keys.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  )
}
