import assert from 'node:assert/strict'
import { csvFile, type Dialect, decimalMark } from '../../../server/exporters/format/csv-file.ts'
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
import { readCsv } from '../../support/mocha/tables.ts'

const columns = [
  textColumn('Name'),
  wholeColumn('Count'),
  moneyColumn('Price'),
  percentColumn('Tax'),
  flagColumn('Paid'),
  momentColumn('At'),
  dayColumn('Day'),
]

const sheetOf = (...pages: readonly (readonly TableRow[])[]): Sheet => ({
  title: 'Things',
  columns,
  total: null,
  async *pages() {
    yield* pages
  },
})

async function written(rows: readonly TableRow[], dialect: Dialect, locale = 'en'): Promise<string> {
  let text = ''
  for await (const part of csvFile(sheetOf(rows), dialect, locale)) text += part
  return text
}

const row: TableRow = ['Ada', 3, 123_450, 1900, true, '2030-06-01T10:00:00', '2030-06-01']

describe('a table in CSV', () => {
  for (const [dialect, locale, line] of [
    ['default', 'en', '"Ada",3,1234.50,19.00,"Yes","2030-06-01 10:00:00","2030-06-01"'],
    ['default', 'de', '"Ada",3,"1234,50","19,00","Yes","2030-06-01 10:00:00","2030-06-01"'],
    ['excel', 'en', 'Ada,3,1234.50,19.00,Yes,2030-06-01 10:00:00,2030-06-01'],
    ['excel', 'de-informal', 'Ada,3,"1234,50","19,00",Yes,2030-06-01 10:00:00,2030-06-01'],
    ['semicolon', 'de', 'Ada;3;1234,50;19,00;Yes;2030-06-01 10:00:00;2030-06-01'],
    ['semicolon', 'en', 'Ada;3;1234.50;19.00;Yes;2030-06-01 10:00:00;2030-06-01'],
  ] as const)
    it(`is written in the dialect ${dialect} with the decimals of ${locale}`, async () => {
      assert.equal((await written([row], dialect, locale)).split('\r\n')[1], line)
    })

  it('quotes what is not a number by default, also where there is nothing', async () => {
    const empty = columns.map(() => null)
    assert.equal((await written([empty], 'default')).split('\r\n')[1], '"","","","","","",""')
    assert.equal((await written([empty], 'excel')).split('\r\n')[1], ',,,,,,')
  })

  it('says to office programs that it is UTF-8, and to nobody else', async () => {
    assert.ok((await written([], 'excel')).startsWith('\ufeffName,'))
    assert.ok((await written([], 'semicolon')).startsWith('\ufeffName;'))
    assert.ok((await written([], 'default')).startsWith('"Name",'))
  })

  for (const dialect of ['default', 'excel', 'semicolon'] as const)
    it(`keeps every text in the dialect ${dialect}, and lets none be carried out as a formula`, async () => {
      const harmless = [
        'a "b" c',
        'x,y;z',
        'two\nlines',
        'ends\r\nso',
        'Ünï – 東京 😀',
        ' space ',
        "'tis",
        '1.5',
        '',
      ]
      const harmful = [
        '=1+1',
        '+49 30 1',
        '-2',
        '@SUM(A1)',
        '\t=1',
        '\r=1',
        '\n=1',
        '|calc',
        '%x',
        '＝1',
        '＋1',
        '－1',
        '＠A',
      ]
      const rows = [...harmless, ...harmful].map((one) => [one, ...row.slice(1)])
      const read = readCsv(Buffer.from(await written(rows, dialect)), dialect === 'semicolon' ? ';' : ',')
      assert.deepEqual(
        read.map(({ Name }) => Name),
        [...harmless, ...harmful.map((one) => `'${one}`)],
      )
    })

  it('knows the decimal marks of languages', () => {
    assert.deepEqual(['en', 'de', 'fr', 'de_CH', 'xx', ''].map(decimalMark), ['.', ',', ',', '.', '.', '.'])
  })
})
