import sql, { join } from 'sql-template-tag'
import { type Resource, tableOf } from '../../schema/resource.ts'
import { item } from '../../schema/resources/item.ts'
import { question } from '../../schema/resources/question.ts'
import { subevent } from '../../schema/resources/subevent.ts'
import { variation } from '../../schema/resources/variation.ts'
import type { RowData } from '../resource/codec.ts'
import { type Query, repeated } from '../resource/query.ts'
import { shown } from '../resource/routes.ts'
import { named, rowOf } from '../resource/store.ts'
import { withOptions } from '../services/questions.ts'
import type { Cells, Queryable } from '../storage/database.ts'

const expandable: Readonly<Record<string, Resource>> = { item, variation, subevent, question }

/** Lists of objects inside of rows in which ids can be expanded as well: `answers.question`, `positions.item`. */
const inner: ReadonlySet<string> = new Set(['answers', 'positions'])

/** Replaces ids by what they point at, in rows of one organizer, for the fields that a query asks to expand. */
export const expandRows = (
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
  query: Query,
): Promise<RowData[]> => expanded(db, organizer, rows, [...new Set(repeated(query, 'expand'))])

async function expanded(
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
  paths: readonly string[],
): Promise<RowData[]> {
  let result = [...rows]
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    if (rest.length === 0) result = await pointedAt(db, organizer, result, name)
    else if (inner.has(name)) result = await expandedInside(db, organizer, result, name, rest.join('.'))
  }
  return result
}

/** Expands in the objects of a list that each row holds, all of them together. */
async function expandedInside(
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
  name: string,
  path: string,
): Promise<RowData[]> {
  const lists = rows.map((row) => (Array.isArray(row[name]) ? (row[name] as RowData[]) : null))
  const all = await expanded(
    db,
    organizer,
    lists.flatMap((list) => list ?? []),
    [path],
  )
  let from = 0
  return rows.map((row, index) => {
    const list = lists[index]
    if (!list) return row
    from += list.length
    return { ...row, [name]: all.slice(from - list.length, from) }
  })
}

async function pointedAt(
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
  name: string,
): Promise<RowData[]> {
  const resource = expandable[name]
  const ids = [...new Set(rows.map((row) => row[name]).filter((id) => typeof id === 'number'))]
  if (!resource || ids.length === 0) return [...rows]
  const found = await db.all(
    sql`SELECT * FROM ${named(tableOf(resource))} WHERE organizer = ${organizer} AND id IN (${join(ids)})`,
  )
  const complete = await shownRows(db, organizer, resource, found)
  const byId = new Map(complete.map((row) => [row.id, row]))
  return rows.map((row) => (name in row ? { ...row, [name]: byId.get(row[name]) ?? row[name] } : row))
}

async function shownRows(
  db: Queryable,
  organizer: number,
  resource: Resource,
  found: readonly Cells[],
): Promise<RowData[]> {
  const rows = found.map((cells) => shown(resource, rowOf(resource, cells)))
  if (resource !== question) return rows
  const complete: RowData[] = []
  for (const event of new Set(found.map((cells) => Number(cells.event)))) {
    const own = rows.filter((_, index) => found[index]?.event === event)
    complete.push(...(await withOptions(db, { organizer, event }, own)))
  }
  return complete
}
