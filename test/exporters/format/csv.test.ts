import assert from 'node:assert/strict'
import { csvCell, csvTable } from '../../../server/exporters/format/csv.ts'

describe('a table in CSV', () => {
  const cells: readonly [unknown, string][] = [
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [-5, '-5'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    [' =1+1', "' =1+1"],
    ['\u00a0\u200b @SUM(A1)', "'\u00a0\u200b @SUM(A1)"],
    ['\ufeff=1', "'\ufeff=1"],
    [' two words', ' two words'],
    ['a=1', 'a=1'],
  ]
  for (const [value, expected] of cells)
    it(`writes ${JSON.stringify(value)} as ${JSON.stringify(expected)}`, () =>
      assert.equal(csvCell(value), expected))

  it('has a line of titles, and the values below them in their order', () => {
    assert.equal(csvTable(['b', 'a'], [{ a: 1, b: 'x', c: 'left out' }, { b: 'y' }]), 'b,a\r\nx,1\r\ny,\r\n')
  })
})
