import { withLatinDigits } from '../../../schema/texts/translate.ts'

/**
 * The text in the wanted language: exactly that one, else its base language (`de` for `de-informal`), else English,
 * else any language that has one; `''` where there is no text at all. A plain string is the same in every language.
 */
export function inLanguage(
  text: Readonly<Record<string, string>> | string | null | undefined,
  locale: string,
): string {
  if (text === null || text === undefined) return ''
  if (typeof text === 'string') return text
  // A locale is whatever somebody has written: it may be the name of something that every object has.
  const own = (name: string): string | undefined => (Object.hasOwn(text, name) ? text[name] : undefined)
  return own(locale) || own(baseLanguage(locale)) || own('en') || Object.values(text).find(Boolean) || ''
}

/** The language of a locale without region or variant: `de` for `de-informal` and for `de_AT`. */
export function baseLanguage(locale: string): string {
  return locale.split(/[-_]/, 1)[0] ?? locale
}

/** A language in which times and amounts can be written: that of a locale where it is known, else English. */
export function writtenLanguage(locale: string): string {
  const base = baseLanguage(locale)
  const wanted = /^[a-z]{2,3}$/i.test(base) ? [base, 'en'] : ['en']
  return withLatinDigits(Intl.DateTimeFormat.supportedLocalesOf(wanted)[0] ?? 'en')
}

/** The name of a country in a language. */
export const countryName = (code: string, locale: string): string =>
  /^[A-Z]{2}$/.test(code)
    ? (new Intl.DisplayNames(writtenLanguage(locale), { type: 'region' }).of(code) ?? code)
    : code
