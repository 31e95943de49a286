/**
 * Beginnings by which a spreadsheet takes a text for a formula, also those of full width, and behind spaces and marks that
 * it leaves out when it reads a file.
 */
const dangerous = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠])/u

/** A text that no spreadsheet carries out: what looks like a formula gets an apostrophe in front. */
export const defused = (text: string): string => (dangerous.test(text) ? `'${text}` : text)

/**
 * One cell of a table in CSV (RFC 4180). Texts that a spreadsheet would carry out as a formula get an apostrophe in
 * front, as the program itself would write them.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = defused(String(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table in CSV: a line of titles, then the rows' values under them. */
export const csvTable = (
  titles: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string =>
  [titles, ...rows.map((row) => titles.map((title) => row[title]))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('')
