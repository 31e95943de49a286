import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import type { Scope } from '../../resource/api.ts'
import { audienceOf, maskedRow } from '../../resource/mask.ts'
import { type Query, repeated } from '../../resource/query.ts'
import { shown } from '../../resource/routes.ts'
import { named, rowOf } from '../../resource/store.ts'
import { withPicture } from '../../services/catalogue/item-pictures.ts'
import { withOptions } from '../../services/catalogue/questions.ts'
import { shownVariations } from '../../services/catalogue/variation-behaviour.ts'
import { withChannels } from '../../services/events/sales-channels.ts'
import { eventsById } from '../../services/orders/ticket-downloads.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

const expandable: Readonly<Record<string, Resource>> = { item, variation, subevent, question }

/** Lists of objects inside of rows in which ids can be expanded as well: `answers.question`, `positions.item`. */
const inner: ReadonlySet<string> = new Set(['answers', 'positions'])

/** The organizer whose rows are shown, to whom, and where this server was reached. */
type Place = Pick<Scope, 'actor' | 'organizer' | 'origin'>

/** Replaces ids by what they point at, in rows of the organizer asked about, for the fields that a query asks to expand. */
export const expandRows = (
  db: Queryable,
  request: Place & { readonly query: Query },
  rows: readonly JsonObject[],
): Promise<JsonObject[]> => expanded(db, request, rows, [...new Set(repeated(request.query, 'expand'))])

async function expanded(
  db: Queryable,
  place: Place,
  rows: readonly JsonObject[],
  paths: readonly string[],
): Promise<JsonObject[]> {
  let result = [...rows]
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    if (rest.length === 0) result = await pointedAt(db, place, result, name)
    else if (inner.has(name)) result = await expandedInside(db, place, result, [name, rest.join('.')])
  }
  return result
}

/** Expands a path in the objects of the list of a name that each row holds, all of them together. */
async function expandedInside(
  db: Queryable,
  place: Place,
  rows: readonly JsonObject[],
  [name, path]: readonly [name: string, path: string],
): Promise<JsonObject[]> {
  const lists = rows.map((row) => (Array.isArray(row[name]) ? (row[name] as JsonObject[]) : null))
  const all = await expanded(
    db,
    place,
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
  place: Place,
  rows: readonly JsonObject[],
  name: string,
): Promise<JsonObject[]> {
  const resource = expandable[name]
  const ids = [...new Set(rows.map((row) => row[name]).filter((id) => typeof id === 'number'))]
  if (!resource || ids.length === 0) return [...rows]
  const found = await db.all(
    sql`SELECT * FROM ${named(tableOf(resource))} WHERE organizer = ${place.organizer.id} AND id IN (${join(ids)})`,
  )
  const complete = await shownRows(db, place, resource, found)
  const byId = new Map(complete.map((row) => [row.id, row]))
  return rows.map((row) => (name in row ? { ...row, [name]: byId.get(row[name]) ?? row[name] } : row))
}

/** What a function makes of stored rows, which is given those of one event at a time. */
async function eachEvent(
  found: readonly Cells[],
  present: (event: number, own: readonly Cells[]) => Promise<readonly JsonObject[]>,
): Promise<JsonObject[]> {
  const presented: JsonObject[] = []
  for (const event of new Set(found.map((cells) => Number(cells.event))))
    presented.push(
      ...(await present(
        event,
        found.filter((cells) => cells.event === event),
      )),
    )
  return presented
}

/** Stored rows, with where they are sold and what they cost if that is a thing of theirs. */
async function shownSold(
  db: Queryable,
  organizer: number,
  resource: Resource,
  found: readonly Cells[],
): Promise<JsonObject[]> {
  if (resource === item)
    return withChannels(
      db,
      organizer,
      found.map((cells) => rowOf(item, cells)),
    )
  if (resource === variation)
    return eachEvent(found, (event, own) =>
      shownVariations(
        db,
        { organizer, event },
        own.map((cells) => rowOf(variation, cells)),
      ),
    )
  return found.map((cells) => rowOf(resource, cells))
}

async function shownRows(
  db: Queryable,
  place: Place,
  resource: Resource,
  found: readonly Cells[],
): Promise<JsonObject[]> {
  const { organizer, origin = '' } = place
  const audience = audienceOf(place.actor)
  const sold = await shownSold(db, organizer.id, resource, found)
  const rows = sold.map((row) => maskedRow(resource, audience, shown(resource, row)))
  if (resource === item) {
    const ids = found.flatMap(({ event, picture }) => (picture === null ? [] : [Number(event)]))
    const events = await eventsById(db, organizer.id, ids)
    return rows.map((row, index) => {
      const event = events.get(Number(found[index]?.event))?.slug ?? ''
      return withPicture({ origin, organizer: organizer.slug, event }, row)
    })
  }
  if (resource !== question) return rows
  return eachEvent(found, async (event, own) => {
    const asked = own.map((cells) => rowOf(question, cells))
    const whole = await withOptions(db, { organizer: organizer.id, event }, asked)
    return whole.map((row) => shown(question, row))
  })
}
