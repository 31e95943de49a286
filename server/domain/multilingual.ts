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
  return text[locale] || text[baseLanguage(locale)] || text.en || Object.values(text).find(Boolean) || ''
}

/** The language of a locale without region or variant: `de` for `de-informal` and for `de_AT`. */
export function baseLanguage(locale: string): string {
  return locale.split(/[-_]/, 1)[0] ?? locale
}
