import sql, { raw, type Sql } from 'sql-template-tag'

/** The text under a key of a column that holds a JSON object, null where there is none; only to sort by. */
export const jsonText = (engine: 'sqlite' | 'postgres', column: Sql, key: string): Sql => {
  if (!/^\w+$/.test(key)) throw new Error(`${key} is no key to look for.`)
  return engine === 'sqlite'
    ? sql`json_extract(${column}, ${raw(`'$.${key}'`)})`
    : sql`(CAST(${column} AS json) ->> ${raw(`'${key}'`)})`
}
