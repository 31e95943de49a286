/** Text in several languages: language code to string. */
export type Multilingual = Readonly<Record<string, string>>

/** The languages that texts of an event can be in, by the codes that pretix has for them. */
export const textLanguages = [
  'en',
  'de',
  'de-informal',
  'ar',
  'bg',
  'ca',
  'cs',
  'da',
  'el',
  'es',
  'es-419',
  'et',
  'eu',
  'fi',
  'fr',
  'gl',
  'he',
  'hr',
  'hu',
  'id',
  'is',
  'it',
  'ja',
  'ko',
  'lb',
  'lt',
  'lv',
  'nb-no',
  'nl',
  'nl-informal',
  'pl',
  'pt-br',
  'pt-pt',
  'ro',
  'ru',
  'si',
  'sk',
  'sl',
  'sq',
  'sr',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-hans',
  'zh-hant',
] as const

const known: ReadonlySet<string> = new Set(textLanguages)

/** The language that a text without one is in, for a locale such as `de_AT`: that one, its base, or English. */
export function textLanguageOf(locale: string): string {
  const name = locale.toLowerCase().replaceAll('_', '-')
  const base = name.split('-', 1)[0] ?? name
  return [name, base].find((code) => known.has(code)) ?? 'en'
}
