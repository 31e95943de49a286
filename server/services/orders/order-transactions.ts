import sql, { join, type Sql } from 'sql-template-tag'
import type { Row } from '../../../schema/resource.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import {
  type OrderTransaction,
  orderTransaction,
} from '../../../schema/resources/orders/order-transaction.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { type Cell, insertion } from '../../resource/insertion.ts'
import { filterConditions, lowered, orderBy, type Query, single } from '../../resource/query.ts'
import { rowOf } from '../../resource/store.ts'
import type { Change, Tx } from '../../resource/transactions.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

/** What tells lines of orders apart: a line that changes in any of it was sold no more, and another one was. */
const lineColumns = sql`order_id, positionid, item, variation, subevent, price, tax_rate, tax_rule, tax_value, fee_type, internal_type`

/** How many more of a line were sold than its transactions say so far. */
interface LineChange extends Cells {
  readonly event: number
  readonly order_id: number
  readonly count: number
}

const ordersAtOnce = 200

const intoTransactions = insertion(
  17,
  (rows) =>
    sql`INSERT INTO order_transaction (organizer, event, id, created, datetime, count, ${lineColumns}) VALUES ${rows}`,
)

/** What is sold by orders that are neither over nor wait for approval. */
const isSold = sql`o.status IN ('n', 'p') AND o.require_approval = 0`

/** The lines of some orders whose transactions do not add up to what they have sold, what was taken back first. */
const changedLines = (organizer: number, ids: readonly number[]): Sql => {
  const some = join([...ids])
  return sql`SELECT event, ${lineColumns}, CAST(sum(sold) AS BIGINT) AS count FROM (
      SELECT p.event, p.order_id, p.positionid, p.item, p.variation, p.subevent, p.price, p.tax_rate, p.tax_rule,
        p.tax_value, CAST(NULL AS TEXT) AS fee_type, CAST(NULL AS TEXT) AS internal_type, 1 AS sold
      FROM orders o JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
      WHERE o.organizer = ${organizer} AND o.id IN (${some}) AND ${isSold} AND p.canceled = 0
      UNION ALL
      SELECT f.event, f.order_id, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT),
        f.value, f.tax_rate, f.tax_rule, f.tax_value, f.fee_type, f.internal_type, 1
      FROM orders o JOIN order_fee f ON f.organizer = o.organizer AND f.order_id = o.id
      WHERE o.organizer = ${organizer} AND o.id IN (${some}) AND ${isSold} AND f.canceled = 0
      UNION ALL
      SELECT event, ${lineColumns}, -count FROM order_transaction
      WHERE organizer = ${organizer} AND order_id IN (${some})
    ) lines
    GROUP BY event, ${lineColumns} HAVING sum(sold) <> 0
    ORDER BY order_id, CASE WHEN sum(sold) < 0 THEN 0 ELSE 1 END, COALESCE(positionid, 0), fee_type, price`
}

/**
 * Writes the transactions that some orders lack: what they have sold now less what their transactions say. It happened
 * at the moment that is given, and is stored now. Written at the top only; nodes below it have none.
 */
export async function writeTransactions(
  tx: Tx,
  organizer: number,
  orders: readonly number[],
  datetime: string,
): Promise<void> {
  if (tx.site !== 0) return
  for (let first = 0; first < orders.length; first += ordersAtOnce) {
    const lines = await tx.all<LineChange>(changedLines(organizer, orders.slice(first, first + ordersAtOnce)))
    const rows = lines.map((line): Cell[] => [
      ...[organizer, line.event, tx.nextId(), tx.now, datetime, line.count, line.order_id],
      ...[line.positionid ?? null, line.item ?? null, line.variation ?? null, line.subevent ?? null],
      ...[line.price ?? 0, line.tax_rate ?? 0, line.tax_rule ?? null, line.tax_value ?? 0],
      ...[line.fee_type ?? null, line.internal_type ?? null],
    ])
    await intoTransactions(tx, rows)
  }
}

const linesOf: Readonly<Record<string, Sql>> = {
  [orderPosition.name]: sql`order_position`,
  [orderFee.name]: sql`order_fee`,
}

/** The orders that some changes are about, by their organizers. */
async function ordersChanged(tx: Tx, changes: readonly Change[]): Promise<Map<number, Set<number>>> {
  const orders = new Map<number, Set<number>>()
  const lines = new Map<string, { organizer: number; table: Sql; ids: number[] }>()
  for (const { place, resource, row, op } of changes) {
    const table = linesOf[resource]
    if (op === 'delete' || (resource !== order.name && !table)) continue
    const { organizer } = place
    const known = orders.get(organizer) ?? new Set()
    orders.set(organizer, known)
    if (!table) known.add(row)
    else {
      const key = `${organizer} ${resource}`
      const some = lines.get(key) ?? { organizer, table, ids: [] }
      lines.set(key, some)
      some.ids.push(row)
    }
  }
  for (const { organizer, table, ids } of lines.values())
    for (let first = 0; first < ids.length; first += ordersAtOnce) {
      // Without DISTINCT, for which SQLite would walk through the orders of all positions there are.
      const found = await tx.all<{ order_id: number }>(
        sql`SELECT order_id FROM ${table}
            WHERE organizer = ${organizer} AND id IN (${join(ids.slice(first, first + ordersAtOnce))})`,
      )
      for (const { order_id } of found) orders.get(organizer)?.add(order_id)
    }
  return orders
}

/** Writes the transactions of the orders that a transaction of the database has changed, last of all. */
export async function followOrders(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (tx.site !== 0) return
  for (const [organizer, orders] of await ordersChanged(tx, changes))
    await writeTransactions(tx, organizer, [...orders], tx.now)
}

/** A transaction as it is shown. */
type ShownTransaction = Row<typeof orderTransaction> & {
  readonly order: string
  readonly tax_code: null
  readonly event?: string
}

/** Transactions as they are shown: with the codes of their orders, and their events where those differ. */
async function shownTransactions(
  db: Queryable,
  { organizer, event }: Pick<Scope, 'organizer' | 'event'>,
  rows: readonly OrderTransaction[],
): Promise<ShownTransaction[]> {
  if (rows.length === 0) return []
  const ids = [...new Set(rows.map(({ order_id }) => order_id))]
  const found = await db.all<{ id: number; code: string; slug: string }>(
    sql`SELECT orders.id, orders.code, event.slug FROM orders
        JOIN event ON event.organizer = orders.organizer AND event.id = orders.event
        WHERE orders.organizer = ${organizer.id} AND orders.id IN (${join(ids)})`,
  )
  const byId = new Map(found.map((one) => [one.id, one]))
  return rows.map(({ order_id, ...row }) => {
    const { code = '', slug = '' } = byId.get(order_id) ?? {}
    return { ...row, order: code, tax_code: null, ...(event ? {} : { event: slug }) }
  })
}

/** Conditions on transactions by what somebody calls their order or event, in any case. */
function calledConditions({ organizer }: Pick<Scope, 'organizer'>, query: Query): Sql[] {
  const [code, slug] = [single(query, 'order'), single(query, 'event')]
  return [
    ...(code
      ? [
          sql`order_id IN (SELECT orders.id FROM orders WHERE orders.organizer = ${organizer.id}
            AND ${lowered(sql`orders.code`)} = ${code.toLowerCase()})`,
        ]
      : []),
    ...(slug
      ? [
          sql`order_transaction.event IN (SELECT event.id FROM event WHERE event.organizer = ${organizer.id}
            AND ${lowered(sql`event.slug`)} = ${slug.toLowerCase()})`,
        ]
      : []),
  ]
}

/** What lists of transactions are asked for, and what is shown of them. */
export const transactionBehaviour: Behaviour<typeof orderTransaction> = {
  conditions: calledConditions,
  present: (db, scope, rows) => shownTransactions(db, scope, rows),
}

/** A page of the transactions of all events that a caller may see, or the one with an id, and how many there are. */
export async function organizerTransactions(
  db: Queryable,
  scope: Scope,
  query: Query,
  { size, offset, id }: { readonly size: number; readonly offset: number; readonly id?: number },
): Promise<{ readonly count: number; readonly rows: readonly ShownTransaction[] }> {
  const { organizer, actor } = scope
  const some =
    actor.events.size > 0 ? sql`order_transaction.event IN (${join([...actor.events])})` : sql`1 = 0`
  const where = join(
    [
      sql`organizer = ${organizer.id}`,
      ...(actor.allEvents ? [] : [some]),
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...filterConditions(orderTransaction, query),
      ...calledConditions(scope, query),
    ],
    ' AND ',
  )
  const counted = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM order_transaction WHERE ${where}`,
  )
  const found = await db.all<Cells>(
    sql`SELECT * FROM order_transaction WHERE ${where} ORDER BY ${orderBy(orderTransaction, query, db.engine)}
        LIMIT ${size} OFFSET ${offset}`,
  )
  const rows = found.map((cells) => rowOf(orderTransaction, cells))
  return { count: counted?.count ?? 0, rows: await shownTransactions(db, scope, rows) }
}
