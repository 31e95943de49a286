import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import {
  flagParameter,
  integerParameter,
  integersParameter,
  lowered,
  type Query,
  single,
  sortBy,
} from '../resource/query.ts'
import type { Queryable } from '../storage/database.ts'
import { containing, folded, shortestSearch } from '../storage/search.ts'
import { belongsTo } from './checkin-counts.ts'
import type { ListAt } from './checkin-lists.ts'
import { type PositionCells, selectPositions } from './positions.ts'

type Engine = Queryable['engine']

/** The most positions that each way of searching finds; whoever finds more than these has to type more. */
const mostHits = 1000

/** What is looked for: text in a column from some letters on. */
const beginsWith = (engine: Engine, column: Sql, text: string): Sql => {
  const bytes = engine === 'postgres' ? raw(' COLLATE "C"') : empty
  return sql`${column}${bytes} >= ${text} AND ${column}${bytes} < ${`${text}\u{10ffff}`}`
}

/** Joins in the order they are written in, which SQLite would rather change than begin with a few hits. */
const then = (engine: Engine): Sql => raw(engine === 'sqlite' ? 'CROSS JOIN' : 'JOIN')

/** The orders (`o`) of positions. */
const theirOrders = (engine: Engine): Sql =>
  sql` ${then(engine)} orders o ON o.organizer = p.organizer AND o.id = p.order_id`

/** Which positions (`p`) a search looks among: of some events or of all, that meet a condition, with its tables. */
interface Among {
  readonly organizer: number
  readonly events: readonly number[] | null
  readonly condition: Sql
  readonly joined: Sql
}

/**
 * Selects the ids of positions whose people, codes or addresses match what somebody typed; of very many hits only a
 * part. Codes are found by their beginning: as it was typed, in small letters or in capitals.
 */
function hitsOf(engine: Engine, { organizer, events, condition, joined }: Among, text: string): Sql {
  const wanted = text.trim()
  const name = folded(wanted)
  const place = sql`own.organizer = ${organizer}${events ? sql` AND own.event IN (${join([...events])})` : empty}`
  // What is found by its beginning meets the condition by its id, so that no index of the condition's is taken instead.
  const checked = (from: Sql, found: Sql): Sql =>
    sql`SELECT p.id FROM ${from} ${then(engine)} order_position p ON p.organizer = own.organizer AND p.id = own.id${joined}
        WHERE ${found} AND ${condition} LIMIT ${mostHits}`
  const beginning = (column: Sql, letters: string): Sql =>
    checked(sql`order_position own`, sql`${place} AND ${beginsWith(engine, column, letters)}`)
  const spellings = [...new Set([wanted, wanted.toLowerCase(), wanted.toUpperCase()])]
  const hits = spellings.map((code) => beginning(sql`own.secret`, code))
  // Too short for the trigram index: beginnings of the whole name and of order codes.
  if (name.length < shortestSearch)
    hits.push(
      beginning(sql`own.name_key`, name),
      checked(
        sql`orders coded ${then(engine)} order_position own ON own.organizer = coded.organizer AND own.order_id = coded.id`,
        sql`coded.organizer = ${organizer} AND ${beginsWith(engine, sql`coded.code`, wanted.toUpperCase())}`,
      ),
    )
  else
    hits.push(containing(engine, joined, sql`p.organizer = ${organizer} AND ${condition}`, wanted, mostHits))
  const all = hits.map((hit, index) => sql`SELECT id FROM (${hit}) ${raw(`hits${index}`)}`)
  return join(all, ' UNION ')
}

/** The condition that a position (`p`) of an organizer is one of these. */
export const matchesText = (engine: Engine, organizer: number, text: string): Sql =>
  sql`p.id IN (${hitsOf(engine, { organizer, events: null, condition: sql`1 = 1`, joined: empty }, text)})`

const flagFilters = (query: Query, list: Sql): Sql[] => {
  const wanted = flagParameter(query, 'has_checkin')
  if (wanted === undefined) return []
  const exists = sql`EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.list IN (${list}) AND c.successful = 1)`
  return [wanted ? exists : sql`NOT ${exists}`]
}

const parentName = sql`(SELECT parent.name_key FROM order_position parent WHERE parent.organizer = p.organizer AND parent.id = p.addon_to)`

const numberFilters = ['item', 'variation', 'subevent', 'addon_to', 'voucher'] as const

/** The conditions that a query makes on the positions of some lists. */
function conditionsOf(lists: readonly ListAt[], query: Query): Sql[] {
  const conditions: Sql[] = []
  for (const name of numberFilters) {
    const one = integerParameter(query, name)
    if (one !== undefined) conditions.push(sql`p.${raw(name)} = ${one}`)
    const several = integersParameter(query, `${name}__in`)
    if (several) conditions.push(sql`p.${raw(name)} IN (${join(several)})`)
  }
  const exact: readonly [string, (text: string) => Sql][] = [
    ['order', (text) => sql`${lowered(sql`o.code`)} = ${text.toLowerCase()}`],
    ['secret', (text) => sql`p.secret = ${text}`],
    ['pseudonymization_id', (text) => sql`p.pseudonymization_id = ${text}`],
    ['order__status', (text) => sql`o.status = ${text}`],
    ['order__status__in', (text) => sql`o.status IN (${join(text.split(','))})`],
    [
      'attendee_name',
      // SQLite's own lower() knows no letters beyond ASCII.
      (text) => sql`${folded(text.trim())} IN (p.name_key, ${parentName})`,
    ],
  ]
  for (const [name, condition] of exact) {
    const text = single(query, name)
    if (text !== undefined && text.trim() !== '') conditions.push(condition(text))
  }
  return [...conditions, ...flagFilters(query, join(lists.map((list) => list.facts.id)))]
}

const orderColumns: Readonly<Record<string, { column: Sql; text: boolean }>> = {
  order__code: { column: sql`o.code`, text: true },
  order__datetime: { column: sql`o.datetime`, text: false },
  positionid: { column: sql`p.positionid`, text: false },
  attendee_name: {
    column: sql`CASE WHEN p.name_key <> '' THEN p.name_key ELSE NULLIF(${parentName}, '') END`,
    text: true,
  },
  order__email: { column: sql`o.email`, text: true },
}

/** The order of a list of positions at the door; people without a name come last where nothing else is asked. */
function orderOf(db: Queryable, lists: readonly ListAt[], query: Query): Sql {
  const last = sql`(SELECT max(c.datetime) FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.successful = 1 AND c.list IN (${join(lists.map((list) => list.facts.id))}))`
  const words = (single(query, 'ordering') ?? '').split(',').flatMap((word) => {
    const name = word.replace(/^-/, '')
    const known = name === 'last_checked_in' ? { column: last, text: false } : orderColumns[name]
    return known ? [sortBy(db.engine, known.column, known.text, word.startsWith('-'))] : []
  })
  if (words.length > 0) return join([...words, sql`p.id`])
  return sql`p.name_key = '', ${sortBy(db.engine, sql`p.name_key`, true, false)}, p.positionid, p.id`
}

/** A part of the positions that some lists hold, and how many there are in all; 0 if the part begins beyond them. */
export interface FoundPositions {
  readonly count: number
  readonly positions: readonly PositionCells[]
}

/** Whom a query finds on some lists of different events. `ignore_status` looks at every order and product. */
export async function findPositions(
  db: Queryable,
  organizer: number,
  lists: readonly ListAt[],
  query: Query,
  page: { readonly size: number; readonly offset: number },
): Promise<FoundPositions> {
  const everyone = flagParameter(query, 'ignore_status') === true
  const sets = lists.map((list) => belongsTo(organizer, list.facts, everyone))
  const condition = join([sql`(${join(sets, ' OR ')})`, ...conditionsOf(lists, query)], ' AND ')
  const events = lists.map((list) => list.facts.event)
  const among = { organizer, events, condition, joined: theirOrders(db.engine) }
  const found = await db.all<{ id: number; count: number }>(
    sql`SELECT p.id, count(*) OVER () AS count FROM ${lookedAt(db.engine, among, query)}
        ORDER BY ${orderOf(db, lists, query)} LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  const positions = await positionsById(
    db,
    organizer,
    found.map((row) => row.id),
  )
  return { count: Number(found[0]?.count ?? 0), positions }
}

/**
 * Positions and their orders that meet a condition, and a search if there is one. A search meets the condition while it
 * looks, so that its hits are not used up by positions of other lists, and only then are they joined and put in order.
 */
function lookedAt(engine: Engine, among: Among, query: Query): Sql {
  const text = (single(query, 'search') ?? '').trim()
  if (text === '') return sql`order_position p${among.joined} WHERE ${among.condition}`
  return sql`(${hitsOf(engine, among, text)}) hit
    ${then(engine)} order_position p ON p.organizer = ${among.organizer} AND p.id = hit.id${among.joined}`
}

async function positionsById(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
): Promise<PositionCells[]> {
  if (ids.length === 0) return []
  const cells = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.id IN (${join([...ids])})`,
    sql`p.id`,
  )
  const byId = new Map(cells.map((one) => [one.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
