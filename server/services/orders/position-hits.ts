import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { deskCodeLength } from '../../../schema/bodies/kiosk.ts'
import {
  integerParameter,
  integersParameter,
  lowered,
  type Query,
  single,
  sortBy,
} from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { forEachRow, joinForEachRow } from '../../storage/row-by-row.ts'
import { anySpelling, canSearch, containing, folded, inOnePiece } from '../../storage/search.ts'
import { beginningsOfNames } from '../../storage/searched-names.ts'
import { alphabets } from '../codes/secrets.ts'
import { storedCode } from '../codes/voucher-codes.ts'
import type { PositionCells } from './position-rows.ts'
import { selectPositions } from './positions.ts'

type Engine = Queryable['engine']

/** A part of the positions that a query finds, and how many there are in all; 0 if the part begins beyond them. */
export interface FoundPositions {
  readonly count: number
  readonly positions: readonly PositionCells[]
}

/** Which rows of a list are asked for. */
export interface PositionsPart {
  readonly size: number
  readonly offset: number
}

/** The most positions that each way of searching finds; whoever finds more than these has to type more. */
export const mostHits = 1000

/** What is looked for: text in a column from some letters on. */
export const beginsWith = (engine: Engine, column: Sql, text: string): Sql => {
  const bytes = engine === 'postgres' ? raw(' COLLATE "C"') : empty
  return sql`${column}${bytes} >= ${text} AND ${column}${bytes} < ${`${text}\u{10ffff}`}`
}

/** Joins in the order they are written in, which SQLite would rather change than begin with a few hits. */
export const joinedThen = (engine: Engine): Sql => raw(engine === 'sqlite' ? 'CROSS JOIN' : 'JOIN')

/** The orders (`o`) of positions. */
export const theirOrders = (engine: Engine): Sql =>
  joinForEachRow(engine, ['orders', 'o'], sql`o.organizer = p.organizer AND o.id = p.order_id`)

/** Which positions (`p`) a search looks among: of some events or of all, that meet a condition, with its tables. */
interface Among {
  readonly organizer: number
  readonly events: readonly number[] | null
  readonly condition: Sql
  readonly joined: Sql
  /** Whether positions are also found by what is noted about their orders. */
  readonly notes?: boolean
  /** Whether words may be in any order, with umlauts or what stands for them. */
  readonly anyOrder?: boolean
  /** Whether positions are also found by the code that a kiosk has shown; see deskCode. */
  readonly deskCodes?: boolean
}

/** What a guest was told by a kiosk that could not print for them, as the beginning of a pseudonym; undefined for other texts. */
export const deskCode = (text: string): string | undefined => {
  const code = text.trim().toUpperCase()
  const isCode =
    code.length === deskCodeLength && [...code].every((letter) => alphabets.orderCode.includes(letter))
  return isCode ? code : undefined
}

/**
 * Selects the ids of positions whose people, codes or addresses match what somebody typed; of very many hits only a
 * part. Codes are found by their beginning: as it was typed, in small letters or in capitals.
 */
function hitsOf(engine: Engine, among: Among, text: string): Sql {
  const { organizer, events, condition, joined, notes = false, anyOrder = false, deskCodes = false } = among
  const wanted = text.trim()
  const name = folded(wanted)
  const inOrder = inOnePiece(wanted)
  const inAny = anyOrder ? anySpelling(wanted) : inOrder
  const words = canSearch(inAny) ? inAny : inOrder
  // All events by their ids as well, because names are kept in order event by event.
  const within = events ? join([0, ...events]) : sql`SELECT id FROM event WHERE organizer = ${organizer}`
  const place = sql`own.organizer = ${organizer} AND own.event IN (${within})`
  const own = sql`p.organizer = ${organizer} AND ${condition}`
  // What is found by its beginning meets the condition by its id, so that no index of the condition's is taken instead.
  const checked = (from: Sql, found: Sql): Sql =>
    sql`SELECT p.id FROM ${from} ${joinedThen(engine)} order_position p ON p.organizer = own.organizer AND p.id = own.id${joined}
        WHERE ${found} AND ${condition} LIMIT ${mostHits}`
  const beginning = (column: Sql, letters: string): Sql =>
    checked(sql`order_position own`, sql`${place} AND ${beginsWith(engine, column, letters)}`)
  const spellings = [...new Set([wanted, wanted.toLowerCase(), wanted.toUpperCase()])]
  const hits = spellings.map((code) => beginning(sql`own.secret`, code))
  const code = deskCodes ? deskCode(wanted) : undefined
  if (code !== undefined) {
    // So that the index of pseudonyms is used, and none of an event's.
    const here = sql`own.organizer = ${organizer} AND own.event + 0 IN (${within})`
    const begins = beginsWith(engine, sql`own.pseudonymization_id`, code)
    hits.push(checked(sql`order_position own`, sql`${here} AND ${begins}`))
  }
  // Too short for the trigram index: beginnings of the whole name and of order codes.
  if (!canSearch(words))
    hits.push(
      beginning(sql`own.name_key`, name),
      checked(
        sql`orders coded ${joinedThen(engine)} order_position own ON own.organizer = coded.organizer AND own.order_id = coded.id`,
        sql`coded.organizer = ${organizer} AND ${beginsWith(engine, sql`coded.code`, wanted.toUpperCase())}`,
      ),
    )
  else {
    const columns = notes ? (['body', 'note'] as const) : (['body'] as const)
    hits.push(containing(engine, { joined, condition: own }, words, { most: mostHits, among: columns }))
  }
  const names = beginningsOfNames(wanted)
  // Looked for by themselves, so that very many hits in addresses use up none of theirs.
  if (anyOrder && canSearch(names))
    hits.push(containing(engine, { joined, condition: own }, names, { most: mostHits, among: ['names'] }))
  const all = hits.map((hit, index) => sql`SELECT id FROM (${hit}) ${raw(`hits${index}`)}`)
  return join(all, ' UNION ')
}

/** The positions (`p`) that a search hits, with the tables that its condition needs. */
export const hitPositions = (engine: Engine, among: Among, text: string): Sql =>
  sql`(${hitsOf(engine, among, text)}) hit
    ${joinedThen(engine)} order_position p ON p.organizer = ${among.organizer} AND p.id = hit.id${among.joined}`

/** Joins the words by which positions (`p`) are found, looked up for each of them. */
export const joinWords = (engine: Engine): Sql =>
  engine === 'sqlite'
    ? sql` LEFT JOIN position_search words ON words.rowid = p.id`
    : sql` LEFT JOIN LATERAL (SELECT names FROM position_search s WHERE s.organizer = p.organizer
        AND s.position_id = p.id${forEachRow(engine)}) words ON TRUE`

/** The parent's name as it is compared. */
export const parentName = sql`(SELECT parent.name_key FROM order_position parent WHERE parent.organizer = p.organizer AND parent.id = p.addon_to)`

const numberFilters = ['item', 'variation', 'subevent', 'addon_to', 'voucher'] as const

const textFilters: Readonly<Record<string, (text: string) => Sql>> = {
  order: (text) => sql`${lowered(sql`o.code`)} = ${text.toLowerCase()}`,
  secret: (text) => sql`p.secret = ${text}`,
  pseudonymization_id: (text) => sql`p.pseudonymization_id = ${text}`,
  voucher__code: (text) =>
    sql`p.voucher IN (SELECT v.id FROM voucher v
      WHERE v.organizer = p.organizer AND v.event = p.event AND v.code = ${storedCode(text)})`,
  order__status: (text) => sql`o.status = ${text}`,
  order__status__in: (text) => sql`o.status IN (${join(text.split(','))})`,
  // SQLite's own lower() knows no letters beyond ASCII.
  attendee_name: (text) => sql`${folded(text.trim())} IN (p.name_key, ${parentName})`,
}

/** The conditions that a query makes on positions (`p`) and their orders (`o`), wherever positions are listed. */
export function positionConditions(
  query: Query,
  further: Readonly<Record<string, (text: string) => Sql>> = {},
): Sql[] {
  const conditions: Sql[] = []
  for (const name of numberFilters) {
    const one = integerParameter(query, name)
    if (one !== undefined) conditions.push(sql`p.${raw(name)} = ${one}`)
    const several = integersParameter(query, `${name}__in`)
    if (several) conditions.push(sql`p.${raw(name)} IN (${join(several)})`)
  }
  for (const [name, condition] of Object.entries({ ...textFilters, ...further })) {
    const text = single(query, name)
    if (text !== undefined && text.trim() !== '') conditions.push(condition(text))
  }
  return conditions
}

/** By what positions can be put in order. */
export type SortColumns = Readonly<Record<string, { readonly column: Sql; readonly text: boolean }>>

/** The columns by which every list of positions can be put in order. */
export const commonColumns: SortColumns = {
  order__code: { column: sql`o.code`, text: true },
  order__datetime: { column: sql`o.datetime`, text: false },
  positionid: { column: sql`p.positionid`, text: false },
}

/** The order that a query asks for, made total by the id; words that are none are ignored. */
export function positionOrder({ engine }: Queryable, query: Query, columns: SortColumns, usual: Sql): Sql {
  const words = (single(query, 'ordering') ?? '').split(',').flatMap((word) => {
    const known = columns[word.replace(/^-/, '')]
    return known ? [sortBy(engine, known.column, known.text, word.startsWith('-'))] : []
  })
  return join([...(words.length > 0 ? words : [usual]), sql`p.id`])
}

/** A part of the positions (`p`) that some tables with their conditions hold. */
export async function foundPositions(
  db: Queryable,
  organizer: number,
  { tables, order }: { readonly tables: Sql; readonly order: Sql },
  part: PositionsPart,
): Promise<FoundPositions> {
  const found = await db.all<{ id: number; count: number }>(
    sql`SELECT p.id, count(*) OVER () AS count FROM ${tables}
        ORDER BY ${order} LIMIT ${part.size} OFFSET ${part.offset}`,
  )
  const ids = found.map((row) => row.id)
  return { count: found[0]?.count ?? 0, positions: await positionsById(db, organizer, ids) }
}

/** The positions with some ids, in the order of the ids. */
export async function positionsById(
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
