import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { shownInstant } from '../../../schema/instants.ts'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import {
  type OrderPosition,
  orderPosition,
  type StoredAnswer,
} from '../../../schema/resources/orders/order-position.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import type { TicketFacts } from '../../domain/rules/facts.ts'
import { decodeRow } from '../../resource/codec.ts'
import type { Queryable } from '../../storage/database.ts'
import { maskedPositions } from './given-in-part.ts'
import type { PositionCells } from './position-rows.ts'
import { printsOf } from './print-logs.ts'
import {
  addressBelow,
  type DownloadSite,
  positionDownloads,
  type TicketDownload,
} from './ticket-downloads.ts'

const columns = sql`p.*, o.code AS order_code, o.status AS order_status, o.require_approval AS order_approval,
  o.valid_if_pending AS order_valid, o.checkin_attention AS order_attention, o.checkin_text AS order_text,
  o.email AS order_email, o.locale AS order_locale, o.datetime AS order_datetime, o.invoice_address AS order_address,
  o.sales_channel AS order_channel,
  item.checkin_attention AS item_attention, item.checkin_text AS item_text,
  item.generate_tickets AS item_tickets, item.admission AS item_admission,
  variation.checkin_attention AS variation_attention, variation.checkin_text AS variation_text,
  parent.attendee_name AS parent_name, parent.attendee_name_parts AS parent_parts, parent.attendee_email AS parent_email,
  parent.answers AS parent_answers`

const tables = sql`order_position p
  JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
  JOIN item ON item.organizer = p.organizer AND item.id = p.item
  LEFT JOIN variation ON variation.organizer = p.organizer AND variation.id = p.variation
  LEFT JOIN order_position parent ON parent.organizer = p.organizer AND parent.id = p.addon_to`

/**
 * The statement for positions (`p`) with their orders (`o`) and parents (`parent`) that meet a condition on these names, in an order.
 * `tail` is what follows, such as a limit or a lock.
 */
export const positionsWhere = (condition: Sql, order: Sql, tail: Sql = empty): Sql =>
  sql`SELECT ${columns} FROM ${tables} WHERE ${condition} ORDER BY ${order}${tail}`

/** The positions themselves. */
export const selectPositions = (
  db: Queryable,
  condition: Sql,
  order: Sql,
  tail?: Sql,
): Promise<PositionCells[]> => db.all<PositionCells>(positionsWhere(condition, order, tail))

/** A position as a decision looks at it. */
export const ticketOf = (cells: PositionCells): TicketFacts => ({
  id: cells.id,
  event: cells.event,
  positionid: cells.positionid,
  secret: cells.secret,
  item: cells.item,
  variation: cells.variation,
  subevent: cells.subevent,
  addon_to: cells.addon_to,
  canceled: cells.canceled === 1,
  blocked: cells.blocked === null ? [] : JSON.parse(cells.blocked),
  valid_from: cells.valid_from,
  valid_until: cells.valid_until,
  order_status: cells.order_status,
  require_approval: cells.order_approval === 1,
  valid_if_pending: cells.order_valid === 1,
})

/** Whether somebody should look twice: the order, the item or the variation says so. */
export const needsAttention = (cells: PositionCells): boolean =>
  cells.order_attention === 1 || cells.item_attention === 1 || cells.variation_attention === 1

/** What the screen at the entrance should say: the order's text, then the variation's or else the item's. */
export const checkinTexts = (cells: PositionCells): string[] =>
  [cells.order_text, cells.variation_text || cells.item_text].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )

/** The answers stored with a position. */
export const answersOf = (cells: PositionCells): StoredAnswer[] => JSON.parse(cells.answers ?? '[]')

/** The answers stored with the position that an add-on belongs to. */
export const parentAnswersOf = (cells: PositionCells): StoredAnswer[] =>
  JSON.parse(cells.parent_answers ?? '[]')

/** The columns of check-ins (`c`) that are shown with their position, `device` being the device that sent them. */
export const checkinColumns = sql`c.id, c."position" AS position, c.list, c.datetime, c."type" AS type, c.gate, c.device,
  c.auto_checked_in, device.device_id`

/** Check-ins with their devices, by the names of the columns. */
export const checkinTables = sql`checkin c LEFT JOIN device ON device.organizer = c.organizer AND device.id = c.device`

/** A successful check-in as it is shown with its position. */
export interface CheckinCells {
  readonly id: number
  readonly position: number
  readonly list: number
  readonly datetime: string
  readonly type: string
  readonly gate: number | null
  readonly device: number | null
  readonly auto_checked_in: number
  /** The device's number in its organizer. */
  readonly device_id: number | null
}

async function checkinsOf(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
  list: number | null,
): Promise<readonly CheckinCells[]> {
  if (ids.length === 0) return []
  const ofList = list === null ? empty : sql` AND c.list = ${list}`
  return db.all<CheckinCells>(
    sql`SELECT ${checkinColumns} FROM ${checkinTables}
        WHERE c.organizer = ${organizer} AND c."position" IN (${join([...ids])}) AND c.successful = 1${ofList}`,
  )
}

const latestFirst = (a: CheckinCells, b: CheckinCells): number =>
  a.datetime === b.datetime ? b.id - a.id : a.datetime < b.datetime ? 1 : -1

/** Check-ins as they are shown, by their positions, the latest first. */
function shownCheckins(checkins: readonly CheckinCells[]): ReadonlyMap<number, ShownCheckin[]> {
  const byPosition = new Map<number, ShownCheckin[]>()
  for (const cells of checkins.toSorted(latestFirst)) {
    const entries = byPosition.get(cells.position) ?? []
    entries.push({
      id: cells.id,
      list: cells.list,
      datetime: shownInstant(cells.datetime),
      type: cells.type,
      gate: cells.gate,
      device: cells.device,
      device_id: cells.device_id,
      auto_checked_in: cells.auto_checked_in === 1,
    })
    byPosition.set(cells.position, entries)
  }
  return byPosition
}

/** Identifiers of questions and options by their ids, as far as some answers need them. */
export async function identifiers(db: Queryable, organizer: number, answers: readonly StoredAnswer[]) {
  const questions = new Map<number, string>()
  const options = new Map<number, string>()
  const questionIds = [...new Set(answers.map((answer) => answer.question))]
  if (questionIds.length === 0) return { questions, options }
  const rows = await db.all<{ id: number; identifier: string }>(
    sql`SELECT id, identifier FROM question WHERE organizer = ${organizer} AND id IN (${join(questionIds)})`,
  )
  for (const row of rows) questions.set(row.id, row.identifier)
  const optionIds = [...new Set(answers.flatMap((answer) => answer.options))]
  if (optionIds.length === 0) return { questions, options }
  const chosen = await db.all<{ id: number; identifier: string }>(
    sql`SELECT id, identifier FROM question_option WHERE organizer = ${organizer} AND id IN (${join(optionIds)})`,
  )
  for (const row of chosen) options.set(row.id, row.identifier)
  return { questions, options }
}

/** What is shown of positions beyond their own fields. */
export interface PositionView {
  /** The list whose check-ins are shown, or null for those of all lists. */
  readonly list: number | null
  /** Whether a missing name is filled from the parent and the invoice address, and the list's extra fields are shown. */
  readonly atDoor: boolean
  /** The check-ins of these positions on this list, where they are known already. */
  readonly checkins?: readonly CheckinCells[] | undefined
  /** Where tickets can be downloaded, if that is shown. */
  readonly site?: DownloadSite
  /** To whom they are shown. */
  readonly audience: Audience
}

type AttendeeName = Pick<OrderPosition, 'attendee_name' | 'attendee_name_parts'>

function nameAtDoor(
  cells: PositionCells,
  { attendee_name, attendee_name_parts }: AttendeeName,
): AttendeeName {
  if (attendee_name) return { attendee_name, attendee_name_parts }
  if (cells.parent_name)
    return { attendee_name: cells.parent_name, attendee_name_parts: JSON.parse(cells.parent_parts ?? '{}') }
  const address: Partial<InvoiceAddress> = JSON.parse(cells.order_address ?? '{}') ?? {}
  return address.name
    ? { attendee_name: address.name, attendee_name_parts: { ...address.name_parts } }
    : { attendee_name, attendee_name_parts }
}

/** A check-in as it is shown with its position. */
type ShownCheckin = Omit<CheckinCells, 'position' | 'auto_checked_in'> & { readonly auto_checked_in: boolean }

/** A position in the JSON form of the API. */
type ShownPosition = OrderPosition & {
  readonly order: string
  readonly checkins: readonly ShownCheckin[]
  readonly print_logs: readonly JsonObject[]
  readonly downloads: readonly TicketDownload[]
}

/** Where the file is that an answer names, or null where it names none. */
const fileAddress = (site: DownloadSite, cells: PositionCells, { question, answer }: StoredAnswer) =>
  isUploadedFile(answer) ? addressBelow(site, cells, `answer/${question}`) : null

/** Positions of one organizer in the JSON form of the API, with a fixed number of statements. */
export async function presentPositions(
  db: Queryable,
  organizer: number,
  found: readonly PositionCells[],
  view: PositionView,
): Promise<ShownPosition[]> {
  const positions = await maskedPositions(db, organizer, view.audience, found)
  const answers = new Map(positions.map((cells) => [cells.id, answersOf(cells)]))
  const ids = positions.map((cells) => cells.id)
  const checkins = shownCheckins(view.checkins ?? (await checkinsOf(db, organizer, ids, view.list)))
  const prints = await printsOf(db, organizer, ids)
  const known = await identifiers(db, organizer, [...answers.values()].flat())
  return positions.map((cells) => {
    const shown = decodeRow(orderPosition.fields, cells, { id: cells.id, order: cells.order_code })
    const whole = Object.assign(shown, {
      checkins: checkins.get(cells.id) ?? [],
      print_logs: prints.get(cells.id) ?? [],
      downloads: view.site ? positionDownloads(view.site, cells) : [],
      answers: (answers.get(cells.id) ?? [])
        .filter((answer) => known.questions.has(answer.question))
        .map((answer) => ({
          ...answer,
          answer: (view.site && fileAddress(view.site, cells, answer)) ?? answer.answer,
          question_identifier: known.questions.get(answer.question),
          option_identifiers: answer.options.flatMap((id) => known.options.get(id) ?? []),
        })),
    })
    if (!view.atDoor) return whole
    return Object.assign(whole, {
      ...nameAtDoor(cells, whole),
      require_attention: needsAttention(cells),
      order__status: cells.order_status,
      order__valid_if_pending: cells.order_valid === 1,
      order__require_approval: cells.order_approval === 1,
      order__locale: cells.order_locale,
    })
  })
}
