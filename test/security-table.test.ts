import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

/**
 * The levels of the requirements of OWASP ASVS 5.0.0, in their order: `'1.4': '222'` says that 1.4.1 to 1.4.3 are of
 * level 2.
 */
const levels: Readonly<Record<string, string>> = {
  ...{ 1.1: '22', 1.2: '1111122223', 1.3: '112222222223', 1.4: '222', 1.5: '123' },
  ...{ 2.1: '122', 2.2: '112', 2.3: '12223', 2.4: '23' },
  ...{ 3.1: '3', 3.2: '113', 3.3: '12223', 3.4: '11222233', 3.5: '11122333', 3.6: '3', 3.7: '22333' },
  ...{ 4.1: '12233', 4.2: '23333', 4.3: '22', 4.4: '1222' },
  ...{ 5.1: '2', 5.2: '112333', 5.3: '113', 5.4: '222' },
  ...{ 6.1: '122', 6.2: '111111112222', 6.3: '11223333', 6.4: '112233', 6.5: '22222333' },
  ...{ 6.6: '2223', 6.7: '33', 6.8: '2222' },
  ...{ 7.1: '222', 7.2: '1111', 7.3: '22', 7.4: '11222', 7.5: '223', 7.6: '22' },
  ...{ 8.1: '1233', 8.2: '1123', 8.3: '133', 8.4: '23' },
  ...{ 9.1: '111', 9.2: '1222' },
  ...{ '10.1': '22', '10.2': '223', '10.3': '22223', '10.4': '1111122222233333' },
  ...{ '10.5': '22222', '10.6': '22', '10.7': '222' },
  ...{ '11.1': '2233', '11.2': '22233', '11.3': '11233', '11.4': '1222', '11.5': '23' },
  ...{ '11.6': '23', '11.7': '33' },
  ...{ '12.1': '12233', '12.2': '11', '12.3': '22223' },
  ...{ '13.1': '2333', '13.2': '222223', '13.3': '2233', '13.4': '1222233' },
  ...{ '14.1': '22', '14.2': '12223333', '14.3': '122' },
  ...{ '15.1': '12233', '15.2': '12233', '15.3': '1222222', '15.4': '3333' },
  ...{ '16.1': '2', '16.2': '22222', '16.3': '2222', '16.4': '222', '16.5': '2223' },
  ...{ '17.1': '23', '17.2': '22223333', '17.3': '22' },
}

const standard = Object.entries(levels).flatMap(([section, digits]) =>
  [...digits].map((level, index) => ({ id: `${section}.${index + 1}`, level: Number(level) })),
)

interface Row {
  readonly chapter: string
  readonly id: string
  readonly level: number
  readonly asked: string
  readonly stands: string
}

const rows: readonly Row[] = page.split(/^### V/m).flatMap((part) =>
  [...part.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+) \|$/gm)].map(
    ([, id = '', level, asked = '', stands = '']): Row => ({
      chapter: /^\d+/.exec(part)?.[0] ?? '',
      id,
      level: Number(level),
      asked,
      stands,
    }),
  ),
)

/** What is named between backticks, where it is a file of ours. */
const filesIn = ({ stands }: Row): string[] =>
  [...stands.matchAll(/`([\w./-]+\.(?:md|json|ts)(?:#[\w-]+)?)`/g)].map(([, name]) => String(name))

const reason = /^(Does not apply|For the operator|Not met): .{8,}/

/** The headings of a page as addresses name them. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )

describe('the table of docs/security.md', () => {
  it('has every requirement of levels 1 and 2 once, in the chapter that it belongs to', () => {
    const counted = [1, 2, 3].map((level) => standard.filter((one) => one.level === level).length)
    assert.deepEqual(counted, [70, 183, 92])
    assert.deepEqual(
      rows.map(({ id, level }) => ({ id, level })),
      standard.filter(({ level }) => level < 3),
    )
    assert.deepEqual(
      rows.filter(({ id, chapter }) => id.split('.')[0] !== chapter),
      [],
    )
    assert.equal(new Set(rows.map(({ chapter }) => chapter)).size, 17)
  })

  it('says of each what is asked, and shows it or gives a reason', () => {
    const wrong = rows.filter(
      (row) => row.asked.length < 5 || !(reason.test(row.stands) || row.stands.startsWith('`')),
    )
    assert.deepEqual(wrong, [])
    const without = rows.filter((row) => row.stands.startsWith('`') && filesIn(row).length === 0)
    assert.deepEqual(without, [])
  })

  it('shows it by tests, unless documentation is what is asked for', () => {
    const shown = rows.filter(({ stands }) => stands.startsWith('`'))
    const untested = shown.filter((row) => !filesIn(row).some((file) => file.endsWith('.test.ts')))
    assert.deepEqual(
      untested.filter(
        ({ asked }) => !/^(write down|list|a list|data is put|each with its rules)/.test(asked),
      ),
      [],
    )
    assert.ok(shown.length - untested.length > 120, `${shown.length - untested.length} are shown by tests`)
  })

  it('names tests that test something, and parts of the documentation that are there', () => {
    const wrong = [...new Set(rows.flatMap(filesIn))].filter((name) => {
      const [file = '', anchor] = name.split('#')
      if (!existsSync(join(root, file))) return true
      if (anchor !== undefined) return !anchorsOf(file).includes(anchor)
      if (!file.endsWith('.ts')) return false
      const text = readFileSync(join(root, file), 'utf8')
      return (
        !file.endsWith('.test.ts') ||
        !/\bit\(|check[A-Z]\w+\(/.test(text) ||
        !/\bassert\b|check[A-Z]/.test(text)
      )
    })
    assert.deepEqual(wrong, [])
  })
})
