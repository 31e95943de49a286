/** Letters that stand for each other in names, so that what was found is recognised in what was typed. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'a', œ: 'o' }

/** A text as it is compared: small letters without accents, and umlauts like what stands for them. */
const compared = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[ßøłæœ]/g, (letter) => letters[letter] ?? letter)
    .replace(/([aou])e/g, '$1')
    .replaceAll('aa', 'a')

const piecesOf = (text: string): readonly string[] =>
  compared(text)
    .split(/\s+/)
    .filter((piece) => piece !== '')

/** The words of a text, and what is between them, each with whether a word of what was looked for is in it. */
export function markedWords(
  text: string,
  sought: string,
): readonly { readonly word: string; readonly isHit: boolean }[] {
  const pieces = piecesOf(sought)
  return text
    .split(/(\s+)/)
    .filter((word) => word !== '')
    .map((word) => ({ word, isHit: pieces.some((piece) => compared(word).includes(piece)) }))
}

/** Whether any word of what was looked for is in one of some texts. */
export const isHitIn = (texts: readonly string[], sought: string): boolean =>
  texts.some((text) => markedWords(text, sought).some(({ isHit }) => isHit))

/** Of what is not in sight, that by which a ticket was found; empty where what is in sight says it. */
export function hiddenHit(
  inSight: readonly string[],
  hidden: readonly (string | null | undefined)[],
  sought: string,
): string {
  const isFound = (piece: string, texts: readonly string[]): boolean =>
    texts.some((text) => compared(text).includes(piece))
  const missing = piecesOf(sought).filter((piece) => !isFound(piece, inSight))
  const shown = hidden.filter((text) => typeof text === 'string')
  return shown.filter((text) => missing.some((piece) => isFound(piece, [text]))).join(' · ')
}
