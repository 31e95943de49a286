import sql, { join, type Sql } from 'sql-template-tag'
import { anySpelling, folded, spellingsOf } from './search.ts'

/** A name as its words are looked for: each of them between blanks, without hyphens and apostrophes. */
const spacedWords = (name: string): string =>
  ` ${folded(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Names as they are searched, each in a line of its own, which begins and ends with a blank. */
export const nameText = (names: readonly (string | null | undefined)[]): string =>
  [...new Set(names)]
    .flatMap((name) => (name ? [`\n${spacedWords(name)}`] : []))
    .join('')
    .concat('\n')

/** The words of a text in any order, each as it begins a word of a name; none where one of them has no letter in it. */
export function beginningsOfNames(text: string): readonly (readonly string[])[] {
  const words = anySpelling(text).map((word) => [...new Set(word.map((one) => spacedWords(one).trimEnd()))])
  return words.flat().includes('') ? [] : words
}

/**
 * How well names (as nameText writes them) fit a text in any order: 0 where one is the text, 1 where every word of it is
 * a word of them, 2 where every word begins one, 3 where every word is in one, 4 where they do not have all.
 */
export function nameRank(names: Sql, text: string): Sql {
  const words = beginningsOfNames(text)
  if (words.length === 0) return sql`4`
  const has = (pattern: string): Sql => sql`${names} LIKE ${`%${pattern}%`}`
  const any = (patterns: readonly string[]): Sql => join(patterns.map(has), ' OR ')
  const every = (patternOf: (beginning: string) => string): Sql =>
    join(
      words.map((word) => sql`(${any(word.map(patternOf))})`),
      ' AND ',
    )
  const whole = spellingsOf(text).map((spelling) => `\n${spacedWords(spelling)}\n`)
  return sql`CASE WHEN ${any(whole)} THEN 0 WHEN ${every((word) => `${word} `)} THEN 1 WHEN ${every((word) => word)} THEN 2
    WHEN ${every((word) => word.trimStart())} THEN 3 ELSE 4 END`
}
