import { countryCodes } from '../../schema/countries.ts'

/** Countries with their names in a language, sorted as that language sorts. */
export function countryNames(language: string): readonly { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return [...countryCodes]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
}
