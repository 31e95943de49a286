import assert from 'node:assert/strict'
import { readRows } from '../../../server/domain/guest-list/rows.ts'
import { workTime } from '../../support/mocha/work-time.ts'

function read(text: string, delimiter = ';'): (readonly [number, ...string[]])[] {
  return [...readRows(text, delimiter)].map(({ line, cells, problem }) => [
    line,
    ...(problem ? ['!'] : cells),
  ])
}

describe('guest list rows', () => {
  it('numbers rows by the line they begin in, also after cells of several lines', () => {
    assert.deepEqual(read('a;b\n\n"two\nlines";c\n\n\nd;"x\n\n\ny"\ne'), [
      [1, 'a', 'b'],
      [3, 'two\nlines', 'c'],
      [7, 'd', 'x\n\n\ny'],
      [11, 'e'],
    ])
  })

  it('numbers rows right across the pieces it reads', () => {
    const rows = Array.from({ length: 1000 }, (_, index) =>
      index % 3 === 0 ? `"a\n${index}";x\n` : `b;${index}`,
    )
    const text = rows.join('\n')
    const lines = text.split('\n')
    const found = read(text)
    assert.equal(found.length, 1000)
    for (const [line, first] of found)
      assert.equal(lines[line - 1]?.startsWith(first === 'b' ? 'b' : '"a'), true)
  })

  it('begins at the line that is asked for', () => {
    assert.deepEqual(
      [...readRows('a\nb', ';', 2)].map(({ line }) => line),
      [2, 3],
    )
  })

  const quoting: readonly (readonly [
    title: string,
    text: string,
    rows: (readonly [number, ...string[]])[],
  ])[] = [
    ['doubled marks', '"a ""b"" c";d', [[1, 'a "b" c', 'd']]],
    ['separators in quoted cells', '"a;b";c', [[1, 'a;b', 'c']]],
    [
      'spaces around quoted cells',
      ' "a;b" ; "c" \nx',
      [
        [1, 'a;b', 'c'],
        [2, 'x'],
      ],
    ],
    ['marks inside of an unquoted cell', 'Bob "B" Smith;5"', [[1, 'Bob "B" Smith', '5"']]],
    ['marks around the first word of a cell', '"Big" Bob;b', [[1, '"Big" Bob', 'b']]],
    [
      'a mark that is never closed',
      'a;1\n"b;2\nc;3\nd;"4"',
      [
        [1, 'a', '1'],
        [2, '!'],
        [3, 'c', '3'],
        [4, 'd', '4'],
      ],
    ],
    [
      'a mark that the next quoted cell seems to close',
      '"b;2\n"c";"3"\nd;4',
      [
        [1, '!'],
        [2, 'c', '3'],
        [3, 'd', '4'],
      ],
    ],
    [
      'codes written as a formula',
      '="001";a\n"x";="00 2"\n="=""3"""',
      [
        [1, '="001"', 'a'],
        [2, 'x', '="00 2"'],
        [3, '="=""3"""'],
      ],
    ],
    ['empty cells', ';;a;', [[1, '', '', 'a', '']]],
    [
      'rows of any width',
      'a;b;c\nd\ne;f',
      [
        [1, 'a', 'b', 'c'],
        [2, 'd'],
        [3, 'e', 'f'],
      ],
    ],
  ]
  for (const [title, text, rows] of quoting) it(`reads ${title}`, () => assert.deepEqual(read(text), rows))

  it('keeps empty cells between tabs', () => {
    assert.deepEqual(read('\t\ta\t"b"\t\n="01"\t\tc', '\t'), [
      [1, '', '', 'a', 'b', ''],
      [2, '="01"', '', 'c'],
    ])
  })

  it('reads on after a line that is too long to be one', () => {
    const rows = [...readRows(`a;b\n${'x'.repeat(100_001)};c\nd;e`, ';')]
    assert.deepEqual(
      rows.map(({ line, problem }) => [line, problem]),
      [
        [1, null],
        [2, 'This line is longer than 100000 characters.'],
        [3, null],
      ],
    )
  })

  it('needs time in proportion to the rows even when every line has a stray mark', () => {
    const timed = (count: number): number => {
      const text = '"x;y\n'.repeat(count)
      return workTime(() => {
        assert.equal([...readRows(text, ';')].filter(({ problem }) => problem !== null).length, count)
      })
    }
    const ratio = timed(4000) / timed(400)
    assert.ok(ratio < 40, `ten times the rows took ${ratio.toFixed(1)} times as long`)
  })
})
