import type { Multilingual } from '../contract.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

/** The languages of the screens. */
export const languages = { en: 'English', de: 'Deutsch' } as const

/** A language of the screens. */
export type Language = keyof typeof languages

/** The name of a text. */
export type TextKey = keyof typeof en

/** What is put into a text's braces. */
export type Params = Readonly<Record<string, string | number>>

/** Gives a text in the language it was made for. */
export type Translate = (key: TextKey, params?: Params) => string

const texts: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, de }

/** The closest language we have to a locale such as `de-informal`. */
export function languageOf(locale: string | null | undefined): Language {
  const base = (locale ?? '').toLowerCase().split(/[-_]/)[0] ?? ''
  return base === 'de' ? 'de' : 'en'
}

/** The texts of a language. A count chooses between `key.one` and `key`: give it as `count`. */
export function translator(language: Language): Translate {
  const plural = new Intl.PluralRules(language)
  return (key, params = {}) => {
    const single = `${key}.one` as TextKey
    const one = typeof params.count === 'number' && plural.select(params.count) === 'one'
    const text = (one ? texts[language][single] : undefined) ?? texts[language][key]
    return text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => String(params[name] ?? braces))
  }
}

/** The text in the language asked for, or the nearest there is. */
export function localized(text: Multilingual | null | undefined, language: string): string {
  if (!text) return ''
  const base = Object.keys(text).find((key) => key.split('-')[0] === language)
  return text[language] ?? text[base ?? ''] ?? text.en ?? Object.values(text)[0] ?? ''
}
