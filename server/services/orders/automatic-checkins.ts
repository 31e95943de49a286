import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { type AutoCheckinRule, autoCheckinRule } from '../../../schema/resources/checkin/auto-checkin-rule.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { type CheckinList, checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { findRows, insertRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { OrderCells } from './order-present.ts'
import type { OrderRows } from './order-rows.ts'
import type { PositionRow } from './position-rows.ts'

/** A list as far as its own automatic check-ins go. */
type AutomaticList = Pick<
  CheckinList,
  'id' | 'name' | 'auto_checkin_sales_channels' | 'all_products' | 'limit_products' | 'subevent'
>

/** What checks people in at an event as soon as they have ordered or paid. */
interface AutomaticCheckins {
  readonly lists: readonly AutomaticList[]
  readonly rules: readonly AutoCheckinRule[]
}

/** A position that was sold. */
type SoldPosition = Pick<PositionRow, 'id' | 'secret' | 'item' | 'variation' | 'subevent'>

/** A sale as far as rules look at it; nothing is known to pay it while it was only placed. */
interface Sale {
  readonly channel: string
  readonly positions: readonly SoldPosition[]
  readonly paidWith: ReadonlySet<string> | null
}

type CheckinRow = StoredRow<typeof checkin>

/** Reads what checks people in at an event by itself. */
export async function automaticCheckins(db: Queryable, place: Place): Promise<AutomaticCheckins> {
  const rules = await findRows(db, autoCheckinRule, place)
  const lists = await findRows(db, checkinList, place)
  return { rules, lists: rules.length > 0 ? lists : lists.filter(isAutomatic) }
}

const isAutomatic = (list: AutomaticList): boolean => list.auto_checkin_sales_channels.length > 0

const holds = (list: AutomaticList, position: SoldPosition): boolean =>
  (list.all_products || list.limit_products.includes(position.item)) &&
  (list.subevent === null || list.subevent === position.subevent)

const means = (rule: AutoCheckinRule, { item, variation }: SoldPosition): boolean =>
  rule.all_products ||
  rule.limit_products.includes(item) ||
  (variation !== null && rule.limit_variations.includes(variation))

const fits = (rule: AutoCheckinRule, mode: AutoCheckinRule['mode'], { channel, paidWith }: Sale): boolean =>
  rule.mode === mode &&
  (rule.all_sales_channels || rule.limit_sales_channels.includes(channel)) &&
  (rule.all_payment_methods || rule.limit_payment_methods.some((one) => paidWith?.has(one)))

/** Lists on which some positions of a sale are checked in. */
interface Turn {
  readonly lists: readonly AutomaticList[]
  readonly means: (position: SoldPosition) => boolean
}

/** Lists in the order in which they are shown. */
const inOrder = (lists: readonly AutomaticList[]): AutomaticList[] =>
  lists.toSorted((a, b) => (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1))

/** What rules do with a sale, one after the other. */
const turnsOfRules = (
  { lists, rules }: AutomaticCheckins,
  mode: AutoCheckinRule['mode'],
  sale: Sale,
): readonly Turn[] =>
  rules
    .filter((rule) => fits(rule, mode, sale))
    .map((rule) => ({
      lists: inOrder(lists.filter(({ id }) => rule.list === null || rule.list === id)),
      means: (position) => means(rule, position),
    }))

/** The entries that a sale makes, each once, turn by turn: the last one is shown first. */
function entries(
  tx: Tx,
  turns: readonly Turn[],
  positions: readonly SoldPosition[],
  done: readonly { readonly position: number; readonly list: number }[] = [],
): CheckinRow[] {
  const seen = new Set(done.map(({ position, list }) => `${position} ${list}`))
  const rows: CheckinRow[] = []
  for (const turn of turns)
    for (const list of turn.lists)
      for (const position of positions) {
        const key = `${position.id} ${list.id}`
        if (seen.has(key) || !holds(list, position) || !turn.means(position)) continue
        seen.add(key)
        rows.push({
          ...blankRow(checkin),
          id: tx.nextId(),
          position: position.id,
          list: list.id,
          datetime: tx.now,
          created: tx.now,
          type: 'entry' as const,
          auto_checked_in: true,
          ordinal: 1,
          site: tx.site,
        })
      }
  return rows
}

/** The entries that a new order makes. Nobody looks at the rules of the lists. */
export function entriesOfSale(
  tx: Tx,
  automatic: AutomaticCheckins,
  { order: { sales_channel: channel, status }, positions, payments }: OrderRows,
): CheckinRow[] {
  const providers = new Set(payments.map(({ provider }) => provider))
  const sale = { channel, positions, paidWith: status === 'p' ? providers : null }
  const ofChannel = automatic.lists.filter((list) => list.auto_checkin_sales_channels.includes(channel))
  const turns: readonly Turn[] = [
    { lists: ofChannel, means: () => true },
    ...turnsOfRules(automatic, 'placed', sale),
    ...(status === 'p' ? turnsOfRules(automatic, 'paid', sale) : []),
  ]
  return entries(tx, turns, positions)
}

/** Checks in who is to be checked in once their order is paid, and has not been by itself before. */
export async function checkInPaid(
  tx: Tx,
  at: Pick<Scope, 'actor' | 'place'>,
  { id, sales_channel: channel }: Pick<OrderCells, 'id' | 'sales_channel'>,
): Promise<void> {
  const { place } = at
  const automatic = await automaticCheckins(tx, place)
  if (!automatic.rules.some(({ mode }) => mode === 'paid')) return
  const positions = await findRows(tx, orderPosition, place, {
    where: sql`order_id = ${id} AND canceled = 0`,
  })
  const payments = await findRows(tx, orderPayment, place, {
    where: sql`order_id = ${id} AND state IN ('confirmed', 'refunded')`,
  })
  const done = await tx.all<{ position: number; list: number }>(
    sql`SELECT c."position" AS position, c.list FROM checkin c
        JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
        WHERE c.organizer = ${place.organizer} AND p.order_id = ${id} AND c.auto_checked_in = 1
          AND c.successful = 1 AND c."type" = 'entry'`,
  )
  const sale = { channel, positions, paidWith: new Set(payments.map(({ provider }) => provider)) }
  const fresh = entries(tx, turnsOfRules(automatic, 'paid', sale), positions, done)
  await insertRows(tx, checkin, place, fresh)
  reportEntries(tx, at, fresh, positions)
}

/** Reports to the upstream what entries a sale has made; the order itself is reported first. */
export function reportEntries(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  rows: readonly CheckinRow[],
  positions: readonly SoldPosition[],
): void {
  const secrets = new Map(positions.map(({ id, secret }) => [id, secret]))
  for (const row of rows) {
    const payload = { row, secret: secrets.get(row.position ?? 0) ?? null }
    tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  }
}
