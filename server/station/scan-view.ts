import sql, { join, type Sql } from 'sql-template-tag'
import type {
  EarlierCheckin,
  OwedMoney,
  ScannedPosition,
  ScannedSignature,
  ScanOutcome,
} from '../../schema/bodies/scan-result.ts'
import { shownInstant } from '../../schema/instants.ts'
import type { Multilingual } from '../../schema/multilingual.ts'
import type { ScanType } from '../domain/rules/facts.ts'
import { colorOf } from '../domain/text/meta-data.ts'
import { amountOf } from '../resource/codec.ts'
import { presentList } from '../services/checkin/checkin-lists.ts'
import type { RedeemOutcome, SignedScan } from '../services/checkin/redeem-input.ts'
import {
  presentSigned,
  type SignedProduct,
  signedAttention,
  signedNames,
  signedProduct,
  signedTexts,
} from '../services/checkin/signed-present.ts'
import type { PositionCells } from '../services/orders/position-rows.ts'
import { checkinTexts, needsAttention, presentPositions } from '../services/orders/positions.ts'
import { paidFor } from '../services/payments/order-payments.ts'
import type { Queryable } from '../storage/database.ts'

/** Names by id, in all their languages. */
type Names = ReadonlyMap<number, Multilingual>

async function namesOf(
  db: Queryable,
  table: 'item' | 'variation' | 'subevent',
  organizer: number,
  ids: readonly unknown[],
): Promise<Names> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number'))]
  if (wanted.length === 0) return new Map()
  const list = join(wanted)
  const rows = await db.all<{ id: number; name: string }>(
    table === 'item'
      ? sql`SELECT id, name FROM item WHERE organizer = ${organizer} AND id IN (${list})`
      : table === 'variation'
        ? sql`SELECT id, value AS name FROM variation WHERE organizer = ${organizer} AND id IN (${list})`
        : sql`SELECT id, name FROM subevent WHERE organizer = ${organizer} AND id IN (${list})`,
  )
  return new Map(rows.map((row) => [row.id, JSON.parse(row.name)]))
}

/** The colour of a product; null where it has none. */
async function itemColor(db: Queryable, organizer: number, item: number): Promise<string | null> {
  const row = await db.get<{ meta_data: string }>(
    sql`SELECT meta_data FROM item WHERE organizer = ${organizer} AND id = ${item}`,
  )
  return colorOf(JSON.parse(row?.meta_data ?? '{}'))
}

interface AddonCells {
  readonly item: number
  readonly variation: number | null
}

const addonsOf = (db: Queryable, organizer: number, position: PositionCells): Promise<AddonCells[]> =>
  db.all<AddonCells>(
    sql`SELECT item, variation FROM order_position
        WHERE organizer = ${organizer} AND addon_to = ${position.id} AND canceled = 0 ORDER BY positionid`,
  )

interface CheckinCells {
  readonly datetime: string
  readonly type: ScanType
  readonly gate: string | null
  readonly device: string | null
  readonly auto_checked_in: number
}

/** Earlier check-ins on the list of a scan that meet a condition, newest first, without the scan's own. */
async function earlierCheckins(
  db: Queryable,
  organizer: number,
  { list, checkin }: RedeemOutcome,
  condition: Sql,
): Promise<EarlierCheckin[]> {
  const rows = await db.all<CheckinCells>(
    sql`SELECT c.datetime, c."type" AS type, gate.name AS gate, device.name AS device, c.auto_checked_in
        FROM checkin c
        LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
        LEFT JOIN device ON device.organizer = c.organizer AND device.id = c.device
        WHERE c.organizer = ${organizer} AND ${condition} AND c.list = ${list.facts.id} AND c.successful = 1
          AND c.id <> ${checkin ?? 0}
        ORDER BY c.datetime DESC, c.id DESC LIMIT 20`,
  )
  return rows.map((row) => ({
    ...row,
    datetime: shownInstant(row.datetime),
    auto_checked_in: row.auto_checked_in === 1,
  }))
}

/** A ticket in words: everything by name, nothing by id alone. `row` is what is shown of it by itself. */
export async function ticketInWords(
  db: Queryable,
  organizer: number,
  cells: PositionCells,
  row: Partial<Pick<ScannedPosition, 'attendee_name' | 'seat'>>,
): Promise<Omit<ScannedPosition, 'checkins'>> {
  const addons = await addonsOf(db, organizer, cells)
  const items = await namesOf(db, 'item', organizer, [cells.item, ...addons.map((addon) => addon.item)])
  const variations = await namesOf(db, 'variation', organizer, [
    cells.variation,
    ...addons.map((one) => one.variation),
  ])
  const dates = await namesOf(db, 'subevent', organizer, [cells.subevent])
  const nameIn = (names: Names, id: number | null) => (id === null ? null : (names.get(id) ?? null))
  return {
    id: cells.id,
    order: cells.order_code,
    positionid: cells.positionid,
    attendee_name: row.attendee_name ?? null,
    item_name: nameIn(items, cells.item) ?? {},
    item_color: await itemColor(db, organizer, cells.item),
    variation_name: nameIn(variations, cells.variation),
    subevent_name: nameIn(dates, cells.subevent),
    seat: row.seat ?? null,
    secret: cells.secret,
    addons: addons.map((addon) => ({
      item_name: nameIn(items, addon.item) ?? {},
      variation_name: nameIn(variations, addon.variation),
    })),
    order_status: cells.order_status,
  }
}

/** What a screen at the entrance shows of a position. */
async function positionAtDoor(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome,
  cells: PositionCells,
): Promise<ScannedPosition> {
  const [row] = await presentPositions(db, organizer, [cells], {
    list: outcome.list.facts.id,
    atDoor: true,
    // The copy of this machine holds no more than its people may see.
    audience: 'sale',
  })
  return {
    ...(await ticketInWords(db, organizer, cells, row ?? {})),
    checkins: await earlierCheckins(db, organizer, outcome, sql`c."position" = ${cells.id}`),
  }
}

/** What a screen at the entrance shows of a ticket that was decided by its signature: nobody's name, and no order. */
async function signedAtDoor(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome & { readonly signed: SignedScan },
  product: SignedProduct,
): Promise<ScannedSignature> {
  const { ticket, code } = outcome.signed
  const ofCode = sql`c.raw_barcode = ${code} AND c."position" IS NULL`
  return {
    ...presentSigned(ticket),
    ...signedNames(product),
    checkins: await earlierCheckins(db, organizer, outcome, ofCode),
  }
}

/** What is missing for the order of a ticket; null where it is not to be paid, or not known here. */
export async function owedFor(db: Queryable, cells: PositionCells): Promise<OwedMoney | null> {
  const { organizer, event, order_id } = cells
  const order = await db.get<{ total: number | null; require_approval: number; currency: string }>(
    sql`SELECT o.total, o.require_approval, event.currency FROM orders o
        JOIN event ON event.organizer = o.organizer AND event.id = o.event
        WHERE o.organizer = ${organizer} AND o.id = ${order_id} AND o.status IN ('n', 'e')`,
  )
  if (!order || order.require_approval === 1) return null
  const missing = (order.total ?? 0) - (await paidFor(db, { organizer, event }, order_id))
  return missing > 0 ? { amount: amountOf(missing), currency: order.currency } : null
}

/** What became of a scan, as the screens of a station show it. */
export async function viewScan(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome,
): Promise<ScanOutcome> {
  const { position, list, signed } = outcome
  const product = signed && (await signedProduct(db, organizer, list.facts.event, signed.ticket))
  const failed = outcome.status === 'error'
  return {
    status: outcome.status,
    reason: failed ? outcome.reason : null,
    reason_explanation: failed ? outcome.explanation : null,
    require_attention: position ? needsAttention(position) : !!product && signedAttention(product),
    checkin_texts: position ? checkinTexts(position) : product ? signedTexts(product) : [],
    list: presentList(list),
    owed: failed && outcome.reason === 'unpaid' && position ? await owedFor(db, position) : null,
    can_ignore_unpaid: outcome.reason === 'unpaid' && list.facts.include_pending,
    position: position && (await positionAtDoor(db, organizer, outcome, position)),
    ...(signed && product
      ? { signed: await signedAtDoor(db, organizer, { ...outcome, signed }, product) }
      : {}),
    questions: outcome.questions,
    can_undo: outcome.status === 'ok' && outcome.checkin !== null,
  }
}
