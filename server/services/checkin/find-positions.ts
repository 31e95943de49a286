import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Audience } from '../../../schema/security-profiles.ts'
import { flagParameter, lowered, type Query, single, sortBy } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { forEachRow } from '../../storage/row-by-row.ts'
import { anySpelling, folded } from '../../storage/search.ts'
import { nameRank } from '../../storage/searched-names.ts'
import {
  commonColumns,
  deskCode,
  type FoundPositions,
  foundPositions,
  hitPositions,
  joinWords,
  type PositionsPart,
  parentName,
  positionConditions,
  positionOrder,
  type SortColumns,
  theirOrders,
} from '../orders/position-hits.ts'
import { belongsTo } from './checkin-counts.ts'
import type { ListAt } from './checkin-lists.ts'

const idsOf = (lists: readonly ListAt[]): Sql => join(lists.map((list) => list.facts.id))

function checkinConditions(engine: Queryable['engine'], lists: readonly ListAt[], query: Query): Sql[] {
  const wanted = flagParameter(query, 'has_checkin')
  if (wanted === undefined) return []
  const exists = sql`EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.list IN (${idsOf(lists)}) AND c.successful = 1${forEachRow(engine)})`
  return [wanted ? exists : sql`NOT ${exists}`]
}

const columnsFor = (lists: readonly ListAt[]): SortColumns => ({
  ...commonColumns,
  order__email: { column: sql`o.email`, text: true },
  attendee_name: {
    column: sql`CASE WHEN p.name_key <> '' THEN p.name_key ELSE NULLIF(${parentName}, '') END`,
    text: true,
  },
  last_checked_in: {
    column: sql`(SELECT max(c.datetime) FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.successful = 1 AND c.list IN (${idsOf(lists)}))`,
    text: false,
  },
})

/** Lists of different events, what is looked for on them, and which part of it. */
interface PositionSearch {
  readonly lists: readonly ListAt[]
  readonly query: Query
  readonly part: PositionsPart
  /** Who looks: an entrance finds people by what it is shown of them. */
  readonly audience: Audience
}

/** A condition that a search has hit what an entrance is shown, and not an address or a company either. */
function shownAtEntrance(text: string): Sql {
  const piece = text.replace(/[!%_]/g, '!$&')
  const name = `%${folded(text).replace(/[!%_]/g, '!$&')}%`
  const alike = (column: Sql, pattern: string): Sql => sql`${column} LIKE ${pattern} ESCAPE '!'`
  const code = deskCode(text)
  const byCode = code === undefined ? empty : sql` OR ${alike(sql`p.pseudonymization_id`, `${code}%`)}`
  return sql`(${alike(sql`p.name_key`, name)} OR ${alike(sql`coalesce(${parentName}, '')`, name)}
    OR ${alike(lowered(sql`o.code`), `${piece.toLowerCase()}%`)} OR ${alike(sql`p.secret`, `${piece}%`)}${byCode})`
}

/** The same for words in any order, each of which has hit something in one of its spellings. */
const shownInAnyOrder = (text: string): Sql =>
  join(
    anySpelling(text).map((word) => sql`(${join(word.map(shownAtEntrance), ' OR ')})`),
    ' AND ',
  )

/** Whom a query finds on some lists of different events. `ignore_status` looks at every order and product. */
export async function findPositions(
  db: Queryable,
  organizer: number,
  { lists, query, part, audience }: PositionSearch,
): Promise<FoundPositions> {
  const everyone = flagParameter(query, 'ignore_status') === true
  const sets = lists.map((list) => belongsTo(organizer, list.facts, everyone))
  const text = (single(query, 'search') ?? '').trim()
  const anyOrder = flagParameter(query, 'any_order') === true
  const conditions = [
    ...positionConditions(query),
    ...checkinConditions(db.engine, lists, query),
    ...(audience === 'entrance' && text !== ''
      ? [anyOrder ? sql`(${shownAtEntrance(text)} OR (${shownInAnyOrder(text)}))` : shownAtEntrance(text)]
      : []),
  ]
  const condition = join([sql`(${join(sets, ' OR ')})`, ...conditions], ' AND ')
  const events = lists.map((list) => list.facts.event)
  const ranks = anyOrder && text !== ''
  const among = { organizer, events, condition, joined: theirOrders(db.engine), anyOrder, deskCodes: true }
  // A search meets the condition while it looks, so that its hits are not used up by positions of other lists.
  const tables =
    text === ''
      ? sql`order_position p${among.joined} WHERE ${among.condition}`
      : sql`${hitPositions(db.engine, among, text)}${ranks ? joinWords(db.engine) : empty}`
  // People without a name come last where nothing else is asked.
  const usual = ranks ? byRank(db.engine, text) : sql`p.name_key = '', ${byName(db.engine)}, p.positionid`
  const order = positionOrder(db, query, columnsFor(lists), usual)
  return foundPositions(db, organizer, { tables, order }, part)
}

/** Behind every name. */
const last = '\u{10ffff}'

/**
 * The tickets of an order together, where the best of them belongs: first by how well a name fits what was typed, hits in
 * anything else last, then by name.
 */
function byRank(engine: Queryable['engine'], text: string): Sql {
  const place = sql`${nameRank(sql`words.names`, text)} || CASE WHEN p.name_key = '' THEN ${last} ELSE p.name_key END`
  const bytewise = raw(engine === 'postgres' ? ' COLLATE "C"' : '')
  const best = sql`min((${place})${bytewise}) OVER (PARTITION BY p.order_id)`
  return sql`${sortBy(engine, best, true, false)}, p.order_id, p.positionid`
}

const byName = (engine: Queryable['engine']): Sql => sortBy(engine, sql`p.name_key`, true, false)
