import type { Signal } from '@preact/signals'
import { useApp } from '../parts/context.ts'
import { CountrySelect } from '../questions/country-select.tsx'
import { tillRuleOf } from './till-rules.ts'

/** Asks in which country a till is, and says what is known of its law. */
export function TillCountryField({ country }: { readonly country: Signal<string> }) {
  return (
    <>
      <CountrySelect
        id="till-country"
        label={useApp().voice.t('country.label')}
        country={country.value}
        onChoose={(code) => {
          country.value = code
        }}
      />
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
