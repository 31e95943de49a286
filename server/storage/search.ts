import sql, { bulk, empty, join, raw, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from './database.ts'
import { shaped } from './shaped.ts'

/** The words by which a position is found. */
export interface SearchText {
  readonly position: number
  readonly organizer: number
  readonly event: number
  /** The names by which it is found, as nameText writes them. */
  readonly names: string
  readonly text: string
  /** What is noted about its order, by which that is found and no position. */
  readonly note: string
}

const byteOrdered: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['order_position', ['organizer', 'secret']],
  ['order_position', ['organizer', 'event', 'name_key']],
  ['orders', ['organizer', 'code']],
]

/** The names of a table's columns; none where there is no such table. */
async function columnsOf(database: Database, table: string): Promise<string[]> {
  const columns = await database.all<{ name: string }>(
    database.engine === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table})`
      : sql`SELECT column_name AS name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ${table}`,
  )
  return columns.map(({ name }) => name)
}

/** Whether there is an index from before names were in it by themselves, or one that was being made anew when the program ended. */
async function isOutdated(database: Database): Promise<boolean> {
  if ((await columnsOf(database, 'search_unfilled')).length > 0) return true
  const columns = await columnsOf(database, 'position_search')
  return columns.length > 0 && !columns.includes('names')
}

/**
 * Creates the full-text index: SQLite's trigram table, or PostgreSQL's trigram index. True where one of another shape
 * stood in its place: everything is to be put into it again, and then `searchIsFilled` to be called.
 */
export async function prepareSearch(database: Database): Promise<boolean> {
  const isRenewed = await isOutdated(database)
  if (isRenewed)
    await database.script(
      'CREATE TABLE IF NOT EXISTS search_unfilled (since TEXT);\nDROP TABLE IF EXISTS position_search;\n',
    )
  if (database.engine === 'sqlite') {
    await database.script(
      "CREATE VIRTUAL TABLE IF NOT EXISTS position_search USING fts5(names, body, note, tokenize = 'trigram remove_diacritics 1');\n",
    )
    return isRenewed
  }
  await database.script('CREATE EXTENSION IF NOT EXISTS pg_trgm;\n')
  await database.script(
    'CREATE TABLE IF NOT EXISTS position_search (organizer BIGINT NOT NULL, event BIGINT NOT NULL, position_id BIGINT NOT NULL, names TEXT NOT NULL, body TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (organizer, position_id));\n',
  )
  // Beginnings are looked for bytewise, whatever the collation of the database.
  for (const [table, columns] of byteOrdered)
    await database.script(
      `CREATE INDEX IF NOT EXISTS ${table}_bytes_${columns.at(-1)} ON ${table} (${columns.join(', ')} COLLATE "C");\n`,
    )
  for (const column of ['names', 'body', 'note'])
    await database.script(
      `CREATE INDEX IF NOT EXISTS position_search_${column} ON position_search USING gin (${column} gin_trgm_ops);\n`,
    )
  return isRenewed
}

/** Notes that everything is in the index that was made anew. */
export const searchIsFilled = (database: Database): Promise<void> =>
  database.script('DROP TABLE IF EXISTS search_unfilled;\n')

/** Text as it is searched: small letters without accents. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')

/** Replaces the searched words of positions. */
export async function indexPositions(tx: Queryable, texts: readonly SearchText[]): Promise<void> {
  for (let first = 0; first < texts.length; first += 50) {
    const part = texts.slice(first, first + 50)
    if (tx.engine === 'sqlite') {
      await tx.run(sql`DELETE FROM position_search WHERE rowid IN (${join(part.map((one) => one.position))})`)
      await tx.run(
        sql`INSERT INTO position_search (rowid, names, body, note)
            VALUES ${bulk(part.map((one) => [one.position, one.names, folded(one.text), folded(one.note)]))}`,
      )
    } else
      await tx.run(
        sql`INSERT INTO position_search (organizer, event, position_id, names, body, note)
            VALUES ${bulk(part.map((one) => [one.organizer, one.event, one.position, one.names, folded(one.text), folded(one.note)]))}
            ON CONFLICT (organizer, position_id) DO UPDATE SET names = excluded.names, body = excluded.body, note = excluded.note`,
      )
  }
}

/** Adds the searched words of positions that have none yet. */
export async function addPositions(tx: Queryable, texts: readonly SearchText[]): Promise<void> {
  if (tx.engine !== 'sqlite') return indexPositions(tx, texts)
  // One by one: behind a statement that adds several, SQLite writes out what it has gathered, and has to merge it later.
  for (const { position, names, text, note } of texts)
    await tx.run(addText(position, names, folded(text), folded(note)))
}

const addText = shaped(
  (position: number, names: string, text: string, note: string) =>
    sql`INSERT INTO position_search (rowid, names, body, note) VALUES (${position}, ${names}, ${text}, ${note})`,
)

const settingsOf = (gathered: number, merged: number): string =>
  [`'hashsize', ${gathered}`, `'automerge', ${merged}`]
    .map((setting) => `INSERT INTO position_search (position_search, rank) VALUES (${setting});`)
    .join(' ')

/**
 * Has SQLite gather more before it writes, and merge nothing, while very many positions are added: it takes half of the
 * time.
 */
export async function fillingSearch(database: Database, fill: () => Promise<void>): Promise<void> {
  await beginFilling(database)
  await fill()
  await endFilling(database)
}

/** What comes before `fill` of fillingSearch. */
export async function beginFilling(database: Database): Promise<void> {
  if (database.engine === 'sqlite') await database.script(settingsOf(16 * 2 ** 20, 0))
}

/** What comes behind it. */
export async function endFilling(database: Database): Promise<void> {
  if (database.engine === 'sqlite') await database.script(settingsOf(2 ** 20, 4))
}

/** Forgets the searched words of positions. */
export async function forgetPositions(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const column = raw(tx.engine === 'sqlite' ? 'rowid' : 'position_id')
  await tx.run(sql`DELETE FROM position_search WHERE ${column} IN (${join([...ids])})`)
}

/** The shortest text that the trigram index can look for. */
const shortestSearch = 3

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  æ: 'ae',
  œ: 'oe',
  å: 'aa',
}

/** How a word may be written in the index: as it was typed, and with umlauts and what stands for them either way. */
export const spellingsOf = (word: string): readonly string[] => {
  const small = word.normalize('NFC').toLowerCase()
  const longer = folded(small.replace(/[äöüøæœå]/g, (letter) => umlauts[letter] ?? letter))
  const shorter = folded(small.replace(/([aou])e/g, '$1').replaceAll('aa', 'a'))
  // Ligatures are in the index as they were written. One too short to be looked for would keep the others from it.
  const joined = folded(small.replaceAll('ae', 'æ').replaceAll('oe', 'œ'))
  return [...new Set([folded(small), longer, shorter, ...(joined.length < shortestSearch ? [] : [joined])])]
}

/** More words than this are not looked for: databases bound how long a condition may be. */
const mostWords = 8

/** The words of a text in any order, each in every spelling that it may be found by; of very many the first. */
export const anySpelling = (text: string): readonly (readonly string[])[] =>
  [...new Set(text.trim().split(/\s+/))].slice(0, mostWords).map(spellingsOf)

/** A text as it was typed, in one piece. */
export const inOnePiece = (text: string): readonly (readonly string[])[] => [[folded(text)]]

const isLong = (word: readonly string[]): boolean =>
  word.every((spelling) => spelling.length >= shortestSearch)

/** Whether any word is long enough for the trigram index in each of its spellings. */
export const canSearch = (words: readonly (readonly string[])[]): boolean => words.some(isLong)

/** Whether the columns of a row have every word. */
const containsAll = (
  engine: 'sqlite' | 'postgres',
  words: readonly (readonly string[])[],
  columns: readonly Sql[],
): Sql => {
  // PostgreSQL's index knows the usual sign only, and SQLite has no usual one.
  const sign = raw(engine === 'sqlite' ? " ESCAPE '\\'" : '')
  const one = (spelling: string): Sql => {
    const pattern = `%${spelling.replace(/[\\%_]/g, '\\$&')}%`
    return join(
      columns.map((column) => sql`${column} LIKE ${pattern}${sign}`),
      ' OR ',
    )
  }
  return join(
    words.map((word) => sql`(${join(word.map(one), ' OR ')})`),
    ' AND ',
  )
}

/** Where words are looked for: in names, in everything that somebody is found by, and in notes about orders. */
type SearchedColumn = 'names' | 'body' | 'note'

/**
 * Selects the ids of positions (`p`) that meet a condition and whose words contain each of some, of which one at least has
 * three characters in every spelling; at most `most` of them. `joined` are further tables of the condition, joined to the
 * positions, and `among` says where the words are looked for.
 */
export function containing(
  engine: 'sqlite' | 'postgres',
  { joined, condition }: { readonly joined: Sql; readonly condition: Sql },
  words: readonly (readonly string[])[],
  { most, among }: { readonly most: number; readonly among: readonly SearchedColumn[] },
): Sql {
  if (engine === 'sqlite') {
    const quoted = (spelling: string): string => `"${spelling.replaceAll('"', '""')}"`
    const long = words.filter(isLong).map((word) => `(${word.map(quoted).join(' OR ')})`)
    const phrase = `{${among.join(' ')}} : (${long.join(' AND ')})`
    const short = words.filter((word) => !isLong(word))
    const columns = among.map((column) => raw(`position_search.${column}`))
    const rest = short.length > 0 ? sql` AND ${containsAll(engine, short, columns)}` : empty
    return sql`SELECT p.id FROM position_search CROSS JOIN order_position p ON p.id = position_search.rowid${joined}
        WHERE position_search MATCH ${phrase}${rest} AND ${condition} LIMIT ${most}`
  }
  const found = containsAll(
    engine,
    words,
    among.map((column) => raw(`s.${column}`)),
  )
  return sql`SELECT p.id FROM position_search s JOIN order_position p ON p.organizer = s.organizer AND p.id = s.position_id${joined}
      WHERE ${found} AND ${condition} LIMIT ${most}`
}
