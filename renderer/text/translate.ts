import type { Multilingual } from '../../schema/multilingual.ts'
import { englishScreenTexts } from '../../schema/texts/en.ts'
import { type Language, type TranslateFrom, translators } from '../../schema/texts/translate.ts'
import { withValuesApart } from './direction.ts'

/** The key of a text of the screens. */
export type TextKey = keyof typeof englishScreenTexts

/** Gives a text of the screens in the language it was made for. */
export type Translate = TranslateFrom<typeof englishScreenTexts>

type ScreenTexts = Readonly<Record<TextKey, string>>

/** The texts that are here: English at once, others as soon as they are wanted. */
const tables: { readonly en: typeof englishScreenTexts } & Partial<Record<Language, ScreenTexts>> = {
  en: englishScreenTexts,
}

const fetchTexts: Readonly<Record<Exclude<Language, 'en'>, () => Promise<ScreenTexts>>> = {
  de: async () => (await import('../../schema/texts/de.ts')).germanScreenTexts,
  fr: async () => (await import('../../schema/texts/fr.ts')).frenchScreenTexts,
  es: async () => (await import('../../schema/texts/es.ts')).spanishScreenTexts,
  it: async () => (await import('../../schema/texts/it.ts')).italianScreenTexts,
  nl: async () => (await import('../../schema/texts/nl.ts')).dutchScreenTexts,
  pl: async () => (await import('../../schema/texts/pl.ts')).polishScreenTexts,
  cs: async () => (await import('../../schema/texts/cs.ts')).czechScreenTexts,
  ar: async () => (await import('../../schema/texts/ar.ts')).arabicScreenTexts,
}

/** The texts of the screens in a language, or in English until `loadTexts` has fetched those. */
export const translator = translators(tables, withValuesApart)

/** Fetches the texts of the screens in a language, once. */
export async function loadTexts(language: Language): Promise<void> {
  if (language !== 'en') tables[language] ??= await fetchTexts[language]()
}

/** Whether the screens have a text by this key. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(englishScreenTexts, key)

/** The text in the language asked for, or the nearest there is. */
export function localized(text: Multilingual | null | undefined, language: string): string {
  if (!text) return ''
  const base = Object.keys(text).find((key) => key.split('-')[0] === language)
  return text[language] ?? text[base ?? ''] ?? text.en ?? Object.values(text)[0] ?? ''
}
