import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { shaped } from '../../server/storage/shaped.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'

describe('statements of one shape', () => {
  const between = shaped(
    (low: number, high: number, word: string | null) => sql`SELECT ${low} + ${high} AS sum, ${word} AS word`,
  )

  it('say the same as the template they are made of', () => {
    const plain = sql`SELECT ${1} + ${2} AS sum, ${'x'} AS word`
    const made = between(1, 2, 'x')
    assert.deepEqual([made.sql, made.text, made.values], [plain.sql, plain.text, plain.values])
  })

  it('carry their own values each time', async () => {
    const database = openSqlite(':memory:')
    const given: readonly (readonly [number, number, string | null])[] = [
      [1, 2, 'x'],
      [3, 4, null],
      [5, 6, 'y'],
    ]
    const answers = []
    for (const values of given) answers.push(await database.get(between(...values)))
    await database.close()
    assert.deepEqual(answers, [
      { sum: 3, word: 'x' },
      { sum: 7, word: null },
      { sum: 11, word: 'y' },
    ])
  })

  it('take any number of values where it is said', () => {
    const three = shaped(
      (...values: readonly number[]) => sql`SELECT ${values[0]}, ${values[1]}, ${values[2]}`,
      3,
    )
    assert.deepEqual(three(7, 8, 9).values, [7, 8, 9])
  })

  for (const [what, write] of [
    ['in another order', (a: number, b: number) => sql`SELECT ${b}, ${a}`],
    ['twice', (a: number, b: number) => sql`SELECT ${a}, ${b}, ${a}`],
    ['not at all', (a: number, _b: number) => sql`SELECT ${a}`],
    ['changed', (a: number, b: number) => sql`SELECT ${a}, ${b + 1}`],
  ] as const)
    it(`refuse a template that uses a value ${what}`, () => {
      assert.throws(() => shaped(write), /does not take its values in their order/)
    })
})
