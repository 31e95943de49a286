import assert from 'node:assert/strict'
import {
  dayColumn,
  flagColumn,
  momentColumn,
  moneyColumn,
  percentColumn,
  type Sheet,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../../../server/exporters/format/table.ts'
import { xlsxFile } from '../../../server/exporters/format/xlsx-file.ts'
import { readXlsx } from '../../support/mocha/tables.ts'

const sheetOf = (
  title: string,
  columns: Sheet['columns'],
  ...pages: readonly (readonly TableRow[])[]
): Sheet => ({
  title,
  columns,
  total: null,
  async *pages() {
    yield* pages
  },
})

async function written(sheets: readonly Sheet[], most?: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of xlsxFile(sheets, most)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('tables as a workbook', () => {
  it('have numbers, dates and truths as such, and texts as they were', async () => {
    const texts = ['=1+1', '+49', '<b>&"\'', ' two\nlines ', 'Ünï 東京 😀', '_xyz', '0123']
    const columns = [
      textColumn('Text'),
      wholeColumn('Count'),
      moneyColumn('Price'),
      percentColumn('Tax'),
      flagColumn('Paid'),
      momentColumn('At'),
      dayColumn('Day'),
    ]
    const rows = texts.map(
      (one): TableRow => [one, 3, -1234, 1900, true, '2030-03-31T02:30:15', '2000-02-29'],
    )
    const nothing: TableRow = ['last', null, 0, null, false, null, null]
    const sheets = await readXlsx(await written([sheetOf('Things', columns, rows, [nothing])]))
    assert.deepEqual(Object.keys(sheets), ['Things'])
    const read = sheets.Things ?? []
    // The reader takes spaces off the ends.
    assert.deepEqual(
      read.slice(0, -1).map((one) => one.Text),
      texts.map((one) => one.trim()),
    )
    assert.deepEqual(read[0], {
      Text: '=1+1',
      Count: 3,
      Price: -12.34,
      Tax: 19,
      Paid: true,
      At: new Date('2030-03-31T02:30:15Z'),
      Day: new Date('2000-02-29T00:00:00Z'),
    })
    assert.deepEqual(read.at(-1), {
      Text: 'last',
      Count: null,
      Price: 0,
      Tax: null,
      Paid: false,
      At: null,
      Day: null,
    })
  })

  it('are one sheet each, with names that spreadsheets take', async () => {
    const columns = [textColumn('A')]
    const sheets = await readXlsx(
      await written([
        sheetOf('Orders', columns, [['x']]),
        sheetOf('In/out: [all]? & "more"', columns),
        sheetOf('A very long name of a check-in list', columns, [['y']]),
      ]),
    )
    assert.deepEqual(Object.keys(sheets), ['Orders', 'In out   all   & "more"', 'A very long name of a che'])
    assert.deepEqual(
      Object.values(sheets).map((rows) => rows.length),
      [1, 0, 1],
    )
  })

  for (const [count, expected] of [
    [0, [0]],
    [3, [3]],
    [4, [3, 1]],
    [6, [3, 3]],
    [11, [3, 3, 3, 2]],
  ] as const)
    it(`go on in another sheet where one is full: ${count} rows, three to a sheet`, async () => {
      const rows = Array.from({ length: count }, (_, index): TableRow => [index])
      const pages = [rows.slice(0, 1), rows.slice(1, 1), rows.slice(1, 8), rows.slice(8)]
      const sheets = await readXlsx(await written([sheetOf('N', [wholeColumn('n')], ...pages)], 4))
      assert.deepEqual(
        Object.values(sheets).map((one) => one.length),
        expected,
      )
      assert.deepEqual(
        Object.values(sheets).flatMap((one) => one.map(({ n }) => n)),
        rows.map(([n]) => n),
      )
    })

  it('say what cannot stand in XML with a sign for it, and cut what no cell holds', async () => {
    const rows: TableRow[] = [['a\u0000b\ud800'], ['x'.repeat(40_000)], ['a\r\nb']]
    const read = (await readXlsx(await written([sheetOf('S', [textColumn('T')], rows)]))).S ?? []
    assert.deepEqual(
      read.map(({ T }) => String(T).length),
      [4, 32_767, 3],
    )
    assert.equal(read[0]?.T, 'a\ufffdb\ufffd')
  })

  it('fail where a table fails, instead of looking whole', async () => {
    const broken: Sheet = {
      title: 'Broken',
      columns: [textColumn('A')],
      total: null,
      async *pages() {
        yield [['x']]
        throw new Error('the disk is gone')
      },
    }
    await assert.rejects(written([broken]), /the disk is gone/)
  })
})
