import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './database.ts'

type Engine = Queryable['engine']

/**
 * The end of a subquery that is carried out for each row that asks for it. PostgreSQL would rather make a join of it, of
 * which it chooses the wrong side where it does not know yet how many rows there are: a new event, a restored database.
 */
export const forEachRow = (engine: Engine): Sql => (engine === 'postgres' ? sql` OFFSET 0` : empty)

/**
 * Joins the rows of a table to those before it, for each of them by its key. Neither engine begins with this table then,
 * whatever it knows or does not know of both.
 */
export const joinForEachRow = (engine: Engine, [table, alias]: readonly [string, string], on: Sql): Sql =>
  engine === 'postgres'
    ? sql` CROSS JOIN LATERAL (SELECT * FROM ${raw(`${table} ${alias}`)} WHERE ${on}${forEachRow(engine)}) ${raw(alias)}`
    : sql` CROSS JOIN ${raw(`${table} ${alias}`)} ON ${on}`

/**
 * A condition that a value is among those of a subquery, for which PostgreSQL keeps these in memory; else it would make a
 * join of that as well.
 */
export const lookedUpIn = (engine: Engine, condition: Sql): Sql =>
  engine === 'postgres' ? sql`(${condition}) IS TRUE` : condition
