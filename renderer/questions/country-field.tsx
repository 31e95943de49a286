import { useSignal } from '@preact/signals'
import { useApp } from '../parts/context.ts'
import { FieldRow } from '../parts/field.tsx'
import { countryNames } from './answers.ts'
import style from './country-field.module.css'
import { OptionButton, Options } from './options.tsx'

interface Props {
  /** The id of what it is named by, where that is not the one question of the screen. */
  readonly name?: string
  readonly text: string
  readonly invalid: boolean
  readonly onText: (code: string) => void
}

const most = 6

/** Chooses a country by typing the beginning of its name. */
export function CountryField({ name, text, invalid, onText }: Props) {
  const { voice } = useApp()
  const names = countryNames(voice.language)
  const known = names.find((country) => country.code === text)
  const typed = useSignal(known?.name ?? '')
  const wanted = typed.value.trim().toLocaleLowerCase(voice.language)
  const fitting = names.filter(
    ({ name, code }) =>
      name.toLocaleLowerCase(voice.language).startsWith(wanted) || code.toLowerCase() === wanted,
  )
  const type = (value: string) => {
    typed.value = value
    const lower = value.trim().toLocaleLowerCase(voice.language)
    const exact = names.find(({ name }) => name.toLocaleLowerCase(voice.language) === lower)
    onText(value.trim() === '' ? '' : (exact?.code ?? '??'))
  }
  return (
    <div class={style.country}>
      <FieldRow
        type="text"
        autocomplete="off"
        aria-labelledby={name ?? 'question'}
        aria-describedby={name ? `${name}-objection` : 'objection'}
        aria-invalid={invalid}
        placeholder={voice.t('asking.country')}
        value={typed.value}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {wanted !== '' && (
        <Options kind="one" name={name}>
          {fitting.slice(0, most).map(({ code, name }) => (
            <OptionButton
              key={code}
              chosen={text === code}
              onPress={() => {
                typed.value = name
                onText(code)
              }}
            >
              {name}
            </OptionButton>
          ))}
        </Options>
      )}
    </div>
  )
}
