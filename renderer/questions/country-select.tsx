import { useApp } from '../parts/context.ts'
import { countryNames } from './answers.ts'
import style from './country-select.module.css'

interface Props {
  readonly id: string
  readonly label: string
  /** In two letters; empty where none is chosen. */
  readonly country: string
  readonly onChoose: (country: string) => void
}

/** Chooses a country from a list, or none. */
export function CountrySelect({ id, label, country, onChoose }: Props) {
  const { voice, language } = useApp()
  return (
    <label class={style.field} for={id}>
      <span>{label}</span>
      <select id={id} value={country} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{voice.t('country.none')}</option>
        {countryNames(language).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
