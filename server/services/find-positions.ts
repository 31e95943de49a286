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
import { countPositions, type PositionCells, selectPositions } from './positions.ts'

type Engine = Queryable['engine']

/** The most hits of a search that are looked at; whoever finds more than these has to type more. */
const mostHits = 1000

/** What is looked for: text in a column from some letters on. */
const beginsWith = (engine: Engine, column: Sql, text: string): Sql => {
  const bytes = engine === 'postgres' ? raw(' COLLATE "C"') : empty
  return sql`${column}${bytes} >= ${text} AND ${column}${bytes} < ${`${text}\u{10ffff}`}`
}

/**
 * Positions whose people, codes or addresses match what somebody typed, of some events or of all; of very many hits
 * only a part. Codes are found by their beginning: as it was typed, in small letters or in capitals.
 */
export function matchesText(
  engine: Engine,
  organizer: number,
  text: string,
  events: readonly number[] | null = null,
): Sql {
  const wanted = text.trim()
  const name = folded(wanted)
  const place = sql`p.organizer = ${organizer}${events ? sql` AND p.event IN (${join([...events])})` : empty}`
  const spellings = [...new Set([wanted, wanted.toLowerCase(), wanted.toUpperCase()])]
  const hits = spellings.map(
    (code) =>
      sql`SELECT p.id FROM order_position p WHERE ${place} AND ${beginsWith(engine, sql`p.secret`, code)} LIMIT ${mostHits}`,
  )
  // Too short for the trigram index: beginnings of the whole name and of order codes.
  if (name.length < shortestSearch)
    hits.push(
      sql`SELECT p.id FROM order_position p WHERE ${place} AND ${beginsWith(engine, sql`p.name_key`, name)} LIMIT ${mostHits}`,
      sql`SELECT p.id FROM orders o JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
          WHERE o.organizer = ${organizer} AND ${beginsWith(engine, sql`o.code`, wanted.toUpperCase())} AND ${place} LIMIT ${mostHits}`,
    )
  else hits.push(containing(engine, place, wanted, mostHits))
  const all = hits.map((hit, index) => sql`SELECT id FROM (${hit}) ${raw(`hits${index}`)}`)
  return sql`p.id IN (${join(all, ' UNION ')})`
}

const flagFilters = (query: Query, list: Sql): Sql[] => {
  const wanted = flagParameter(query, 'has_checkin')
  if (wanted === undefined) return []
  const exists = sql`EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.list IN (${list}) AND c.successful = 1)`
  return [wanted ? exists : sql`NOT ${exists}`]
}

const numberFilters = ['item', 'variation', 'subevent', 'addon_to', 'voucher'] as const

/** The conditions that a query makes on the positions of some lists. */
function conditionsOf(db: Queryable, organizer: number, lists: readonly ListAt[], query: Query): Sql[] {
  const conditions: Sql[] = []
  const events = lists.map((list) => list.facts.event)
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
      (text) => sql`${folded(text.trim())} IN (p.name_key, parent.name_key)`,
    ],
    ['search', (text) => matchesText(db.engine, organizer, text, events)],
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
    column: sql`CASE WHEN p.name_key <> '' THEN p.name_key ELSE NULLIF(parent.name_key, '') END`,
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

/** A part of the positions that some lists hold, and how many there are in all. */
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
  const condition = join(
    [sql`(${join(sets, ' OR ')})`, ...conditionsOf(db, organizer, lists, query)],
    ' AND ',
  )
  const order = orderOf(db, lists, query)
  const positions = await selectPositions(
    db,
    condition,
    order,
    sql` LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  const whole = page.offset === 0 && positions.length < page.size
  return { count: whole ? positions.length : await countPositions(db, condition), positions }
}
