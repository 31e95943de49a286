import { amountOf } from '../../resource/codec.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { utf8 } from '../format/utf8.ts'
import { type ZipEntry, zipFile } from '../format/zip-file.ts'
import { closedDrawers } from './dsfinvk-rows.ts'
import { dsfinvkTables } from './dsfinvk-tables.ts'
import { closingColumns, type DsfinvkColumn, type DsfinvkTable } from './dsfinvk-words.ts'

/** What nobody may overlook who opens the package. */
const notice = `NOT VERIFIED

These files have the shape of DSFinV-K 2.3. Nobody has checked them against its rules, and Gatehouse is not certified by any
authority. Have somebody who keeps the books look at them before they are given to anybody.

Known to differ: payments with gift cards are ways of paying, not the redemption of vouchers as a line; prices are those of the
receipt, without how they came about (itemamounts.csv and subitems.csv are missing); agencies are not known (pa.csv is missing);
what is not taxable and what is exempt from tax share a key; a receipt that was reported after its drawer was closed stands in
that closing, whose Z report is without it.
`

/** The closings of tills with all their receipts in the shape of DSFinV-K, as an archive; nothing of it is verified. */
export async function* dsfinvkFile(run: Run): AsyncGenerator<Uint8Array> {
  if (run.events.length === 0 || (await closedDrawers(run).next()).done)
    throw new NothingToExport('No drawer was closed yet. Close one, then export again.')
  yield* zipFile(entriesOf(run))
}

async function* entriesOf(run: Run): AsyncGenerator<ZipEntry> {
  run.expect(dsfinvkTables.length)
  yield { path: 'NOT-VERIFIED.txt', content: [Buffer.from(notice)] }
  yield { path: 'index.xml', content: [Buffer.from(description(run))] }
  for (const table of dsfinvkTables) {
    yield { path: table.file, content: utf8(linesOf(run, table)) }
    run.advance(1)
  }
}

async function* linesOf(run: Run, { columns, rowsOf }: DsfinvkTable): AsyncGenerator<string> {
  const all = [...closingColumns, ...columns]
  yield written(all.map(([name]) => name))
  for await (const closed of closedDrawers(run)) {
    const { row, till } = closed
    const key = [till, row.closed, row.number]
    for await (const cells of rowsOf(run, closed))
      yield written([...key, ...cells].map((cell, index) => shown(cell, all[index])))
  }
}

/** A number of hundredths with the decimals of its column, those of whole numbers without. */
function shown(cell: string | number, column: DsfinvkColumn | undefined): string {
  if (typeof cell === 'string') return cell
  const decimals = column?.[1] ?? 0
  return decimals === 0
    ? String(cell)
    : amountOf(cell)
        .replace('.', ',')
        .padEnd(amountOf(cell).length + decimals - 2, '0')
}

const written = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';')}\r\n`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What describes the files to programs that audit, in the XML of the German standard for handing over data. */
function description({ organizer }: Run): string {
  const column = ([name, decimals]: DsfinvkColumn): string => {
    const kind =
      decimals === undefined
        ? '<AlphaNumeric/>'
        : decimals === 0
          ? '<Numeric/>'
          : `<Numeric><Accuracy>${decimals}</Accuracy></Numeric>`
    return `          <VariableColumn><Name>${name}</Name>${kind}</VariableColumn>\n`
  }
  const table = ({ file, title, columns }: DsfinvkTable): string => `    <Table>
      <URL>${file}</URL>
      <Name>${title}</Name>
      <UTF8/>
      <DecimalSymbol>,</DecimalSymbol>
      <DigitGroupingSymbol>.</DigitGroupingSymbol>
      <Range><From>2</From></Range>
      <VariableLength>
        <ColumnDelimiter>;</ColumnDelimiter>
        <RecordDelimiter>&#13;&#10;</RecordDelimiter>
        <TextEncapsulator>"</TextEncapsulator>
${[...closingColumns, ...columns].map(column).join('')}      </VariableLength>
    </Table>
`
  return `<?xml version="1.0" encoding="UTF-8"?>
<DataSet>
  <Version>1.0</Version>
  <DataSupplier>
    <Name>${escaped(organizer.slug)}</Name>
    <Location/>
    <Comment>NOT VERIFIED: in the shape of DSFinV-K 2.3</Comment>
  </DataSupplier>
  <Media>
    <Name>DSFinV-K</Name>
${dsfinvkTables.map(table).join('')}  </Media>
</DataSet>
`
}
