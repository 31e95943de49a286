import type { CellKind, Column, Sheet, TableCell, TableRow } from './table.ts'
import { utf8 } from './utf8.ts'
import { type ZipEntry, zipFile } from './zip-file.ts'

/** The most rows that a sheet may have; what is more goes on in another one. */
const mostRows = 1_048_576

/** The most characters that a cell may have. */
const mostCharacters = 32_767

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Numbers of the formats in `styles`. */
const styleOf: Readonly<Record<CellKind, number>> = {
  text: 0,
  flag: 0,
  whole: 0,
  moment: 2,
  day: 3,
  money: 4,
  percent: 5,
}
const bold = 1

const formats = [
  '<xf/>',
  '<xf fontId="1" applyFont="1"/>',
  '<xf numFmtId="164" applyNumberFormat="1"/>',
  '<xf numFmtId="165" applyNumberFormat="1"/>',
  '<xf numFmtId="4" applyNumberFormat="1"/>',
  '<xf numFmtId="2" applyNumberFormat="1"/>',
]

const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join('')}</cellXfs></styleSheet>`

/** What cannot stand in XML, is said differently there, or would be read as an escape of the spreadsheet's own. */
const special = /[&<>\p{Cc}\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/u

function escaped(value: string): string {
  const cut = value.length > mostCharacters ? value.slice(0, mostCharacters) : value
  if (!special.test(cut)) return cut
  return cut
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
}

const textCell = (value: string): string =>
  `t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`

/** Days since the last day of 1899, as spreadsheets count from March 1900 on; of what was before, and no time, nothing. */
function serial(local: string): number | null {
  const days = Date.parse(`${local.length === 10 ? `${local}T00:00:00` : local}Z`) / 86_400_000 + 25_569
  return days >= 61 ? Number(days.toFixed(9)) : null
}

function cellText(kind: CellKind, cell: TableCell): string {
  switch (kind) {
    case 'text':
      return textCell(String(cell))
    case 'flag':
      return `t="b"><v>${cell === true ? 1 : 0}</v></c>`
    case 'whole':
      return `><v>${Number(cell)}</v></c>`
    case 'money':
    case 'percent':
      return `><v>${Number(cell) / 100}</v></c>`
    case 'moment':
    case 'day': {
      const days = serial(String(cell))
      return days === null ? textCell(String(cell)) : `><v>${days}</v></c>`
    }
  }
}

/** The name of a column: A, B, … Z, AA. */
function lettersOf(index: number): string {
  const rest = Math.floor(index / 26)
  return `${rest > 0 ? lettersOf(rest - 1) : ''}${String.fromCharCode(65 + (index % 26))}`
}

function rowWriter(columns: readonly Column[]): (row: TableRow, number: number) => string {
  const parts = columns.map(({ kind }, index) => {
    const style = styleOf[kind]
    return { kind, head: `<c r="${lettersOf(index)}`, tail: style === 0 ? '" ' : `" s="${style}" ` }
  })
  return (row, number) => {
    let text = `<row r="${number}">`
    for (const [index, { kind, head, tail }] of parts.entries()) {
      const cell = row[index] ?? null
      if (cell !== null && cell !== '') text += `${head}${number}${tail}${cellText(kind, cell)}`
    }
    return `${text}</row>`
  }
}

const widths: Readonly<Record<CellKind, number>> = {
  text: 20,
  flag: 10,
  whole: 10,
  money: 12,
  percent: 10,
  moment: 20,
  day: 12,
}

const sheetStart = (columns: readonly Column[]): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map(
      ({ kind }, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${widths[kind]}" customWidth="1"/>`,
    )
    .join('')}</cols><sheetData><row r="1">${columns
    .map(({ title }, index) => `<c r="${lettersOf(index)}1" s="${bold}" ${textCell(title)}`)
    .join('')}</row>`

/** A sheet's name as spreadsheets take it. */
const nameOf = (title: string, part: number): string => {
  const plain = title.replaceAll(/[[\]:*?/\\]/g, ' ').slice(0, 25)
  return part === 1 ? plain : `${plain} ${part}`
}

/** Reads the rows of a sheet with a look ahead, so that it is known whether there are more. */
class Rows {
  readonly #pages: AsyncIterator<readonly TableRow[]>
  #page: readonly TableRow[] | null = []

  constructor(sheet: Sheet) {
    this.#pages = sheet.pages()[Symbol.asyncIterator]()
  }

  /** The next rows, at most so many; none at the end. */
  async take(most: number): Promise<readonly TableRow[]> {
    while (this.#page !== null && this.#page.length === 0) {
      const next = await this.#pages.next()
      this.#page = next.done ? null : next.value
    }
    if (this.#page === null) return []
    const taken = this.#page.slice(0, most)
    this.#page = this.#page.slice(most)
    return taken
  }
}

/** Tables as a workbook (ECMA-376) bit by bit, with numbers and dates as such; `most` rows go into one sheet. */
export async function* xlsxFile(
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  most = mostRows,
): AsyncGenerator<Buffer> {
  yield* zipFile(partsOf(sheets, most))
}

async function* partsOf(
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  most: number,
): AsyncGenerator<ZipEntry> {
  const names: string[] = []
  for await (const sheet of sheets) {
    const rows = new Rows(sheet)
    let next = await rows.take(most - 1)
    for (let part = 1; part === 1 || next.length > 0; part += 1) {
      names.push(nameOf(sheet.title, part))
      const first = next
      yield {
        path: `xl/worksheets/sheet${names.length}.xml`,
        content: utf8(
          (async function* () {
            const write = rowWriter(sheet.columns)
            yield sheetStart(sheet.columns)
            let number = 2
            for (next = first; next.length > 0 && number <= most; next = await rows.take(most - number + 1)) {
              const start = number
              yield next.map((row, index) => write(row, start + index)).join('')
              number += next.length
              if (number > most) break
            }
            yield '</sheetData></worksheet>'
          })(),
        ),
      }
      next = await rows.take(most - 1)
    }
  }
  yield* framesOf(names)
}

function framesOf(names: readonly string[]): ZipEntry[] {
  const numbers = names.map((_, index) => index + 1)
  const entry = (path: string, text: string): ZipEntry => ({
    path,
    content: [Buffer.from(declaration + text)],
  })
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${related}/${kind}" Target="${target}"/>`
  const relations = (...list: readonly string[]): string =>
    `<Relationships xmlns="${packages}/relationships">${list.join('')}</Relationships>`
  const type = (part: string, kind: string): string =>
    `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  return [
    { path: 'xl/styles.xml', content: [Buffer.from(styles)] },
    entry(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${related}"><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    entry(
      'xl/_rels/workbook.xml.rels',
      relations(
        ...numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`)),
        relation(names.length + 1, 'styles', 'styles.xml'),
      ),
    ),
    entry('_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))),
    entry(
      '[Content_Types].xml',
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('workbook.xml', 'sheet.main')}${type('styles.xml', 'styles')}${numbers.map((number) => type(`worksheets/sheet${number}.xml`, 'worksheet')).join('')}</Types>`,
    ),
  ]
}
