const looseLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
}

/** Spaces, and characters that nobody sees: zero-width ones, soft hyphens, direction and byte order marks. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Most cells: nothing but printable ASCII with single spaces inside, and no formula. */
const alreadyClean = /^(?:[!-<>-~][!-~]*(?: [!-~]+)*)?$/

/** A cell as a person reads it: one line, single ordinary spaces, nothing invisible, accents composed (NFC). */
export function cleanCell(cell: string): string {
  if (alreadyClean.test(cell)) return cell
  const visible = unwrapFormula(cell).replaceAll(unseen, '').replaceAll(/\s+/g, ' ')
  return visible
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC')
}

/** A small letter that is a letter of its own elsewhere, as people write it whose keys do not have it. */
const written = (text: string): string =>
  text.replaceAll(/[ßæœøłđðþħıŋŧ]/g, (letter) => looseLetters[letter] ?? letter)

/** Small letters without accents, as any keys have them. */
export const plainLetters = (text: string): string =>
  written(text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase())

/** Like cleanCell, but the line breaks of a comment stay. */
export function cleanComment(cell: string): string {
  return cell
    .split('\n')
    .map(cleanCell)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Excel writes `="0012"` so that a code keeps its zeros; this is what is meant. */
export function unwrapFormula(cell: string): string {
  const wrapped = /^\s*="((?:[^"]|"")*)"\s*$/.exec(cell)
  return wrapped?.[1] === undefined ? cell : wrapped[1].replaceAll('""', '"')
}

/** What two spellings have in common: letters and digits, without case, accents, punctuation and spaces. */
export function looseKey(text: string): string {
  return written(text.normalize('NFKD').toLowerCase()).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** What two spellings have in common when punctuation counts: only case and the number of spaces are ignored. */
export function strictKey(text: string): string {
  return cleanCell(text).toLowerCase()
}
