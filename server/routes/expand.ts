import sql, { join } from 'sql-template-tag'
import { type Resource, tableOf } from '../../schema/resource.ts'
import { item } from '../../schema/resources/item.ts'
import { subevent } from '../../schema/resources/subevent.ts'
import { variation } from '../../schema/resources/variation.ts'
import type { RowData } from '../resource/codec.ts'
import { type Query, repeated } from '../resource/query.ts'
import { shown } from '../resource/routes.ts'
import { named, rowOf } from '../resource/store.ts'
import type { Queryable } from '../storage/database.ts'

const expandable: Readonly<Record<string, Resource>> = { item, variation, subevent }

/** Replaces ids by what they point at, in rows of one organizer, for the fields that a query asks to expand. */
export async function expandRows(
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
  query: Query,
): Promise<RowData[]> {
  let expanded = [...rows]
  for (const name of new Set(repeated(query, 'expand'))) {
    const resource = expandable[name]
    if (!resource) continue
    const ids = [...new Set(expanded.map((row) => row[name]).filter((id) => typeof id === 'number'))]
    const found =
      ids.length === 0
        ? []
        : await db.all(
            sql`SELECT * FROM ${named(tableOf(resource))} WHERE organizer = ${organizer} AND id IN (${join(ids)})`,
          )
    const byId = new Map(found.map((cells) => [cells.id, shown(resource, rowOf(resource, cells))]))
    expanded = expanded.map((row) => ({ ...row, [name]: byId.get(row[name] as number) ?? row[name] }))
  }
  return expanded
}
