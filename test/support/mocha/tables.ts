import { parse } from 'csv-parse/sync'
import readExcelFile from 'read-excel-file/node'

/** A row of a table by its titles. */
export type ReadRow = Readonly<Record<string, unknown>>

/** The rows of a table in CSV, as a library reads them that did not write them. */
export const readCsv = (text: Buffer, delimiter = ','): Readonly<Record<string, string>>[] =>
  parse(text, { columns: true, bom: true, delimiter, relax_quotes: false })

/** The sheets of a workbook by their names, each with its rows by their titles, read the same way. */
export async function readXlsx(bytes: Buffer): Promise<Readonly<Record<string, readonly ReadRow[]>>> {
  const sheets = await readExcelFile(bytes)
  return Object.fromEntries(
    sheets.map(({ sheet, data }) => {
      const [titles = [], ...rows] = data
      return [
        sheet,
        rows.map((row) =>
          Object.fromEntries(titles.map((title, index) => [String(title), row[index] ?? null])),
        ),
      ]
    }),
  )
}

/** What amounts come to, in hundredths: texts with two decimals, or numbers. */
export const sumOf = (rows: readonly ReadRow[], column: string): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)
