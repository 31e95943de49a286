import { IntlMessageFormat } from 'intl-messageformat'

/** The languages that there are texts in, by the names that those who speak them give them. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  cs: 'Čeština',
  ar: 'العربية',
} as const

/** A language that there are texts in. */
export type Language = keyof typeof languages

/** Whether there are texts in what somebody calls a language. */
export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

/** The closest language we have to a locale such as `de-informal`, or to the first of several that we have one for. */
export function languageOf(...locales: readonly (string | null | undefined)[]): Language {
  const bases = locales.map((locale) => (locale ?? '').toLowerCase().split(/[-_]/, 1)[0] ?? '')
  return bases.find(isLanguage) ?? 'en'
}

/** To which side a language is written, as `dir` of HTML says it. */
export const writingDirection = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** A language as `Intl` is told it: always with Latin digits, since codes and what is printed on tickets have those. */
export const withLatinDigits = (language: string): string => (language === 'ar' ? 'ar-u-nu-latn' : language)

/** The texts of one part of the program in one language: messages of ICU by their keys. */
type Table<Key extends string = string> = Readonly<Record<Key, string>>

/** What the braces of a message begin with: a name, and the kind of the argument where it says one. */
type Named<Inside> = Inside extends `${infer Name}, ${infer Kind}`
  ? Kind extends `${'plural' | 'number'}${string}`
    ? readonly [Name, number]
    : Kind extends `select${string}`
      ? readonly [Name, string]
      : never
  : Inside extends '' | `{${string}` | `${string} ${string}`
    ? never
    : readonly [Inside, string | number]

type Argument<Message> = Message extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Inside}}${string}` ? Named<Inside> : never) | Argument<Rest>
  : never

/** The values that a message needs, read from its braces. */
type Values<Message> = {
  readonly [Name in Argument<Message>[0]]: Extract<Argument<Message>, readonly [Name, number]> extends never
    ? string | number
    : number
}

/** Gives a text of a table, with its values filled in. */
export type TranslateFrom<English extends Table> = <Key extends keyof English & string>(
  key: Key,
  ...values: Argument<English[Key]> extends never ? [] : [values: Values<English[Key]>]
) => string

/**
 * How to get the texts of a table in a language, or in English while that has none. A message is parsed when it is needed
 * first, and once. `shape` makes a message from what is written in the table.
 */
export function translators<const English extends Table>(
  tables: { readonly en: English } & Readonly<Partial<Record<Language, Table<keyof English & string>>>>,
  shape: (message: string, language: Language) => string = (message) => message,
): (language: Language) => TranslateFrom<English> {
  const parsed = new Map<string, IntlMessageFormat>()
  return (wanted) =>
    (key, ...[values]) => {
      const language = tables[wanted] ? wanted : 'en'
      const name = `${language} ${key}`
      const message =
        parsed.get(name) ?? parse(shape((tables[language] ?? tables.en)[key], language), language)
      parsed.set(name, message)
      return String(message.format(values))
    }
}

const parse = (message: string, language: Language): IntlMessageFormat =>
  new IntlMessageFormat(message, withLatinDigits(language), {}, { ignoreTag: true })
