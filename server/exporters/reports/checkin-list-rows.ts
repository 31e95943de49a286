import sql, { empty, join, type Sql } from 'sql-template-tag'
import { nameSchemes } from '../../domain/text/names.ts'
import type { EventFacts } from '../../resource/api.ts'
import { sortBy } from '../../resource/query.ts'
import { belongsTo, type ListSet, listSet } from '../../services/checkin/checkin-counts.ts'
import { type Cells, jsonText } from '../../storage/database.ts'
import { type CatalogueWords, wordsOf } from '../format/event-catalogue.ts'
import { idsIn, pageSize } from '../format/event-pages.ts'
import { NothingToExport, type Parameter, type Run } from '../format/exporter.ts'
import { betweenDays } from './order-words.ts'

/** A position of a list, and when its holder last came and went there. */
export interface ListedPosition {
  readonly cells: Cells
  readonly name: string | null
  readonly came: string | null
  readonly went: string | null
  readonly wasAutomatic: boolean
}

/** The positions of a check-in list. */
export interface ListedPositions {
  readonly name: string
  readonly list: ListSet
  readonly words: CatalogueWords
  readonly total: number
  pages(): AsyncGenerator<readonly ListedPosition[]>
}

/** What may be wished for of check-in lists in every format. */
export const listParameters: readonly Parameter[] = [
  { name: 'list', kind: 'row', table: 'checkin_list', required: true },
  { name: 'attention_only', kind: 'flag' },
  {
    name: 'sort',
    kind: 'word',
    words: ['name', 'code'],
    wordsOf: ({ nameScheme }) => ['name', 'code', ...partsOf(nameScheme).map((part) => `name:${part}`)],
  },
  { name: 'questions', kind: 'rows', table: 'question' },
  { name: 'date_from', kind: 'day', dates: true },
  { name: 'date_to', kind: 'day', dates: true },
]

const partsOf = (scheme: string): readonly string[] => nameSchemes[scheme]?.parts ?? []

const columns = sql`o.code, o.status, o.email, o.phone, o.datetime, o.comment, o.invoice_address,
  o.checkin_attention AS order_attention, i.checkin_attention AS item_attention, f.checkin_attention AS variation_attention,
  p.id, p.positionid, p.item, p.variation, p.subevent, p.price, p.attendee_name, p.attendee_name_parts, p.attendee_email,
  p.company, p.street, p.zipcode, p.city, p.country, p.state, p.secret, p.seat, p.blocked, p.valid_from, p.valid_until,
  p.answers, v.code AS voucher_code, parent.attendee_name AS parent_name, parent.attendee_email AS parent_email`

const orderOf = ({ engine }: Run['db'], sort: string): Sql => {
  const byCode = sql`${sortBy(engine, sql`o.code`, true, false)}, p.positionid`
  if (sort === 'code') return byCode
  const invoiced = sql`lower(${jsonText(engine, sql`o.invoice_address`, 'name')})`
  const name = sql`COALESCE(NULLIF(p.name_key, ''), NULLIF(parent.name_key, ''), ${invoiced}, '')`
  const [, part] = sort.split(':')
  const key =
    part === undefined
      ? name
      : sql`COALESCE(lower(${jsonText(engine, sql`p.attendee_name_parts`, part)}),
          lower(${jsonText(engine, sql`parent.attendee_name_parts`, part)}), ${invoiced}, '')`
  return sql`${sortBy(engine, key, true, false)}, ${byCode}`
}

/** The dates of a series that begin on the days wished for. */
const onDates = (run: Run, event: EventFacts): Sql =>
  event.hasSubevents && (run.wishes.date_from || run.wishes.date_to)
    ? sql` AND p.subevent IN (SELECT s.id FROM subevent s WHERE s.organizer = ${run.organizer.id} AND s.event = ${event.id}${betweenDays(run, event, sql`s.date_from`)})`
    : empty

/** The positions of the check-in list that is wished for, in the order that is wished for. */
export async function listedPositions(run: Run): Promise<ListedPositions> {
  const [event] = run.events
  const found = await run.db.get(
    sql`SELECT * FROM checkin_list WHERE organizer = ${run.organizer.id} AND id = ${Number(run.wishes.list)}`,
  )
  if (!found || !event) throw new NothingToExport('The check-in list was deleted meanwhile.')
  const list = listSet(found)
  const attentive =
    run.wishes.attention_only === true
      ? sql` AND (o.checkin_attention = 1 OR i.checkin_attention = 1 OR f.checkin_attention = 1)`
      : empty
  const from = sql`orders o
    JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
    JOIN item i ON i.organizer = p.organizer AND i.id = p.item
    LEFT JOIN variation f ON f.organizer = p.organizer AND f.id = p.variation
    LEFT JOIN order_position parent ON parent.organizer = p.organizer AND parent.id = p.addon_to
    LEFT JOIN voucher v ON v.organizer = p.organizer AND v.id = p.voucher
    WHERE ${belongsTo(run.organizer.id, list)}${attentive}${onDates(run, event)}`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${from}`)
  return {
    name: String(found.name),
    list,
    words: await wordsOf(run.db, run.organizer.id, event),
    total: counted?.count ?? 0,
    async *pages() {
      const statement = sql`SELECT ${columns} FROM ${from} ORDER BY ${orderOf(run.db, String(run.wishes.sort))}`
      for await (const page of run.db.pages<Cells>(statement, pageSize))
        yield withCheckins(run, list.id, page)
    },
  }
}

interface ListedCheckin {
  readonly position: number
  readonly type: 'entry' | 'exit'
  readonly datetime: string
  readonly auto: number
}

async function withCheckins(run: Run, list: number, page: readonly Cells[]): Promise<ListedPosition[]> {
  const checkins = await run.db.all<ListedCheckin>(
    sql`SELECT "position" AS position, "type" AS type, datetime, auto_checked_in AS auto FROM checkin
        WHERE organizer = ${run.organizer.id} AND list = ${list} AND successful = 1
          AND "position" IN (${join(idsIn(page, 'id'))})`,
  )
  const last = new Map<string, ListedCheckin>()
  for (const checkin of checkins) {
    const key = `${checkin.type} ${checkin.position}`
    if ((last.get(key)?.datetime ?? '') < checkin.datetime) last.set(key, checkin)
  }
  return page.map((cells) => {
    const came = last.get(`entry ${cells.id}`)
    return {
      cells,
      name: nameOf(cells),
      came: came?.datetime ?? null,
      went: last.get(`exit ${cells.id}`)?.datetime ?? null,
      wasAutomatic: came?.auto === 1,
    }
  })
}

/** The name of whoever comes: that on the ticket, or on the one it was bought with, or of whoever pays. */
function nameOf(cells: Cells): string | null {
  const known = cells.attendee_name || cells.parent_name
  if (known) return String(known)
  const { name } = JSON.parse(String(cells.invoice_address ?? '{}')) as { name?: string }
  return name || null
}
