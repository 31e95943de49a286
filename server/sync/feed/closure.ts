import sql from 'sql-template-tag'
import type { Cells, Queryable } from '../../storage/database.ts'
import type { Reference, RowShape } from './columns.ts'
import type { Cursor } from './cursor.ts'
import { chunksOf, listOf, rowsById } from './rows.ts'
import type { View } from './view.ts'

/** The rows of a page by resource and id. */
export type Gathered = Map<string, Map<number, Cells>>

/** What a page is made for. */
export interface FeedPageParts {
  readonly view: View
  readonly shapes: ReadonlyMap<string, RowShape>
  /** The place of each resource in the order in which rows are reported. */
  readonly ranks: ReadonlyMap<string, number>
  /** How far the node is before the page. */
  readonly cursor: Cursor
}

/** Enters rows into a page; those that were not there yet. */
export function gatherClosure(page: Gathered, shape: RowShape, rows: readonly Cells[]): Cells[] {
  const known = page.get(shape.resource.name) ?? new Map<number, Cells>()
  page.set(shape.resource.name, known)
  const fresh = rows.filter((row) => !known.has(Number(row.id)))
  for (const row of fresh) known.set(Number(row.id), row)
  return fresh
}

/** Resources whose references the database does not look after: what they are about may be gone. */
const loose: ReadonlySet<string> = new Set(['conflict'])

interface Pointed {
  readonly to: RowShape
  /** The feed that the row pointed at is in: an event, or 0 for the organizer's. */
  readonly feed: number
  /** Whether a row that is pointed at cannot be deleted. */
  readonly isRequired: boolean
  readonly ids: Set<number>
}

const idsIn = ({ column, many }: Reference, row: Cells): number[] => {
  const cell = row[column]
  if (cell === null || cell === undefined) return []
  return many ? (JSON.parse(String(cell)) as number[]) : [Number(cell)]
}

/** What some rows point at that is not in the page, by where it is. */
function pointedAt(
  parts: FeedPageParts,
  page: Gathered,
  fresh: readonly (readonly [RowShape, Cells])[],
): Pointed[] {
  const found = new Map<string, Pointed>()
  for (const [shape, row] of fresh)
    for (const reference of shape.references) {
      const to = parts.shapes.get(reference.to)
      if (!to) continue
      const feed = to.resource.scope === 'event' ? Number(row.event) : 0
      const isRequired = !reference.many && !loose.has(shape.resource.name)
      const key = `${reference.to} ${feed} ${isRequired}`
      for (const id of idsIn(reference, row)) {
        if (page.get(reference.to)?.has(id)) continue
        const pointed = found.get(key) ?? { to, feed, isRequired, ids: new Set<number>() }
        found.set(key, pointed)
        pointed.ids.add(id)
      }
    }
  return [...found.values()]
}

/** Whether a row was reported while all rows of an event were reported in their order, up to where that has come. */
function wasLoaded({ ranks, cursor }: FeedPageParts, feed: number, resource: string, id: number): boolean {
  if (feed === 0) return true
  const at = cursor.events.get(feed)
  if (!at?.loading) return at !== undefined
  const [rank = 0, reached = 0] = [ranks.get(resource), ranks.get(at.loading.resource)]
  return rank < reached || (rank === reached && id <= at.loading.id)
}

/**
 * Adds to a page what its rows point at and the node does not have: what has changed since its cursor, and what it was
 * never sent. Nobody keeps the rows from changing between the statements that read a page. What that could break is
 * that a row points at one that is deleted by now; then the answer is false, and the page is to be read anew.
 */
export async function closePage(db: Queryable, parts: FeedPageParts, page: Gathered): Promise<boolean> {
  const { view, shapes, cursor } = parts
  let isSound = true
  let fresh: (readonly [RowShape, Cells])[] = [...page].flatMap(([name, rows]) => {
    const shape = shapes.get(name)
    return shape ? [...rows.values()].map((row) => [shape, row] as const) : []
  })
  while (fresh.length > 0) {
    const next: (readonly [RowShape, Cells])[] = []
    for (const { to, feed, isRequired, ids } of pointedAt(parts, page, fresh)) {
      const { name } = to.resource
      const sentUpTo = (feed === 0 ? cursor.organizer : cursor.events.get(feed))?.seq ?? 0
      const missing = new Set([...ids].filter((id) => !wasLoaded(parts, feed, name, id)))
      for (const some of chunksOf([...ids]))
        for (const { row_id, op } of await db.all<{ row_id: number; op: string }>(
          sql`SELECT row_id, op FROM change WHERE organizer = ${view.organizer} AND event = ${feed}
              AND resource = ${name} AND row_id IN ${listOf(some)} AND seq > ${sentUpTo}`,
        )) {
          if (op === 'put') missing.add(row_id)
          else if (isRequired) isSound = false
        }
      const rows = missing.size > 0 ? await rowsById(db, view, to, [...missing]) : []
      if (isRequired && rows.length < missing.size) isSound = false
      for (const row of gatherClosure(page, to, rows)) next.push([to, row])
    }
    fresh = next
  }
  return isSound
}

/** The rows of one resource in an order in which each is after what it points at. */
export function parentsFirst(shape: RowShape, rows: ReadonlyMap<number, Cells>): Cells[] {
  const own = shape.references.filter(({ to, many }) => to === shape.resource.name && !many)
  if (own.length === 0) return [...rows.values()]
  const ordered: Cells[] = []
  const seen = new Set<number>()
  const visit = (id: number): void => {
    const row = rows.get(id)
    if (!row || seen.has(id)) return
    seen.add(id)
    for (const reference of own) for (const parent of idsIn(reference, row)) visit(parent)
    ordered.push(row)
  }
  for (const id of rows.keys()) visit(id)
  return ordered
}
