import type { ColumnChoices, ColumnPlan } from './columns.ts'
import { planColumns } from './columns.ts'
import { findHeader, isTitle, planWithoutTitles } from './header.ts'
import type { ListRow } from './rows.ts'
import { readRows } from './rows.ts'
import { cleanCell } from './text.ts'

/** The characters that separate cells. */
type Delimiter = string

/** Where the rows are in the text and how they are read. */
interface ListLayout {
  readonly delimiter: Delimiter
  /** Rows begin here: a `sep=` line of Excel is before it. */
  readonly body: string
  readonly firstLine: number
  readonly plan: ColumnPlan
}

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']
const sampleSize = 200_000
const sampleRows = 50

/** Finds the delimiter and the line with the titles: those under which most titles are understood and most rows have as many cells. */
export function findLayout(text: string, choices: ColumnChoices = {}): ListLayout {
  const declared = /^"?sep=(.)"?[,;|\t ]*(?:\n|$)/i.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  const firstLine = declared ? 2 : 1
  const trials = (declared?.[1] ? [declared[1]] : delimiters).map((delimiter) => {
    return tryDelimiter(delimiter, readSample(body, delimiter, firstLine), choices)
  })
  const best = trials.reduce((first, second) => (isBetter(second.score, first.score) ? second : first))
  return { delimiter: best.delimiter, body, firstLine, plan: best.plan }
}

function readSample(body: string, delimiter: Delimiter, firstLine: number): ListRow[] {
  const rows: ListRow[] = []
  for (const row of readRows(body.slice(0, sampleSize), delimiter, firstLine)) {
    if (hasText(row)) rows.push(row)
    if (rows.length === sampleRows) break
  }
  return rows
}

/** Whether a row has anything written in it. */
function hasText(row: ListRow): boolean {
  return row.problem !== null || row.cells.some((cell) => cleanCell(cell) !== '')
}

interface Trial {
  readonly delimiter: Delimiter
  /** Titles understood, share of rows as wide as expected, width. */
  readonly score: readonly [number, number, number]
  readonly plan: ColumnPlan
}

function tryDelimiter(delimiter: Delimiter, rows: readonly ListRow[], choices: ColumnChoices): Trial {
  const header = findHeader(rows, choices)
  const known = header?.cells.filter((cell) => isTitle(cell, choices)).length ?? 0
  const width = header?.cells.length ?? commonest(rows.map((row) => row.cells.length))
  const fitting = rows.filter((row) => row.cells.length === width).length / Math.max(1, rows.length)
  const plan = header ? planColumns(header.cells, header.line, choices) : planWithoutTitles(rows, choices)
  return { delimiter, score: [known, known === 0 && width === 1 ? 0 : fitting, width], plan }
}

function isBetter(a: Trial['score'], b: Trial['score']): boolean {
  const differing = a.findIndex((value, index) => value !== b[index])
  return differing !== -1 && (a[differing] ?? 0) > (b[differing] ?? 0)
}

function commonest(widths: readonly number[]): number {
  const counts = Map.groupBy(widths, (width) => width)
  return [...counts].reduce(
    (best, [width, all]) => (all.length > (counts.get(best)?.length ?? 0) ? width : best),
    0,
  )
}
