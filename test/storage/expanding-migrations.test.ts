import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../schema/database/', import.meta.url)

/** Servers of a version that ended with this migration may run beside newer ones. */
const firstRelease = '0053'

/** What a server that does not know of it would stumble over. */
const contracts: Readonly<Record<string, RegExp>> = {
  'takes a table or column away': /\bDROP\s+(TABLE|COLUMN)\b/i,
  'renames a table or column': /\bRENAME\b/i,
  'changes what a column takes': /\bALTER\s+COLUMN\b/i,
  'adds a column that must be written': /\bADD\s+COLUMN\s+\S+\s+\w+\s+NOT\s+NULL(?!\s+DEFAULT)/i,
}

/** Tables that a script makes, and those that it makes unique in something. */
const madeIn = (script: string): string[] =>
  [...script.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi)].map(([, name = '']) => name)
const uniqueIn = (script: string): string[] =>
  [...script.matchAll(/CREATE UNIQUE INDEX \S+ ON "?(\w+)"?/gi)].map(([, name = '']) => name)

/** Why older servers could not go on beside a server that has carried a migration out. */
const reasonsAgainst = (script: string): string[] => {
  const made = new Set(madeIn(script))
  return [
    ...Object.entries(contracts).flatMap(([reason, words]) => (words.test(script) ? [reason] : [])),
    ...uniqueIn(script).flatMap((table) => (made.has(table) ? [] : [`makes ${table} unique in something`])),
  ]
}

describe('migrations since the first release', () => {
  it('let older servers go on, unless their names say that they contract', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name > firstRelease)
    for (const name of files) {
      const reasons = reasonsAgainst(await readFile(new URL(name, folder), 'utf8'))
      assert.deepEqual(name.endsWith('-contract.sql') ? [] : reasons, [], name)
    }
  })

  const scripts: readonly (readonly [string, string, readonly string[]])[] = [
    ['a new column', 'ALTER TABLE orders ADD COLUMN note TEXT;', []],
    ['a new column with a value', "ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT '';", []],
    [
      'a new column without a value',
      'ALTER TABLE orders ADD COLUMN note TEXT NOT NULL;',
      ['adds a column that must be written'],
    ],
    [
      'a new table, unique in something',
      'CREATE TABLE badge (id BIGINT);\nCREATE UNIQUE INDEX a ON badge (id);',
      [],
    ],
    [
      'an old table, unique in something',
      'CREATE UNIQUE INDEX a ON orders (email);',
      ['makes orders unique in something'],
    ],
    ['a column less', 'ALTER TABLE orders DROP COLUMN note;', ['takes a table or column away']],
    ['a column by another name', 'ALTER TABLE orders RENAME COLUMN a TO b;', ['renames a table or column']],
  ]
  for (const [title, script, reasons] of scripts)
    it(`are judged: ${title}`, () => assert.deepEqual(reasonsAgainst(script), reasons))
})
