import type { Multilingual } from '../../schema/multilingual.ts'
import { germanScreenTexts } from '../../schema/texts/de.ts'
import { englishScreenTexts } from '../../schema/texts/en.ts'
import { type TranslateFrom, translators } from '../../schema/texts/translate.ts'

/** The key of a text of the screens. */
export type TextKey = keyof typeof englishScreenTexts

/** Gives a text of the screens in the language it was made for. */
export type Translate = TranslateFrom<typeof englishScreenTexts>

/** The texts of the screens in a language. */
export const translator = translators({ en: englishScreenTexts, de: germanScreenTexts })

/** Whether the screens have a text by this key. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(englishScreenTexts, key)

/** The text in the language asked for, or the nearest there is. */
export function localized(text: Multilingual | null | undefined, language: string): string {
  if (!text) return ''
  const base = Object.keys(text).find((key) => key.split('-')[0] === language)
  return text[language] ?? text[base ?? ''] ?? text.en ?? Object.values(text)[0] ?? ''
}
