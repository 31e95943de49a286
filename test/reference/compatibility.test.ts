import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { explained } from './differences.ts'
import { tableOf } from './table.ts'

const file = new URL('../../docs/compatibility.md', import.meta.url)

const begin = '<!-- differences -->\n'
const end = '\n<!-- end -->'

describe('the table of differences', () => {
  it('has a row for each difference that the comparison accepts, and no other', () => {
    const text = readFileSync(file, 'utf8')
    const from = text.indexOf(begin) + begin.length
    const to = text.indexOf(end)
    assert.ok(from >= begin.length && to >= from, 'docs/compatibility.md has a place for the table')
    const table = tableOf(explained)
    if (process.env.WRITE_COMPATIBILITY) writeFileSync(file, text.slice(0, from) + table + text.slice(to))
    else assert.equal(text.slice(from, to), table)
  })

  it('names each difference once and gives it a sentence', () => {
    assert.equal(new Set(explained.map(({ id }) => id)).size, explained.length)
    for (const { id, text } of explained) {
      assert.match(id, /^[a-z]+(-[a-z]+)*$/)
      assert.match(text, /^[A-Z`].*\.$/, id)
    }
  })
})
