import type { Signal } from '@preact/signals'
import { useApp } from '../parts/context.ts'
import { countryNames } from '../questions/answers.ts'
import style from './till-country.module.css'
import { tillRuleOf } from './till-rules.ts'

/** Asks in which country a till is, and says what is known of its law. */
export function TillCountryField({ country }: { readonly country: Signal<string> }) {
  const { voice, language } = useApp()
  const { t } = voice
  return (
    <>
      <label class={style.field}>
        <span>{t('country.label')}</span>
        <select
          value={country.value}
          onChange={(event) => {
            country.value = event.currentTarget.value
          }}
        >
          <option value="">{t('country.none')}</option>
          {countryNames(language).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {country.value !== '' && <TillCountryNotice country={country.value} />}
    </>
  )
}

/** What is known of what the law of a country demands of tills, or that nobody has said which country it is. */
export function TillCountryNotice({ country }: { readonly country: string }) {
  const { t } = useApp().voice
  return (
    <p data-till-rule={country === '' ? 'unsaid' : tillRuleOf(country)}>
      {t(country === '' ? 'country.unsaid' : `country.rule.${tillRuleOf(country)}`)}
    </p>
  )
}
