import type { ColumnChoices, ColumnPlan } from './columns.ts'
import { planColumns } from './columns.ts'
import { isEmail } from './email.ts'
import type { ListRow } from './rows.ts'
import { cleanCell } from './text.ts'
import { matchTitle } from './titles.ts'

const rowsBeforeTitles = 10

/**
 * The line with the titles: of the first ones, that with most known titles. A row with an e-mail address is a
 * guest. One known word in a row is a title only when its column does not repeat it ("Anna; Gast" is no header). What
 * a person has chosen a meaning for is a title, whatever it says.
 */
export function findHeader(rows: readonly ListRow[], choices: ColumnChoices = {}): ListRow | undefined {
  let best: { readonly row: ListRow; readonly known: number } | undefined
  for (const row of rows.slice(0, rowsBeforeTitles)) {
    const cells = row.cells.map(cleanCell).filter((cell) => cell !== '')
    if (cells.some(isEmail)) break
    const known = cells.filter((cell) => isTitle(cell, choices)).length
    if (known > (best?.known ?? 0) && (known > 1 || !isRepeated(row, rows, choices))) best = { row, known }
  }
  return best?.row
}

/** Whether a cell says what its column is, to anybody or by a person's choice. */
export const isTitle = (cell: string, choices: ColumnChoices): boolean =>
  Object.hasOwn(choices, cleanCell(cell)) || matchTitle(cell) !== undefined

function isRepeated(row: ListRow, rows: readonly ListRow[], choices: ColumnChoices): boolean {
  const place = row.cells.findIndex((cell) => isTitle(cell, choices))
  return rows.some(
    (other) => other !== row && cleanCell(other.cells[place] ?? '') === cleanCell(row.cells[place] ?? ''),
  )
}

/**
 * A list without titles is read only when it leaves no doubt: one column of e-mail addresses, and at most one
 * other, of words without digits, which is the name. Everything else is refused with what to do.
 */
export function planWithoutTitles(rows: readonly ListRow[], choices: ColumnChoices): ColumnPlan {
  const width = Math.max(0, ...rows.map((row) => row.cells.length))
  const columns = Array.from({ length: width }, (_, index) =>
    rows.map((row) => cleanCell(row.cells[index] ?? '')),
  )
  const letters = columns.map((_, index) => `Column ${columnLetter(index)}`)
  const kinds = columns.map(kindOfCells)
  const clear = kinds.filter((kind) => kind === 'email').length === 1 && !kinds.includes('other')
  const names = kinds.filter((kind) => kind === 'words').length
  if (clear && names <= 1) {
    const fields = kinds.map((kind) => (kind === 'email' ? 'email' : kind === 'words' ? 'full_name' : null))
    return planColumns(letters, null, {
      ...Object.fromEntries(letters.map((title, index) => [title, fields[index] ?? null])),
      ...choices,
    })
  }
  const chosen = planColumns(letters, null, choices)
  if (!chosen.problem || chosen.ambiguous.length > 0) return chosen
  const first = rows[0]?.cells.map((cell) => `"${cleanCell(cell)}"`).join(', ') ?? ''
  return {
    ...chosen,
    problem: {
      reason: `No line with column titles was found. The first line reads: ${first.slice(0, 200)}.`,
      next_step: 'Add a first line with titles, for example: First name, Last name, E-mail, Ticket, Code.',
    },
  }
}

function kindOfCells(cells: readonly string[]): 'email' | 'words' | 'empty' | 'other' {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'empty'
  if (filled.every(isEmail)) return 'email'
  return filled.every((cell) => /^[^\d@]*\p{L}[^\d@]*$/u.test(cell)) ? 'words' : 'other'
}

/** A, B, … Z, AA: how spreadsheets name a column. */
function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last
}
