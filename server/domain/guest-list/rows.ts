import { CsvError, parse } from 'csv-parse/sync'

/** One row of the file. `line` is where it begins, as an editor counts (1 is the first line). */
export interface ListRow {
  readonly line: number
  readonly cells: readonly string[]
  /** Why the row cannot be split into cells; null when it could. */
  readonly problem: string | null
}

const rowsAtOnce = 200
const longestRow = 100_000
const lineFeed = 0x0a

/**
 * The rows of decoded text, read as they are asked for (a few hundred at a time). Blank lines are left out. A row
 * whose quotation marks do not match is read again as a single line with its marks taken literally; if that fails
 * too it comes with a problem, and reading goes on at the next line, so one stray mark never swallows the rest.
 */
export function* readRows(text: string, delimiter: string, firstLine = 1): Generator<ListRow> {
  const bytes = Buffer.from(quoteFormulas(text, delimiter))
  let offset = 0
  let line = firstLine
  while (offset < bytes.length) {
    const rest = bytes.subarray(offset)
    const batch = parseRows(rest, delimiter, line)
    yield* batch.rows
    offset += batch.length
    line += batch.lines
    if (batch.broken) {
      const single = nextLine(bytes, offset)
      line += single.blank
      yield readLiterally(single.bytes, delimiter, line)
      offset = single.end
      line += 1
    } else if (batch.rows.length === 0) return
  }
}

/** Programs write `="0012"` for Excel as it stands; in CSV a cell with quotation marks has to be quoted itself. */
function quoteFormulas(text: string, delimiter: string): string {
  if (!text.includes('="')) return text
  const edge = delimiter.replace(/\W/, '\\$&')
  const formula = new RegExp(`(?<=^|${edge}) *="([^"\\n]*)" *(?=${edge}|$)`, 'gm')
  return text.replaceAll(formula, '"=""$1"""')
}

interface Batch {
  readonly rows: readonly ListRow[]
  /** Bytes and lines that the rows take. */
  readonly length: number
  readonly lines: number
  /** True when the row after them has quotation marks that do not match. */
  readonly broken: boolean
}

function parseRows(bytes: Buffer, delimiter: string, firstLine: number): Batch {
  const rows: ListRow[] = []
  let length = 0
  let lines = 0
  const collect = (cells: string[], at: { readonly lines: number; readonly bytes: number }): null => {
    const breaks = cells.reduce(
      (sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0),
      0,
    )
    rows.push({ line: firstLine + at.lines - 1 - breaks, cells, problem: null })
    length = at.bytes
    lines = at.lines
    return null
  }
  try {
    parse(bytes, { ...options(delimiter), rtrim: true, to: rowsAtOnce, on_record: collect })
    return { rows, length, lines, broken: false }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { rows, length, lines, broken: true }
  }
}

function options(delimiter: string) {
  return {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    ltrim: true,
    max_record_size: longestRow,
  }
}

function nextLine(bytes: Buffer, offset: number): { bytes: Buffer; end: number; blank: number } {
  let start = offset
  while (bytes[start] === lineFeed) start += 1
  const feed = bytes.indexOf(lineFeed, start)
  const end = feed === -1 ? bytes.length : feed + 1
  return { bytes: bytes.subarray(start, end), end, blank: start - offset }
}

function readLiterally(bytes: Buffer, delimiter: string, line: number): ListRow {
  try {
    const [cells = []] = parse(bytes, { ...options(delimiter), relax_quotes: true })
    return { line, cells, problem: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const problem =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `This line is longer than ${longestRow} characters.`
        : 'A quotation mark (") opens a cell and is never closed. Close it, or remove it.'
    return { line, cells: [], problem }
  }
}
