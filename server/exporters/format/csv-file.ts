import { amountOf } from '../../resource/codec.ts'
import { defused } from './csv.ts'
import type { CellKind, Column, Sheet, TableCell, TableRow } from './table.ts'

/** The usual forms of CSV: one that says what is text, those of office programs with commas or with semicolons. */
export type Dialect = 'default' | 'excel' | 'semicolon'

/** The mark of decimals in a language: `.` in English, `,` in German. */
export function decimalMark(locale: string): string {
  // Variants such as `de-informal` are ours, regions are the world's.
  const [tag = 'en'] = /^[a-z]{2,3}(?:[-_][A-Z]{2}\b)?/.exec(locale) ?? []
  const [known = 'en'] = Intl.NumberFormat.supportedLocalesOf([tag.replace('_', '-'), 'en'])
  const parts = new Intl.NumberFormat(known, { numberingSystem: 'latn' }).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** Office programs know by it that a file is UTF-8. */
const byteOrderMark = '\ufeff'

/** A table in CSV (RFC 4180), with the decimals of a language. */
export async function* csvFile(sheet: Sheet, dialect: Dialect, locale: string): AsyncGenerator<string> {
  const line = lineWriter(sheet.columns, dialect, decimalMark(locale))
  const titles = lineWriter(
    sheet.columns.map(({ title }) => ({ title, kind: 'text' as const })),
    dialect,
    '.',
  )
  const head = titles(sheet.columns.map(({ title }) => title))
  yield dialect === 'default' ? head : byteOrderMark + head
  for await (const rows of sheet.pages()) yield rows.map(line).join('')
}

function lineWriter(columns: readonly Column[], dialect: Dialect, mark: string): (row: TableRow) => string {
  const delimiter = dialect === 'semicolon' ? ';' : ','
  const special = new RegExp(`["${delimiter}\\r\\n]`)
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const number = (text: string): string => (text.includes(delimiter) ? quoted(text) : text)
  const words = (value: string): string => {
    const text = defused(value)
    return dialect === 'default' || special.test(text) ? quoted(text) : text
  }
  function written(kind: CellKind, cell: TableCell): string {
    switch (kind) {
      case 'text':
      case 'day':
        return words(String(cell))
      case 'whole':
        return String(cell)
      case 'money':
      case 'percent':
        return number(amountOf(Number(cell)).replace('.', mark))
      case 'flag':
        return words(cell === true ? 'Yes' : 'No')
      case 'moment':
        return words(String(cell).replace('T', ' '))
    }
  }
  const nothing = dialect === 'default' ? '""' : ''
  return (row) => {
    let line = ''
    for (const [index, { kind }] of columns.entries()) {
      const cell = row[index] ?? null
      line += `${index === 0 ? '' : delimiter}${cell === null ? nothing : written(kind, cell)}`
    }
    return `${line}\r\n`
  }
}
