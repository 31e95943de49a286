/** How many of each were typed, by worth. */
export type TypedPieces = Readonly<Record<string, string>>

const most = 100_000

/** How many of each there are; null where something typed is no number of pieces, or nothing is. */
export function countedPieces(typed: TypedPieces): Readonly<Record<string, number>> | null {
  const written = Object.entries(typed).filter(([, text]) => text.trim() !== '')
  if (written.length === 0) return null
  if (!written.every(([, text]) => /^\d{1,6}$/.test(text.trim()) && Number(text) <= most)) return null
  return Object.fromEntries(written.map(([worth, text]) => [worth, Number(text)]))
}

/** What counted notes and coins come to, in hundredths. */
export const worthOf = (pieces: Readonly<Record<string, number>>): number =>
  Object.entries(pieces).reduce((sum, [worth, count]) => sum + Math.round(Number(worth) * 100) * count, 0)
