import sql, { join, type Sql } from 'sql-template-tag'
import type { Query } from '../../resource/query.ts'
import { single } from '../../resource/query.ts'

/**
 * Whether JSON text holds a piece as it is written there. Within JSON a quotation mark inside of a text is escaped, so
 * a piece that starts and ends with one is never found inside of another text. Unlike LIKE it minds case everywhere.
 */
const holds = (column: Sql, piece: string): Sql => sql`replace(${column}, ${piece}, '') <> ${column}`

/** A condition that a list of texts in a column holds a text. */
export const listHolds = (column: Sql, text: string): Sql => holds(column, JSON.stringify(text))

/** A condition that a list of ids in a column holds an id. */
export const idListHolds = (column: Sql, id: number): Sql =>
  sql`replace(replace(${column}, '[', ','), ']', ',') LIKE ${`%,${id},%`}`

/** A condition that an object in a column has a text under a key. */
const objectHas = (column: Sql, key: string, text: string): Sql =>
  holds(column, `${JSON.stringify(key)}:${JSON.stringify(text)}`)

/** A condition that an object in a column has a key. */
export const objectKnows = (column: Sql, key: string): Sql => holds(column, `${JSON.stringify(key)}:`)

/** What is looked for in texts of several languages, and in plain ones. */
interface Said {
  readonly words: string
  readonly texts: readonly Sql[]
  readonly plain?: readonly Sql[]
}

/** A condition that a row says some words somewhere in its texts, in whatever case. */
export function saidIn({ words, texts, plain = [] }: Said): Sql {
  const piece = words.toLowerCase().replace(/[!%_]/g, '!$&')
  // Texts are objects of languages, and what is looked for stands behind a first language.
  const inside = `%":"%${JSON.stringify(piece).slice(1, -1)}%`
  const among = texts.map((column) => sql`lower(${column}) LIKE ${inside} ESCAPE '!'`)
  const named = plain.map((column) => sql`lower(${column}) LIKE ${`%${piece}%`} ESCAPE '!'`)
  return sql`(${join([...named, ...among], ' OR ')})`
}

/** Where a row's meta data comes from when it says nothing itself: its event, and the organizer's usual value of a key. */
interface MetaSource {
  /** The meta data of the event, for rows that belong to one. */
  readonly event?: Sql
  readonly usual: (key: string) => Sql
}

/**
 * The conditions of `attr[key]=value` parameters on a column of meta data; an empty value asks for rows without one.
 * Where a row says nothing about a key, its event decides, and else what is usual.
 */
export function metaConditions(query: Query, column: Sql, { event = sql`'{}'`, usual }: MetaSource): Sql[] {
  return Object.keys(query).flatMap((name) => {
    const key = /^attr\[(.+)\]$/.exec(name)?.[1]
    const value = single(query, name)
    if (key === undefined || value === undefined) return []
    const says = (meta: Sql): Sql => objectHas(meta, key, value)
    const isSilent = (meta: Sql): Sql => sql`NOT ${objectKnows(meta, key)}`
    const isUsual = sql`coalesce(${usual(key)}, '') = ${value}`
    return [
      sql`(${says(column)} OR (${isSilent(column)} AND (${says(event)} OR (${isSilent(event)} AND ${isUsual}))))`,
    ]
  })
}
