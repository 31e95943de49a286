import { type Language, writingDirection } from '../../schema/texts/translate.ts'

/** What begins and ends a part that is written in its own direction, whatever stands around it. */
const [begin, end] = ['\u2068', '\u2069']

const isToTheLeft = (language: string): boolean => writingDirection(language) === 'rtl'

/**
 * A message in which what is filled in keeps its own direction: next to Arabic words the code "12-1" would be shown as
 * "1-12".
 */
export const withValuesApart = (message: string, language: Language): string =>
  isToTheLeft(language) ? message.replaceAll(/\{\w+\}/g, `${begin}$&${end}`) : message

/** Names, codes and times behind one another, each in its own direction; empty ones are left out. */
export function beside(
  parts: readonly (string | null | undefined)[],
  separator: string,
  language: string,
): string {
  const said = parts.filter((part) => part !== null && part !== undefined && part !== '')
  return (isToTheLeft(language) ? said.map((part) => `${begin}${part}${end}`) : said).join(separator)
}
