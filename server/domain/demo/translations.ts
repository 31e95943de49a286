import type { Language } from '../../../schema/texts/translate.ts'
import { arabicDemoWords } from './words/ar.ts'
import { czechDemoWords } from './words/cs.ts'
import { germanDemoWords } from './words/de.ts'
import { spanishDemoWords } from './words/es.ts'
import { frenchDemoWords } from './words/fr.ts'
import { italianDemoWords } from './words/it.ts'
import { dutchDemoWords } from './words/nl.ts'
import { polishDemoWords } from './words/pl.ts'

/** The words of the demo in other languages, by the English ones. */
export const demoWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: germanDemoWords,
  fr: frenchDemoWords,
  es: spanishDemoWords,
  it: italianDemoWords,
  nl: dutchDemoWords,
  pl: polishDemoWords,
  cs: czechDemoWords,
  ar: arabicDemoWords,
}

/** Words of the demo in a language, or the English ones. */
export const demoWord = (english: string, language: Language): string =>
  demoWords[language]?.[english] ?? english

/** Fields that have one name only, in the language in which the demo is made. */
const singleNames: ReadonlySet<string> = new Set(['name', 'internal_name'])

const isText = (value: object): value is { readonly en: string } => 'en' in value && 'de' in value

/** What the demo consists of, with its texts in a further language and its single names in that one. */
export function inDemoLanguage<T>(value: T, language: Language): T {
  return translated(value, language) as T
}

function translated(value: unknown, language: Language): unknown {
  if (Array.isArray(value)) return value.map((one) => translated(one, language))
  if (value === null || typeof value !== 'object') return value
  if (isText(value)) return { [language]: demoWord(value.en, language), ...value }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      singleNames.has(key) && typeof inner === 'string'
        ? demoWord(inner, language)
        : translated(inner, language),
    ]),
  )
}
