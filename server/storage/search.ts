import sql, { bulk, join, raw, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from './database.ts'

/** The words by which a position is found. */
export interface SearchText {
  readonly position: number
  readonly organizer: number
  readonly event: number
  readonly text: string
}

/** Creates the full-text index: SQLite's trigram table, or PostgreSQL's trigram index. */
export async function prepareSearch(database: Database): Promise<void> {
  if (database.engine === 'sqlite') {
    await database.script(
      "CREATE VIRTUAL TABLE IF NOT EXISTS position_search USING fts5(body, tokenize = 'trigram remove_diacritics 1');\n",
    )
    return
  }
  await database.script('CREATE EXTENSION IF NOT EXISTS pg_trgm;\n')
  await database.script(
    'CREATE TABLE IF NOT EXISTS position_search (organizer BIGINT NOT NULL, event BIGINT NOT NULL, position_id BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (organizer, position_id));\n',
  )
  await database.script(
    'CREATE INDEX IF NOT EXISTS position_search_body ON position_search USING gin (body gin_trgm_ops);\n',
  )
}

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
        sql`INSERT INTO position_search (rowid, body) VALUES ${bulk(part.map((one) => [one.position, folded(one.text)]))}`,
      )
    } else
      await tx.run(
        sql`INSERT INTO position_search (organizer, event, position_id, body)
            VALUES ${bulk(part.map((one) => [one.organizer, one.event, one.position, folded(one.text)]))}
            ON CONFLICT (organizer, position_id) DO UPDATE SET body = excluded.body`,
      )
  }
}

/** Forgets the searched words of positions. */
export async function forgetPositions(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const column = raw(tx.engine === 'sqlite' ? 'rowid' : 'position_id')
  await tx.run(sql`DELETE FROM position_search WHERE ${column} IN (${join([...ids])})`)
}

/** The shortest text that the trigram index can look for. */
export const shortestSearch = 3

/** A condition on a position's id: its words contain a text of at least three characters. At most `most` positions. */
export function contains(engine: 'sqlite' | 'postgres', organizer: number, text: string, most: number): Sql {
  const wanted = folded(text)
  if (engine === 'sqlite')
    return sql`p.id IN (SELECT rowid FROM position_search WHERE position_search MATCH ${`"${wanted.replaceAll('"', '""')}"`} LIMIT ${most})`
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`
  return sql`p.id IN (SELECT position_id FROM position_search WHERE organizer = ${organizer} AND body LIKE ${pattern} LIMIT ${most})`
}
