import { arabicServerTexts } from './ar.ts'
import { czechServerTexts } from './cs.ts'
import { germanServerTexts } from './de.ts'
import { englishServerTexts } from './en.ts'
import { spanishServerTexts } from './es.ts'
import { frenchServerTexts } from './fr.ts'
import { italianServerTexts } from './it.ts'
import { dutchServerTexts } from './nl.ts'
import { polishServerTexts } from './pl.ts'
import { type Language, languageOf, type TranslateFrom, translators } from './translate.ts'

/** The key of a text that the server says. */
export type ServerTextKey = keyof typeof englishServerTexts

/** Gives a text that the server says in the language it was made for. */
export type TranslateServer = TranslateFrom<typeof englishServerTexts>

type ServerTexts = Readonly<Record<ServerTextKey, string>>

const tables = {
  en: englishServerTexts,
  de: germanServerTexts,
  fr: frenchServerTexts,
  es: spanishServerTexts,
  it: italianServerTexts,
  nl: dutchServerTexts,
  pl: polishServerTexts,
  cs: czechServerTexts,
  ar: arabicServerTexts,
} satisfies Readonly<Record<Language, ServerTexts>>

const translatorIn = translators(tables)

/** The texts that the server says, in the closest language to a locale. */
export const serverTranslator = (locale: string | null): TranslateServer => translatorIn(languageOf(locale))

/** Whether the server has a text by this key. */
export const isServerTextKey = (key: string): key is ServerTextKey => Object.hasOwn(englishServerTexts, key)
