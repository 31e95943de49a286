import sql, { type Sql } from 'sql-template-tag'
import type { Query } from '../resource/query.ts'
import { single } from '../resource/query.ts'

/**
 * Whether JSON text holds a piece as it is written there. Within JSON a quotation mark inside of a text is escaped, so
 * a piece that starts and ends with one is never found inside of another text. Unlike LIKE it minds case everywhere.
 */
const holds = (column: Sql, piece: string): Sql => sql`replace(${column}, ${piece}, '') <> ${column}`

/** A condition that a list of texts in a column holds a text. */
export const listHolds = (column: Sql, text: string): Sql => holds(column, JSON.stringify(text))

/** A condition that an object in a column has a text under a key. */
const objectHas = (column: Sql, key: string, text: string): Sql =>
  holds(column, `${JSON.stringify(key)}:${JSON.stringify(text)}`)

/** A condition that an object in a column has a key. */
const objectKnows = (column: Sql, key: string): Sql => holds(column, `${JSON.stringify(key)}:`)

/**
 * The conditions of `attr[key]=value` parameters on a column of meta data; an empty value asks for rows without one.
 * Where a row says nothing about a key, the column of its event decides.
 */
export function metaConditions(query: Query, column: Sql, inherited: Sql = sql`'{}'`): Sql[] {
  return Object.keys(query).flatMap((name) => {
    const key = /^attr\[(.+)\]$/.exec(name)?.[1]
    const value = single(query, name)
    if (key === undefined || value === undefined) return []
    const without = (meta: Sql): Sql => sql`(NOT ${objectKnows(meta, key)} OR ${objectHas(meta, key, '')})`
    if (value === '')
      return [
        sql`(${objectHas(column, key, '')} OR (NOT ${objectKnows(column, key)} AND ${without(inherited)}))`,
      ]
    return [
      sql`(${objectHas(column, key, value)} OR (NOT ${objectKnows(column, key)} AND ${objectHas(inherited, key, value)}))`,
    ]
  })
}
